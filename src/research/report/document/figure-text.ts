import { withoutZeros } from '../../../core/base/number-text.ts';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount, formatAmountFixed } from '../../../core/base/amount.ts';
import type { ReportDocument, ReportFigure } from './document.ts';
import type { Figure } from '../../statistics/figure.ts';
import { insufficientSample } from '../../statistics/figure.ts';
import { Decimal } from '../../../core/base/decimal.ts';

/** What every figure is called and what it means: `key | label | definition`, one a line. */
const table = `
return.start | Start equity | What the account held at the start in the quote currency and in the base currencies that were traded, at their first price. The opening balances are valued once: their own gain or loss is not a result of the strategy.
return.end | End equity | Start equity and net profit.
return.profit | Net profit | Sells less buys, what is held valued at the mid price (else the last trade; of bars at their end), fees taken off. Exact.
return.share | Return | Net profit over start equity.
return.fees | Fees paid | Sum of all fees that were paid, rebates left out, in quote currency.
return.rebates | Rebates | Sum of all negative fees: what the venue paid for resting orders.
return.turnover | Turnover | Sum of price times quantity of all own fills.
return.annual | Annualised return | The yearly growth that compounds to the same end, from daily returns and the days of a year. Needs 30 daily returns.
return.hold | Hold | What holding the benchmark (report.benchmark, else the instrument traded first) would have returned, from its first price to its last.
return.exposure | Exposure | Share of the samples (one a second with messages, of bars one a bar) at which a position was held, or before which one was opened or closed since the sample before.
risk.volatility | Volatility | Standard deviation of daily returns times the root of the days of a year.
risk.drawdown | Largest drawdown | The deepest fall of equity from an earlier peak, as a share of that peak; in the samples of the run.
risk.drawdownMoney | Largest drawdown in money | The largest fall of the profit from its peak so far, from every sample; of a session from its own beginning. That of all sessions stands in Account at the end.
risk.drawdownAverage | Average drawdown | Mean depth of all falls from a peak until equity was back or the run ended.
risk.drawdownLongest | Longest drawdown | The longest time from a peak until equity was back, or until the end.
risk.worstDay | Worst day | The lowest daily return; days end at midnight UTC.
risk.cvar | CVaR 95 | Mean of the worst 5 % of daily returns, the one at the quantile among them.
risk.leverage | Largest leverage | The largest value of all positions over equity, in the samples of the run.
risk.inventoryMax | Largest inventory | The largest position, long or short, in the samples of the run.
risk.inventoryMean | Average inventory | Mean absolute position over the samples of the run.
risk.inventoryEnd | Inventory at the end | The position that was left when the run ended, signed.
ratios.sharpe | Sharpe | Mean over standard deviation of daily returns, times the root of the days of a year. A yearly report.riskFree is taken off first.
ratios.sharpeLow | Sharpe 95 %, from | Lower end of the interval that holds the true Sharpe ratio with 95 % (Mertens).
ratios.sharpeHigh | Sharpe 95 %, to | Upper end of the interval that holds the true Sharpe ratio with 95 % (Mertens).
ratios.sortino | Sortino | Mean daily return over the root mean square of its losses, times the root of the days of a year.
ratios.calmar | Calmar | Annualised return over the deepest fall of daily equity.
ratios.omega | Omega | Sum of daily gains over sum of daily losses.
ratios.alpha | Alpha | Yearly return beyond beta times that of the benchmark, from daily returns.
ratios.beta | Beta | Covariance of daily returns with those of the benchmark, over the variance of those.
ratios.daysPerYear | Days of a year | Daily returns that a year counts, by the UTC days on which the data have any: 365 every day, 313 without Saturdays, 252 without weekends, 52 of weeks, 12 of months; or report.daysPerYear.
ratios.profitFactor | Profit factor | What winning trades won over what losing trades lost, fees taken off.
ratios.expectancy | Expectancy | Mean net profit of a closed trade.
ratios.sqn | SQN | Mean over standard deviation of the net profit of closed trades, times the root of their number.
ratios.psr | Probabilistic Sharpe | Probability that the true Sharpe ratio is above 0, by the length, skewness and kurtosis of daily returns (Bailey, Lopez de Prado 2012).
ratios.dsr | Deflated Sharpe | The same, but above the best ratio to be expected of as many worthless trials as were run on this data (Bailey, Lopez de Prado 2014).
ratios.trials | Trials on this data | Different strategies, parameters and configurations that were run on the same data, this one included: lines of the trial log.
trades.count | Closed trades | Round trips of a strategy on a symbol: from flat to flat, or to the other side.
trades.open | Open at the end | Positions that were not closed; no trade is counted for them.
trades.winRate | Win rate | Share of closed trades with a net profit above 0.
trades.winAverage | Average win | Mean net profit of winning trades.
trades.winMedian | Median win | Median net profit of winning trades.
trades.lossAverage | Average loss | Mean net profit of losing trades.
trades.lossMedian | Median loss | Median net profit of losing trades.
trades.payoff | Payoff | Average win over average loss.
trades.winsInARow | Longest winning streak | Most winning trades in a row.
trades.lossesInARow | Longest losing streak | Most losing trades in a row.
trades.holding | Average holding time | Mean time from the first fill of a trade to its last.
trades.holdingMax | Longest holding time | The longest time from the first fill of a trade to its last.
execution.orders | Orders | New orders and replacements that our controls accepted.
execution.fills | Fills | Executions of own orders; an order may have several.
execution.fillRatio | Fill ratio | Share of ended orders (filled, cancelled, expired, replaced) with at least one fill.
execution.makerShare | Maker share | Share of fills that rested in the book.
execution.orderToTrade | Order-to-trade | Messages (orders, replacements, cancels) for each fill.
execution.timeToFill | Time to fill, median | From the decision, of a stop order from its activation, to the first reported fill; of orders that filled.
execution.timeToFill99 | Time to fill, p99 | 99 % of the orders that filled had their first fill by then.
execution.queueAhead | Queue ahead, median | What the book showed at the price of an order when the venue accepted it, as a multiple of the order. A live book counts the order itself.
execution.queueAhead90 | Queue ahead, p90 | 90 % of the resting orders had no more ahead of them.
execution.markout1 | Markout after 1 s | How far the mid had moved our way 1 s after a fill, from the price of the fill; weighted by value.
execution.markout10 | Markout after 10 s | How far the mid had moved our way 10 s after a fill, from the price of the fill; weighted by value.
execution.markout60 | Markout after 60 s | How far the mid had moved our way 60 s after a fill, from the price of the fill; weighted by value.
execution.slippageTaker | Slippage, taking | What taking fills paid against the mid at the decision, of a stop order at its activation, weighted by value; positive is a cost.
execution.slippageMaker | Slippage, making | What resting fills paid against the mid at the decision, of a stop order at its activation, weighted by value; negative is earned.
execution.ack50 | Acknowledgement, p50 | From the decision to the first answer of the venue, half of the orders; waits at the gate count.
execution.ack99 | Acknowledgement, p99 | From the decision to the first answer of the venue, 99 % of the orders; waits at the gate count.
execution.denied | Refused by us | Intents that our own controls refused; no byte left.
execution.rejected | Refused by the venue | Orders the venue refused.
execution.unknown | Unanswered | Orders that were sent without an answer; each was settled by evidence.
execution.postOnly | Post-only expiries | Post-only orders that would have taken, and expired instead.
execution.waits | Budget waits | Commands that waited at the gate although their record was on disk: the rate budget of their lane was used up, or others were first.
execution.waitTotal | Budget waits, in all | How long these commands waited together until they left or were given up.
execution.waitLongest | Budget waits, longest | The longest of these waits.
execution.volumeShare | Largest share of volume | The most that fills took of what was traded in their bar, or on books and trades on their UTC day.
execution.rounding | Rounding loss | What rounding took: fees as charged less the exact rate of the symbol list, where they differ by less than the last digit of the fee, and on bars what slipped prices lost by going to the next tick. Prices and quantities off the grid are refused (OFF_GRID), never rounded.
walk.profit | Net profit | Profit of all test windows together, fees taken off.
walk.days | Time out of sample | Length of all test windows together.
walk.profitPerDay | Profit a day | Net profit over the days.
walk.winning | Windows with a profit | Test windows that ended with a profit, of all.
walk.drawdown | Largest drawdown | The largest fall of the profit from its peak, over the test windows one behind the other.
robustness.low | Bootstrap 95 %, from | Lower end of a 95 % interval of the net profit: its changes over equal times, drawn in blocks with replacement, 2,000 times, seeded.
robustness.high | Bootstrap 95 %, to | Upper end of a 95 % interval of the net profit: its changes over equal times, drawn in blocks with replacement, 2,000 times, seeded.
robustness.positive | Bootstrap above 0 | Share of those draws that ended with a profit.
robustness.fee | Edge gone at a further fee of | Net profit over turnover: so much more fee on every fill, and nothing is left. The fills are taken as they were.
robustness.latency | Edge gone at a latency of | The entry latency at which the net profit reaches 0, between the two runs around it on a straight line.
robustness.slippage | Edge gone at a slippage of | Of runs on bars: the share by which market and stop orders fill worse at which the net profit reaches 0, between the two runs around it on a straight line.
robustness.band | Band of net profit | The lowest and the highest net profit of the runs in the table Band: three fill assumptions, each at the usual latency and at a bad one (of bars: slippage).
robustness.walkForward | Walk-forward efficiency | Profit a day on the test windows over profit a day on the training windows before them (Pardo), of a walk-forward on the same data with the same strategy.
` as const;

/** The first word of every line of a table. */
type KeysOf<Table extends string, Found = never> = Table extends `${infer Line}\n${infer Rest}`
  ? KeysOf<Rest, Found | KeyOf<Line>>
  : Found | KeyOf<Table>;
type KeyOf<Line extends string> = Line extends `${infer Key} | ${string}` ? Key : never;

export type FigureKey = KeysOf<typeof table>;

/** The words beside a number of a report. */
export interface FigureWords {
  readonly label: string;
  readonly definition: string;
}

/** Label and definition of every figure, by key, in the order of the table. */
const definitions = Object.fromEntries(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', label = '', definition = ''] = line.split(' | ');
      return [key, { label, definition }];
    }),
) as Readonly<Record<FigureKey, FigureWords>>;

/** A figure that is there. `number` is left out when it is none. */
export function figureWith(
  key: FigureKey,
  value: string,
  more: { number?: number; group?: string | undefined } = {},
): ReportFigure {
  return { ...headOf(key, more.group), value, ...(more.number === undefined ? {} : { number: more.number }) };
}

/** A figure that is not figureWith, and why. */
export function absent(key: FigureKey, reason: string, group?: string): ReportFigure {
  return { ...headOf(key, group), reason };
}

/** A statistic as a figure, by a way to print its number. */
export function statistic(
  key: FigureKey,
  figure: Figure,
  print: (value: number) => string,
  group?: string,
): ReportFigure {
  return figure.value === undefined
    ? absent(key, figure.reason, group)
    : figureWith(key, print(figure.value), { number: figure.value, group });
}

/** A number when there are enough samples behind it and it is one. */
export function sampled(
  key: FigureKey,
  of: { readonly have: number; readonly needed: number; readonly what: string; readonly value: () => number },
  print: (value: number) => string,
): ReportFigure {
  const { have, needed, what } = of;
  if (have < needed) return absent(key, insufficientSample(needed, what, have));
  const value = of.value();
  return Number.isFinite(value)
    ? figureWith(key, print(value), { number: value })
    : absent(key, `no ${what} had a price`);
}

function headOf(
  key: FigureKey,
  group: string | undefined,
): Pick<ReportFigure, 'key' | 'label' | 'definition' | 'group'> {
  const { label, definition } = definitions[key];
  return { key, label, definition, ...(group === undefined ? {} : { group }) };
}

/** A fraction in per cent. */
export function percentText(fraction: number): string {
  return `${trimmed(fraction * 100, 2)} %`;
}

export function ratioText(value: number): string {
  return trimmed(value, 2);
}

export function basisPointText(value: number): string {
  return `${trimmed(value, 2)} bp`;
}

/** Money of a currency, with seven digits that mean something. */
export function moneyText(currency: string): (value: number) => string {
  return (value) => `${numberText(value)} ${currency}`.trimEnd();
}

/** More decimals than products of prices, quantities and rates have: what divided by a price left behind. */
const exactDecimalsMax = 16;
const cutDecimals = 12;

/** An amount to the last digit; one that was divided by prices, as those of inverse contracts are, cut to 12 decimals. */
export function amountText(amount: Amount, currency: string): string {
  const exact = formatAmount(amount);
  const decimals = exact.length - 1 - exact.indexOf('.');
  if (!exact.includes('.') || decimals <= exactDecimalsMax) return `${exact} ${currency}`;
  return `${withoutZeros(formatAmountFixed(amount, cutDecimals))} ${currency}`;
}

/** Seven significant digits without an exponent and without trailing zeros. */
export function numberText(value: number): string {
  if (value === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(value)));
  return trimmed(value, Math.min(18, Math.max(0, 6 - size))).replace(/\.0+$/, '');
}

/** Microseconds in the unit a person would choose. */
export function durationText(micros: number): string {
  const ms = micros / 1_000;
  if (ms < 1) return `${trimmed(micros, 0)} µs`;
  if (ms < 1_000) return `${trimmed(ms, ms < 10 ? 2 : 1)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${trimmed(seconds, 2)} s`;
  if (seconds < 7_200) return `${trimmed(seconds / 60, 1)} min`;
  if (seconds < 172_800) return `${trimmed(seconds / 3_600, 1)} h`;
  return `${trimmed(seconds / 86_400, 1)} d`;
}

/** `2026-11-21 01:00:08 to 01:02:08 UTC, 120 s`. */
export function spanText({ start, end, seconds }: NonNullable<ReportDocument['span']>): string {
  const from = start.slice(0, 19).replace('T', ' ');
  const to = end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 19) : end.slice(0, 19).replace('T', ' ');
  return `${from} to ${to} UTC, ${durationText(seconds * 1_000_000)}`;
}

/** Fixed digits; trailing zeros of more than two go, and nothing is "-0". */
function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const short = digits > 2 ? withoutZeros(text) : text;
  return /[1-9]/.test(short) ? short : short.replace('-', '');
}

/** One figure of a report: its value as text, or why there is none. */
export type Cell = { readonly value: string } | { readonly value: undefined; readonly reason: string };

/** A figure that needs `needed` samples: computed only when there are as many. */
export function gated(have: number, needed: number, what: string, compute: () => string): Cell {
  if (have >= needed) return { value: compute() };
  return { value: undefined, reason: insufficientSample(needed, what, have) };
}

/** `part / whole` in per cent: two decimals, of less than a tenth three digits that mean something. */
export function percentShare(part: Amount | number, whole: Amount | number): string {
  const share = decimalOf(part).dividedBy(decimalOf(whole)).times(100);
  const isSmall = !share.isZero() && share.abs().lessThan(0.1);
  return `${isSmall ? share.toSignificantDigits(3).toFixed() : share.toFixed(2)} %`;
}

function decimalOf(value: Amount | number): Decimal {
  return new Decimal(typeof value === 'bigint' ? formatAmount(value) : value);
}

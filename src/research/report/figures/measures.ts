import type { Amount } from '../../../core/base/amount.ts';
import { add, multiply, zero } from '../../../core/base/amount.ts';
import { fail } from '../../../core/base/assert.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type {
  FallFigures,
  TimedFall,
  SessionHolding,
  RunDetails,
  Summary,
  BookedTrip,
} from '../fold/index.ts';
import {
  simpleReturns,
  figure,
  tradeStatistics,
  dailyAgainst,
  dailyStatistics,
  calendarOf,
} from '../../statistics/index.ts';
import type {
  Figure,
  TradeStatistics,
  TrialSpread,
  Calendar,
  FigureOptions,
} from '../../statistics/index.ts';

/** The money of a run in one quote currency: exact sums, what was folded from every sample, and columns to draw. */
export interface CurrencyMeasures {
  readonly currency: string;
  /** What the account was worth at the start; NaN when it is not known. */
  readonly start: number;
  /** How many samples the run had. */
  readonly samples: number;
  /** Of them, at which a position was held, or before which one had been since the sample before. */
  readonly exposed: number;
  /** The largest value of all positions, long or short, over equity. */
  readonly leverage: number;
  readonly falls: FallFigures;
  /** The five deepest, the deepest first. */
  readonly worstFalls: readonly TimedFall[];
  /** What profit changed by over equal times. */
  readonly changes: readonly number[];
  /** When each UTC day ended, and equity at its last sample. */
  readonly days: { readonly times: readonly number[]; readonly equity: readonly number[] };
  /** What is held instead: the benchmark that was named, else the instrument traded first. */
  readonly hold: HeldInstead | undefined;
  readonly options: FigureOptions;
  readonly drawn: DrawnMoney;
  readonly trips: readonly BookedTrip[];
  readonly profit: Amount;
  readonly drawdown: Amount;
  readonly turnover: Amount;
  readonly feesPaid: Amount;
  readonly rebates: Amount;
  /** What rounding took. */
  readonly rounding: Amount;
}

/** An instrument that a run is compared with. */
export interface HeldInstead {
  readonly symbol: string;
  readonly first: number;
  readonly last: number;
  /** Its last price on each UTC day of the run that has one, by the end of the day. */
  readonly daily: ReadonlyMap<number, number>;
}

/** Columns to draw, which of a long run do not have every sample; `numbers` says which they have. */
export interface DrawnMoney {
  readonly times: readonly number[];
  readonly numbers: readonly number[];
  readonly profits: readonly number[];
  /** The highest profit up to then. */
  readonly peaks: readonly number[];
  /** The price of what is held instead. */
  readonly hold: readonly number[];
  /** What holding the largest position in it from the first price on had brought, and that position. */
  readonly holdProfits: readonly number[];
  readonly holdQuantity: number;
}

/** The measures of a run with details, one per quote currency; one with nothing in it when nothing was traded. */
export function measuresOf(summary: Summary): readonly CurrencyMeasures[] {
  const { details } = summary;
  if (details === undefined) fail('a full report was asked of a run without details');
  details.samples.close();
  const traded = [...summary.curves().keys()];
  const first = (summary.markets()[0] ?? details.followed[0])?.spec.quoteCurrency;
  const currencies = traded.length > 0 || first === undefined ? traded : [first];
  return currencies.map((currency) => measure(currency, summary, details));
}

/** The growth of the day's end, day by day; the first from the start, where that is known. */
export function dailyReturns({ start, days }: Pick<CurrencyMeasures, 'start' | 'days'>): readonly number[] {
  return simpleReturns(Number.isNaN(start) ? days.equity : [start, ...days.equity]);
}

function measure(currency: string, summary: Summary, details: RunDetails): CurrencyMeasures {
  const { samples } = details;
  const holdings = summary.holdings().filter(({ instrument }) => instrument.spec.quoteCurrency === currency);
  const symbols = holdings.map(({ instrument }) => instrument.symbol);
  const followed = details.followed.find(({ spec }) => spec.quoteCurrency === currency);
  const { benchmark } = summary.figures;
  const named = benchmark === undefined ? undefined : summary.instruments.find(benchmark);
  const instead = named ?? holdings[0]?.instrument ?? followed;
  const start = summary.startOf(currency);
  const money = samples.money(currency);
  const inCurrency = new Set(symbols);
  const fees = sumOf(holdings, ({ position }) => position.feesInQuote);
  const rounding = sumOf(holdings, (holding) => inQuote(holding.feeRounding, holding, summary));
  const rebates = sumOf(holdings, (holding) => inQuote(holding.rebates, holding, summary));
  return {
    currency,
    start,
    samples: samples.count,
    exposed: money.exposed,
    leverage: money.leverage.largest(start),
    falls: money.falls.figures(start),
    worstFalls: money.falls.worst(start, 5),
    changes: money.even.changes(samples.count),
    days: { times: summary.days.ends, equity: summary.days.in(currency).map((profit) => start + profit) },
    hold: instead && holdOf(instead, details),
    options: summary.figures,
    drawn: drawnOf(currency, instead, details),
    trips: details.trades.trips.filter(({ symbol }) => inCurrency.has(symbol)),
    profit: summary.profit(currency),
    drawdown: summary.curves().get(currency)?.drawdownMax ?? zero,
    turnover: sumOf(holdings, ({ position }) => position.turnover),
    feesPaid: add(fees, rebates),
    rebates,
    rounding: add(rounding, details.roundedOff.get(currency) ?? zero),
  };
}

function holdOf({ symbol, id }: Instrument, { samples }: RunDetails): CurrencyMeasures['hold'] {
  const { firstPrice, price, daily } = samples.held(id);
  return { symbol, first: firstPrice, last: price, daily };
}

function drawnOf(currency: string, instead: Instrument | undefined, details: RunDetails): DrawnMoney {
  const { timeline, samples } = details;
  const sofar = (name: string): readonly number[] =>
    timeline.column(`${name} ${currency}`).map((value) => (Number.isNaN(value) ? 0 : value));
  const { times, numbers } = timeline;
  const common = { times, numbers, profits: sofar('profit'), peaks: sofar('peak') };
  if (instead === undefined) return { ...common, hold: [], holdProfits: [], holdQuantity: 0 };
  const hold = timeline.column(`price ${instead.symbol}`);
  const { firstPrice, most } = samples.held(instead.id);
  const cost = instead.contract.worthNear(firstPrice, most);
  const holdProfits = hold.map((price) => instead.contract.worthNear(price, most) - cost);
  return { ...common, hold, holdProfits, holdQuantity: most };
}

/** A part of the fees in the quote currency at the last price; 0 where they are in a third currency, and a note says so. */
function inQuote(amount: Amount, { instrument }: SessionHolding, summary: Summary): Amount {
  const { feeCurrency, quoteCurrency, baseCurrency } = instrument.spec;
  if (feeCurrency === quoteCurrency) return amount;
  const mark = summary.mark(instrument.id);
  return feeCurrency === baseCurrency && mark !== undefined ? multiply(amount, mark.price) : zero;
}

function sumOf(holdings: readonly SessionHolding[], of: (holding: SessionHolding) => Amount): Amount {
  return holdings.reduce((sum, holding) => add(sum, of(holding)), zero);
}

/** What a report says of the money of a run, from every sample of it. */
export interface RunStatistics extends ReturnType<typeof dailyStatistics> {
  readonly holdReturn: Figure;
  readonly exposure: Figure;
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly drawdownMax: Figure;
  readonly drawdownAverage: Figure;
  readonly drawdownSpanMax: Figure;
  readonly trades: TradeStatistics;
}

/** Returns that a year counts: as the user says, else by the days on which the run has samples. */
export function calendarOfRun({ options, days }: Pick<CurrencyMeasures, 'options' | 'days'>): Calendar {
  const { daysPerYear } = options;
  return daysPerYear === 'calendar'
    ? calendarOf(days.times)
    : { daysPerYear, why: 'report.daysPerYear', doubt: undefined };
}

/** `trials`: of how many tried strategies this is the best. */
export function runStatistics(measures: CurrencyMeasures, trials: TrialSpread | undefined): RunStatistics {
  const { samples, exposed, falls, hold, trips, options } = measures;
  const sampled = { have: samples, needed: 1, what: 'equity samples' };
  const fallen = { have: falls.count, needed: 1, what: 'drawdowns' };
  const { daysPerYear } = calendarOfRun(measures);
  return {
    ...dailyStatistics(dailyReturns(measures), { options, daysPerYear, trials, fall: () => falls.deepest }),
    ...against(measures, daysPerYear),
    holdReturn:
      hold === undefined
        ? { value: undefined, reason: 'nothing to compare with' }
        : figure(sampled, () => hold.last / hold.first - 1),
    exposure: figure(sampled, () => exposed / samples),
    drawdownMax: figure(sampled, () => falls.deepest),
    drawdownAverage: figure(fallen, () => falls.average),
    drawdownSpanMax: figure(fallen, () => falls.longest),
    trades: tradeStatistics(trips, options.tradesMin),
  };
}

/** Alpha and beta of the days behind the first, whose return the benchmark lacks. */
function against({ hold, days, options }: CurrencyMeasures, daysPerYear: number) {
  const reason =
    hold === undefined
      ? 'nothing to compare with'
      : options.annualising === 'geometric'
        ? 'report.annualising: geometric has it in bars.statistics of --json'
        : undefined;
  if (hold === undefined || reason !== undefined) {
    const none = { value: undefined, reason: reason ?? '' } as const;
    return { alpha: none, beta: none };
  }
  const prices = days.times.map((end) => hold.daily.get(end));
  const returns = prices.slice(1).map((price, i) => {
    const before = prices[i];
    return price === undefined || before === undefined ? null : price / before - 1;
  });
  return dailyAgainst(simpleReturns(days.equity), returns, { options, daysPerYear });
}

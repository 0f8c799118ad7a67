import type { Amount } from '../../../core/base/amount.ts';
import { add, formatAmount, lastDigit, zero } from '../../../core/base/amount.ts';
import { microsPerSecond, timeText } from '../../../core/base/clock.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { AccountState, MarginResult } from './account.ts';
import type { Cell } from '../document/index.ts';
import { gated, percentShare } from '../document/index.ts';
import type { SessionHolding, OrderCounts, MessageCounts, Summary } from '../fold/index.ts';
import { noStart } from '../fold/index.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import { marginResult } from './account.ts';
import { notesOn } from '../figures/run-doubts.ts';

/** What a report is made from besides the run itself. */
export interface ReportSetting {
  /** Seed, hashes of code, configuration and data, fill and latency model: printed as given, in this order. */
  readonly identity: Readonly<Record<string, string | number>>;
  /** That of the document, of a session: its summary is read without it. */
  readonly warning?: string | undefined;
  /** How the account stands, of a session. */
  readonly account?: AccountState | undefined;
  /** Why there are no shares of the starting equity. */
  readonly noShares?: string | undefined;
}

/** Result in one quote currency, of the session where the run has several. Amounts are exact decimal text. */
export interface CurrencyResult {
  readonly currency: string;
  /** Marked to market, fees taken off. */
  readonly profit: string;
  readonly fees: string;
  readonly turnover: string;
  readonly drawdownMax: string;
  readonly returnOnCapital: Cell;
  readonly samples: number;
}

export interface InstrumentResult {
  readonly symbol: string;
  /** The margin account that paid; left out of spot. */
  readonly account?: PositionAccount | undefined;
  /** Funding and interest of a margin account; left out of spot. */
  readonly charges?: string | undefined;
  readonly fills: number;
  readonly makerShare: Cell;
  /** Signed, base currency. */
  readonly position: string;
  readonly cash: string;
  readonly turnover: string;
  readonly fees: string;
  readonly feeCurrency: string;
  /** Of closed quantity, fees left out. */
  readonly realized: string;
  readonly profit: Cell;
  readonly markedAt: string;
}

/** Everything a report says, as plain JSON. */
export interface RunReport {
  readonly identity: Readonly<Record<string, string | number>>;
  /** Why results must be doubted, of a session; empty when nothing is wrong. */
  readonly warning?: string | undefined;
  readonly span: { readonly start: string; readonly end: string; readonly seconds: number } | undefined;
  readonly results: readonly CurrencyResult[];
  readonly instruments: readonly InstrumentResult[];
  readonly orders: OrderCounts & { readonly fillRatio: Cell };
  readonly denials: readonly { readonly code: string; readonly count: number }[];
  readonly messages: MessageCounts;
  /** What margin accounts came to, where there were some. */
  readonly margin?: MarginResult | undefined;
  /** How the account stood at the end, where the run was on one. */
  readonly account?: AccountState | undefined;
  readonly notes: readonly string[];
}

/** Fewer samples than these say nothing. */
const ordersMin = 30;

/** Makes the report of a run from its summary. */
export function runReport(summary: Summary, setting: ReportSetting): RunReport {
  const margin = marginResult(summary);
  const { span } = summary;
  const counts = summary.tally.counts();
  return {
    identity: setting.identity,
    ...(setting.warning === undefined ? {} : { warning: setting.warning }),
    span:
      span === undefined
        ? undefined
        : {
            start: timeText(span.start),
            end: timeText(span.end),
            seconds: (span.end - span.start) / microsPerSecond,
          },
    results: [...summary.curves().keys()].map((currency) => resultIn(currency, summary, setting)),
    instruments: summary.holdings().map((holding) => resultOf(holding, summary)),
    orders: { ...counts, fillRatio: fillRatio(counts) },
    denials: [...summary.tally.denials].map(([code, count]) => ({ code, count })),
    messages: summary.messages,
    ...(margin !== undefined && { margin }),
    ...(setting.account === undefined ? {} : { account: setting.account }),
    notes: notesOn(summary),
  };
}

function resultIn(currency: string, summary: Summary, setting: ReportSetting): CurrencyResult {
  const curve = summary.curves().get(currency);
  const profit = summary.profit(currency);
  const drawdown = curve?.drawdownMax ?? zero;
  const holdings = summary.holdings().filter(({ instrument }) => instrument.spec.quoteCurrency === currency);
  const capital = summary.opening.equity(currency, summary.markets());
  return {
    currency,
    profit: formatAmount(profit),
    fees: formatAmount(holdings.reduce((sum, { position }) => add(sum, position.feesInQuote), zero)),
    turnover: formatAmount(holdings.reduce((sum, { position }) => add(sum, position.turnover), zero)),
    drawdownMax: formatAmount(drawdown),
    returnOnCapital: shareOf(profit, capital, setting.noShares),
    samples: curve?.count ?? 0,
  };
}

function resultOf(holding: SessionHolding, summary: Summary): InstrumentResult {
  const { instrument, account, position, makerFills } = holding;
  const { fillCount } = position;
  const mark = summary.mark(instrument.id);
  return {
    symbol: instrument.symbol,
    ...(account !== 'spot' && { account, charges: formatAmount(position.charges) }),
    fills: fillCount,
    makerShare: gated(fillCount, 1, 'fills', () => percentShare(makerFills, fillCount)),
    position: formatAmount(position.held),
    cash: formatAmount(position.cash),
    turnover: formatAmount(position.turnover),
    fees: formatAmount(position.fees),
    feeCurrency: instrument.spec.feeCurrency,
    realized: formatAmount(onGrid(position.realized, instrument)),
    profit:
      mark === undefined
        ? { value: undefined, reason: 'no price was seen' }
        : { value: formatAmount(holding.profit(mark.price)) },
    markedAt: mark === undefined ? 'N/A' : `${formatAmount(mark.price)} (${mark.source})`,
  };
}

/**
 * What closing brought is reckoned at average entry prices, which have no last digit: to the nearest amount that fills can
 * come to. Of inverse contracts every amount has all digits.
 */
function onGrid(amount: Amount, instrument: Instrument): Amount {
  if (instrument.contract.isInverse) return amount;
  const unit = lastDigit(instrument.notional(1 as Ticks, 1 as Lots));
  const half = amount < 0n ? -unit / 2n : unit / 2n;
  return (((amount + half) / unit) * unit) as Amount;
}

function shareOf(amount: Amount, capital: Amount | undefined, noShares: string | undefined): Cell {
  if (noShares !== undefined) return { value: undefined, reason: noShares };
  if (capital === undefined) return { value: undefined, reason: noStart };
  return { value: percentShare(amount, capital) };
}

function fillRatio(counts: OrderCounts): Cell {
  const { canceled, expired, filled, replaced } = counts;
  const ended = canceled + expired + filled + replaced;
  return gated(ended, ordersMin, 'ended orders', () => percentShare(counts.endedWithFill, ended));
}

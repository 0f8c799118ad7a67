import type { Amount } from '../base/amount.ts';
import { add, amountToNumber, multiply, zero } from '../base/amount.ts';
import { fail } from '../base/assert.ts';
import type { Contract } from '../model/contract.ts';
import type { FillLedger } from './fill-ledger.ts';
import type { RunDetails } from './run-details.ts';
import type { RunSeries } from './statistics/statistics.ts';
import type { Summary } from './summary.ts';
import type { BookedTrip } from './trade-book.ts';

/** The money of a run in one quote currency, as columns and exact sums. */
export interface CurrencyMeasures {
  readonly currency: string;
  /** What the account was worth at the start; NaN when nobody told. */
  readonly start: number;
  readonly times: readonly number[];
  /** Profit at the same times. */
  readonly profits: readonly number[];
  readonly equity: readonly number[];
  /** The price of the instrument traded first, and its symbol. */
  readonly hold: readonly number[];
  readonly holdSymbol: string | undefined;
  /** The largest position in it, long or short. */
  readonly holdQuantity: number;
  /** What holding so much from the first price on had brought. */
  readonly holdProfits: readonly number[];
  readonly exposed: readonly number[];
  /** Value of all positions, long or short, over equity. */
  readonly leverage: readonly number[];
  readonly trips: readonly BookedTrip[];
  readonly profit: Amount;
  readonly drawdown: Amount;
  readonly turnover: Amount;
  readonly feesPaid: Amount;
  readonly rebates: Amount;
  /** What rounding took. */
  readonly rounding: Amount;
}

/** The measures of a run with details, one per quote currency; one with nothing in it when nothing was traded. */
export function measuresOf(
  summary: Summary,
  opening?: ReadonlyMap<string, Amount>,
): readonly CurrencyMeasures[] {
  const { details } = summary;
  if (details === undefined) fail('a full report was asked of a run without details');
  const traded = [...summary.curves().keys()];
  const first = (summary.markets()[0] ?? details.followed[0])?.spec.quoteCurrency;
  const currencies = traded.length > 0 || first === undefined ? traded : [first];
  return currencies.map((currency) => measure(currency, summary, details, opening));
}

/** The course as `statisticsOf` wants it. */
export function seriesOf(one: CurrencyMeasures): RunSeries {
  const { times, equity, start, trips, hold, holdSymbol, exposed } = one;
  const holdFrom = Math.max(
    0,
    hold.findIndex((price) => !Number.isNaN(price)),
  );
  const opening = Number.isNaN(start) ? undefined : start;
  return {
    times,
    equity,
    opening,
    trips,
    exposed,
    holdFrom,
    benchmark: holdSymbol === undefined ? undefined : hold,
  };
}

function measure(
  currency: string,
  summary: Summary,
  details: RunDetails,
  opening: ReadonlyMap<string, Amount> | undefined,
): CurrencyMeasures {
  const { course } = details;
  const ledgers = summary.ledgers().filter(({ instrument }) => instrument.spec.quoteCurrency === currency);
  const symbols = ledgers.map(({ instrument }) => instrument.symbol);
  const followed = details.followed.find(({ spec }) => spec.quoteCurrency === currency);
  const held = ledgers[0]?.instrument ?? followed;
  const holdSymbol = held?.symbol;
  const hold = held === undefined ? [] : course.column(`price ${held.symbol}`);
  const holdQuantity = largest(held === undefined ? [] : course.column(`position ${held.symbol}`));
  const opened = summary.opening.equity(currency, summary.markets(), opening);
  const start = opened === undefined ? Number.NaN : amountToNumber(opened);
  const profits = course.column(`profit ${currency}`).map((profit) => (Number.isNaN(profit) ? 0 : profit));
  const equity = profits.map((profit) => start + profit);
  const gross = grossOf(ledgers, details);
  const inCurrency = new Set(symbols);
  const fees = sumOf(ledgers, (ledger) => inQuote(ledger.fees, ledger, summary));
  const rounding = sumOf(ledgers, (ledger) => inQuote(ledger.feeRounding, ledger, summary));
  const rebates = sumOf(ledgers, (ledger) => inQuote(ledger.rebates, ledger, summary));
  return {
    currency,
    start,
    times: course.times,
    profits,
    equity,
    hold,
    holdSymbol,
    holdQuantity,
    holdProfits: held === undefined ? [] : gainsOf(held.contract, hold, holdQuantity),
    exposed: gross.map((value) => (value > 0 ? 1 : 0)),
    leverage: gross.map((value, i) => value / (equity[i] as number)),
    trips: details.trades.trips.filter(({ symbol }) => inCurrency.has(symbol)),
    profit: summary.profit(currency),
    drawdown: summary.curves().get(currency)?.drawdownMax ?? zero,
    turnover: sumOf(ledgers, ({ turnover }) => turnover),
    feesPaid: add(fees, rebates),
    rebates,
    rounding: add(rounding, details.roundedOff.get(currency) ?? zero),
  };
}

function largest(positions: readonly number[]): number {
  return positions.reduce((most, one) => (Math.abs(one) > most ? Math.abs(one) : most), 0);
}

function gainsOf(contract: Contract, prices: readonly number[], quantity: number): readonly number[] {
  const first = prices.find((price) => !Number.isNaN(price)) ?? Number.NaN;
  const cost = contract.worthNear(first, quantity);
  return prices.map((price) => contract.worthNear(price, quantity) - cost);
}

/** Value of all positions by row, long and short alike. */
function grossOf(ledgers: readonly FillLedger[], { course }: RunDetails): readonly number[] {
  const gross = course.times.map(() => 0);
  for (const { instrument } of ledgers) {
    const { symbol, contract } = instrument;
    const positions = course.column(`position ${symbol}`);
    const prices = course.column(`price ${symbol}`);
    for (let i = 0; i < gross.length; i++) {
      const value = Math.abs(contract.worthNear(prices[i] as number, positions[i] as number));
      if (!Number.isNaN(value)) gross[i] = (gross[i] as number) + value;
    }
  }
  return gross;
}

/** Fees in the quote currency; those in a third currency are 0 here, and a note says so. */
function inQuote(amount: Amount, { instrument }: FillLedger, summary: Summary): Amount {
  const { feeCurrency, quoteCurrency, baseCurrency } = instrument.spec;
  if (feeCurrency === quoteCurrency) return amount;
  const mark = summary.mark(instrument.id);
  return feeCurrency === baseCurrency && mark !== undefined ? multiply(amount, mark.price) : zero;
}

function sumOf(ledgers: readonly FillLedger[], of: (ledger: FillLedger) => Amount): Amount {
  return ledgers.reduce((sum, ledger) => add(sum, of(ledger)), zero);
}

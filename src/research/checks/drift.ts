import type { Amount } from '../../core/base/amount.ts';
import { add, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { DriftFill, DriftMarks, FillPair } from './drift-fills.ts';
import { feeInQuote, pairFills, fillsProfit, timeOf, tradedOf, worthOf } from './drift-fills.ts';

export const driftCauses = ['latency', 'fee', 'rounding', 'missing data', 'nondeterminism', 'queue'] as const;
export type DriftCause = (typeof driftCauses)[number];

/** A time in which the recording has no market of an instrument. */
export interface MissingSpan {
  readonly instrument: number;
  readonly from: number;
  readonly to: number;
}

export interface DriftSides {
  readonly instruments: Instruments;
  readonly marks: DriftMarks;
  readonly live: readonly DriftFill[];
  /** As configured. */
  readonly configured: readonly DriftFill[];
  /** With the fee rates of the session. */
  readonly charged: readonly DriftFill[];
  /** With its fee rates and latencies. */
  readonly timed: readonly DriftFill[];
  readonly missing: readonly MissingSpan[];
  /** From when on the replay of the session decides otherwise than the session did. */
  readonly departed: number | undefined;
}

/** One row of the table: a fill of both or of one, and why it is not the same. */
export interface DriftRow extends FillPair {
  /** `undefined`: the same on both sides, to the last digit. */
  readonly cause: DriftCause | undefined;
  /** Live less simulated, in quote currency. */
  readonly difference: Amount;
}

/** The difference in one quote currency. The causes add up to the total exactly. */
export interface CurrencyDrift {
  readonly currency: string;
  readonly live: Amount;
  readonly simulated: Amount;
  /** Live less simulated. */
  readonly total: Amount;
  /** Turnover, live or simulated, whichever is more. */
  readonly traded: Amount;
  readonly causes: ReadonlyMap<DriftCause, Amount>;
}

export interface Drift {
  readonly currencies: readonly CurrencyDrift[];
  /** The live fills beside those of the simulation with the session's latencies and fees. */
  readonly rows: readonly DriftRow[];
}

/**
 * Attributes the difference between a live session and its backtest, one substitution at a time: the session's fee rates,
 * then its latencies; what is left is listed fill by fill.
 */
export function attributeDrift(sides: DriftSides): Drift {
  const { instruments, marks } = sides;
  const rows = pairFills(sides.live, sides.timed).map((pair) => rowOf(pair, sides));
  const quotes = new Set(
    [...sides.live, ...sides.configured, ...sides.timed, ...sides.charged].map(
      ({ instrument }) => instruments.at(instrument).spec.quoteCurrency,
    ),
  );
  const currencies = [...quotes].map((currency): CurrencyDrift => {
    const isIn = ({ instrument }: DriftFill): boolean =>
      instruments.at(instrument).spec.quoteCurrency === currency;
    const [live, simulated, timed, charged] = [sides.live, sides.configured, sides.timed, sides.charged].map(
      (fills) => fillsProfit(fills.filter(isIn), instruments, marks),
    ) as [Amount, Amount, Amount, Amount];
    const causes = new Map<DriftCause, Amount>(driftCauses.map((cause) => [cause, zero]));
    causes.set('fee', subtract(charged, simulated));
    causes.set('latency', subtract(timed, charged));
    for (const row of rows) {
      const fill = row.live ?? row.simulated;
      if (row.cause === undefined || fill === undefined || !isIn(fill)) continue;
      causes.set(row.cause, add(causes.get(row.cause) ?? zero, row.difference));
    }
    const total = subtract(live, simulated);
    // A fill that was split may lose less than 10^-24 in its parts; it was the queue that split it.
    const explained = [...causes.values()].reduce((sum, amount) => add(sum, amount), zero);
    causes.set('queue', add(causes.get('queue') ?? zero, subtract(total, explained)));
    const [one, other] = [sides.live, sides.configured].map((fills) =>
      tradedOf(fills.filter(isIn), instruments),
    ) as [Amount, Amount];
    return { currency, live, simulated, total, traded: one > other ? one : other, causes };
  });
  return { currencies, rows };
}

/** Steps of a score: a billionth. */
const scoreSteps = 1_000_000_000n;

/**
 * How far backtests are from what happened: the difference in profit as a share of what was traded, of the currency where that
 * is most. 0 without fills. Differences of several sessions do not cancel each other.
 */
export function driftScore(sessions: readonly Pick<Drift, 'currencies'>[]): number {
  const sums = new Map<string, { far: bigint; traded: bigint }>();
  for (const { currency, total, traded } of sessions.flatMap(({ currencies }) => currencies)) {
    const sum = sums.get(currency) ?? { far: 0n, traded: 0n };
    sum.far += total < 0n ? -total : total;
    sum.traded += traded;
    sums.set(currency, sum);
  }
  const scores = [...sums.values()].map(({ far, traded }) =>
    traded === 0n ? 0 : Number((far * scoreSteps) / traded) / Number(scoreSteps),
  );
  return Math.max(0, ...scores);
}

function rowOf(pair: FillPair, sides: DriftSides): DriftRow {
  const { instruments, marks } = sides;
  const { live, simulated } = pair;
  const worth = (fill: DriftFill | undefined): Amount =>
    fill === undefined ? zero : worthOf(fill, instruments, marks);
  const difference = subtract(worth(live), worth(simulated));
  if (live !== undefined && simulated !== undefined) {
    const instrument = instruments.at(live.instrument);
    const fees = negate(feeInQuote(subtract(live.fee, simulated.fee), instrument, marks));
    const cause = live.taker === simulated.taker ? 'rounding' : 'queue';
    return { ...pair, cause: fees === zero ? undefined : cause, difference: fees };
  }
  return { ...pair, cause: causeOf(pair, sides), difference };
}

/** Why only one side made a fill. */
function causeOf(pair: FillPair, { missing, departed }: DriftSides): DriftCause {
  const time = timeOf(pair);
  const instrument = pair.live?.instrument ?? pair.simulated?.instrument;
  if (missing.some((span) => span.instrument === instrument && time >= span.from && time < span.to))
    return 'missing data';
  return departed !== undefined && time >= departed ? 'nondeterminism' : 'queue';
}

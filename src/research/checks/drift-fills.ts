import type { Amount } from '../../core/base/amount.ts';
import { add, multiply, subtract, zero } from '../../core/base/amount.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import type { Side } from '../../core/model/order.ts';

/** An own fill, live or simulated. */
export interface DriftFill {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** In the fee currency of the instrument. */
  readonly fee: Amount;
  readonly taker: boolean;
  /** When it happened. */
  readonly time: number;
}

/** Marks by instrument id: best bid plus best ask (or twice the last price) at the end, in ticks; both sides are valued at it. */
export type DriftMarks = ReadonlyMap<InstrumentId, number>;

/** A quantity that both made, or only one of them. */
export interface FillPair {
  readonly live: DriftFill | undefined;
  readonly simulated: DriftFill | undefined;
}

/** Fills of one price and side are the same one when they are no further apart. */
const pairMicrosMax = 5_000_000;

/** Worth of a fill at the end, its fee taken off, in quote currency. Sums of it are profits, exactly. */
export function worthOf(fill: DriftFill, instruments: Instruments, marks: DriftMarks): Amount {
  const instrument = instruments.at(fill.instrument);
  const paid = instrument.notional(fill.price, fill.quantity);
  const value = valueOf(instrument, fill, marks);
  const gain = fill.side === 'buy' ? subtract(value, paid) : subtract(paid, value);
  return subtract(gain, feeInQuote(fill.fee, instrument, marks));
}

/** A fee in quote currency; nothing when it is paid in a third one. */
export function feeInQuote(fee: Amount, instrument: Instrument, marks: DriftMarks): Amount {
  const { feeCurrency, quoteCurrency, baseCurrency } = instrument.spec;
  if (feeCurrency === quoteCurrency) return fee;
  const twice = marks.get(instrument.id);
  if (feeCurrency !== baseCurrency || twice === undefined) return zero;
  return (multiply(fee, instrument.priceAmount(twice as Ticks)) / 2n) as Amount;
}

/** Turnover of fills at their prices, in quote currency. */
export function tradedOf(fills: readonly DriftFill[], instruments: Instruments): Amount {
  return fills.reduce(
    (sum, { instrument, price, quantity }) => add(sum, instruments.at(instrument).notional(price, quantity)),
    zero,
  );
}

export function fillsProfit(
  fills: readonly DriftFill[],
  instruments: Instruments,
  marks: DriftMarks,
): Amount {
  return fills.reduce((sum, fill) => add(sum, worthOf(fill, instruments, marks)), zero);
}

/**
 * Lays the fills of both sides beside each other: same instrument, side and price, and the nearest in time. A fill that
 * was one here and two there is split; its fee goes with its parts, to the last digit.
 */
export function pairFills(live: readonly DriftFill[], simulated: readonly DriftFill[]): readonly FillPair[] {
  const open = simulated.map((fill) => ({ fill }));
  const alike = Map.groupBy(open, ({ fill }) => keyOf(fill));
  const pairs: FillPair[] = [];
  for (const one of live) {
    let rest: DriftFill | undefined = one;
    while (rest !== undefined) {
      const wanted: DriftFill = rest;
      let best: { fill: DriftFill } | undefined;
      for (const candidate of alike.get(keyOf(wanted)) ?? []) {
        if (candidate.fill.quantity === 0 || distance(candidate.fill, wanted) > pairMicrosMax) continue;
        if (best === undefined || distance(candidate.fill, wanted) < distance(best.fill, wanted))
          best = candidate;
      }
      if (best === undefined) {
        pairs.push({ live: wanted, simulated: undefined });
        break;
      }
      const lots = Math.min(wanted.quantity, best.fill.quantity);
      const [mine, mineLeft] = splitFill(wanted, lots);
      const [theirs, theirsLeft] = splitFill(best.fill, lots);
      pairs.push({ live: mine, simulated: theirs });
      best.fill = theirsLeft;
      rest = mineLeft.quantity === 0 ? undefined : mineLeft;
    }
  }
  for (const { fill } of open) if (fill.quantity > 0) pairs.push({ live: undefined, simulated: fill });
  return pairs.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** When the fill of a pair happened, live if it did. */
export function timeOf({ live, simulated }: FillPair): number {
  return live?.time ?? simulated?.time ?? 0;
}

function valueOf(instrument: Instrument, { quantity, price }: DriftFill, marks: DriftMarks): Amount {
  const twice = marks.get(instrument.id) ?? price * 2;
  return (instrument.notional(twice as Ticks, quantity) / 2n) as Amount;
}

/** Fills that may be the same one have the same key. */
function keyOf({ instrument, side, price }: DriftFill): string {
  return `${instrument} ${side} ${price}`;
}

function distance(one: DriftFill, other: DriftFill): number {
  return Math.abs(one.time - other.time);
}

function splitFill(fill: DriftFill, lots: number): readonly [DriftFill, DriftFill] {
  const fee = ((fill.fee * BigInt(lots)) / BigInt(fill.quantity)) as Amount;
  return [
    { ...fill, quantity: lots as Lots, fee },
    { ...fill, quantity: (fill.quantity - lots) as Lots, fee: subtract(fill.fee, fee) },
  ];
}

import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { Side } from '../../src/core/model/order.ts';
import type { NaiveList, NaiveOrder } from './naive-order.ts';

/** All live orders in one list, sorted whenever somebody asks. */
export class NaiveBook {
  readonly instruments: Instruments;
  live: NaiveOrder[] = [];
  last: (Ticks | undefined)[] = [];

  constructor(instruments: Instruments) {
    this.instruments = instruments;
  }

  /** Resting orders of a side, best first, older first. */
  queue(instrument: InstrumentId, side: Side): NaiveOrder[] {
    const sign = side === 'buy' ? -1 : 1;
    return this.live
      .filter(({ order }) => order.instrument === instrument && order.side === side)
      .filter(({ order }) => order.state !== 'suspended')
      .sort((a, b) => sign * (Number(a.order.price) - Number(b.order.price)) || a.turn - b.turn);
  }

  levels(instrument: InstrumentId, side: Side): { price: Ticks; quantity: Lots }[] {
    const totals = new Map<Ticks, number>();
    for (const { order } of this.queue(instrument, side)) {
      if (order.price === undefined) continue;
      totals.set(order.price, (totals.get(order.price) ?? 0) + order.quantity - order.cumulative);
    }
    return [...totals].map(([price, quantity]) => ({ price, quantity: quantity as Lots }));
  }

  /** What an order may take from now: the other side up to its limit. */
  takeable({ order }: NaiveOrder): NaiveOrder[] {
    const { instrument, side, price } = order;
    return this.queue(instrument, side === 'buy' ? 'sell' : 'buy').filter((maker) => {
      if (price === undefined) return true;
      return side === 'buy' ? Number(maker.order.price) <= price : Number(maker.order.price) >= price;
    });
  }

  /**
   * What an order would execute against now, in turn: of a list whose orders exclude each other only the first one,
   * and none of the order's own. `met` are lists decided before, and is added to.
   */
  walk(taker: NaiveOrder, met = new Set<NaiveList>()): { maker: NaiveOrder; lots: number }[] {
    const steps: { maker: NaiveOrder; lots: number }[] = [];
    let left = taker.order.quantity - taker.order.cumulative;
    for (const maker of this.takeable(taker)) {
      if (left === 0) break;
      const list = maker.list?.exclusive === true ? maker.list : undefined;
      if (list !== undefined && (list === taker.list || met.has(list))) continue;
      if (list !== undefined) met.add(list);
      const lots = Math.min(left, maker.order.quantity - maker.order.cumulative);
      steps.push({ maker, lots });
      left -= lots;
    }
    return steps;
  }

  available(taker: NaiveOrder, met = new Set<NaiveList>()): number {
    return this.walk(taker, met).reduce((sum, { lots }) => sum + lots, 0);
  }

  /** Suspended orders whose stop the last price has reached: rising ones first, nearest stop first. */
  reached(instrument: InstrumentId): NaiveOrder[] {
    const last = this.last[instrument];
    if (last === undefined) return [];
    const waiting = this.live.filter(
      ({ order, inactive }) => order.instrument === instrument && order.state === 'suspended' && !inactive,
    );
    const stop = (one: NaiveOrder): number => Number(one.order.stopPrice);
    const rises = ({ order }: NaiveOrder): boolean =>
      order.type.startsWith('stop') === (order.side === 'buy');
    const rising = waiting.filter((one) => rises(one) && last >= stop(one));
    const falling = waiting.filter((one) => !rises(one) && last <= stop(one));
    rising.sort((a, b) => stop(a) - stop(b) || a.turn - b.turn);
    falling.sort((a, b) => stop(b) - stop(a) || a.turn - b.turn);
    return [...rising, ...falling];
  }

  allLevels(): Map<string, Outcome & { kind: 'level' }> {
    const all = new Map<string, Outcome & { kind: 'level' }>();
    for (const { id } of this.instruments.all) {
      for (const side of ['buy', 'sell'] as const) {
        for (const { price, quantity } of this.levels(id, side))
          all.set(`${id} ${side} ${price}`, { kind: 'level', instrument: id, side, price, quantity });
      }
    }
    return all;
  }

  changedSince(
    before: ReturnType<NaiveBook['allLevels']>,
    after: ReturnType<NaiveBook['allLevels']>,
  ): Outcome[] {
    const changed = [...after].filter(([name, level]) => before.get(name)?.quantity !== level.quantity);
    const gone = [...before].filter(([name]) => !after.has(name));
    return [
      ...changed.map(([, level]) => level),
      ...gone.map(([, level]) => ({ ...level, quantity: 0 as Lots })),
    ];
  }
}

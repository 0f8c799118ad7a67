import { describe, expect, it } from 'vitest';
import { zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Side } from '../../../src/core/model/order.ts';
import { BookedFills } from '../../../src/core/state/booked-fills.ts';

function fill(instrument: number, side: Side, tradeId: string, time: number): OwnTrade {
  return {
    tradeId,
    price: 1 as Ticks,
    quantity: 1 as Lots,
    fee: zero,
    taker: false,
    time: time as Micros,
    instrument: instrument as InstrumentId,
    clientOrderId: 'one' as ClientOrderId,
    venueOrderId: '1',
    side,
  };
}

/** The rule in one line each: a text of symbol, side and number names a fill, and the oldest are forgotten first. */
class Naive {
  readonly keys: string[] = [];
  readonly times: number[] = [];
  horizon = -1;

  add({ instrument, side, tradeId, time }: OwnTrade, max: number): boolean {
    const key = `${instrument * 2 + (side === 'buy' ? 0 : 1)}:${tradeId}`;
    if (this.keys.includes(key) || time <= this.horizon) return false;
    this.keys.push(key);
    this.times.push(time);
    while (this.keys.length > max) {
      this.keys.shift();
      this.horizon = Math.max(this.horizon, this.times.shift() ?? 0);
    }
    return true;
  }
}

describe('fills that were booked', () => {
  it('are distinguished from new ones by symbol, side and trade number', () => {
    const fills = new BookedFills(10);
    expect(fills.add(fill(0, 'buy', '7', 5))).toBe(true);
    expect(fills.add(fill(0, 'sell', '7', 5))).toBe(true);
    expect(fills.add(fill(1, 'buy', '7', 5))).toBe(true);
    expect(fills.add(fill(0, 'buy', '7', 5))).toBe(false);
    expect(fills.knows(fill(1, 'sell', '7', 5))).toBe(false);
  });

  it('keep to a plain rule over thousands of fills, also when carried over', () => {
    const random = new Random('booked fills');
    const max = 50;
    const naive = new Naive();
    let fills = new BookedFills(max);
    for (let i = 0; i < 5_000; i++) {
      const side = random.chance(0.5) ? 'buy' : 'sell';
      const one = fill(random.between(0, 3), side, String(random.between(0, 400)), random.between(0, 40) + i);
      expect(fills.add(one)).toBe(naive.add(one, max));
      if (i % 500 !== 499) continue;
      const carried = fills.carry(max);
      expect(carried.keys).toEqual(naive.keys);
      expect(carried.times).toEqual(naive.times);
      expect(carried.horizon).toBe(naive.horizon);
      fills = new BookedFills(max);
      fills.takeFills(carried);
    }
  });

  it('count as forgotten, and so as booked, where no more than some are carried', () => {
    const fills = new BookedFills(10);
    for (let i = 0; i < 6; i++) fills.add(fill(0, 'buy', String(i), 100 + i));
    const carried = fills.carry(2);
    expect(carried).toEqual({ keys: ['0:4', '0:5'], times: [104, 105], horizon: 103 });
    const next = new BookedFills(10);
    next.takeFills(carried);
    expect(next.add(fill(0, 'buy', '1', 101))).toBe(false);
    expect(next.add(fill(0, 'buy', '6', 106))).toBe(true);
  });
});

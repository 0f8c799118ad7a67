import { describe, expect, test } from 'vitest';
import { RecordedBook } from '../../src/sim/fill-models/recorded-book.ts';

function book(): RecordedBook {
  const one = new RecordedBook();
  for (const [price, lots] of [[99, 1], [100, 2]] as const) one.setBid(price, lots); // prettier-ignore
  for (const [price, lots] of [[102, 3], [103, 4]] as const) one.setAsk(price, lots); // prettier-ignore
  return one;
}

describe('the recorded book', () => {
  test('knows its best prices as levels come and go', () => {
    const one = book();
    expect([one.bestBid, one.bestAsk]).toEqual([100, 102]);
    expect(one.setBid(100, 0)).toBe(2);
    expect(one.setAsk(101, 5)).toBe(0);
    expect([one.bestBid, one.bestAsk]).toEqual([99, 101]);
  });

  test('believes the latest word: a bid through older asks makes them stand back', () => {
    const one = book();
    one.setBid(102, 7);
    expect([one.bestBid, one.bestAsk]).toEqual([102, 103]);
    const asks: number[] = [];
    one.eachAsk((price) => asks.push(price) > 0);
    expect(asks).toEqual([103]);
    one.setAsk(102, 2);
    expect([one.bestBid, one.bestAsk]).toEqual([100, 102]);
  });

  test('takes levels behind the best price in runs, and leaves those where we stand and those that matter', () => {
    const one = book();
    const levels = Float64Array.from([[0, 98, 5], [0, 99, 0], [0, 97, 6], [0, 100, 7], [1, 104, 8]].flat()); // prettier-ignore
    const ours = 1 << (97 & 31);
    expect(one.setBehind(levels, 0, levels.length, ours)).toBe(6);
    expect([one.bidLots(98), one.bidLots(99), one.bidLots(97)]).toEqual([5, 0, 0]);
    expect(one.setBehind(levels, 6, levels.length, 0)).toBe(9);
    expect(one.setBehind(levels, 12, levels.length, 0)).toBe(15);
    expect([one.bidLots(97), one.bidLots(100), one.askLots(104)]).toEqual([6, 2, 8]);
  });

  test('takes none in runs while levels stand back', () => {
    const one = book();
    one.setAsk(100, 1);
    expect([one.bestBid, one.bestAsk]).toEqual([99, 100]);
    const levels = Float64Array.from([0, 98, 5]);
    expect(one.setBehind(levels, 0, 3, 0)).toBe(0);
    one.setBid(100, 0);
    expect(one.setBehind(levels, 0, 3, 0)).toBe(3);
  });

  test('an empty side has no best price', () => {
    const one = book();
    one.clear();
    expect([one.bestBid, one.bestAsk]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    one.setBid(5, 1);
    one.setBid(5, 0);
    expect(one.bestBid).toBe(Number.NEGATIVE_INFINITY);
  });
});

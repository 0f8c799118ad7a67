import { expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { MarketTap } from '../../src/app/live/market-tap.ts';
import { Rig, instrument } from '../core/trader/support/rig.ts';

function opened(waitingMax: number) {
  const rig = new Rig().ready();
  const clock = new VirtualClock(0 as Micros);
  const seen: Event[] = [];
  const tap = { behind: 0 };
  const market = new MarketTap(
    { trader: rig.trader, clock, waitingMax, onBehind: () => void (tap.behind += 1) },
    [{ kind: 'clockMeasured', offset: 5 as Micros, exchangeTime: 0 as Micros, receiveTime: 0 as Micros }],
  );
  market.events.subscribe((event) => seen.push(event));
  return { rig, clock, seen, tap, market };
}

test('what the market said comes later and in order; what the live strategies did, and its account, do not', () => {
  const { rig, clock, seen } = opened(100);
  rig.trade(100);
  rig.subject.next({ kind: 'sessionDown', session: 'trading', why: 'x', ...rig.times });
  rig.trade(101);
  rig.subject.next({ kind: 'bookStale', instrument, reason: 'gap', expected: 1, found: 2, ...rig.times });
  expect(seen).toEqual([]);
  clock.advance(1 as Micros);
  expect(seen.map(({ kind }) => kind)).toEqual(['clockMeasured', 'trades', 'trades', 'bookStale']);
});

test('more than may wait ends it once, and nothing is taken or handed over any more', () => {
  const { rig, clock, seen, tap } = opened(3);
  rig.trade(100);
  rig.trade(101);
  expect(tap.behind).toBe(0);
  for (const price of [102, 103]) rig.trade(price);
  clock.advance(1_000 as Micros);
  expect([tap.behind, seen]).toEqual([1, []]);
});

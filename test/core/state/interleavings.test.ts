import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { decodeEvent, encodeEvent } from '../../../src/core/journal/records/records.ts';
import type { KeptEvent } from '../../../src/core/journal/records/records.ts';
import { isTerminal } from '../../../src/core/model/order-life.ts';
import type { OrderReport, OwnTrade } from '../../../src/core/model/event.ts';
import type { VenueOrderState } from '../../../src/core/model/order.ts';
import type { State } from '../../../src/core/state/state.ts';
import { answered, at, fill, first, id, lots, newState, ownTrade, placed, report } from './support/world.ts';

/** What one order went through at the venue, in the order in which it happened. */
interface Story {
  readonly name: string;
  readonly reports: readonly OrderReport[];
  readonly trades: readonly OwnTrade[];
}

const orderLots = 20;

/** A life of one order: perhaps suspended first, some fills, and an end or none. */
function story(random: Random, name: string): Story {
  const reports: OrderReport[] = [];
  const trades: OwnTrade[] = [];
  const side = random.chance(0.5) ? 'buy' : 'sell';
  let time = 10;
  let cumulative = 0;
  const tell = (state: VenueOrderState, more: Parameters<typeof report>[2] = {}): void => {
    time += random.between(1, 5);
    const received = { side, quantity: lots(orderLots), cumulative: lots(cumulative), time } as const;
    reports.push(report(name, state, { ...received, ...more }));
  };
  if (random.chance(0.2)) tell('suspended', { type_: 'suspended' });
  tell('new', { type_: 'new' });
  const fills = random.between(0, 4);
  for (let i = 0; i < fills && cumulative < orderLots; i++) {
    const quantity = random.between(1, i === 3 ? orderLots - cumulative : 5);
    cumulative += quantity;
    const one = fill(`${name}${i}`, quantity, 1_000 + i, time + 1);
    trades.push(ownTrade(name, side, one));
    tell(cumulative === orderLots ? 'filled' : 'partiallyFilled', { fill: one });
  }
  if (cumulative < orderLots && random.chance(0.6)) tell(random.chance(0.5) ? 'canceled' : 'expired');
  return { name, reports, trades };
}

/** Everything known of a story, repeated, with older snapshots and history between, in any order. */
function deliveries(random: Random, stories: readonly Story[]): KeptEvent[] {
  const events: KeptEvent[] = [];
  for (const { name, reports, trades } of stories) {
    for (const one of reports) {
      const copies = random.between(1, 3);
      for (let i = 0; i < copies; i++) events.push(one);
      if (random.chance(0.4)) events.push(answered({ of: 'activeOrders' }, { orders: [one.order] }));
      if (random.chance(0.2))
        events.push({ kind: 'orderUnknown', ...at(9), clientOrderId: id(name), why: 'x' });
    }
    if (random.chance(0.5)) {
      const what = { of: 'orderHistory', clientOrderId: id(name) } as const;
      events.push(
        answered(what, { fills: [...trades], orders: reports.slice(-1).map(({ order }) => order) }),
      );
    }
  }
  for (let i = events.length - 1; i > 0; i--) {
    const j = random.between(0, i);
    [events[i], events[j]] = [events[j] as KeptEvent, events[i] as KeptEvent];
  }
  return events;
}

function summary(state: State, stories: readonly Story[]): unknown {
  // Average price and realized profit depend on the order of fills by their nature.
  const { quantity, cash, fees, turnover, fillCount } = state.position(first, 'maker');
  return {
    orders: stories.map(({ name }) => state.order(id(name))),
    open: state.openCount(),
    unknown: state.unknownCount(),
    working: [state.workingLots(first, 'buy'), state.workingLots(first, 'sell')],
    missing: state.missingFills(),
    net: state.netPosition(first),
    position: { quantity, cash, fees, turnover, fillCount },
  };
}

function pendings(stories: readonly Story[]): KeptEvent[] {
  return stories.map(({ name, reports }) => {
    return placed(name, { side: reports[0]?.order.side ?? 'buy', quantity: lots(orderLots) });
  });
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('facts in any order, repeated, late or older', () => {
  test('end in the same orders, counts and positions as in their true order', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed);
        const stories = Array.from({ length: 4 }, (_, index) => story(random, `${index}`));
        const truth = newState();
        for (const event of pendings(stories)) truth.apply(event);
        for (const { reports } of stories) for (const event of reports) truth.apply(event);
        const state = newState();
        for (const event of pendings(stories)) state.apply(event);
        for (const event of deliveries(random, stories)) state.apply(event);
        expect(summary(state, stories)).toStrictEqual(summary(truth, stories));
      }),
      { numRuns: 400 },
    );
  });

  test('never let a cumulative fall, a terminal state revert or a fill be booked twice', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed);
        const stories = Array.from({ length: 2 }, (_, index) => story(random, `${index}`));
        const state = newState();
        for (const event of pendings(stories)) state.apply(event);
        const booked = new Set<string>();
        for (const event of deliveries(random, stories)) {
          const before = stories.map(({ name }) => state.order(id(name)));
          state.apply(event);
          for (const old of before) {
            const now = old === undefined ? undefined : state.order(old.clientOrderId);
            expect(now?.cumulative).toBeGreaterThanOrEqual(old?.cumulative ?? 0);
            if (old !== undefined && isTerminal(old.state)) expect(now?.state).toBe(old.state);
          }
          if (event.kind !== 'orderReport' && event.kind !== 'readAnswered') continue;
          for (const { tradeId } of state.booked) {
            expect(booked.has(tradeId)).toBe(false);
            booked.add(tradeId);
          }
        }
        for (const { trades } of stories)
          for (const { tradeId } of trades) expect(booked.has(tradeId)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('are rebuilt identically from the text that the journal keeps', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed);
        const stories = Array.from({ length: 3 }, (_, index) => story(random, `${index}`));
        const events = [...pendings(stories), ...deliveries(random, stories)];
        const state = newState();
        const rebuilt = newState();
        for (const event of events) {
          state.apply(event);
          rebuilt.apply(decodeEvent(encodeEvent(event)));
        }
        expect(summary(rebuilt, stories)).toStrictEqual(summary(state, stories));
        expect(rebuilt.positions()).toStrictEqual(state.positions());
        expect(rebuilt.openOrders()).toStrictEqual(state.openOrders());
      }),
      { numRuns: 100 },
    );
  });
});

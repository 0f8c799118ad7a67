import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { Random } from '../../../src/core/base/random.ts';
import { decodeEvent, encodeEvent } from '../../../src/core/journal/records/records.ts';
import type { KeptEvent } from '../../../src/core/journal/records/records.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { VenueOrderState } from '../../../src/core/model/order.ts';
import type { StateOptions } from '../../../src/core/state/options.ts';
import type { State } from '../../../src/core/state/state.ts';
import {
  answered,
  at,
  fill,
  first,
  id,
  instruments,
  lots,
  newState,
  ownTrade,
  placed,
  replacing,
  report,
  second,
  ticks,
} from './support/world.ts';

const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
const strategies = ['maker', 'taker'];
const states: readonly VenueOrderState[] = [
  'new',
  'suspended',
  'partiallyFilled',
  'filled',
  'canceled',
  'expired',
];
const times = { exchangeTime: 0 as never, receiveTime: 0 as never };

/** Anything that may happen to one of a dozen orders, sensible or not, at `time`. */
function happening(random: Random, time: number): KeptEvent {
  const name = random.pick(names);
  const other = random.pick(names);
  const strategy = random.pick(strategies);
  const now = { ...times, ...at(time) };
  const side = Number(name.slice(1)) % 2 === 0 ? 'buy' : 'sell';
  const instrument = Number(name.slice(1)) % 3 === 0 ? second : first;
  const received = {
    side,
    instrument,
    quantity: lots(20),
    time,
    cumulative: lots(random.between(0, 20)),
  } as const;
  const one = fill(`f${random.between(0, 60)}`, random.between(1, 6), 1_000 + random.between(0, 9), time);
  const reference = { clientOrderId: id(name) };
  switch (random.between(0, 17)) {
    case 0:
    case 1:
    case 2:
      return placed(name, { side, instrument, quantity: lots(20) }, strategy, time);
    case 3:
      return { ...replacing(name, other, random.between(5, 30)), ...now };
    case 4:
    case 5:
    case 6:
      return report(name, random.pick(states), received);
    case 7:
    case 8:
      return report(name, 'partiallyFilled', { ...received, fill: one });
    case 9:
      return report(other, 'new', { ...received, originalClientOrderId: id(name) });
    case 10:
      return { kind: 'orderRejected', ...now, ...rejection(name), code: 20_001, why: 'no' } as KeptEvent;
    case 11:
      return { kind: 'orderUnknown', ...now, ...reference, why: 'silence' };
    case 12:
      return { kind: 'orderProvenAbsent', ...now, ...reference };
    case 13:
      return {
        ...answered({ of: 'tradeHistory', since: 0 as never }, { fills: [ownTrade(name, side, one)] }),
        ...now,
      };
    case 14: {
      const command = { kind: 'cancelOrder', commandId: 1, strategy, ...reference, instrument } as const;
      return { kind: 'cancelPending', ...now, command };
    }
    case 15: {
      const currency = random.pick(['AAA', 'USD', 'BBB']);
      const amount = parseAmount(String(random.between(0, 1_000)));
      const balances = [{ currency, available: amount, reserved: amount }];
      return { kind: 'balances', ...now, balances, complete: random.chance(0.3) };
    }
    case 16:
      return intentOrDenial(random, name, strategy, time);
    default:
      return control(random, strategy, time);
  }
}

function rejection(name: string): object {
  return { clientOrderId: id(name), originalClientOrderId: undefined, commandId: 1 };
}

function intentOrDenial(random: Random, name: string, strategy: string, time: number): KeptEvent {
  const request = { ...placed(name).command.request };
  if (random.chance(0.5)) {
    return { kind: 'intent', ...at(time), intent: { action: 'place', strategy, request } };
  }
  const denial = { code: 'MODE_HALTED', why: 'halted' } as const;
  const about = {
    strategy,
    action: 'place',
    clientOrderId: id(name),
    originalClientOrderId: undefined,
  } as const;
  return { kind: 'orderDenied', ...at(time), ...about, denial };
}

function control(random: Random, strategy: string, time: number): KeptEvent {
  switch (random.between(0, 4)) {
    case 0:
      return { kind: 'modeChanged', ...at(time), mode: 'halted', why: 'risk', latched: random.chance(0.5) };
    case 1:
      return { kind: 'strategyStopped', ...at(time), strategy, why: `since ${time}` };
    case 2:
      return { kind: 'sessionUp', ...at(time), session: random.chance(0.5) ? 'market' : 'trading' };
    case 3:
      return { kind: 'instrumentChanged', ...at(time), instrument: first, status: 'suspended' };
    default:
      return { kind: 'runStarted', ...at(time), run: `r${time}`, mode: 'sim' };
  }
}

/** Every question of a view that is not about the market. */
function answers(state: State): unknown {
  const ids = instruments.all.map(({ id: instrument }) => instrument);
  const sides = ['buy', 'sell'] as const;
  const perSide = (instrument: InstrumentId): unknown =>
    sides.map((side) => [
      state.workingLots(instrument, side),
      strategies.map((strategy) => state.workingLots(instrument, side, strategy)),
      state.bestOwnPrice(instrument, side),
    ]);
  return {
    time: state.time,
    mode: [state.mode, state.modeWhy, state.modeLatched],
    sessions: [state.sessionUp('market'), state.sessionUp('trading'), ids.map((one) => state.status(one))],
    orders: names.map((name) => state.order(id(name))),
    open: [undefined, ...strategies, 'external'].map((strategy) => [
      state.openOrders(strategy),
      ids.map((instrument) => state.openOrders(strategy, instrument)),
      state.openCountBy(strategy ?? ''),
    ]),
    counts: [state.openCount(), state.unknownCount(), ids.map((one) => state.openCountOf(one))],
    sides: ids.map(perSide),
    balances: [state.balances(), state.balance('USD'), state.balance('ZZZ')],
    positions: [state.positions(), ids.map((one) => state.netPosition(one))],
    position: strategies.map((strategy) => state.position(first, strategy)),
    stopped: strategies.map((strategy) => state.stopped(strategy)),
    missing: state.missingFills().toSorted((a, b) => (a.clientOrderId < b.clientOrderId ? -1 : 1)),
  };
}

/** A state that begins with what another carried, through the text that the journal keeps. */
function carriedOn(from: State, options: Partial<StateOptions>, time: number): State {
  const event: KeptEvent = { kind: 'stateCarried', ...at(time), state: from.carry() };
  const decoded = decodeEvent(encodeEvent(event));
  expect(decoded).toStrictEqual(event);
  expect(from.fold(event)).toBeUndefined();
  const state = newState(options);
  expect(state.fold(decoded)).toBeUndefined();
  return state;
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('a carried state', () => {
  test('answers every question as the state it came from, and goes on as that one does', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(4, 20_000), (seed, closedOrdersMax) => {
        const random = new Random(seed);
        const options = { closedOrdersMax };
        const state = newState(options);
        let time = 10;
        for (let i = random.between(0, 120); i > 0; i--) state.fold(happening(random, (time += 3)));
        const carried = carriedOn(state, options, time);
        expect(answers(carried)).toStrictEqual(answers(state));
        for (let i = 0; i < 60; i++) {
          const event = happening(random, (time += 3));
          expect(carried.fold(event)).toBe(state.fold(event));
          expect(answers(carried)).toStrictEqual(answers(state));
        }
        // What comes of carrying twice is what comes of carrying once.
        expect(carried.carry()).toStrictEqual(state.carry());
      }),
      // Two strategies under one id, the first still without a verdict.
      { numRuns: 60, examples: [[2_147_483_644, 4]] },
    );
  });

  test('is nothing new to a state that knows something', () => {
    const state = newState();
    state.apply(placed('a'));
    const before = answers(state);
    state.apply({ kind: 'stateCarried', ...at(1), state: newState().carry() });
    expect(answers(state)).toStrictEqual(before);
  });

  test('holds all live orders, but of ended ones and of fills only the last', () => {
    const options = { carriedClosedMax: 3, carriedFillsMax: 1_000 };
    const state = newState(options);
    for (let i = 0; i < 10; i++) {
      state.apply(placed(`live${i}`));
      state.apply(placed(`done${i}`));
      state.apply(report(`done${i}`, 'canceled', { time: 20 + i }));
    }
    for (let i = 0; i < 1_200; i++) {
      const one = report('live0', 'partiallyFilled', {
        cumulative: lots(1),
        fill: fill(`t${i}`, 1, 1_000, 100 + i),
      });
      state.apply(one);
    }
    const carried = carriedOn(state, options, 5_000);
    expect(carried.openCount()).toBe(10);
    expect(carried.order(id('done6'))).toBeUndefined();
    expect(carried.order(id('done7'))?.state).toBe('canceled');
    const again = (index: number): void =>
      carried.apply(report('live0', 'partiallyFilled', { fill: fill(`t${index}`, 1, 1_000, 100 + index) }));
    const { fillCount } = carried.position(first, 'maker');
    expect(fillCount).toBe(1_200);
    // Forgotten and remembered alike: neither is booked again.
    again(3);
    again(1_100);
    expect(carried.position(first, 'maker').fillCount).toBe(1_200);
    carried.apply(report('live0', 'partiallyFilled', { fill: fill('fresh', 1, 1_000, 9_000) }));
    expect(carried.position(first, 'maker').fillCount).toBe(1_201);
  });

  test('fits into a smaller memory than it came from', () => {
    const state = newState();
    for (let i = 0; i < 5; i++) {
      state.apply(placed(`o${i}`, { price: ticks(1_000) }));
      state.apply(report(`o${i}`, 'canceled', { time: 20 + i }));
    }
    const carried = carriedOn(state, { closedOrdersMax: 2 }, 100);
    expect(['o2', 'o3', 'o4'].map((name) => carried.order(id(name))?.state)).toEqual([
      undefined,
      'canceled',
      'canceled',
    ]);
  });

  // A restart folds the carried state and at most `state.carryEvery` records: what the first costs must not grow with the run.
  test.each([
    ['that a history has confirmed', true, 4_000],
    ['that none has confirmed', false, 11_000],
  ])('is as large after thousands of executions more %s', (_, isConfirmed, count) => {
    const memory = { carriedFillsMax: 1_000, carriedClosedMax: 100, closedOrdersMax: 100 };
    const state = newState({ ...memory, fillsRememberedMax: 1_000 });
    state.fold({ kind: 'runStarted', ...at(1), run: 'r', mode: 'live' });
    let rows: ReturnType<typeof ownTrade>[] = [];
    const trade = (from: number, to: number): number => {
      for (let number = from; number < to; number++) {
        const name = `x${number}`;
        const side = number % 2 === 0 ? 'buy' : 'sell';
        const one = fill(String(number), 10, 1_000 + (number % 7), number);
        state.fold(placed(name, { side }, strategies[number % 4 < 2 ? 0 : 1], number));
        state.fold(report(name, 'filled', { side, cumulative: lots(10), fill: one, time: number }));
        if (!isConfirmed) continue;
        rows.push(ownTrade(name, side, one));
        if (rows.length < 50) continue;
        state.fold(answered({ of: 'tradeHistory', since: 0 as never }, { fills: rows, askedAt: number }));
        rows = [];
      }
      return encodeEvent({ kind: 'stateCarried', ...at(to), state: state.carry() }).length;
    };
    const once = trade(1_000, 1_000 + count);
    const more = trade(1_000 + count, 1_000 + count + 3_000);
    expect(Math.abs(more / once - 1)).toBeLessThan(0.03);
    expect(state.carry().executions?.open.length).toBeLessThanOrEqual(10_000);
  });
});

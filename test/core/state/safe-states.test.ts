import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import type { Micros } from '../../../src/core/base/clock.ts';
import { microsPerSecond } from '../../../src/core/base/clock.ts';
import type { StaleReason } from '../../../src/core/model/event.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { safeStateKinds } from '../../../src/core/model/safe-state.ts';
import type { HeldOrder, VenueRefusal, SafeState } from '../../../src/core/model/safe-state.ts';
import { heldStates, safeStates } from '../../../src/core/state/safe-states.ts';
import { State } from '../../../src/core/state/state.ts';
import { applyAll, at, first, instruments, newState, second } from './support/world.ts';

const marketLagMax = microsPerSecond as Micros;

const noneHeld: readonly HeldOrder[] = [];

function statesOf(
  state: State,
  reconciled = true,
  { held = noneHeld, refused = () => [] as readonly VenueRefusal[] } = {},
): readonly SafeState[] {
  const looks = {
    book: () => 77 as Micros,
    symbol: () => 88 as Micros,
    account: () => 99 as Micros,
    refused,
  };
  return safeStates({ view: state, followed: [first, second], marketLagMax, reconciled, held, looks });
}

function up(time = 1): readonly Parameters<State['apply']>[0][] {
  return [
    { kind: 'sessionUp', ...at(time), session: 'market' },
    { kind: 'sessionUp', ...at(time), session: 'trading' },
    ...[first, second].map((instrument) => ({ ...book(instrument, time, [0, 99, 5, 1, 101, 5]) })),
  ];
}

function book(instrument: typeof first, time: number, levels: number[], snapshot = true) {
  return {
    kind: snapshot ? ('bookSnapshot' as const) : ('bookUpdate' as const),
    ...at(time),
    instrument,
    sequence: time,
    levels: Float64Array.from(levels),
    start: 0,
    end: levels.length,
  };
}

function stale(time: number, reason: StaleReason) {
  return {
    kind: 'bookStale' as const,
    ...at(time),
    instrument: first,
    reason,
    expected: 0,
    found: 0,
  };
}

describe('safe states', () => {
  test('are none while everything is well', () => {
    const state = newState();
    applyAll(state, [...up()]);
    expect(statesOf(state)).toEqual([]);
  });

  test('of a run that has just begun: both sessions, the account, and books that wait', () => {
    const kinds = statesOf(newState(), false).map(({ kind, subject }) => `${kind} ${subject}`);
    expect(kinds).toEqual([
      'sessionDown market',
      'sessionDown trading',
      'comparing account',
      'bookWaits AAAUSD',
      'bookWaits BBBUSD',
    ]);
  });

  test('a crossed or locked book has an age and a next look, and is over when its sides part', () => {
    for (const bid of [101, 102]) {
      const state = newState();
      applyAll(state, [...up(), book(first, 5, [0, bid, 3], false), book(first, 7, [0, 98, 3], false)]);
      expect(state.book(first).crossed).toBe(true);
      expect(statesOf(state)).toEqual([
        {
          kind: 'bookCrossed',
          subject: 'AAAUSD',
          code: 'INPUT_STALE',
          cause: 'the book of AAAUSD is crossed: its best bid is not below its best ask',
          since: 5,
          nextLook: 77,
          endsWhen: 'its sides stand apart, by an update, or by the snapshot that is fetched after 2 s',
          needsOperator: false,
        },
      ]);
      applyAll(state, [book(first, 9, [0, bid, 0], false)]);
      expect(statesOf(state)).toEqual([]);
    }
  });

  test('a book that is taken out of use for being crossed has been so since it crossed', () => {
    const state = newState();
    applyAll(state, [...up(), book(first, 5, [0, 102, 3], false), stale(2_005, 'crossed')]);
    expect(statesOf(state)).toMatchObject([{ kind: 'bookCrossed', since: 5 }]);
    applyAll(state, [stale(3_000, 'refused')]);
    expect(statesOf(state)).toMatchObject([{ kind: 'bookRefused', since: 5 }]);
    applyAll(state, [book(first, 4_000, [0, 99, 5, 1, 101, 5])]);
    expect(statesOf(state)).toEqual([]);
  });

  test('a one-sided book is not crossed', () => {
    const state = newState();
    applyAll(state, [...up(), book(first, 5, [0, 99, 5])]);
    expect(statesOf(state)).toEqual([]);
  });

  test('every reason for a stale book has its words', () => {
    const reasons = ['gap', 'disconnected', 'silent', 'malformed', 'refused', 'late', 'crossed'] as const;
    const words = reasons.map((reason) => {
      const state = newState();
      applyAll(state, [...up(), stale(5, reason)]);
      const [one] = statesOf(state);
      expect(one).toMatchObject({ since: 5, code: 'INPUT_STALE', needsOperator: false });
      return one?.cause;
    });
    expect(new Set(words).size).toBe(reasons.length);
  });

  test('a symbol that does not work is reported instead of its book', () => {
    const state = newState();
    applyAll(state, [
      ...up(),
      { kind: 'instrumentChanged', ...at(6), instrument: first, status: 'expired' },
      stale(7, 'silent'),
    ]);
    expect(statesOf(state)).toMatchObject([
      { kind: 'symbol', subject: 'AAAUSD', code: 'SYMBOL_NOT_WORKING', since: 6, nextLook: 88 },
    ]);
  });

  test('a session that goes down says why and since when', () => {
    const state = newState();
    applyAll(state, [...up(), { kind: 'sessionDown', ...at(8), session: 'trading', why: 'cut' }]);
    expect(statesOf(state)).toMatchObject([
      { kind: 'sessionDown', subject: 'trading', cause: 'the trading session is down: cut', since: 8 },
    ]);
  });

  test('what an operator must end says so, with its age, over a restart too', () => {
    const state = newState();
    applyAll(state, [
      ...up(),
      { kind: 'modeChanged', ...at(10), mode: 'halted', why: 'a doubt', latched: true },
      {
        kind: 'operatorActed',
        ...at(11),
        act: { act: 'pause', strategy: 'maker' },
        who: 'ann',
        why: 'lunch',
      },
    ]);
    const next = new State({ instruments });
    next.apply({ kind: 'stateCarried', ...at(12), state: state.carry() });
    next.apply({ kind: 'runStarted', ...at(13), run: 'r2', mode: 'sim' });
    for (const one of [state, next])
      expect(heldStates(one)).toMatchObject([
        { kind: 'halted', since: 10, endsWhen: 'an operator clears it', needsOperator: true },
        { kind: 'paused', subject: 'maker', since: 11, endsWhen: 'an operator resumes it' },
      ]);
  });

  test('what the venue refuses stands beside its session and books, and an order that is held has its own code', () => {
    const state = newState();
    applyAll(state, [...up(), { kind: 'sessionDown', ...at(8), session: 'trading', why: 'cut' }]);
    const why = '1002 no';
    const since = 9 as Micros;
    const nextLook = 12 as Micros;
    const states = statesOf(state, true, {
      refused: () => [
        { kind: 'feedRefused', subject: 'AAAUSD', what: 'the trades of AAAUSD', why, since, nextLook },
        { kind: 'loginRefused', subject: 'trading', what: 'the login', why, since, nextLook },
      ],
      held: [
        {
          clientOrderId: 'gw-1' as ClientOrderId,
          code: 'SELF_TRADE',
          cause: 'exit gw-1 is held: it would meet own orders',
          endsWhen: 'own orders have ended that are being cancelled: gw-0',
          since,
          nextLook,
        },
      ],
    });
    expect(states.map(({ kind }) => kind)).toEqual([
      'sessionDown',
      'loginRefused',
      'feedRefused',
      'orderHeld',
    ]);
    expect(states.slice(1)).toEqual([
      {
        kind: 'loginRefused',
        subject: 'trading',
        code: 'SESSION_DOWN',
        cause: 'the venue refuses the login: 1002 no',
        since,
        nextLook,
        endsWhen: 'the venue takes it',
        needsOperator: false,
      },
      {
        kind: 'feedRefused',
        subject: 'AAAUSD',
        code: undefined,
        cause: 'the venue refuses the trades of AAAUSD: 1002 no',
        since,
        nextLook,
        endsWhen: 'the venue takes the subscription',
        needsOperator: false,
      },
      {
        kind: 'orderHeld',
        subject: 'gw-1',
        code: 'SELF_TRADE',
        cause: 'exit gw-1 is held: it would meet own orders',
        since,
        nextLook,
        endsWhen: 'own orders have ended that are being cancelled: gw-0',
        needsOperator: false,
      },
    ]);
  });

  test('every kind has a row in docs/steering.md', () => {
    const page = readFileSync(new URL('../../../docs/steering.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (?:`[A-Z_]+`|none|that of its denial) \|/gm)].map(
      ([, kind]) => kind,
    );
    expect(rows).toEqual([...safeStateKinds]);
  });
});

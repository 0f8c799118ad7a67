import { chargesOf } from '../../../src/core/ledger/entry.ts';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { fail } from '../../../src/core/base/assert.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { statesBefore } from '../../../src/core/model/carried-state.ts';
import type { Event, MarginAccountChanged } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots } from '../../../src/core/model/instrument.ts';
import type { MarginAccountView, MarginChange } from '../../../src/core/model/margin.ts';
import { decodeEvent, encodeEvent } from '../../../src/core/journal/records/records.ts';
import type { State } from '../../../src/core/state/state.ts';
import { heldPosition, marginAccount } from '../support/margin-account.ts';
import {
  answered,
  applyAll,
  at,
  fill,
  first,
  newState,
  ownTrade,
  placed,
  report,
  second,
  venueOrder,
} from './support/world.ts';

const isolated = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;
const cross = { ...isolated, mode: 'cross' } as const;

function bought(
  name: string,
  strategy: string,
  quantity: number,
  margin?: typeof isolated | typeof cross,
): Event[] {
  const fields = { quantity: quantity as Lots, ...(margin && { margin }) };
  return [
    placed(name, fields, strategy),
    report(name, 'filled', { ...fields, cumulative: quantity as Lots, fill: fill(name, quantity) }),
  ];
}

function changed(
  balance: string,
  fields: Partial<MarginAccountView> = {},
  event: Partial<MarginAccountChanged> = {},
): MarginAccountChanged {
  return {
    kind: 'marginAccount',
    ...at(20),
    product: 'margin',
    reportType: 'updated',
    reason: 'updated',
    account: marginAccount(balance, { instrument: first, ...fields }),
    ...event,
  };
}

function key(mode: 'isolated' | 'cross', instrument?: InstrumentId) {
  return { product: 'margin', mode, instrument, currency: 'USD' } as const;
}

function balanceOf(state: State): string | undefined {
  const found = state.marginAccount(key('isolated', first));
  return found && formatAmount(found.balance);
}

const toTen: MarginChange = { ...key('isolated', first), balance: parseAmount('10'), leverage: undefined };
const pending: Event = {
  kind: 'marginPending',
  ...at(2),
  command: { kind: 'changeMargin', commandId: 7, strategy: 'maker', change: toTen },
};
const intent: Event = {
  kind: 'intent',
  ...at(1),
  intent: { action: 'changeMargin', strategy: 'maker', change: toTen },
};
const denied: Event = {
  kind: 'marginDenied',
  ...at(3),
  strategy: 'maker',
  change: toTen,
  denial: { code: 'COMPARATOR', why: 'it differs' },
};
const settled = (outcome: 'acknowledged' | 'unanswered'): Event => ({
  kind: 'commandSettled',
  ...at(30),
  commandId: 7,
  lane: 'replace',
  outcome,
  clientOrderId: undefined,
});

describe('positions of margin accounts', () => {
  test('fills of one symbol are booked to the account that its order names', () => {
    const state = applyAll(newState(), [
      ...bought('a', 'maker', 10),
      ...bought('b', 'maker', 3, isolated),
      ...bought('c', 'maker', 2, cross),
    ]);
    expect(state.position(first, 'maker').quantity).toBe(10);
    expect(state.position(first, 'maker', 'isolated')).toMatchObject({ quantity: 3, account: 'isolated' });
    expect(state.position(first, 'maker', 'cross').quantity).toBe(2);
    expect(state.netPosition(first)).toBe(10);
    expect(state.netPosition(first, 'isolated')).toBe(3);
    expect(state.positions().map(({ account: where, quantity }) => [where, quantity])).toEqual([
      ['spot', 10],
      ['isolated', 3],
      ['cross', 2],
    ]);
  });

  test('a trade of the history is booked by its own word on the account', () => {
    const state = applyAll(newState(), [placed('a', { margin: isolated })]);
    const trade = { ...ownTrade('a', 'buy', fill('t', 4)), marginMode: 'isolated' } as const;
    state.apply(answered({ of: 'tradeHistory', since: 0 as Micros, product: 'margin' }, { fills: [trade] }));
    expect(state.position(first, 'maker', 'isolated').quantity).toBe(4);
    expect(state.position(first, 'maker').quantity).toBe(0);
  });

  test('a trade of the history that names no mode is booked to the account of its order, or of its position', () => {
    const history = { of: 'tradeHistory', since: 0 as Micros, product: 'margin' } as const;
    const opened = { ...ownTrade('a', 'buy', { ...fill('t', 4), positionId: 8 }) };
    const state = applyAll(newState(), [
      placed('a', { margin: cross }),
      answered(history, { fills: [opened] }),
    ]);
    expect(state.position(first, 'maker', 'cross').quantity).toBe(4);
    // Whoever closed it left no order that is known; the position may be gone by now.
    const restarted = newState();
    restarted.apply({ kind: 'stateCarried', ...at(60), state: state.carry() });
    for (const one of [state, restarted]) {
      const closed = { ...ownTrade('x', 'sell', { ...fill('u', 1, 1_000, 20), positionId: 8 }) };
      const seen = changed('1', {
        mode: 'cross',
        positions: [heldPosition(first, '1', '5', { id: 9, mode: 'cross' })],
      });
      const other = { ...ownTrade('y', 'sell', { ...fill('v', 1, 1_000, 20), positionId: 9 }) };
      applyAll(one, [seen, answered(history, { fills: [closed, other] })]);
      expect(one.position(first, 'maker', 'cross').quantity).toBe(2);
      expect(one.positions().map(({ account }) => account)).toEqual(['cross']);
    }
  });

  test('lots of margin orders work on their own account', () => {
    const state = applyAll(newState(), [placed('a'), placed('b', { quantity: 4 as Lots, margin: isolated })]);
    expect(state.workingLots(first, 'buy')).toBe(10);
    expect(state.workingLots(first, 'buy', 'maker', 'isolated')).toBe(4);
    expect(state.workingLots(first, 'buy', undefined, 'cross')).toBe(0);
    expect(state.order(placed('b').command.request.clientOrderId)?.margin).toEqual(isolated);
  });

  test('an order that none of ours made is booked to the only strategy that it reduces', () => {
    const foreign = { side: 'sell', margin: isolated, cumulative: 2 as Lots } as const;
    const sold = (name: string): Event => report(name, 'filled', { ...foreign, fill: fill(name, 2) });
    const one = applyAll(newState(), [...bought('a', 'maker', 3, isolated), sold('x')]);
    expect(one.position(first, 'maker', 'isolated').quantity).toBe(1);
    const two = applyAll(newState(), [
      ...bought('a', 'maker', 3, isolated),
      ...bought('b', 'taker', 3, isolated),
      sold('x'),
    ]);
    expect(two.position(first, 'external', 'isolated').quantity).toBe(-2);
    // On spot it stays nobody's.
    const spot = applyAll(newState(), [
      ...bought('a', 'maker', 3),
      report('x', 'filled', { side: 'sell', cumulative: 2 as Lots, fill: fill('x', 2) }),
    ]);
    expect(spot.position(first, 'external').quantity).toBe(-2);
  });

  test('so is a trade of the history whose order is not known', () => {
    const state = applyAll(newState(), bought('a', 'maker', 3, isolated));
    const trade = { ...ownTrade('x', 'sell', fill('t', 3)), marginMode: 'isolated' } as const;
    state.apply(answered({ of: 'tradeHistory', since: 0 as Micros, product: 'margin' }, { fills: [trade] }));
    expect(state.position(first, 'maker', 'isolated').quantity).toBe(0);
  });
});

describe('margin accounts', () => {
  test('are shown as last reported, by symbol or by currency, until they are closed', () => {
    const crossed = {
      mode: 'cross',
      instrument: undefined,
      positions: [heldPosition(second, '-2', '5')],
    } as const;
    const state = applyAll(newState(), [changed('100'), changed('40', crossed)]);
    expect(balanceOf(state)).toBe('100');
    expect(state.marginAccount(key('cross'))?.positions).toHaveLength(1);
    expect(state.venuePosition(second, 'cross')?.quantity).toBe(parseAmount('-2'));
    expect(state.venuePosition(first, 'cross')).toBeUndefined();
    expect(state.marginAccounts().map(({ product, account: { mode } }) => [product, mode])).toEqual([
      ['margin', 'isolated'],
      ['margin', 'cross'],
    ]);
    state.apply(changed('0', {}, { reportType: 'closed', reason: 'closed' }));
    expect(balanceOf(state)).toBeUndefined();
    expect(state.marginAccounts()).toHaveLength(1);
  });

  test('an answer never undoes a report that came after the question left', () => {
    const what = { of: 'marginAccounts', product: 'margin' } as const;
    const read = (askedAt: number, balances: string[]): Event => ({
      ...answered(what, { askedAt }),
      marginAccounts: balances.map((balance) => marginAccount(balance, { instrument: first })),
    });
    const state = applyAll(newState(), [changed('100'), read(10, ['1']), read(10, [])]);
    expect(balanceOf(state)).toBe('100');
    state.apply(read(30, ['2']));
    expect(balanceOf(state)).toBe('2');
    // That of another product says nothing about these.
    state.apply({
      ...answered({ of: 'marginAccounts', product: 'futures' }, { askedAt: 40 }),
      marginAccounts: [],
    });
    expect(balanceOf(state)).toBe('2');
    state.apply(read(41, []));
    expect(balanceOf(state)).toBeUndefined();
  });

  test('balances of contracts are kept apart', () => {
    const usd = (available: string) => [
      { currency: 'USD', available: parseAmount(available), reserved: parseAmount('0') },
    ];
    const state = applyAll(newState(), [
      { kind: 'balances', ...at(1), complete: true, balances: usd('5') },
      { kind: 'balances', ...at(2), wallet: 'futures', complete: true, balances: usd('7') },
      answered({ of: 'balances', product: 'futures' }, { balances: usd('8') }),
    ]);
    expect(formatAmount(state.balance('USD').available)).toBe('5');
    expect(formatAmount(state.balance('USD', 'futures').available)).toBe('8');
    expect(state.balances('futures')).toHaveLength(1);
  });
});

describe('funding and interest', () => {
  const taken = { reason: 'interestTaken' } as const;
  const was = (balance: string, time: number) => ({
    ...marginAccount(balance, { instrument: first }),
    updatedAt: time as Micros,
  });
  const read = (askedAt: number, account: MarginAccountView): Event => ({
    ...answered({ of: 'marginAccounts', product: 'margin' }, { askedAt: askedAt as Micros }),
    marginAccounts: [account],
  });

  test('what the balance fell by is borne by the holders, by quantity, and nothing is lost', () => {
    const state = applyAll(newState(), [
      ...bought('a', 'maker', 1, isolated),
      ...bought('b', 'taker', 2, isolated),
      changed('100'),
      changed('99', {}, taken),
    ]);
    expect(
      chargesOf(state.entries).map(({ strategy, kind, amount }) => [strategy, kind, formatAmount(amount)]),
    ).toEqual([
      ['maker', 'interest', '0.333333333333333333333333'],
      ['taker', 'interest', '0.666666666666666666666667'],
    ]);
    expect(formatAmount(state.position(first, 'taker', 'isolated').charges)).toBe(
      '0.666666666666666666666667',
    );
    expect(state.position(first, 'taker').charges).toBe(0n);
    state.apply(changed('98'));
    expect(chargesOf(state.entries)).toEqual([]);
  });

  test('a read that shows what was taken before the report of it came takes nothing from the sum', () => {
    const state = applyAll(newState(), [
      ...bought('a', 'maker', 1, isolated),
      changed('100', { updatedAt: 20 as Micros }),
      read(30, was('99', 31)),
      read(32, was('99', 31)),
      changed('99', { updatedAt: 31 as Micros }, taken),
    ]);
    expect(chargesOf(state.entries).map(({ amount }) => formatAmount(amount))).toEqual(['1']);
    state.apply(changed('98', { updatedAt: 40 as Micros }, taken));
    expect(chargesOf(state.entries).map(({ amount }) => formatAmount(amount))).toEqual(['1']);
  });

  test('so does the answer to a change that overtook the report', () => {
    const state = applyAll(newState(), [
      ...bought('a', 'maker', 1, isolated),
      changed('100', { updatedAt: 20 as Micros }),
      changed('80', { updatedAt: 32 as Micros }, { reason: 'marginChanged' }),
      changed('99', { updatedAt: 31 as Micros }, taken),
    ]);
    expect(chargesOf(state.entries).map(({ amount }) => formatAmount(amount))).toEqual(['1']);
  });

  describe('is what the last state before it lacks, whatever reads and answers overtook the report', () => {
    const start = [...bought('a', 'maker', 1, isolated), changed('100', { updatedAt: 20 as Micros })];
    const put = changed('80', { updatedAt: 33 as Micros }, { reason: 'marginChanged' });
    const reported = (balance: string, time: number): Event =>
      changed(balance, { updatedAt: time as Micros }, taken);
    const booked = (state: State, event: Event): readonly string[] => {
      state.apply(event);
      return chargesOf(state.entries).map(({ amount }) => formatAmount(amount));
    };

    test.each([
      { overtaking: 'a read of the charge, and an answer after it', events: [read(30, was('99', 31)), put] },
      { overtaking: 'an answer, and a read after it', events: [put, read(34, was('79', 35))] },
      { overtaking: 'reads of two charges', events: [read(30, was('99', 31)), read(35, was('98', 36))] },
      {
        overtaking: 'a read, an answer and a read',
        events: [read(30, was('99', 31)), put, read(34, was('79', 35))],
      },
      {
        overtaking: 'an answer that came after what a later read shows',
        events: [read(34, was('79', 35)), put],
      },
    ])('$overtaking', ({ events }) => {
      const state = applyAll(newState(), [...start, ...events]);
      expect(booked(state, reported('99', 31))).toEqual(['1']);
      expect(booked(state, reported('98', 36))).toEqual(['1']);
    });

    test.each([
      { text: 'all states', kept: (earlier: readonly MarginAccountView[]) => earlier },
      { text: 'one alone, as before all were kept', kept: ([one]: readonly MarginAccountView[]) => one },
    ])('also where a carried state with $text is between', ({ kept }) => {
      const one = applyAll(newState(), [...start, read(30, was('99', 31)), put]).carry();
      const margin = one.margin ?? fail('nothing is carried');
      const accounts = margin.accounts.map((account) => ({
        ...account,
        earlier: kept(statesBefore(account)),
      }));
      const event = {
        kind: 'stateCarried',
        ...at(40),
        state: { ...one, margin: { ...margin, accounts } },
      } as const;
      const state = applyAll(newState(), [decodeEvent(encodeEvent(event)) as Event]);
      expect(booked(state, reported('99', 31))).toEqual(['1']);
    });

    test.each([
      { between: 'an answer', events: [put] },
      { between: 'a read of both', events: [read(34, was('97', 31))] },
      { between: 'a read of both, and an answer', events: [read(34, was('97', 31)), put] },
      { between: 'nothing', events: [] },
    ])('of two charges at one time each is what its report says: $between between', ({ events }) => {
      const state = applyAll(newState(), start);
      expect(booked(state, reported('99', 31))).toEqual(['1']);
      for (const event of events) expect(booked(state, event)).toEqual([]);
      expect(booked(state, reported('97', 31))).toEqual(['2']);
    });

    test('a report in between is no state to reckon from but for what came after it', () => {
      const state = applyAll(newState(), [...start, read(30, was('99', 31)), put]);
      expect(booked(state, reported('99', 31))).toEqual(['1']);
      expect(booked(state, put)).toEqual([]);
      expect(booked(state, reported('79', 36))).toEqual(['1']);
    });

    test('nothing is booked where the account was not seen before', () => {
      const state = applyAll(newState(), [...bought('a', 'maker', 1, isolated), read(30, was('80', 33))]);
      expect(booked(state, reported('99', 31))).toEqual([]);
    });
  });

  test('of a cross account it is of the position that the report names, else of all by notional value', () => {
    const crossed = {
      mode: 'cross',
      instrument: undefined,
      positions: [heldPosition(first, '1', '30'), heldPosition(second, '-1', '10')],
    } as const;
    const start = [...bought('a', 'maker', 1, cross), changed('100', crossed, { product: 'futures' })];
    const named = applyAll(newState(), [
      ...start,
      changed('101', crossed, { product: 'futures', ...taken, charged: first }),
    ]);
    expect(chargesOf(named.entries)).toMatchObject([
      { kind: 'funding', strategy: 'maker', amount: parseAmount('-1') },
    ]);
    const shared = applyAll(newState(), [...start, changed('96', crossed, { product: 'futures', ...taken })]);
    // Nobody of ours holds the other one.
    expect(chargesOf(shared.entries)).toMatchObject([
      { instrument: first, strategy: 'maker', amount: parseAmount('3') },
      { instrument: second, strategy: 'external', amount: parseAmount('1') },
    ]);
  });
});

describe('changes of margin', () => {
  test('are pending until they are settled', () => {
    const state = applyAll(newState(), [intent, pending]);
    expect(state.marginChanges).toMatchObject([{ commandId: 7, change: toTen, unansweredAt: undefined }]);
    state.apply(settled('acknowledged'));
    expect(state.marginChanges).toEqual([]);
  });

  test('silence ends by an answer that was asked for after it', () => {
    const state = applyAll(newState(), [intent, pending, settled('unanswered')]);
    expect(state.marginChanges).toMatchObject([{ unansweredAt: 30 }]);
    const what = { of: 'marginAccounts', product: 'margin' } as const;
    state.apply({ ...answered(what, { askedAt: 29 }), marginAccounts: [] });
    expect(state.marginChanges).toHaveLength(1);
    state.apply({ ...answered(what, { askedAt: 30 }), marginAccounts: [] });
    expect(state.marginChanges).toEqual([]);
  });

  test('one that a killed process left without an answer ends by the first look of the next run', () => {
    const started = { kind: 'runStarted', ...at(40), run: 'r2', mode: 'sim' } as const;
    const state = applyAll(newState(), [intent, pending, started]);
    expect(state.marginChanges).toMatchObject([{ unansweredAt: 40 }]);
    const what = { of: 'marginAccounts', product: 'margin' } as const;
    state.apply({ ...answered(what, { askedAt: 41 }), marginAccounts: [] });
    expect(state.marginChanges).toEqual([]);
  });

  test('a denial of our controls leaves an equal change that is on its way; one of the gate ends it', () => {
    const state = applyAll(newState(), [intent, pending, intent, denied]);
    expect(state.marginChanges).toHaveLength(1);
    state.apply(denied);
    expect(state.marginChanges).toEqual([]);
  });

  test('a refusal of the venue ends it', () => {
    const refused = {
      kind: 'marginRejected',
      ...at(4),
      strategy: 'maker',
      change: toTen,
      code: 20_033,
      why: '',
    } as const;
    expect(applyAll(newState(), [intent, pending, refused]).marginChanges).toEqual([]);
  });
});

test('a state goes on with what another one carried', () => {
  const state = applyAll(newState(), [
    ...bought('a', 'maker', 1, isolated),
    changed('100'),
    changed('99', {}, { reason: 'interestTaken' }),
    { kind: 'balances', ...at(2), wallet: 'futures', complete: true, balances: [] },
    intent,
    pending,
    intent,
  ]);
  const other = newState();
  // As the journal keeps it.
  other.apply(decodeEvent(encodeEvent({ kind: 'stateCarried', ...at(60), state: state.carry() })));
  expect(other.carry()).toStrictEqual(state.carry());
  expect(other.position(first, 'maker', 'isolated')).toEqual(state.position(first, 'maker', 'isolated'));
  other.apply(denied);
  expect(other.marginChanges).toHaveLength(1);
  expect(balanceOf(other)).toBe('99');
});

test('a state of spot alone carries nothing of margin', () => {
  const carried = applyAll(newState(), bought('a', 'maker', 1)).carry();
  expect(Object.keys(carried)).toEqual(['orders', 'fills', 'positions', 'balances', 'mode', 'sessions']);
  expect(Object.keys(carried.positions[0] ?? {})).not.toContain('account');
});

test('an order of ours by another id form is not taken for a foreign one', () => {
  const ours = venueOrder('x', 'filled', { side: 'sell', margin: isolated, cumulative: 2 as Lots });
  const order = { ...ours, clientOrderId: 'gw-m8x2k1-mm-0000a' as typeof ours.clientOrderId };
  const state = applyAll(newState(), [
    ...bought('a', 'maker', 3, isolated),
    { ...report('x', 'filled'), reportType: 'trade', order, fill: fill('x', 2) },
  ]);
  expect(state.position(first, 'external', 'isolated').quantity).toBe(-2);
});

test('what a contract shows is market data: it is kept, and a state that knows no more takes what was carried', () => {
  const info: Event = {
    kind: 'contractInfo',
    ...at(3),
    instrument: second,
    markPrice: parseAmount('10'),
    indexPrice: parseAmount('11'),
    fundingRate: parseAmount('0.0001'),
    nextFundingAt: 9 as Micros,
    lastFundingRate: undefined,
    openInterest: undefined,
  };
  const carried = applyAll(newState(), bought('a', 'maker', 3)).carry();
  const state = applyAll(newState(), [info, { kind: 'stateCarried', ...at(4), state: carried }]);
  expect(state.contract(second)).toEqual(info);
  expect(state.contract(first)).toBeUndefined();
  expect(state.position(first, 'maker').quantity).toBe(3);
});

test('reports of an account that ended change nothing of the next one of its name, and charge what they took to the one they tell of', () => {
  const former = { createdAt: 5 as Micros, positions: [heldPosition(first, '1', '100')] };
  const next = { createdAt: 20 as Micros, updatedAt: 20 as Micros };
  const state = newState();
  applyAll(state, [
    ...bought('a', 'maker', 1, isolated),
    changed('31', { ...former, updatedAt: 10 as Micros }),
    changed('44', next, { reason: 'marginChanged' }),
    changed('30', { ...former, updatedAt: 19 as Micros }, { reason: 'interestTaken' }),
  ]);
  expect(chargesOf(state.entries).map(({ kind, amount }) => [kind, formatAmount(amount)])).toEqual([
    ['interest', '1'],
  ]);
  applyAll(state, [
    changed('0', { createdAt: 5 as Micros, updatedAt: 20 as Micros }, { reason: 'liquidated' }),
    changed(
      '0',
      { createdAt: 5 as Micros, updatedAt: 20 as Micros },
      { reportType: 'closed', reason: 'closed' },
    ),
  ]);
  expect(balanceOf(state)).toBe('44');
});

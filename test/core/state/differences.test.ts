import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { decodeEvent, encodeEvent } from '../../../src/core/journal/records/records.ts';
import type { KeptEvent } from '../../../src/core/journal/records/records.ts';
import type { Difference } from '../../../src/core/model/difference.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import { shownDifferences } from '../../../src/core/state/differences.ts';
import type { State } from '../../../src/core/state/state.ts';
import { at, fill, first, lots, newState, ownTrade, placed, report } from './support/world.ts';

const difference = (fields: Partial<Difference> = {}): Difference => ({
  key: 'execution 0 buy 77',
  kind: 'execution',
  product: 'spot',
  cause: 'trade 77 is in no history',
  since: 5 as Micros,
  reads: 1,
  ...fields,
});

function restarted(state: State): State {
  const event: KeptEvent = { kind: 'stateCarried', ...at(50), state: state.carry() };
  const next = newState();
  next.apply(decodeEvent(encodeEvent(event)));
  return next;
}

/** A live run with an order of which a report tells an execution. */
function executed(): State {
  const state = newState();
  state.apply({ kind: 'runStarted', ...at(1), run: 'r', mode: 'live' });
  state.apply(placed('a'));
  state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('77', 10, 1_000) }));
  return state;
}

/** An execution is called one that never was. */
function withdraw(state: State, trade: OwnTrade): void {
  const correction = { cause: 'withdrawn', strategy: 'maker', trade, holds: undefined, why: '' } as const;
  state.apply({ kind: 'executionCorrected', ...at(60), correction });
}

const history = (fee: string): KeptEvent => ({
  kind: 'readAnswered',
  ...at(30),
  commandId: 1,
  what: { of: 'tradeHistory', since: 0 as Micros },
  askedAt: 29 as Micros,
  orders: [],
  fills: [{ ...ownTrade('a', 'buy', fill('77', 10, 1_000)), fee: parseAmount(fee) }],
  balances: [],
});

describe('differences between our books and the venue', () => {
  test('are opened, read again and ended by events, and a restart carries them', () => {
    const state = newState();
    state.apply({ kind: 'differenceFound', ...at(5), difference: difference() });
    state.apply({ kind: 'differenceFound', ...at(9), difference: difference({ reads: 2 }) });
    state.apply({
      kind: 'differenceFound',
      ...at(9),
      difference: difference({ key: 'b', since: 2 as Micros }),
    });
    const next = restarted(state);
    expect(next.differences.all).toStrictEqual(state.differences.all);
    expect(next.differences.find('execution 0 buy 77')?.reads).toBe(2);
    expect(shownDifferences(next.differences.all, { account: () => 60 as Micros })).toMatchObject([
      { key: 'b', nextLook: 60 },
      { key: 'execution 0 buy 77', endsWhen: 'the trade history or the order shows the execution' },
    ]);
    next.apply({ kind: 'differenceEnded', ...at(60), key: 'b', why: 'it is explained' });
    expect(next.differences.all.map(({ key }) => key)).toEqual(['execution 0 buy 77']);
  });

  test('are bounded: further ones find no room until others end', () => {
    const state = newState();
    for (let i = 0; i < 600; i++)
      state.apply({ kind: 'differenceFound', ...at(5), difference: difference({ key: String(i) }) });
    expect(state.differences.all.length).toBe(500);
    expect(state.differences.takes('599')).toBe(false);
    state.apply({ kind: 'differenceEnded', ...at(6), key: '3', why: '' });
    expect(state.differences.takes('599')).toBe(true);
  });
});

describe('an execution of a report', () => {
  test('is open until the trade history shows it with the same terms', () => {
    const state = executed();
    expect(state.openExecutions.map(({ trade }) => trade.tradeId)).toEqual(['77']);
    const fee = formatAmount(state.openExecutions[0]?.trade.fee ?? parseAmount('0'));
    state.apply(history('9'));
    expect(state.openExecutions.length).toBe(1);
    state.apply(history(fee));
    expect(state.openExecutions).toEqual([]);
    expect(state.position(first, 'maker').fillCount).toBe(1);
  });

  test('that never was leaves position, order and booked fills as without it, over a restart too, and is booked again by a late row', () => {
    const before = executed();
    const state = restarted(before);
    const [open] = state.openExecutions;
    if (open === undefined) throw new Error('expected an open execution');
    withdraw(state, open.trade);
    expect(state.entries).toMatchObject([{ kind: 'correction', cause: 'withdrawn', strategy: 'maker' }]);
    expect(state.position(first, 'maker')).toMatchObject({
      quantity: 0,
      fillCount: 0,
      cash: 0n,
      fees: 0n,
      turnover: 0n,
    });
    expect(state.netPosition(first)).toBe(0);
    expect(state.order(open.trade.clientOrderId)).toMatchObject({ state: 'canceled', cumulative: 0 });
    expect(state.missingFills()).toEqual([]);
    const late = restarted(state);
    expect(late.withdrawnExecutions.length).toBe(1);
    late.apply(history(formatAmount(open.trade.fee)));
    expect(late.position(first, 'maker')).toMatchObject({ quantity: 10, fillCount: 1 });
    expect(late.withdrawnExecutions).toEqual([]);
    expect(late.order(open.trade.clientOrderId)).toMatchObject({ state: 'filled', cumulative: 10 });
  });

  test('that never was leaves an order that executes in whole later filled, and one that executes in part as it was called', () => {
    const state = restarted(executed());
    const [open] = state.openExecutions;
    if (open === undefined) throw new Error('expected an open execution');
    withdraw(state, open.trade);
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('78', 4, 1_000) }));
    expect(state.order(open.trade.clientOrderId)).toMatchObject({ state: 'canceled', cumulative: 4 });
    state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('79', 6, 1_000) }));
    const next = restarted(state);
    expect(next.order(open.trade.clientOrderId)).toMatchObject({ state: 'filled', cumulative: 10 });
  });

  test('that filled an order which the venue calls expired leaves it expired once it is withdrawn, over a restart too', () => {
    const before = executed();
    before.apply(report('a', 'expired', { type_: 'expired' }));
    const state = restarted(before);
    const [open] = state.openExecutions;
    if (open === undefined) throw new Error('expected an open execution');
    expect(state.order(open.trade.clientOrderId)).toMatchObject({ state: 'filled', cumulative: 10 });
    withdraw(state, open.trade);
    expect(state.order(open.trade.clientOrderId)).toMatchObject({ state: 'expired', cumulative: 0 });
  });

  test('of a backtest is final at once: no history is another witness', () => {
    const state = newState();
    state.apply({ kind: 'runStarted', ...at(1), run: 'r', mode: 'backtest' });
    state.apply(placed('a'));
    state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('77', 10, 1_000) }));
    expect(state.openExecutions).toEqual([]);
    expect('executions' in state.carry()).toBe(false);
  });
});

test('transfers and unexplained money are entries of a wallet, summed by currency', () => {
  const state = newState();
  const moved = { wallet: 'spot', currency: 'BTC', time: 7 as Micros, why: '' } as const;
  state.apply({
    kind: 'moneyMoved',
    ...at(7),
    moved: { entry: 'transfer', amount: parseAmount('-2'), ...moved },
  });
  state.apply({
    kind: 'moneyMoved',
    ...at(8),
    moved: { entry: 'unexplained', amount: parseAmount('0.5'), ...moved },
  });
  expect(state.entries).toMatchObject([{ kind: 'unexplained', wallet: 'spot', currency: 'BTC' }]);
  expect(restarted(state).movedMoney.all()).toEqual([
    { wallet: 'spot', currency: 'BTC', transfers: parseAmount('-2'), unexplained: parseAmount('0.5') },
  ]);
});

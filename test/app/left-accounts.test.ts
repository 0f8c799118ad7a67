import { expect, test } from 'vitest';
import { leftOf } from '../../src/app/live/left-accounts.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { MarginAccountView } from '../../src/core/model/margin.ts';
import { stateAfter } from '../../src/core/trader/carrier.ts';
import { oneMarket } from '../support/markets.ts';

const times = { exchangeTime: 1 as never, receiveTime: 1 as never };

function wallet(of: 'futures' | undefined, available: Amount): Event {
  const balances = [{ currency: 'BBB', available, reserved: zero }];
  return { kind: 'balances', ...(of !== undefined && { wallet: of }), complete: true, balances, ...times };
}

function report(reportType: 'created' | 'closed', balance: Amount): Event {
  const account = { mode: 'isolated', instrument: 0, currency: 'BBB', balance, positions: [] } as unknown;
  return {
    kind: 'marginAccount',
    product: 'futures',
    reportType,
    reason: reportType,
    account: account as MarginAccountView,
    ...times,
  };
}

function left(...events: readonly Event[]) {
  const stamped = events.map((event, index) => ({ sequence: index + 1, event }));
  return leftOf(stateAfter(stamped as never, { instruments: oneMarket({ type: 'futures' }) }));
}

test('paper goes on with both wallets and the margin accounts that the journal left', () => {
  const [ten, five] = [parseAmount('10'), parseAmount('5')];
  expect(left()).toBeUndefined();
  const two = left(wallet(undefined, ten), wallet('futures', five), report('created', ten));
  expect([two?.spot[0]?.available, two?.futures[0]?.available]).toEqual([ten, five]);
  expect(two?.accounts).toMatchObject([{ product: 'futures', account: { balance: ten } }]);
  const closed = left(wallet(undefined, ten), report('created', ten), report('closed', zero));
  expect(closed?.accounts).toEqual([]);
});

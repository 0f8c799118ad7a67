import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { ReadAnswered } from '../../../src/core/model/event.ts';
import { WalletTotals } from '../../../src/core/ledger/wallet-totals.ts';
import { fill, instruments, ownTrade } from '../state/support/world.ts';

const what = { of: 'balances' } as const;
const futures = { of: 'balances', product: 'futures' } as const;
const noOffset = 0 as Micros;

function answer(askedAt: Micros, available: string): ReadAnswered {
  const balances = [{ currency: 'USD', available: parseAmount(available), reserved: parseAmount('0') }];
  const times = { askedAt, exchangeTime: askedAt, receiveTime: (askedAt + millis(5)) as Micros };
  return { kind: 'readAnswered', commandId: 1, what, orders: [], fills: [], balances, ...times };
}

test('a fill that is booked during a look is not missing in it, though the clock of the venue is measured a second wrong', () => {
  const totals = new WalletTotals(instruments);
  const look = (at: Micros, available: string, during: () => void = () => {}): void => {
    totals.asked(what, at);
    during();
    totals.answered(answer(at, available), noOffset);
  };
  const found = () => totals.differences.filter(({ currency }) => currency === 'USD');
  look(seconds(10), '100');
  // The venue stamps it 0.95 s before the look began, by the clock as it is measured, and settles it after the balance was read.
  const time = (seconds(20) - millis(950)) as Micros;
  const trade = { ...ownTrade('a', 'sell', fill('1', 10, 1_000, time)), fee: parseAmount('0') };
  const entry = {
    kind: 'fill',
    account: 'spot',
    strategy: 'one',
    trade,
    realized: parseAmount('0'),
  } as const;
  look(seconds(20), '100', () => totals.booked(entry));
  expect(found()).toEqual([]);
  look(seconds(30), '100.1');
  expect(found()).toEqual([]);
  look(seconds(40), '99.1');
  expect(found()).toMatchObject([{ amount: parseAmount('-1') }]);
});

test('margin that an order gives back during a look moves nothing, though its account has the time of long before', () => {
  const totals = new WalletTotals(instruments);
  const longAgo = seconds(1);
  const lookOf = (at: Micros, available: string, during: () => void = () => {}): void => {
    totals.asked(futures, at);
    during();
    totals.answered({ ...answer(at, available), what: futures }, noOffset);
  };
  const givenBack = (at: Micros) => () => totals.touched('futures', 'USD', longAgo, at);
  lookOf(seconds(20), '100');
  lookOf(seconds(30), '100');
  expect(totals.differences).toEqual([]);
  // The wallet is read before the order is cancelled, its account after.
  lookOf(seconds(40), '90', givenBack(seconds(40)));
  expect(totals.differences).toEqual([]);
  lookOf(seconds(50), '99');
  expect(totals.differences).toMatchObject([{ wallet: 'futures', amount: parseAmount('-1') }]);
});

test('a report that comes right after the first look says that it was not of one moment, whatever time its account has', () => {
  const totals = new WalletTotals(instruments);
  const lookOf = (at: Micros, available: string): void => {
    totals.asked(futures, at);
    totals.answered({ ...answer(at, available), what: futures }, noOffset);
  };
  lookOf(seconds(10), '90');
  totals.touched('futures', 'USD', seconds(1), (seconds(10) + millis(6)) as Micros);
  lookOf(seconds(20), '100');
  lookOf(seconds(30), '100');
  expect(totals.differences).toEqual([]);
});

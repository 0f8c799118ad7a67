import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { AccountPositions } from '../../../src/core/ledger/account-positions.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import type { Side } from '../../../src/core/model/order.ts';
import { fill, first, instruments, ownTrade, second } from '../state/support/world.ts';

function trade(side: Side, quantity: number, price: number, instrument = first): OwnTrade {
  return { ...ownTrade('a', side, fill('1', quantity, price), instrument), marginMode: 'isolated' };
}

function openPositions() {
  const positions = new AccountPositions(instruments, 'isolated', undefined);
  let order = 0;
  const book = (strategy: string, traded: OwnTrade, open?: string): string => {
    order += 1;
    return formatAmount(positions.book(traded, { strategy, open, order }));
  };
  const correct = (key: string, booked: OwnTrade, holds: OwnTrade | undefined): string =>
    formatAmount(positions.correct(key, booked, holds, 'one'));
  return { positions, book, correct };
}

// A tick is 0.01 and a lot 0.001, so 1 tick times 1 lot is 0.00001 of quote currency.
describe('a position of a margin account that two strategies share', () => {
  test('realizes nothing where the fee of an execution is corrected, whatever the first of them had realized before', () => {
    const { book, correct } = openPositions();
    book('one', trade('buy', 10, 1_000));
    expect(book('one', trade('sell', 10, 500))).toBe('-0.05');
    const booked = trade('buy', 10, 1_000);
    book('one', booked, 'open');
    book('other', trade('buy', 5, 1_000));
    expect(correct('open', booked, { ...booked, fee: -booked.fee as Amount })).toBe('0');
    expect(book('other', trade('sell', 15, 1_100))).toBe('0.015');
  });

  test('realizes what the right price of an execution of before is worth, whichever strategy traded first elsewhere', () => {
    const { positions, book, correct } = openPositions();
    book('other', trade('buy', 1, 1_000, second));
    const booked = trade('buy', 10, 1_000);
    book('one', booked, 'open');
    book('one', trade('buy', 10, 1_200));
    expect(book('one', trade('sell', 10, 1_100))).toBe('0');
    expect(book('other', trade('sell', 2, 1_100))).toBe('0');
    // The average price is 10.5 instead of 11, and 12 lots are sold at 11.
    expect(correct('open', booked, trade('buy', 10, 900))).toBe('0.006');
    expect(positions.net(first)).toBe(8);
    expect(book('one', trade('sell', 8, 1_100))).toBe('0.004');
  });
});

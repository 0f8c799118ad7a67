import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { fill, first, instruments, ownTrade } from '../state/support/world.ts';

function book(trades: readonly (readonly ['buy' | 'sell', number, number])[]) {
  const store = new Ledger(instruments);
  trades.forEach(([side, quantity, price], index) => {
    store.book(ownTrade('a', side, fill(String(index), quantity, price)), 'maker');
  });
  const position = store.of(first, 'maker');
  const { cash, fees, turnover, averagePrice, realized } = position;
  const text = {
    cash: formatAmount(cash),
    fees: formatAmount(fees),
    turnover: formatAmount(turnover),
    averagePrice: averagePrice === undefined ? undefined : formatAmount(averagePrice),
    realized: formatAmount(realized),
  };
  return { store, position, ...text };
}

// A tick is 0.01 and a lot 0.001, so 1 tick times 1 lot is 0.00001 of quote currency.
describe('a position', () => {
  test('is zero before any fill, and does not appear in the list', () => {
    const { store, position } = book([]);
    expect(position).toMatchObject({ quantity: 0, cash: zero, fillCount: 0, averagePrice: undefined });
    expect(store.all()).toEqual([]);
  });

  test('averages what it buys and realizes what it sells', () => {
    const result = book([
      ['buy', 10, 1_000],
      ['buy', 10, 1_100],
      ['sell', 5, 1_200],
    ]);
    expect(result.position.quantity).toBe(15);
    expect(result).toMatchObject({
      averagePrice: '10.5',
      realized: '0.0075',
      cash: '-0.15',
      turnover: '0.27',
    });
    expect(result).toMatchObject({ fees: '0.75' });
  });

  test('goes short, covers and turns in one fill', () => {
    const result = book([
      ['sell', 10, 1_000],
      ['buy', 15, 900],
    ]);
    expect(result.position.quantity).toBe(5);
    expect(result).toMatchObject({ averagePrice: '9', realized: '0.01' });
  });

  test('has realized exactly its cash whenever it is flat, whatever the way', () => {
    const trade = fc.tuple(
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 100_000 }),
    );
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), (trades) => {
        const open = book(trades).position.quantity;
        const closing = open === 0 ? [] : [[open > 0 ? 'sell' : 'buy', Math.abs(open), 777] as const];
        const { position, store } = book([...trades, ...closing]);
        expect(position.quantity).toBe(0);
        expect(position.realized).toBe(position.cash);
        expect(store.net(first)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test('is kept per strategy, and the net position is their sum', () => {
    const store = new Ledger(instruments);
    store.book(ownTrade('a', 'buy', fill('1', 7)), 'one');
    store.book(ownTrade('b', 'sell', fill('2', 3)), 'two');
    expect(store.of(first, 'one').quantity).toBe(7);
    expect(store.of(first, 'two').quantity).toBe(-3);
    expect(store.net(first)).toBe(4);
    expect(add(store.of(first, 'one').fees, store.of(first, 'two').fees)).toBe(parseAmount('0.5'));
    expect(store.all().map(({ strategy }) => strategy)).toEqual(['one', 'two']);
  });

  test('names the strategy that alone holds what an order would close', () => {
    const store = new Ledger(instruments);
    store.book(ownTrade('a', 'buy', fill('1', 7)), 'one');
    store.book(ownTrade('b', 'sell', fill('2', 3)), 'two');
    store.book(ownTrade('c', 'buy', fill('3', 1)), 'external');
    expect(store.holderAgainst(first, 'sell')).toBe('one');
    expect(store.holderAgainst(first, 'buy')).toBe('two');
    store.book(ownTrade('d', 'buy', fill('4', 9)), 'two');
    expect(store.holderAgainst(first, 'sell')).toBeUndefined();
    expect(store.holderAgainst(first, 'buy')).toBeUndefined();
  });
});

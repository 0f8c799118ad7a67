import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { LossStore } from '../../../src/core/state/losses.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { at, fill, instruments, newState, ownTrade } from './support/world.ts';

const amount = (text: string) => parseAmount(text);
const maker = { strategy: 'maker', currency: 'USD' };
const account = { strategy: undefined, currency: 'USD' };

/** The results that are reported of these trades, fees of 0.25 a trade counted. */
function resultsOf(trades: readonly (readonly ['buy' | 'sell', number, number])[]): readonly string[] {
  const results: string[] = [];
  const store = new Ledger(instruments, (strategy, currency, result) =>
    results.push(`${strategy} ${currency} ${formatAmount(result)}`),
  );
  trades.forEach(([side, quantity, price], index) => {
    store.book(ownTrade('a', side, fill(String(index), quantity, price)), 'maker');
  });
  return results;
}

describe('the result of a round trip', () => {
  test('is reported when the position is flat, fees counted', () => {
    expect(
      resultsOf([
        ['buy', 10_000, 1_000],
        ['sell', 5_000, 1_200],
        ['sell', 5_000, 1_100],
      ]),
    ).toEqual(['maker USD 14.25']);
  });

  test('is reported when the position turns over, and counting begins anew', () => {
    expect(
      resultsOf([
        ['buy', 10_000, 1_000],
        ['sell', 15_000, 900],
        ['buy', 5_000, 900],
      ]),
    ).toEqual(['maker USD -10.5', 'maker USD -0.25']);
  });
});

describe('limits on loss in the state', () => {
  test('trades that lose in a row are counted for the strategy and for the account; one that wins ends the count', () => {
    const store = new LossStore();
    store.closed('maker', 'USD', -1n);
    store.closed('taker', 'USD', -1n);
    store.closed('maker', 'USD', 0n);
    expect([store.losingTrades(maker), store.losingTrades(account)]).toEqual([1, 2]);
    store.closed('taker', 'USD', 1n);
    expect([store.losingTrades(maker), store.losingTrades(account)]).toEqual([1, 0]);
  });

  test('marks and latches are folded, carried and cleared', () => {
    const state = newState();
    const mark = { ...account, day: 19_675, dayStart: amount('5'), peak: amount('9') };
    const latch = {
      ...account,
      limit: 'drawdown',
      action: 'halted',
      why: 'too much',
      since: at(3).receiveTime,
      until: undefined,
    } as const;
    state.apply({ kind: 'profitMarked', ...at(2), mark });
    state.apply({ kind: 'lossLimitReached', ...at(3), latch });
    const restarted = newState();
    restarted.apply({ kind: 'stateCarried', ...at(4), state: state.carry() });
    expect(restarted.losses.latches).toEqual([latch]);
    expect(restarted.losses.mark(account)).toEqual(mark);
    restarted.apply({
      kind: 'lossLimitCleared',
      ...at(5),
      ...account,
      limit: 'drawdown',
      why: 'cleared by the operator',
      profit: amount('1'),
    });
    expect(restarted.losses.latches).toEqual([]);
    expect(restarted.losses.mark(account)).toEqual({ ...mark, peak: amount('1') });
  });
});

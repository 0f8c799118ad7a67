import { expect, test } from 'vitest';
import { accountProfits } from '../../src/operate/profits.ts';
import type { HeldRow } from '../../src/operate/views/positions.ts';

test('profits of several rows are summed before they are printed as a double; what has no price is left out', () => {
  const rows = [
    { currency: 'USDT', profit: '0.1' },
    { currency: 'USDT', profit: '0.2' },
    { currency: 'BTC', profit: null },
  ] as HeldRow[];
  expect([...accountProfits(rows)]).toEqual([['USDT', 0.3]]);
});

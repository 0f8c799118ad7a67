import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../src/core/orders/options.ts';
import { limitRows } from '../../../src/operate/views/limits.ts';
import { Rig } from '../../core/trader/support/rig.ts';
import { boughtPart, buyer } from '../support.ts';

test('limits on loss say what is lost, and nothing where there is a gain or no beginning', () => {
  const rig = new Rig({ strategies: [buyer] }).ready();
  rig.wait(2_000);
  boughtPart(rig);
  rig.book(94, 96);
  const mark = { strategy: undefined, currency: 'BBB', day: 1, dayStart: parseAmount('1') };
  rig.subject.next({ kind: 'profitMarked', mark: { ...mark, peak: parseAmount('2') }, ...rig.times });
  const loss = { BBB: { day: '20', drawdown: '40', losingTrades: 3 } };
  const used = limitRows({
    trader: rig.trader,
    strategies: [{ name: 'buyer', limits: strategyLimits.parse({ loss: { BBB: { day: '5' } } }) }],
    orders: () => orderOptions.parse({ loss }),
    shown: () => [],
  } as never);
  const rows = [...used].filter(({ name }) => name.includes('loss'));
  expect(rows.map(({ name, of, used, limit, unit }) => [name, of, used, limit, unit])).toEqual([
    ['orders.loss.BBB.day', 'account', '9', '20', 'BBB'],
    ['orders.loss.BBB.drawdown', 'account', '10', '40', 'BBB'],
    ['orders.loss.BBB.losingTrades', 'account', '0', '3', 'trades'],
    ['limits.loss.BBB.day', 'buyer', '0', '5', 'BBB'],
  ]);
});

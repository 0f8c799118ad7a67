import { expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { KeptAlerts, KeptFills } from '../../src/operate/kept-lists.ts';
import type { FillRow } from '../../src/operate/views/trades.ts';
import { KeptInMemory } from './support.ts';

function fill(tradeId: string, more: Partial<FillRow> = {}): FillRow {
  return {
    tradeId,
    clientOrderId: 'gw-1',
    strategy: 'maker',
    symbol: 'AAABBB',
    side: 'buy',
    quantity: '1',
    unit: 'AAA',
    price: '99',
    currency: 'BBB',
    fee: '0.01',
    feeCurrency: 'BBB',
    taker: false,
    time: '2026-11-28T03:04:05.000Z',
    ...more,
  };
}

const idsOf = ({ rows }: KeptFills): readonly string[] => rows.map(({ tradeId }) => tradeId);

test('fills outlive a restart, with their corrections; what is no fill is left out', () => {
  const kept = new KeptInMemory();
  const fills = new KeptFills(kept);
  for (const id of ['1', '2', '3']) fills.add(fill(id));
  fills.correct({ tradeId: '1', clientOrderId: 'gw-1' }, fill('1', { quantity: '2' }));
  fills.correct({ tradeId: '2', clientOrderId: 'gw-1' }, undefined);
  fills.correct({ tradeId: '9', clientOrderId: 'gw-1' }, fill('9'));
  kept.open('fills', { linesMax: 1, all: () => [] }).add({ ...fill('4'), side: 'both' });
  const again = new KeptFills(kept);
  expect(again.rows).toEqual([fill('1', { quantity: '2' }), fill('3')]);
  again.correct({ tradeId: '3', clientOrderId: 'gw-1' }, undefined);
  expect(idsOf(new KeptFills(kept))).toEqual(['1']);
});

test('of fills a thousand stay, of alerts two hundred', () => {
  const kept = new KeptInMemory();
  const fills = new KeptFills(kept);
  const alerts = new KeptAlerts(kept);
  for (let at = 0; at < 1_100; at++) {
    fills.add(fill(String(at)));
    alerts.add({ time: at as Micros, text: `alert ${at}` });
  }
  const again = new KeptFills(kept);
  expect([again.rows.length, idsOf(again)[0]]).toEqual([1_000, '100']);
  const { rows } = new KeptAlerts(kept);
  expect([rows.length, rows[0], rows.at(-1)?.text]).toEqual([
    200,
    { time: 900, text: 'alert 900' },
    'alert 1099',
  ]);
});

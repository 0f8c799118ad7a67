import { describe, expect, test } from 'vitest';
import { micros } from '../../src/core/base/clock.ts';
import { SimDesk } from '../support/sim-desk.ts';

const window = { from: micros(1_000), to: micros(2_000) };

describe('a time in which the venue does not work', () => {
  test('refuses commands and goes on telling the market, when only orders are down', () => {
    const desk = new SimDesk({ outages: [{ ...window, what: 'orders' }] });
    desk.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    desk.clock.advanceTo(micros(1_000));
    desk.order('down', 'buy', { price: 100, quantity: 1 });
    desk.book([[100, 6]], []);
    expect(desk.only('bookUpdate')).toHaveLength(1);
    desk.clock.advanceTo(micros(2_000));
    desk.order('up', 'buy', { price: 100, quantity: 1 });
    expect(desk.heard()).toEqual(['down orderRejected 20010', 'up new']);
  });

  test('hides the market, and tells it whole when it ends', () => {
    const desk = new SimDesk({ outages: [{ ...window, what: 'all' }] });
    desk.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    desk.clock.advanceTo(micros(1_500));
    desk.book([[100, 9], [99, 1]], []); // prettier-ignore
    desk.clock.advanceTo(micros(3_000));
    expect(desk.told.map(({ at, event }) => `${at} ${event.kind}`)).toEqual([
      '0 bookSnapshot',
      '1000 bookStale',
      '1000 sessionDown',
      '2000 sessionUp',
      '2000 bookSnapshot',
    ]);
    const [, whole] = desk.only('bookSnapshot');
    expect([...(whole?.levels ?? [])]).toEqual([0, 100, 9, 0, 99, 1, 1, 102, 5]);
  });

  test('orders that rest fill meanwhile, as the market goes on', () => {
    const desk = new SimDesk({ outages: [{ ...window, what: 'all' }] });
    desk.book([[99, 5]], [[102, 5]], 'bookSnapshot');
    desk.order('mine', 'buy', { price: 100, quantity: 1 });
    desk.heard();
    desk.clock.advanceTo(micros(1_500));
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100 filled']);
  });
});

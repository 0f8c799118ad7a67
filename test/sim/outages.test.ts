import { describe, expect, test } from 'vitest';
import { micros } from '../../src/core/base/clock.ts';
import { SimHarness } from '../support/sim-harness.ts';

const window = { from: micros(1_000), to: micros(2_000) };

describe('a time in which the venue does not work', () => {
  test('refuses commands and goes on telling the market, when only orders are down', () => {
    const harness = new SimHarness({ outages: [{ ...window, what: 'orders' }] });
    harness.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    harness.clock.advanceTo(micros(1_000));
    harness.order('down', 'buy', { price: 100, quantity: 1 });
    harness.book([[100, 6]], []);
    expect(harness.only('bookUpdate')).toHaveLength(1);
    harness.clock.advanceTo(micros(2_000));
    harness.order('up', 'buy', { price: 100, quantity: 1 });
    expect(harness.received()).toEqual(['down orderRejected 20010', 'up new']);
  });

  test('hides the market, and sends it whole when it ends', () => {
    const harness = new SimHarness({ outages: [{ ...window, what: 'all' }] });
    harness.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    harness.clock.advanceTo(micros(1_500));
    harness.book([[100, 9], [99, 1]], []); // prettier-ignore
    harness.clock.advanceTo(micros(3_000));
    expect(harness.noted.map(({ at, event }) => `${at} ${event.kind}`)).toEqual([
      '0 bookSnapshot',
      '1000 bookStale',
      '1000 sessionDown',
      '2000 sessionUp',
      '2000 bookSnapshot',
    ]);
    const [, whole] = harness.only('bookSnapshot');
    expect([...(whole?.levels ?? [])]).toEqual([0, 100, 9, 0, 99, 1, 1, 102, 5]);
  });

  test('orders that rest fill meanwhile, as the market goes on', () => {
    const harness = new SimHarness({ outages: [{ ...window, what: 'all' }] });
    harness.book([[99, 5]], [[102, 5]], 'bookSnapshot');
    harness.order('mine', 'buy', { price: 100, quantity: 1 });
    harness.received();
    harness.clock.advanceTo(micros(1_500));
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['mine trade 1@100 filled']);
  });
});

import { expect, test } from 'vitest';
import { ClientOrderIds, isClientOrderId, ownerOf } from '../../../src/core/model/client-order-id.ts';

test('ids are legal, different, and show their owner', () => {
  const ids = new ClientOrderIds('gw', 'mfz1k2a9', 'maker');
  const made = Array.from({ length: 1_000 }, () => ids.next());
  expect(new Set(made).size).toBe(1_000);
  for (const id of made) expect(isClientOrderId(id)).toBe(true);
  expect(ownerOf(made[35]!)).toEqual({ prefix: 'gw', run: 'mfz1k2a9', tag: 'maker', counter: 36 });
  expect(ownerOf('somebody_elses_order')).toBeUndefined();
});

test.each(['short', 'x'.repeat(33), 'spaces are bad', 'umlaut-äöü-1', 'a.b.c.d.e'])(
  '%j is no client order id',
  (text) => {
    expect(isClientOrderId(text)).toBe(false);
  },
);

test('ids made ahead of time are those that would have come', async () => {
  const [some, others] = [
    new ClientOrderIds('gw', 'mfz1k2a9', 'a'),
    new ClientOrderIds('gw', 'mfz1k2a9', 'a'),
  ];
  const made: string[] = [];
  for (let i = 0; i < 40; i++) {
    if (i % 3 === 0) some.prepareSoon();
    if (i % 6 === 0) some.prepareSoon();
    if (i % 2 === 0) await Promise.resolve();
    made.push(some.next());
  }
  expect(made).toEqual(Array.from({ length: 40 }, () => others.next()));
});

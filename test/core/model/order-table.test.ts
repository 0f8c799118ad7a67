import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientOrderIds, counterOf, idHeadOf } from '../../../src/core/model/client-order-id.ts';
import { OrderTable } from '../../../src/core/model/order-table.ts';

const digits = fc.stringMatching(/^[0-9a-z]{1,6}$/);
const near = fc.integer({ min: 0, max: 3_000 }).map((counter) => counter.toString(36).padStart(5, '0'));
const head = fc.constantFrom('gw-m8x2k1-a-', 'gw-m8x2k1-ab-', 'gw-m8x2k2-a-', 'gw-m8x2k1-a-00', '', 'x-');
const id = fc.tuple(head, fc.oneof(near, near, digits)).map((parts) => parts.join(''));
const step = fc.record({ act: fc.constantFrom('set', 'set', 'next', 'delete', 'oldest'), id });

test('values stand in it as in a map, whoever made the ids and however they come and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.array(id), (steps, others) => {
      const table = new OrderTable<object>();
      const naive = new Map<string, object>();
      const ids = new ClientOrderIds('gw', 'm8x2k1', 'mm');
      for (const one of steps) {
        const [oldest = one.id] = naive.keys();
        const text = one.act === 'next' ? ids.next() : one.act === 'oldest' ? oldest : one.id;
        expect(table.get(text)).toBe(naive.get(text));
        if (one.act === 'delete' || one.act === 'oldest') {
          expect(table.delete(text)).toBe(naive.delete(text));
        } else {
          const value = {};
          table.set(text, value);
          naive.set(text, value);
        }
        expect(table.size).toBe(naive.size);
      }
      for (const text of [...naive.keys(), ...others]) expect(table.get(text)).toBe(naive.get(text));
    }),
  );
});

test('orders of a long run come and go without a trace', () => {
  const table = new OrderTable<{ readonly number: number }>();
  const ids = new ClientOrderIds('gw', 'm8x2k1', 'mm');
  const all = Array.from({ length: 9_000 }, () => ids.next());
  all.forEach((one, number) => {
    table.set(one, { number });
    if (number >= 10) expect(table.delete(all[number - 10] as string)).toBe(true);
  });
  expect(table.size).toBe(10);
  expect(table.get(all[8_999] as string)).toEqual({ number: 8_999 });
  expect(table.has(all[8_989] as string)).toBe(false);
});

test('an order that a strategy names by something that is no text is kept by that', () => {
  const table = new OrderTable<object>();
  const value = {};
  table.set('gw-m8x2k1-mm-00001', {});
  for (const odd of [17, undefined, null, Number.NaN] as unknown as string[]) {
    expect(table.has(odd)).toBe(false);
    table.set(odd, value);
    expect(table.get(odd)).toBe(value);
    expect(table.delete(odd)).toBe(true);
  }
  expect(table.size).toBe(1);
});

test('only ids of ours have a counter of five digits behind their head', () => {
  expect(idHeadOf('gw-m8x2k1-mm-0000a')).toBe('gw-m8x2k1-mm-');
  expect(counterOf('gw-m8x2k1-mm-0000a', 'gw-m8x2k1-mm-')).toBe(10);
  expect(counterOf('gw-m8x2k1-mm-zzzzz', 'gw-m8x2k1-mm-')).toBe(36 ** 5 - 1);
  for (const other of [
    'gw-m8x2k1-mm-10000a',
    'gw-m8x2k1-mm-0000A',
    'gw-m8x2k1-mm-000',
    'a1b2c3-0000a',
    '0000a',
  ])
    expect(idHeadOf(other)).toBeUndefined();
});

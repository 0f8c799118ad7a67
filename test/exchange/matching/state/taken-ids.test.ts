import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { defaultMatchingOptions } from '../../../../src/exchange/matching/state/options.ts';
import { OrderRecords } from '../../../../src/exchange/matching/state/live.ts';
import type { OrderRecord } from '../../../../src/exchange/matching/state/record.ts';
import type { AccountInstrument } from '../../../../src/exchange/matching/accounts/terms.ts';
import { TakenIds } from '../../../../src/exchange/matching/state/taken-ids.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../../src/core/model/order.ts';

const keep = 50;
const endedMax = 40;

function request(id: string): OrderRequest {
  return {
    clientOrderId: id as ClientOrderId,
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1 as Lots,
    price: 1 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  };
}

/** Of letters, longer than 32, beyond ASCII, with the same beginning and another end, and short ones. */
const texts: readonly ((number: number) => string)[] = [
  (number) => `id-${number}`,
  (number) => `id-${'x'.repeat(28)}-${number}`,
  (number) => `\u00e9-${number}`,
  (number) => `exactly-thirty-two-letters-${String(number).padStart(5, '0')}`,
  (number) => String.fromCharCode(number + 1),
  (number) => `nul\0-${number}`,
];

describe('taken client ids', () => {
  test('are those of live orders and of orders that ended not long ago, whatever came before', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 300 }),
      ends: fc.boolean(),
      wait: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 3 * keep })),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 800 }), (steps) => {
        const records = new OrderRecords();
        const taken = new TakenIds(records.all, keep as Micros, endedMax);
        const live = new Map<string, OrderRecord>();
        let ended: { readonly id: string; readonly at: number }[] = [];
        let now = 1_000;
        for (const { id: number, ends, wait } of steps) {
          now += wait;
          const id = texts[number % texts.length]?.(number) ?? '';
          const known = live.get(id);
          ended = ended.filter(({ at }) => now < at + keep).slice(-endedMax);
          expect(taken.has(id, now as Micros)).toBe(
            known !== undefined || ended.some((one) => one.id === id),
          );
          expect(taken.live(id)).toBe(known);
          if (known !== undefined && ends) {
            taken.endOrder(known, now as Micros);
            records.close(known);
            live.delete(id);
            ended.push({ id, at: now });
            records.reclaim();
          } else if (!taken.has(id, now as Micros)) {
            const birth = {
              number,
              createdAt: now as Micros,
              originalClientOrderId: undefined,
              cumulative: 0 as Lots,
            };
            const record = records.open(request(id), {} as AccountInstrument, birth);
            taken.add(record);
            live.set(id, record);
          }
        }
        for (const [id, record] of live) expect(taken.live(id)).toBe(record);
      }),
      { numRuns: 60 },
    );
  });

  test('are free at once where they are not kept', () => {
    const records = new OrderRecords();
    const taken = new TakenIds(records.all, 0 as Micros, defaultMatchingOptions.endedIdsMax);
    const birth = {
      number: 1,
      createdAt: 0 as Micros,
      originalClientOrderId: undefined,
      cumulative: 0 as Lots,
    };
    const record = records.open(request('again'), {} as AccountInstrument, birth);
    taken.add(record);
    expect(taken.has('again', 5 as Micros)).toBe(true);
    taken.endOrder(record, 5 as Micros);
    expect(taken.has('again', 5 as Micros)).toBe(false);
  });
});

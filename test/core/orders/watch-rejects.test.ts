import { expect, test } from 'vitest';
import { RejectWatch } from '../../../src/core/orders/watches.ts';

import fc from 'fast-check';

test('a strategy is stopped when more than the allowed share of its last orders was rejected, and not before they are full', () => {
  const outcomes = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()), { maxLength: 80 });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 1, max: 100 }),
      outcomes,
      (of, percentMax, all) => {
        const watch = new RejectWatch({ of, percentMax });
        const seen: Record<string, boolean[]> = { a: [], b: [] };
        for (const [strategy, rejected] of all) {
          seen[strategy]?.push(rejected);
          const last = seen[strategy]?.slice(-of) ?? [];
          const count = last.filter(Boolean).length;
          const stops = last.length === of && count * 100 > of * percentMax;
          const why = stops ? `the venue rejected ${count} of its last ${of} orders` : undefined;
          expect(watch.add(strategy, rejected)).toBe(why);
        }
      },
    ),
  );
});

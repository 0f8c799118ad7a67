import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/core/base/clock.ts';
import { SlidingWindow } from '../../src/exchange/base/rate-limits.ts';
import { v2Limits, v3Limits } from '../../src/venues/hitbtc/wire/limits.ts';
import type { Link } from '../core/budgets/support/demand.ts';
import { runDemand } from '../core/budgets/support/demand.ts';

/** The rows of both documents that differ: rate and burst. */
const rows = [
  ...new Map(
    [...v3Limits, ...v2Limits].map(({ rate, burst }) => [`${rate} + ${burst}`, { rate, burst }] as const),
  ),
];
const links: readonly (readonly [string, Link])[] = [
  ['5 ms', { delayMs: () => 5, stallsMs: [], stalled: 'requests' }],
  [
    '20 ms with 30 ms jitter, requests stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'requests' },
  ],
  [
    '20 ms with 30 ms jitter, replies stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'replies' },
  ],
];

describe.each(rows)('unlimited demand under %s a second', (_, { rate, burst }) => {
  test.each(links)('get no 429 from the exchange itself, at %s', (_name, link) => {
    // The exchange's own counter, behind a link; the budget is the one the typed client and the gate use.
    const counter = new SlidingWindow(rate + burst);
    const result = runDemand({
      budget: { rate, burst, mode: 'both', reserved: { cancel: 0, read: 0 }, share: 1, guard: 15 },
      link,
      referee: { admit: (time) => counter.admit(time) },
      // The busiest rows have their ten minutes in test/core/budgets/demand.test.ts.
      length: seconds(rate < 100 ? 600 : 40),
      cancelEveryMs: 5_000,
      seed: 21,
    });
    expect(result.refused).toBe(0);
    // Ten a second or fewer without a burst leave one by one: each also waits for its predecessor's round trip.
    expect(result.rate).toBeGreaterThanOrEqual(rate * (burst === 0 && rate <= 10 ? 0.75 : 0.9));
  });
});

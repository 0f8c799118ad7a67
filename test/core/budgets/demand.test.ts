import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { LaneBudgetOptions } from '../../../src/core/budgets/lanes.ts';
import type { Link } from './support/demand.ts';
import { runDemand } from './support/demand.ts';
import { bucketReferee, windowReferee } from './support/referee.ts';

const links: readonly (readonly [string, Link])[] = [
  ['5 ms', { delayMs: () => 5, stallsMs: [], stalled: 'requests' }],
  ['50 ms', { delayMs: () => 50, stallsMs: [], stalled: 'requests' }],
  [
    '20 ms with 30 ms jitter',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [], stalled: 'requests' },
  ],
  [
    '20 ms with jitter and requests stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'requests' },
  ],
  [
    '20 ms with jitter and replies stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'replies' },
  ],
];

const both: LaneBudgetOptions = {
  rate: 300,
  burst: 200,
  mode: 'both',
  reserved: { cancel: 50, read: 10 },
  share: 1,
  guard: 15,
};
const windowOnly: LaneBudgetOptions = { ...both, mode: 'window', reserved: { cancel: 10, read: 5 } };
const tenMinutes = seconds(600);

describe('ten minutes of unlimited demand', () => {
  test.each(links)('mode both is never refused by the window, at %s', (_, link) => {
    const result = runDemand({
      budget: both,
      link,
      referee: windowReferee(300, 200),
      length: tenMinutes,
      cancelEveryMs: 100,
      seed: 11,
    });
    expect(result.refused).toBe(0);
    expect(result.rate).toBeGreaterThanOrEqual(270);
    expect(result.cancels).toBeGreaterThan(5_000);
    expect(result.cancelWaitMax).toBeLessThanOrEqual(millis(100));
  });

  test.each(links)('mode both is never refused by the leaky bucket, at %s', (_, link) => {
    const result = runDemand({
      budget: both,
      link,
      referee: bucketReferee(300, 200),
      length: tenMinutes,
      cancelEveryMs: 100,
      seed: 12,
    });
    expect(result.refused).toBe(0);
    expect(result.rate).toBeGreaterThanOrEqual(270);
    expect(result.cancelWaitMax).toBeLessThanOrEqual(millis(100));
  });

  test.each(links)('mode window is never refused by the window and uses it, at %s', (_, link) => {
    const result = runDemand({
      budget: windowOnly,
      link,
      referee: windowReferee(300, 200),
      length: tenMinutes,
      cancelEveryMs: 1_000,
      seed: 13,
    });
    expect(result.refused).toBe(0);
    expect(result.rate).toBeGreaterThanOrEqual(450);
    expect(result.cancelWaitMax).toBeLessThanOrEqual(millis(100));
  });

  test('a venue that counts tenths of a second refuses the first burst, and nothing once the pace is even', () => {
    const result = runDemand({
      budget: { ...both, reserved: { cancel: 0, read: 0 } },
      link: { delayMs: () => 20, stallsMs: [], stalled: 'requests' },
      referee: windowReferee(30, 20, millis(100)),
      length: seconds(300),
      cancelEveryMs: 10_000,
      seed: 14,
    });
    expect(result.refused).toBeGreaterThan(0);
    expect(result.refusedLater).toBe(0);
    expect(result.rate).toBeGreaterThan(250);
  });
});

import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { runDemand } from './support/demand.ts';
import { windowReferee } from './support/referee.ts';
import { both, cancelWaitMax, unlimitedDemands } from './support/unlimited-demands.ts';

describe('ten minutes of unlimited demand', () => {
  test.each(unlimitedDemands)(
    '$name are never refused, use the limit and leave cancels room, at $at',
    ({ run, least, cancelEveryMs }) => {
      const result = run(600);
      expect(result.refused).toBe(0);
      expect(result.rate).toBeGreaterThanOrEqual(least);
      expect(result.cancels).toBeGreaterThan(500_000 / cancelEveryMs);
      expect(result.cancelWaitMax).toBeLessThanOrEqual(cancelWaitMax);
    },
  );

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

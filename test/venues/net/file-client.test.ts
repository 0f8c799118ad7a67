import { expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import { retryAfterOf } from '../../../src/venues/net/file-client.ts';

test('Retry-After is read in seconds and as a date, and never longer than a day', () => {
  const now = seconds(1_700_000_000);
  expect(retryAfterOf('120', now)).toBe(seconds(120));
  expect(retryAfterOf('Tue, 14 Nov 2023 22:13:50 GMT', now)).toBe(seconds(30));
  expect(retryAfterOf('999999999', now)).toBe(seconds(86_400));
  expect([retryAfterOf('soon', now), retryAfterOf(undefined, now)]).toEqual([undefined, undefined]);
});

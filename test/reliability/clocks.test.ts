import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { millis, seconds } from '../../src/core/base/clock.ts';
import { runDemand } from '../core/budgets/support/demand.ts';
import { bucketReferee, windowReferee } from '../core/budgets/support/referee.ts';
import { both } from '../core/budgets/support/unlimited-demands.ts';

// Rows of the catalogue about clocks that no other test shows.

test('times, bars and daily work are the same in six zones, over the nights in which their clocks change', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Pacific/Chatham',
  ];
  const program = fileURLToPath(new URL('support/zone-course.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--conditions=godwit-source', '--disable-warning=ExperimentalWarning', program, ...zones],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  // The zones were in force.
  expect(lines.map(([offset]) => Number(offset))).toEqual([0, 240, -120, -660, -330, -825]);
  expect(new Set(lines.map(([, hash]) => hash)).size).toBe(1);
});

test.each([
  ['the window', windowReferee(300, 200, millis(1_010))],
  ['the leaky bucket', bucketReferee(297, 200)],
])('a clock that runs one per cent fast meets no refusal by %s', (_name, referee) => {
  const result = runDemand({
    budget: both,
    link: { delayMs: (random) => random.between(-10, 50), stallsMs: [400], stalled: 'requests' },
    referee,
    length: seconds(120),
    cancelEveryMs: 100,
    seed: 21,
  });
  expect(result.refused).toBe(0);
  expect(result.rate).toBeGreaterThan(240);
});

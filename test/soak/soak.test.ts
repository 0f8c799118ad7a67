import { expect, test } from 'vitest';
import type { Sample } from './figures.ts';
import { figuresOf } from './figures.ts';
import { soak } from './soak.ts';

test('a short soak loses no order over a kill, and leaves none', async () => {
  const { samples, lost, left, exitCode, lastWords } = await soak({ minutes: 0.2, everySeconds: 1, seed: 7 });
  expect({ lost, left, exitCode }, lastWords).toEqual({ lost: 0, left: 0, exitCode: 143 });
  expect(new Set(samples.map(({ life }) => life))).toEqual(new Set([0, 1]));
  const figures = figuresOf(samples);
  expect(figures['commands']).toBeGreaterThan(0);
  expect(figures['rssEndMiB']).toBeGreaterThan(20);
  expect(figures['journalMiBPerHour']).toBeGreaterThan(0);
});

test('figures count both lives, and a slope is that of the second one', () => {
  const mebibyte = 1_048_576;
  const sample = (life: number, time: number): Sample => ({
    life,
    time,
    rssBytes: 100 * mebibyte,
    heapBytes: (life === 0 ? 90 : 50 + time / 3_600) * mebibyte,
    lagP99Seconds: 0.01,
    feedAgeSeconds: 0.1,
    commands: time - life * 1_800,
    fills: 1,
    unknown: 0,
    processorSeconds: 36,
    journalBytes: time * 1_024,
  });
  const samples = [0, 1_800, 1_801, 2_400, 3_000, 3_600].map((time) => sample(time > 1_800 ? 1 : 0, time));
  expect(figuresOf(samples)).toMatchObject({
    minutes: 60,
    commands: 3_600,
    fills: 2,
    heapSlopeMiBPerHour: 1,
    rssSlopeMiBPerHour: 0,
    lagP99MsMost: 10,
    processorPercent: 2,
    journalMiBPerHour: 3.52,
  });
});

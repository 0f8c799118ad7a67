import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { RunTimeline, Step } from '../../../src/research/checks/timeline.ts';
import { compareFuture, compareWhole, sampleCuts } from '../../../src/research/checks/lookahead.ts';

/** A timeline as text: each step a letter at its second, `I` an intent, small letters market data; what the market published in between. */
function timeline(
  steps: readonly (readonly [kind: string, time: number, market?: string, text?: string])[],
): RunTimeline {
  const list: readonly Step[] = steps.map(
    ([kind, time, market = `${time}`, text = `${kind} ${time}`], index) => ({
      sequence: index + 1,
      time,
      kind,
      text,
      market,
      site: kind === 'intent' ? `strategy.ts:${time}` : undefined,
    }),
  );
  const digest = list.map(({ text, market }) => `${text}@${market}`).join(';');
  const prefixes = [5].map((cut) => ({
    cut,
    digest: list
      .filter(({ time }) => time <= cut)
      .map(({ text }) => text)
      .join(';'),
  }));
  return { digest, events: list.length, steps: list, left: 0, prefixes, problems: [], notes: [] };
}

const usual = timeline([
  ['runStarted', 1],
  ['intent', 4],
  ['orderPending', 4],
  ['intent', 8],
  ['orderPending', 8],
]);

describe('another future behind the cut', () => {
  test('may change what is decided once the data differ', () => {
    const other = timeline([
      ['runStarted', 1],
      ['intent', 4],
      ['orderPending', 4],
      ['intent', 9, 'elsewhere'],
    ]);
    expect(compareFuture(5, usual, other)).toBeUndefined();
  });

  test('may not change a decision before the cut, whose line is named', () => {
    const other = timeline([
      ['runStarted', 1],
      ['intent', 4, '4', 'intent of another price'],
      ['orderPending', 4],
    ]);
    const breach = compareFuture(5, usual, other);
    expect(breach?.divergence).toMatchObject({
      index: 1,
      site: 'strategy.ts:4',
      one: { time: 4 },
      other: { time: 4 },
    });
  });

  test('may not take a decision away', () => {
    const other = timeline([['runStarted', 1]]);
    expect(compareFuture(5, usual, other)?.divergence?.site).toBe('strategy.ts:4');
  });

  test('may not change a decision behind the cut while both had the same data', () => {
    const other = timeline([
      ['runStarted', 1],
      ['intent', 4],
      ['orderPending', 4],
      ['intent', 8, '8', 'intent of another price'],
    ]);
    expect(compareFuture(5, usual, other)?.divergence?.site).toBe('strategy.ts:8');
  });

  test('may not change the market data before the cut', () => {
    const other = { ...usual, prefixes: [{ cut: 5, digest: 'another' }] };
    expect(compareFuture(5, usual, other)).toEqual({
      comparison: { of: 'future', cut: 5 },
      divergence: undefined,
    });
  });
});

test('the same data must be alike to the end', () => {
  expect(compareWhole({ of: 'again' }, usual, usual)).toBeUndefined();
  const shorter = timeline([
    ['runStarted', 1],
    ['intent', 4],
    ['orderPending', 4],
  ]);
  expect(compareWhole({ of: 'again' }, usual, shorter)?.divergence?.one?.time).toBe(8);
  expect(compareWhole({ of: 'sealed' }, usual, { ...usual, digest: 'another' })?.divergence).toBeUndefined();
});

test('cuts are of the seed, ascend, and lie at decisions and between them', () => {
  const steps = Array.from(
    { length: 50 },
    (_, i) => [i % 5 === 0 ? 'intent' : 'orderPending', i * 1_000] as const,
  );
  const long = timeline(steps);
  const cuts = sampleCuts(long, 8, new Random('cuts'));
  expect(cuts).toHaveLength(8);
  expect(cuts).toEqual(cuts.toSorted((a, b) => a - b));
  expect(cuts).toEqual(sampleCuts(long, 8, new Random('cuts')));
  expect(cuts.filter((cut) => cut % 5_000 === 0).length).toBeGreaterThanOrEqual(4);
});

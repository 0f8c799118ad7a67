import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beliefs, quantileOf } from '../../src/app/backtest-band.ts';
import { dataHash } from '../../src/app/recording-hash.ts';

test('the quantiles of a configured latency are those of its distribution', () => {
  const exponential = { kind: 'exponential', base: 1_000, tailMean: 500, max: 3_000 } as const;
  expect(quantileOf(exponential, 0.5)).toBe(Math.round(1_000 + 500 * Math.LN2));
  expect(quantileOf(exponential, 0.99)).toBe(3_000);
  expect(quantileOf({ kind: 'uniform', low: 100, high: 200 }, 0.99)).toBe(199);
  const constant = { kind: 'constant', micros: 15_000 } as const;
  expect([quantileOf(constant, 0.5), quantileOf(constant, 0.99)]).toEqual([15_000, 60_000]);
});

test('the fitted belief is what is configured, or lies between the ends', () => {
  expect(beliefs('power').map(([, queue]) => queue)).toEqual(['conservative', 'power', 'proportional']);
  expect(beliefs('conservative').map(([, queue]) => queue)).toEqual(['conservative', 'log', 'proportional']);
});

test('data has one hash wherever it lies and whatever it is called, and another when it differs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-hash-'));
  try {
    const big = Buffer.alloc(200_000, 1);
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a'), big);
    writeFileSync(join(folder, 'b', 'c'), big);
    expect(dataHash([join(folder, 'a')])).toBe(dataHash([join(folder, 'b')]));
    writeFileSync(join(folder, 'a'), Buffer.concat([big.subarray(1), Buffer.from([2])]));
    expect(dataHash([join(folder, 'a')])).not.toBe(dataHash([join(folder, 'b')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

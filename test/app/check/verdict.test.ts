import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verdictOf } from '../../../src/app/check/verdict.ts';
import { barsBegin, barScenario } from '../../system/support/bar-scenario.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-verdicts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly holds: boolean | null;
  readonly reason: string | null;
  readonly warmUpMicros?: number | null;
  readonly bars?: number | null;
}

/** A check of a strategy that decides at every bar, on a hundred bars. */
async function check(line: string, params: object = {}) {
  const scenario = barScenario(folder, 'window-follower', {}, params);
  return await run([...`check ${line} --scenario`.split(' '), scenario]);
}

async function answer(line: string, params: object = {}) {
  const { code, out, err } = await check(`${line} --json`, params);
  return { code, err, ...(JSON.parse(out) as Answer) };
}

describe('a strategy that throws at the tenth bar of a hundred, after nine decisions', () => {
  const thrower = { endsAt: barsBegin + 9 * 60 - 1 };

  test.each([
    ['lookahead --cuts 2', /^not known {2}a run ended early, so /m],
    ['determinism --threads 1', /^not known: a run ended early, so .*; 3 runs alike in every event$/m],
    ['warm-up --starts 2 --step 1m', /^warm-up {3}not known: a run ended early, so /m],
  ])('check %s is not known, and its exit code is 7', async (line, expected) => {
    const said = await check(line, thrower);
    expect(said.out).toMatch(expected);
    expect(said.out).not.toMatch(/holds|BREACH/);
    expect(said.err.match(/^incomplete: strategy \S+ was stopped: .*enough of this/gm)).toHaveLength(1);
    expect(said.code).toBe(7);
  });

  test.each(['lookahead --cuts 1', 'determinism --threads 1', 'warm-up --starts 1 --step 1m'])(
    'check %s says null as JSON, and why',
    async (line) => {
      const { code, holds, reason } = await answer(line, thrower);
      expect({ code, holds, reason }).toEqual({
        code: 7,
        holds: null,
        reason: 'a run ended early, so what it would have decided later was not compared',
      });
    },
  );
});

test('a verdict holds only of whole runs with enough to compare; a difference found in a part stays one', () => {
  const [clean, cut] = [{ faults: 0, decisions: 5, problems: [] }, { problems: ['it was stopped'] }];
  expect(verdictOf(clean)).toEqual({ holds: true, reason: undefined, exitCode: 0 });
  expect(verdictOf({ ...clean, tooFew: 'too few' })).toEqual({ holds: null, reason: 'too few', exitCode: 7 });
  expect(verdictOf({ ...clean, ...cut })).toMatchObject({ holds: null, exitCode: 7 });
  expect(verdictOf({ ...clean, ...cut, decisions: 0 })).toMatchObject({ holds: null, exitCode: 7 });
  expect(verdictOf({ ...clean, ...cut, faults: 1 })).toMatchObject({ holds: false, exitCode: 7 });
  expect(verdictOf({ ...clean, decisions: 0 })).toMatchObject({ holds: null, exitCode: 0 });
});

describe('check warm-up', () => {
  /** Ten bars are needed, and decided is in the second half only. */
  const late = { quietUntil: barsBegin + 50 * 60 };

  test('finds none in starts that change no decision, and says so with exit code 7', async () => {
    const said = await check('warm-up --starts 3', late);
    expect(said.out).toMatch(/^warm-up {3}not found in 3 starts: no later start changed a decision; /m);
    expect(said.out).not.toContain('0 µs');
    expect(said.code).toBe(7);
    const { code, holds, warmUpMicros, bars } = await answer('warm-up --starts 3', late);
    expect({ code, holds, warmUpMicros, bars }).toEqual({
      code: 7,
      holds: null,
      warmUpMicros: null,
      bars: null,
    });
  });

  test('finds it where more starts do', async () => {
    const said = await check('warm-up --starts 12', late);
    expect(said.out).toMatch(/^warm-up {3}\d.* min \([1-9] bars\), the longest of 12 starts: /m);
    expect(said.code).toBe(0);
  });

  test('counts a decision that differs at the very bar a start begins with, and reports how many starts were tried', async () => {
    const { code, err, warmUpMicros, bars } = await answer('warm-up --starts 9 --step 30m', { bars: 2 });
    expect({ code, warmUpMicros, bars }).toEqual({ code: 0, warmUpMicros: 60_000_000, bars: 1 });
    expect(err).toContain('note: 3 of 9 starts lie within the data; choose a shorter --step');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { main, shortLived } from '../system/support/cli.ts';
import type { SweepResult } from '../../src/app/sweep/result.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-strays-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const on = [at('backtest/feeds/sample'), '--strategy', at('test/app/fixtures/stray.ts'), '--json'];

function godwit(args: readonly string[]) {
  return spawnSync(process.execPath, [...shortLived, main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
}

const own = /a strategy threw outside of its handlers, in a timer, task or promise of its own: Error: boom 1/;
const refusal = /process\.exit was called, and a strategy cannot end the process/;

describe('what a strategy throws outside of its handlers', () => {
  test.each([
    ['timer', own],
    ['promise', own],
    ['task', own],
    ['exit', refusal],
    ['exitLater', refusal],
  ])('a backtest tells of %s in a sentence, and keeps what there is', (deed, expected) => {
    const param = `deed=${deed}`;
    const { status, stdout, stderr } = godwit([
      'backtest',
      ...on,
      '--param',
      param,
      '--no-save',
      '--no-band',
    ]);
    expect(status).toBe(1);
    expect(
      stderr.split('\n').filter((line) => expected.test(line) && !line.startsWith('doubtful')),
    ).toHaveLength(1);
    expect(stderr).not.toMatch(/^ +at /m);
    const { complete, problems, digest } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ complete, problems }).toEqual({
      complete: false,
      problems: [expect.stringMatching(expected)],
    });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('while the band is computed is reported, and the run counts as incomplete', () => {
    const path = at('test/app/fixtures/late-thrower.ts');
    const named = ['--strategy', path, '--param', 'deed=late', '--json', '--band', '--no-save'];
    const { status, stdout, stderr } = godwit(['backtest', at('backtest/feeds/sample'), ...named]);
    const late =
      /after the end of its run a strategy threw outside of its handlers, in a timer, .*: Error: boom \(late-thrower\.ts:\d+:\d+\)$/;
    expect(status).toBe(1);
    expect(stderr.split('\n').filter((line) => late.test(line))).toHaveLength(1);
    const { complete, problems, warning } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ complete, problems, warning }).toEqual({
      complete: false,
      problems: [expect.stringMatching(late)],
      warning: expect.stringContaining('incomplete: after the end of its run'),
    });
  });

  test('a sweep charges it to the trial it began in, and to no other', () => {
    const space = ['--space', 'mark=1,2', '--space', 'deed="timer","late","exit","nothing"'];
    const { status, stdout } = godwit(['sweep', ...on, ...space, '--workers', '1', '--top', '8']);
    expect(status).toBe(0);
    const { trials, best, failures } = JSON.parse(stdout) as SweepResult;
    expect(trials.tried).toBe(8);
    const whys = new Map(failures.map(({ point, why }) => [`${point['deed']} ${point['mark']}`, why]));
    for (const mark of [1, 2]) {
      expect(whys.get(`timer ${mark}`)).toContain(`Error: boom ${mark}`);
      expect(whys.get(`exit ${mark}`)).toMatch(refusal);
      // It comes behind the end of its trial, unless that takes long.
      expect(whys.get(`late ${mark}`) ?? `boom ${mark}`).toContain(`boom ${mark}`);
    }
    expect(best.filter(({ point }) => point['deed'] === 'nothing')).toHaveLength(2);
  });
});

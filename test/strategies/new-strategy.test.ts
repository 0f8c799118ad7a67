import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newStrategyCommand } from '../../src/app/new-strategy.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
let project: string;
let lines: string[];

beforeEach(() => {
  mkdirSync(join(root, '.godwit'), { recursive: true });
  project = mkdtempSync(join(root, '.godwit/new-'));
  lines = [];
});

afterEach(() => {
  rmSync(project, { recursive: true, force: true });
});

function write(name: string): number {
  const output = { data: (line: string) => lines.push(line), progress: () => {}, colour: false };
  return newStrategyCommand({ name, directory: project, output, json: false });
}

test('a new strategy runs on the sample and passes the test that comes with it', async () => {
  mkdirSync(join(project, 'test'));
  symlinkSync(join(root, 'test/core'), join(project, 'test/core'));
  expect(write('my-maker')).toBe(0);
  expect(lines).toEqual([
    'strategies/my-maker/index.ts',
    'strategies/my-maker/README.md',
    'test/strategies/my-maker.test.ts',
  ]);
  const at = (path: string): string => join(root, path);
  // The tests of the linked scene are this suite's own; only the new one's is of interest here.
  const vitest = [at('node_modules/vitest/vitest.mjs'), 'run', 'test/strategies', '--root', project];
  const backtest = [at('bin/godwit.js'), 'backtest', at('backtest/feeds/sample'), '--json', '--no-band'];
  const [ran, tested] = await Promise.all([
    run(process.execPath, [...backtest, '--strategy', 'strategies/my-maker'], { cwd: project }),
    run(process.execPath, [...vitest, '--config', at('vitest.config.ts')], { cwd: project }),
  ]);
  const report = JSON.parse(ran.stdout) as {
    orders: { placed: number; denied: number };
    complete: boolean;
  };
  expect(report.complete).toBe(true);
  expect(report.orders.placed).toBeGreaterThan(0);
  expect(report.orders.denied).toBe(0);
  expect(ran.stderr).not.toContain('warn: ');
  expect(tested.stdout).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/m);
});

test('nothing is written over, and a project without the scene gets no test', () => {
  expect(write('mine')).toBe(0);
  expect(lines).toEqual(['strategies/mine/index.ts', 'strategies/mine/README.md']);
  const before = readFileSync(join(project, 'strategies/mine/index.ts'), 'utf8');
  expect(() => write('mine')).toThrow('new strategy: strategies/mine/index.ts is there already');
  expect(readFileSync(join(project, 'strategies/mine/index.ts'), 'utf8')).toBe(before);
});

test.each(['Mine', '../mine', 'mine_2', 'a--b', '', 'x'.repeat(41)])('%j is no name', (name) => {
  expect(() => write(name)).toThrow('new strategy: expected a name of at most 40 lower case letters');
  expect(lines).toEqual([]);
});

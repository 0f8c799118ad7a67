import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { main, shortLived } from '../system/support/cli.ts';

const sample = fileURLToPath(new URL('../../backtest/feeds/sample', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-backtest-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly code: number;
  readonly out: string;
}

function godwit(...args: string[]): Promise<Answer> {
  const flags = [...shortLived, main, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, flags, { cwd: folder, maxBuffer: 50_000_000 }, (error, out) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out });
    });
  });
}

test('a backtest leaves its report and counts one trial, however often it is run; others count too', async () => {
  const run = ['backtest', sample, '--strategy', 'market-maker', '--no-band'];
  const unsaved = await godwit(...run, '--no-save', '--html', 'page.html', '--json');
  expect(unsaved.code).toBe(0);
  expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('<!doctype html>');
  expect(existsSync(join(folder, 'runs'))).toBe(false);
  const first = await godwit(...run);
  await godwit(...run);
  const backtests = join(folder, 'runs', 'backtests');
  const [begun = ''] = readdirSync(backtests);
  const other = await godwit(...run, '--param', 'quantity=0.1');
  expect(first.out).toMatch(/Trials on this data +1\n/);
  expect(other.out).toMatch(/Trials on this data +2\n/);
  const kept = readdirSync(backtests);
  expect(kept).toHaveLength(2);
  // Two of the same second are in the order of their hashes.
  const added = kept.find((name) => name !== begun) ?? '';
  const [a, b] = [join('runs', 'backtests', begun), join('runs', 'backtests', added)];
  const [same, differ, shown] = await Promise.all([
    godwit('compare', a, a, '--expect-equal'),
    godwit('compare', a, b, '--expect-equal'),
    godwit('report', a),
  ]);
  expect([same.code, differ.code, shown.code]).toEqual([0, 7, 0]);
  // The events that the runs received come first: name, left, right.
  expect(differ.out).toMatch(/^Parameters\n +A +B +B - A\n +quantity +0\.05 +0\.1 +\+0\.05\n\nIdentity\n/);
  expect(differ.out).toContain('decisions');
  expect(shown.out).toContain('market-maker on ETHBTC');
});

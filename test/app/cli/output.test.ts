import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function backtest(strategy: string, stdout: 'pipe' | number) {
  const args = ['backtest', at('backtest/feeds/sample'), '--strategy', strategy, '--no-save', '--json'];
  return spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', at('src/app/cli/main.ts'), ...args],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'], maxBuffer: 50_000_000 },
  );
}

test.runIf(existsSync('/dev/full'))('data that cannot be written end a command with 1 and a sentence', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = backtest('market-maker', full);
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^godwit: standard output could not be written \(ENOSPC\)$/m);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('what a strategy prints goes to standard error, and the data stay JSON', () => {
  const { status, stdout, stderr } = backtest(at('test/app/fixtures/printer.ts'), 'pipe');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('digest');
  expect(stderr).toContain('printed by the strategy\nwritten by the strategy\n');
});

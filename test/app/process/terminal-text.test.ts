import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { terminalText } from '../../../src/app/process/terminal-text.ts';
import { main, shortLived } from '../../system/support/cli.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function backtest(strategy: string, stdout: 'pipe' | number) {
  const wishes = ['--no-save', '--no-band', '--json'];
  const args = ['backtest', at('backtest/feeds/sample'), '--strategy', strategy, ...wishes];
  return spawnSync(process.execPath, [...shortLived, main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
    maxBuffer: 50_000_000,
  });
}

test.runIf(existsSync('/dev/full'))('data that cannot be written end a command with 1 and a sentence', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = backtest('market-maker', full);
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^godwit: standard output could not be written \(ENOSPC\)$/m);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('a symbol or a path with commands for a terminal reaches none, and JSON stays what it is', () => {
  const clear = '\u001B[2J\u001B]0;owned\u0007\u009B8m\r';
  const file = join(folder, 'trades.csv');
  const rows = [1, 2, 3].map((at) => `${1_700_000_000_000 + at},A${clear.trim()}B,${at},buy,1.5,2`);
  writeFileSync(file, ['timestamp,symbol,id,side,price,amount', ...rows, ''].join('\n'));
  const inspect = (path: string, ...more: string[]) =>
    spawnSync(process.execPath, [...shortLived, main, 'data', 'inspect', path, ...more], {
      cwd: folder,
      encoding: 'utf8',
    });
  for (const [path, ...more] of [[file], [file, '--json'], [join(folder, `none${clear}`)]] as const) {
    const { stdout, stderr } = inspect(path, ...more);
    const said = stdout + stderr;
    expect([said.includes('\\u001b[2J'), /[\p{Cc}--[\n\t]]/v.test(said)]).toEqual([true, false]);
  }
  const coloured = '\u001B[31mred\u001B[0m A\u001B[8mB\u001B[2J\tC\n';
  expect(terminalText(coloured, true)).toBe('\u001B[31mred\u001B[0m A\\u001b[8mB\\u001b[2J\tC\n');
  expect(terminalText(coloured, false)).toBe('\\u001b[31mred\\u001b[0m A\\u001b[8mB\\u001b[2J\tC\n');
  const json = JSON.stringify({ symbol: `A${clear}B` });
  expect(JSON.parse(terminalText(json, false))).toEqual({ symbol: `A${clear}B` });
});

test('what a strategy prints goes to standard error, and the data stay JSON', () => {
  const { status, stdout, stderr } = backtest(at('test/app/fixtures/printer.ts'), 'pipe');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('digest');
  expect(stderr).toContain('printed by the strategy\nwritten by the strategy\n');
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { barsOf } from '../../support/shipped-bars.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/bars.md');

test('the bars of the repository are those of the seeded walk', () => {
  expect(read('backtest/feeds/bars/BTCUSD-H1.csv')).toBe(barsOf());
});

test('the scenario of the page on bars is the shipped one, and its command runs in a clone', async () => {
  const [, scenario = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const [, path = ''] = /^# (\S+)$/m.exec(scenario) ?? [];
  expect(read(path)).toBe(scenario);
  const commands = [...page.matchAll(/^npx godwit (.+)$/gm)].map(([, line = '']) => line.split(' '));
  expect(commands).toEqual([['backtest', '--scenario', path]]);
  for (const args of commands) {
    const command = [join(root, 'bin/godwit.js'), ...args, '--no-save', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      cwd: root,
      maxBuffer: 2 ** 26,
    });
    const result = JSON.parse(stdout) as { complete: boolean; fills: readonly unknown[] };
    expect(result.complete).toBe(true);
    expect(result.fills.length).toBeGreaterThan(50);
  }
});

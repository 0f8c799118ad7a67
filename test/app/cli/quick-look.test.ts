import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quickLook } from '../../../src/app/operate/quick-look.ts';
import { removeRunFile, writeRunFile } from '../../../src/app/operate/run-file.ts';
import type { Operated } from '../../operate/support.ts';
import { operated, tokens } from '../../operate/support.ts';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-look-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let open: Operated;
beforeEach(async () => {
  open = await operated();
  const { url } = open.server;
  writeRunFile(folder, { url, token: tokens.operate, pid: process.pid, run: 'r1', startedAt: '' });
});
afterEach(async () => {
  removeRunFile(folder);
  await open.server.close();
});

async function look(args: readonly string[], environment = {}): Promise<string | undefined> {
  const lines: string[] = [];
  const data = (line: string): void => void lines.push(line);
  const code = await quickLook(args, environment, { data, progress: data, colour: false });
  return code === undefined ? undefined : lines.join('\n');
}

const set = ['--set', `run.directory=${folder}`];

describe('a command that only sees a daemon', () => {
  test.each(['status', 'orders', 'positions', 'balances', 'trades', 'limits'])(
    '%s says what the whole program says',
    async (verb) => {
      for (const args of [
        [verb, ...set],
        [verb, ...set, '--json'],
      ]) {
        const said = await look(args);
        // What it says of ages changes from one call to the next.
        const still = (text = ''): string => text.replaceAll(/\d+/g, '0');
        expect(still(said)).toBe(still((await run(args)).out));
      }
    },
  );

  test('finds the run directory in a configuration file', async () => {
    const file = join(folder, 'bot.yaml');
    writeFileSync(file, `run: { directory: ${folder} }\n`);
    expect(await look(['orders', '--config', file])).toBe('no orders');
    expect(await look(['orders', '--config', file, '--set', 'run.directory=nowhere'])).toBeUndefined();
  });

  test.each([
    ['another command', ['pause', ...set], {}],
    ['help', ['status', '--help'], {}],
    ['another setting', ['status', ...set, '--set', 'orders.collarPercent=3'], {}],
    ['a setting without a value', ['status', ...set, '--set'], {}],
    ['settings of the environment', ['status', ...set], { GODWIT__run__seed: '3' }],
    ['a file that cannot be read', ['status', '--config', 'nowhere.yaml'], {}],
    ['no daemon', ['status', '--set', 'run.directory=nowhere'], {}],
  ])('leaves %s to the whole program', async (_what, args, environment) => {
    expect(await look(args, environment)).toBeUndefined();
  });
});

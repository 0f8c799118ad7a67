import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../../src/app/config/schema.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { KeyFile } from '../../../src/app/gateway/key-file.ts';
import type { KeyAct } from '../../../src/app/gateway/keys-command.ts';
import { changeKey, listKeys } from '../../../src/app/gateway/keys-command.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-keys-'));
  path = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function configOf(change: object = {}): Config {
  return configSchema.parse({
    gateway: { keys: path },
    programs: [
      { name: 'grid', symbols: ['BTCUSDT'] },
      { name: 'sheet', symbols: ['ETHBTC'], rights: ['R1'] },
    ],
    ...change,
  });
}

interface Said {
  readonly code: number;
  readonly data: readonly string[];
  readonly progress: readonly string[];
}

function say(
  run: (setting: Parameters<typeof listKeys>[0]) => number,
  config = configOf(),
  json = true,
): Said {
  const data: string[] = [];
  const progress: string[] = [];
  const output = {
    data: (line: string) => void data.push(line),
    progress: (line: string) => void progress.push(line),
    colour: false,
  };
  return { code: run({ config, output, json }), data, progress };
}

const change = (act: KeyAct, name: string, config?: Config): Said =>
  say((setting) => changeKey(setting, act, name), config);

const shown = ({ data }: Said): Record<string, string> =>
  JSON.parse(data[0] ?? '{}') as Record<string, string>;

test('a key is made once, shown once, and kept where nobody else can read it', () => {
  const made = change('add', 'grid');
  expect(made.code).toBe(0);
  const { api_key: apiKey, secret_key: secret } = shown(made);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = new KeyFile(path).read().get('grid');
  expect(kept?.apiKey).toBe(apiKey);
  expect(kept?.secret.reveal()).toBe(secret);

  const again = change('add', 'grid');
  expect(again.code).toBe(1);
  expect(again.progress).toEqual(['Program grid has a key already: godwit gateway rotate grid replaces it.']);
  expect(new KeyFile(path).read().get('grid')?.secret.reveal()).toBe(secret);
  const listed = say(listKeys);
  expect(listed.data.join()).toContain(apiKey);
  expect(listed.data.join()).not.toContain(secret);
});

test('a rotated key replaces the former one, and a revoked one is gone; those of other programs stay', () => {
  const first = shown(change('add', 'grid'));
  const other = shown(change('add', 'sheet'));
  const second = shown(change('rotate', 'grid'));
  expect(second['api_key']).not.toBe(first['api_key']);
  expect(second['secret_key']).not.toBe(first['secret_key']);
  expect(change('revoke', 'grid').code).toBe(0);
  const kept = new KeyFile(path).read();
  expect([...kept.keys()]).toEqual(['sheet']);
  expect(kept.get('sheet')?.apiKey).toBe(other['api_key']);
  expect(change('revoke', 'grid').code).toBe(4);
  expect(change('rotate', 'grid').code).toBe(4);
});

test('a program that left the configuration is listed while it has a key, which can be revoked', () => {
  change('add', 'grid');
  const without = configOf({ programs: [{ name: 'sheet', symbols: ['ETHBTC'] }] });
  const { data } = say(listKeys, without, false);
  expect(data.find((line) => line.startsWith('grid'))).toContain('not in the configuration');
  expect(() => change('rotate', 'grid', without)).toThrow(
    'programs: expected grid among the programs of the configuration (sheet)',
  );
  expect(change('revoke', 'grid', without).code).toBe(0);
});

test('a program that is not configured gets no key, and the nearest name is shown', () => {
  expect(() => change('add', 'gri')).toThrow(
    'programs: expected gri among the programs of the configuration (grid, sheet); did you mean "grid"?',
  );
});

test('a key file that others can read, or that is another file, is refused in one sentence without what it holds', () => {
  change('add', 'grid');
  chmodSync(path, 0o640);
  expect(() => say(listKeys)).toThrow(`the file ${path} can be read by others; expected mode 0600`);
  chmodSync(path, 0o600);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"secret"', '"sekret"'));
  expect(() => say(listKeys)).toThrow(
    `gateway.keys: expected the file ${path} as godwit gateway add writes it, found another`,
  );
});

test('two programs with one key are refused', () => {
  change('add', 'grid');
  const { keys } = JSON.parse(readFileSync(path, 'utf8')) as { keys: Record<string, object> };
  writeFileSync(path, JSON.stringify({ version: 1, keys: { ...keys, sheet: keys['grid'] } }));
  expect(() => say(listKeys)).toThrow('the programs grid and sheet have one key');
});

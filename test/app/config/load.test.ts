import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/core/config/error.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { shadowsOf } from '../../../src/app/live/shadow-configs.ts';
import { resolveSecret } from '../../../src/app/config/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-config-'));
let files = 0;
const file = (text: string): string => {
  files += 1;
  const path = join(folder, `config-${files}.yaml`);
  writeFileSync(path, text);
  return path;
};
const load = (text: string, sets: string[] = [], environment: Record<string, string> = {}) =>
  loadConfig({ files: [file(text)], environment, sets });

describe('a configuration', () => {
  test('is complete without a word, and frozen', () => {
    const { config } = load('');
    expect(config.orders.collarPercent).toBe(5);
    expect(config.gate.newDeadlineMs).toBe(1_000);
    expect(() => Object.assign(config.orders, { collarPercent: 50 })).toThrow(TypeError);
  });

  test('layers: later files win, then the environment, then --set; the origin of each value is reported', () => {
    const first = file('run:\n  seed: 1\n  directory: a\nlog:\n  level: warn\n');
    const second = file('run:\n  seed: 2\n');
    const { config, origins } = loadConfig({
      files: [first, second],
      environment: { GODWIT__log__level: 'debug', OTHER: 'x' },
      sets: ['gate.queueMax=7'],
    });
    expect(config.run).toEqual({ seed: 2, directory: 'a' });
    expect(config.log.level).toBe('debug');
    expect(config.gate.queueMax).toBe(7);
    expect(origins.get('run.seed')).toBe(second);
    expect(origins.get('run.directory')).toBe(first);
    expect(origins.get('log.level')).toBe('GODWIT__log__level');
    expect(origins.get('gate.queueMax')).toBe('--set gate.queueMax');
  });

  test('takes numbers for amounts, as --set and YAML without quotes give them', () => {
    const { config } = load('backtest: { balances: { ETH: 12.5, USD: "0.1", XRP: 0.00000001 } }', [
      'backtest.balances.BTC=1',
    ]);
    expect(config.backtest.balances).toEqual({ BTC: '1', ETH: '12.5', USD: '0.1', XRP: '0.00000001' });
    for (const text of ['-1', '1e21', 'many'])
      expect(() => load('', [`backtest.balances.BTC=${text}`])).toThrow('expected');
  });

  test('a strategy may have a shadow, of other params or other code', () => {
    const shadowed = (shadow: string) =>
      load(`strategies: [{ name: maker, path: a, params: { x: 1, y: 2 }, host: thread, shadow: ${shadow} }]`)
        .config;
    const [same] = shadowsOf(shadowed('{ params: { y: 3 } }').strategies);
    expect(same).toMatchObject({
      name: 'maker',
      path: 'a',
      params: { x: 1, y: 3 },
      host: 'worker',
      trust: 'full',
    });
    const [other] = shadowsOf(shadowed('{ path: b, params: { z: 4 } }').strategies);
    expect(other).toMatchObject({ name: 'maker', path: 'b', params: { z: 4 } });
    expect(shadowsOf(load('strategies: [{ name: maker, path: a }]').config.strategies)).toEqual([]);
    expect(() => shadowed('{}')).toThrow(
      /strategies\.0\.shadow: expected params or a path that differ from those of the strategy, found a section$/,
    );
    expect(() => shadowed('{ parms: {} }')).toThrow(
      /strategies\.0\.shadow\.parms is not a known setting; did you mean "params"\?/,
    );
    expect(() => load('shadow: { waitingMax: 1 }')).toThrow(/shadow\.waitingMax: expected .* found 1$/);
    expect(load('shadow: { balances: { USDT: 1000 } }').config.shadow).toEqual({
      balances: { USDT: '1000' },
      waitingMax: 50_000,
    });
  });

  test('refuses an unknown key with its path and the nearest known name', () => {
    expect(() => load('orders:\n  colarPercent: 3\n')).toThrow(
      /orders\.colarPercent is not a known setting; did you mean "collarPercent"\?/,
    );
    expect(() => load('venu: {}\n')).toThrow(/venu is not a known setting; did you mean "venue"\?/);
  });

  test.each([
    ['orders:\n  collarPercent: "5"\n', /orders\.collarPercent: expected a number, found "5"/],
    ['orders:\n  marketOrders: "false"\n', /orders\.marketOrders: expected true or false, found "false"/],
    ['run:\n  seed: -1\n', /run\.seed: .*found -1/],
    ['venue:\n  base_url: ftp://x\n', /venue\.base_url: expected an address such as http/],
    [
      'venue:\n  secret_key: hunter2hunter2\n',
      /venue\.secret_key: expected a reference such as \$\{env:NAME\}/,
    ],
    ['strategies:\n  - name: "a b"\n    path: x\n', /strategies\.0\.name: expected a name/],
    ['- a\n- b\n', /expected sections such as "venue:" at the top/],
    ['a: &x {b: 1}\nc: *x\n', /expected no YAML aliases/],
    ['run:\n  seed: 1\nrun:\n  seed: 2\n', /unique/],
    ['run: {seed: 1\n', /config-\d+\.yaml: /],
    ['__proto__:\n  polluted: true\n', /the key "__proto__" is not allowed/],
    [`a: ${'['.repeat(200)}${']'.repeat(200)}\n`, /nested brackets/],
  ])('%j ends in one sentence', (text, sentence) => {
    expect(() => load(text)).toThrow(ConfigError);
    expect(() => load(text)).toThrow(sentence);
  });

  test('refuses more than 1 MiB quickly', () => {
    expect(() => load(`a: "${'x'.repeat(1_100_000)}"`)).toThrow(/at most 1 MiB/);
  });

  test('refuses a missing file by name', () => {
    expect(() => loadConfig({ files: ['no-such.yaml'], environment: {}, sets: [] })).toThrow(
      'cannot read the configuration file no-such.yaml (ENOENT)',
    );
  });

  test('never shows a secret in its complaint', () => {
    try {
      load('venue:\n  api_key: 3\n  secret_key: ${env:KEY}\n');
      expect.unreachable();
    } catch (error) {
      expect(String(error)).toContain('venue.api_key');
    }
  });
});

describe('a secret', () => {
  test('comes from the environment or from a file that others cannot read', () => {
    expect(resolveSecret('${env:KEY}', 'venue.api_key', { KEY: ' abc ' }).reveal()).toBe('abc');
    const path = file('xyz\n');
    chmodSync(path, 0o600);
    expect(resolveSecret(`\${file:${path}}`, 'venue.api_key', {}).reveal()).toBe('xyz');
    chmodSync(path, 0o644);
    expect(() => resolveSecret(`\${file:${path}}`, 'venue.api_key', {})).toThrow('can be read by others');
  });

  test('missing is reported with the name of the variable', () => {
    expect(() => resolveSecret('${env:GODWIT_SECRET}', 'venue.secret_key', {})).toThrow(
      'venue.secret_key: the environment variable GODWIT_SECRET is not set or empty',
    );
  });
});

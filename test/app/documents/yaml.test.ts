import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { YamlKind } from '../../../src/app/documents/yaml.ts';
import { yamlSchema } from '../../../src/app/documents/yaml.ts';
import { projectFiles } from '../../../src/app/new-strategy-files.ts';
import { scenarioSchema } from '../../../src/research/scenario/index.ts';
import { checkSweep } from '../../../src/research/search/index.ts';
import { schemaCheck } from '../../support/openapi.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const kinds = ['configuration', 'scenario', 'sweep'] as const;
const schemas = Object.fromEntries(kinds.map((kind) => [kind, yamlSchema(kind)])) as Record<YamlKind, object>;
const check = schemaCheck();
const faults = (kind: YamlKind, text: string) => check.faults(schemas[kind], parse(text));

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.includes('prometheus'))
    .map((name) => join(folder, name));
}

test.each(kinds)('config/schema/%s.json is what `godwit config schema` writes', (kind) => {
  expect(check.schemaFaults(schemas[kind])).toEqual([]);
  const printed = `${JSON.stringify(schemas[kind], undefined, 2)}\n`;
  const how = `expected: godwit config schema --of ${kind} > config/schema/${kind}.json`;
  expect(printed === read(`config/schema/${kind}.json`), how).toBe(true);
});

describe('every file that ships fits the schema of its kind', () => {
  test.each([
    ['configuration', filesOf('config').filter((path) => !path.includes('/docker/'))],
    ['scenario', filesOf('backtest/scenarios')],
    ['sweep', filesOf('backtest/sweeps')],
  ] as const)('%s', (kind, files) => {
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(faults(kind, read(file)), file).toEqual([]);
  });

  test('and the configurations among them, and that of a new project, name it for editors', () => {
    const line = (schema: string) => `# yaml-language-server: $schema=${schema}\n`;
    for (const name of ['default', 'exchange', 'live.example', 'local', 'paper', 'record'])
      expect(read(`config/${name}.yaml`).startsWith(line('schema/configuration.json')), name).toBe(true);
    const ofPackage = { sample: 'a/sample', schemas: 'schemas' };
    const candles = {
      symbol: 'ETHBTC',
      period: 'H1',
      folder: 'data/candles',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      balance: '1',
      quantity: '0.05',
    };
    for (const data of [undefined, candles]) {
      const files = projectFiles('first', ofPackage, data);
      const textOf = (path: string) => files.find((one) => one.path === path)?.text ?? '';
      expect(textOf('godwit.yaml').startsWith(line('schemas/configuration.json'))).toBe(true);
      expect(faults('configuration', textOf('godwit.yaml'))).toEqual([]);
      if (data === undefined) continue;
      expect(textOf('backtest/first.yaml').startsWith(line('../schemas/scenario.json'))).toBe(true);
      expect(faults('scenario', textOf('backtest/first.yaml'))).toEqual([]);
    }
  });
});

const scenario = 'name: a\ndata: [x.csv]\nstrategy: { path: grid }\n';
const sweep = 'data: [x.csv]\nstrategy: { path: grid }\nspace: { levels: auto }\n';

/** Whether the program takes a file. */
const takes: Readonly<Record<YamlKind, (text: string) => boolean>> = {
  configuration: (text) => configSchema.safeParse(parse(text)).success,
  scenario: (text) => scenarioSchema.safeParse(parse(text)).success,
  sweep: (text) => {
    try {
      return checkSweep(parse(text) as Record<string, unknown>, 'a').file === 'a';
    } catch {
      return false;
    }
  },
};

describe('the schema and the program agree', () => {
  test.each([
    ['configuration', 'orders: { collarPercent: 3 }'],
    ['configuration', 'backtest: { balances: { BTC: 1 } }'],
    ['configuration', 'strategies: [{ name: a, path: grid, limits: {} }]'],
    ['configuration', 'venue: { api_key: "${env:KEY}" }'],
    ['scenario', scenario],
    ['scenario', `${scenario}latency: { entry: 5ms, report: 5ms }\nconfig: { orders: { collarPercent: 3 } }`],
    ['sweep', sweep],
    ['sweep', `${sweep}search: random`],
    ['sweep', `${sweep}search: { method: tpe, trials: 5 }`],
  ] as const)('%s: %s fits', (kind, text) => {
    expect([faults(kind, text), takes[kind](text)]).toEqual([[], true]);
  });

  test.each([
    ['configuration', 'orders: { colarPercent: 3 }'],
    ['configuration', 'orders: { collarPercent: much }'],
    ['configuration', 'venue: { preset: nowhere }'],
    ['configuration', 'venue: { api_key: the-key-itself }'],
    ['configuration', 'strategies: [{ name: a }]'],
    ['configuration', 'no_section: {}'],
    ['scenario', 'name: a\ndata: [x.csv]\n'],
    ['scenario', `${scenario}fills: { model: magic }`],
    ['scenario', `${scenario}balances: { USDT: ten }`],
    ['sweep', `${sweep}search: guess`],
    ['sweep', 'data: [x.csv]\nstrategy: { path: grid }\nspace: { levels: { from: 1 } }'],
  ] as const)('%s: %s does not', (kind, text) => {
    expect(faults(kind, text)).not.toEqual([]);
    expect(takes[kind](text)).toBe(false);
  });
});

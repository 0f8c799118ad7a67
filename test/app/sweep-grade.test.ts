import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SweepSetup } from '../../src/app/sweep/setup.ts';
import { setUpSweep } from '../../src/app/sweep/setup.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { loadSweep } from '../../src/research/search/sweep-file.ts';
import { run } from './cli/support/run.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'sweep-grade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, lines: readonly string[]): void =>
  writeFileSync(at(name), `${lines.join('\n')}\n`);

beforeAll(async () => {
  const pack = at('whole.pack');
  expect((await run(['data', 'import', join(home, 'backtest/feeds/sample'), '--out', pack])).code).toBe(0);
  const bytes = readFileSync(pack);
  writeFileSync(at('torn.pack'), bytes.subarray(0, bytes.length - 40));
  const bars = Array.from({ length: 60 }, (_, i) => `${1_672_531_200 + i * 60},100.25,101.25,99.25,100.5,5`);
  put('bars.csv', ['time,open,high,low,close,volume', ...bars.slice(0, 20), ...bars.slice(23)]);
  const barScenario = 'instrument: { symbol: ABCUSD, base: ABC, quote: USD, tick: "0.01", lot: "0.001" }';
  put('bars.yaml', [
    'name: bars',
    'data: [bars.csv]',
    barScenario,
    'fills: { model: bars }',
    'balances: { USD: "10000" }',
    'strategy: { path: trend, params: { symbol: ABCUSD } }',
  ]);
  put('ticks.yaml', [
    'name: ticks',
    'data: [torn.pack]',
    'strategy: { path: market-maker, params: { symbol: ETHBTC } }',
  ]);
  put('of-bars.yaml', ['scenario: bars.yaml', 'space: { fast: [3, 5] }']);
  put('of-ticks.yaml', ['scenario: ticks.yaml', 'space: { requoteTicks: [1, 2] }']);
  for (const name of ['torn', 'whole']) {
    put(`${name}.yaml`, [
      `data: [${name}.pack]`,
      'strategy: { path: market-maker, params: { symbol: ETHBTC } }',
      'space: { requoteTicks: [1] }',
    ]);
  }
});

async function setUp(name: string): Promise<SweepSetup> {
  const configure = (base: unknown) => configSchema.parse(base);
  return await setUpSweep(loadSweep(at(name), {}), { home, configure });
}

describe('a sweep on poor data', () => {
  test.each([
    ['torn.yaml', 'C', /^poor data \(C\): \S+torn\.pack: torn tail, /],
    ['of-ticks.yaml', 'C', /^poor data \(C\): \S+torn\.pack: torn tail, /],
    ['of-bars.yaml', 'C', /^poor data \(C\): 3 of 60 bars of ABCUSD M1 missing in 1 gap/],
    ['whole.yaml', 'A', /^$/],
  ])('%s is %s', async (name, letter, title) => {
    const { grade } = await setUp(name);
    expect(grade).toMatchObject({ letter, title: expect.stringMatching(title) });
  });

  const args = (verb: string, name: string): readonly string[] => [
    verb,
    at(name),
    '--workers',
    '1',
    '--store',
    at('store'),
    '--ledger',
    at('ledger'),
  ];

  test('says so below its title, and in its document', async () => {
    const received = await run(args('sweep', 'torn.yaml'));
    expect(received.code).toBe(0);
    expect(received.out.split('\n')[1]).toMatch(/^Poor data \(C\): \S+torn\.pack: torn tail, /);
    const document = JSON.parse((await run([...args('sweep', 'torn.yaml'), '--json'])).out) as object;
    expect(document).toMatchObject({
      warning: expect.stringMatching(/^poor data \(C\)/),
      identity: { 'data grade': 'C' },
    });
    expect((await run(args('sweep', 'whole.yaml'))).out).not.toMatch(/poor data/i);
  });

  test('walked forward, it says so too', async () => {
    const walk = [...args('walk-forward', 'torn.yaml'), '--train', '60s', '--test', '30s', '--no-save'];
    const received = await run(walk);
    expect(received.code).toBe(0);
    expect(received.out.split('\n')[1]).toMatch(/^Poor data \(C\): /);
    const document = JSON.parse((await run([...walk, '--json'])).out) as object;
    expect(document).toMatchObject({
      title: 'market-maker, walked forward',
      warning: expect.stringMatching(/^poor data \(C\)/),
    });
  });
});

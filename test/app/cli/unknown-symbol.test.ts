import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'unknown-symbol-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, lines: readonly string[]): void =>
  writeFileSync(at(name), `${lines.join('\n')}\n`);

const sample = join(home, 'backtest/feeds/sample');
put('bars.csv', [
  'time,open,high,low,close',
  ...Array.from({ length: 60 }, (_, i) => `${1_672_531_200 + i * 60},10.1,10.3,10.0,10.2`),
]);
put('bars.yaml', [
  'name: bars',
  'data: [bars.csv]',
  'fills: { model: bars }',
  'balances: { USD: "1000" }',
  'strategy: { path: trend, params: { symbol: NOPE } }',
]);
put('ticks.yaml', [
  'name: ticks',
  `data: [${sample}]`,
  'strategy: { path: market-maker, params: { symbol: NOPE } }',
]);
put('of-bars.yaml', ['scenario: bars.yaml', 'space: { fast: [3, 5] }']);

const kept = ['--store', at('store'), '--ledger', at('ledger')];
const strategy = [sample, '--strategy', 'market-maker', '--param', 'symbol=NOPE'];
const space = ['--space', 'requoteTicks=1,2'];
const unsaved = ['--no-save', '--no-band'];

describe('a strategy that asks for a symbol the data lack is a wrong configuration', () => {
  test.each([
    ['backtest', [...strategy, ...unsaved]],
    ['backtest', ['--scenario', at('ticks.yaml'), ...unsaved]],
    ['backtest', ['--scenario', at('bars.yaml'), ...unsaved]],
    ['sweep', [...strategy, ...space, ...kept]],
    ['sweep', [at('of-bars.yaml'), ...kept]],
    ['walk-forward', [...strategy, ...space, ...kept, '--train', '60s', '--test', '20s']],
    ['check', ['lookahead', ...strategy]],
    ['check', ['determinism', '--scenario', at('bars.yaml')]],
    ['check', ['warm-up', ...strategy]],
  ])('%s %j', async (command, words) => {
    const { code, out, err } = await run([command, ...words]);
    expect([code, out]).toEqual([78, '']);
    expect(err).toMatch(
      /strategy (market-maker|trend): feeds\(\) asks for "NOPE", expected a symbol of this run; there (are|is) /,
    );
  });

  test('a sweep over symbols tries those that are there', async () => {
    const named = ['--strategy', 'market-maker', '--space', 'symbol=NOPE,ETHBTC'];
    const { code, out } = await run(['sweep', sample, ...named, ...kept]);
    expect(code).toBe(0);
    expect(out).toMatch(/1 trials? failed, the first: strategy market-maker: feeds\(\) asks for "NOPE"/);
  });
});

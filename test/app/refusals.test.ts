import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { backtestCommand } from '../../src/app/backtest/command.ts';
import type { SweepSetup } from '../../src/app/sweep/setup.ts';
import { noteTrial } from '../../src/app/sweep/trial-log.ts';
import { figureOf } from '../../src/research/report/document/document.ts';
import { readReport } from '../../src/research/report/stored.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'godwit-refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runs = join(folder, 'runs');
const ledger = join(runs, 'trials.ndjson');

writeFileSync(
  join(folder, 'bars.csv'),
  [
    'time,open,high,low,close,volume',
    ...Array.from(
      { length: 400 },
      (_, at) => `${1_600_000_020 + at * 60},1000,1010,990,${1_000 + (at % 7)},7`,
    ),
  ].join('\n'),
);
writeFileSync(
  join(folder, 'thrower.ts'),
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'thrower',
  params: z.strictObject({ at: z.int() }),
  feeds: () => [{ symbol: 'ABC', candles: ['M1'] }],
  create({ params }) {
    let seen = 0;
    return { onCandle() { if (++seen === params.at) throw new Error('enough of this'); } };
  },
});
`,
);

async function backtest(strategy: string, balance = '100000') {
  const file = join(folder, 'one.yaml');
  writeFileSync(
    file,
    [
      'name: one',
      'data: [bars.csv]',
      "instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0' } }",
      'fills: { model: bars, account: { kind: margin } }',
      `balances: { USD: '${balance}' }`,
      `strategy: ${strategy}`,
    ].join('\n'),
  );
  const noted: string[] = [];
  const output = { data: () => {}, progress: (line: string) => void noted.push(line), colour: false };
  const report = { save: true, band: false, name: 'kept', directory: runs };
  const code = await backtestCommand({ scenario: { file, home }, output, json: true, report });
  return { code, noted, document: readReport(join(runs, 'backtests', 'kept')) };
}

test('a run that was cut short is no trial, whatever it was cut by', async () => {
  const { code, document } = await backtest('{ path: thrower.ts, params: { at: 9 } }');
  expect(code).toBe(1);
  expect(existsSync(ledger)).toBe(false);
  expect(figureOf(document, 'ratios.trials')?.reason).toBe('not counted: the run was cut short');
  const seldom = join(home, 'test/app/fixtures/seldom.ts');
  const whole = await backtest(`{ path: ${seldom}, params: { symbol: ABC, every: 20 } }`);
  expect(figureOf(whole.document, 'ratios.trials')?.number).toBe(1);
  expect(whole.document.warning).not.toContain('refused');
});

test('a trial of a sweep that failed is none', () => {
  const path = join(folder, 'sweep.ndjson');
  const outcome = { figures: {}, digest: 'd', equity: { times: [], values: [] } };
  const setup = { files: 'data' } as SweepSetup;
  noteTrial(path, setup, { config: 'c', code: 's' }, { ...outcome, failure: 'enough of this' });
  expect(existsSync(path)).toBe(false);
  noteTrial(path, setup, { config: 'c', code: 's' }, outcome);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1);
});

test('a run whose orders were mostly refused says so above all else, with the leading codes', async () => {
  const seldom = join(home, 'test/app/fixtures/seldom.ts');
  const { document } = await backtest(`{ path: ${seldom}, params: { symbol: ABC, every: 20 } }`, '50');
  const warning = '20 of 40 orders were refused (50.00 %): FUNDS 20';
  expect(document.warning).toContain(warning);
  expect(document.doubts).toContainEqual({ code: 'ORDERS_REFUSED', text: warning });
});

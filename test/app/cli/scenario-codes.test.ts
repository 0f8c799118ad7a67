import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/app/cli/errors.ts';
import { program } from '../../../src/app/cli/program.ts';

const feed = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'scenario-codes-'));

test.each([
  ['instrument: { symbol: ETHBTC, kind: perpetual }', 'instrument.kind: perpetual: expected fills'],
  ['instrument: { symbol: NONE }', 'instrument.symbol: expected a symbol of the data'],
  ['sample: { every: 1s, columns: [{ column: mid, symbol: NONE }] }', 'sample.columns.0.symbol: expected'],
  ['balances: { EUR: "1" }', 'balances.EUR: expected a currency of the data'],
  ['clock: { end: "1700000000" }', 'clock.end: expected a time after the run begins'],
  ['fills: { model: bars }\nlatency: { entry: 1s }', 'expected no latency'],
])('a scenario that does not fit its data ends with 78 and names the file: %s', async (line, words) => {
  const file = join(folder, 'one.yaml');
  writeFileSync(
    file,
    `name: one\ndata: [${feed}]\nstrategy: { path: market-maker, params: { symbol: ETHBTC } }\n${line}\n`,
  );
  const output = { data: () => {}, progress: () => {}, colour: false };
  const argv = ['node', 'godwit', 'backtest', '--scenario', file, '--no-save', '--no-band'];
  const error = await program(output)
    .run(argv)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  expect((error as Error).message).toContain(`${file}: ${words}`);
  expect(exitCodeOf(error)).toBe(78);
});

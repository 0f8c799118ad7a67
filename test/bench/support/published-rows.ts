import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(
  new URL('../../../../shared/data/conformance/hftbacktest_btcusdt_20240718_19.json', import.meta.url),
);

type Rows = readonly (readonly number[])[];

/** Throws unless `rows` are the published ones of hftbacktest's own example, to the last digit of a double. */
export function publishedRows(rows: Rows): void {
  if (!existsSync(file)) return;
  const { market_making_run: run } = JSON.parse(readFileSync(file, 'utf8')) as {
    market_making_run: { rows: Rows };
  };
  const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  const other = run.rows.findIndex((row, i) => !row.every((cell, k) => isSame(rows[i]?.[k] ?? NaN, cell)));
  if (other >= 0 || rows.length !== run.rows.length)
    throw new Error(`expected the published rows, found others from row ${other} on`);
}

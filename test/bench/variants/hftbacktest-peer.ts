import { print } from '../support/print.ts';
import { publishedRows } from '../support/published-rows.ts';
import { runPython } from '../support/python.ts';

// hftbacktest on the two recordings of its own example. Its rows must be the published ones: otherwise it would not be
// the same run. Usage: node hftbacktest-peer.ts YESTERDAY.gz TODAY.gz

type Rows = readonly (readonly number[])[];

const { value, levelChanges, rows } = runPython('hftbacktest_run.py', process.argv.slice(2)) as {
  value: number;
  levelChanges: number;
  rows: Rows;
};
publishedRows(rows);
print({
  value,
  levelChanges,
  rows: rows.length,
  position: rows.at(-1)?.[2] ?? 0,
  fills: rows.at(-1)?.[5] ?? 0,
});

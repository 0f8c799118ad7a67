import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ExportColumns } from '../../../src/research/export/columns.ts';
import { exportTables, trialColumns } from '../../../src/research/export/columns.ts';

const page = fileURLToPath(new URL('../../../docs/export.md', import.meta.url));

function tableOf(name: string, columns: ExportColumns): string {
  const rows = Object.entries(columns).map(
    ([column, { type, unit = '', meaning }]) => `| \`${column}\` | ${type} | ${unit} | ${meaning} |`,
  );
  return [`### ${name}`, '', '| Column | Type | Unit | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function withTables(text: string, mark: string, tables: Readonly<Record<string, ExportColumns>>): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const made = Object.entries(tables).map(([name, columns]) => tableOf(name, columns));
  const [head, tail] = [text.indexOf(open) + open.length, text.indexOf(close)];
  return `${text.slice(0, head)}\n${made.join('\n\n')}\n${text.slice(tail)}`;
}

/** `npx vitest run test/research/export/page.test.ts --update` renews the page. */
test('docs/export.md has every file and every column', async () => {
  const text = readFileSync(page, 'utf8');
  const full = withTables(withTables(text, 'columns', exportTables), 'trials', { trials: trialColumns });
  for (const name of ['fills', 'orders', 'round_trips', 'charges', 'equity', 'positions', 'trials'])
    expect(full).toContain(`### ${name}`);
  await expect(full).toMatchFileSnapshot(page);
});

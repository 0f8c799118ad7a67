import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Covered } from './coverage.ts';
import { coverage } from './coverage.ts';
import { apiPage } from './page.ts';
import { documentRows, missing, nameOf } from './rows.ts';

let rows: readonly Covered[];

beforeAll(async () => {
  rows = await coverage();
});

describe('the rows of the documents', () => {
  test('are each listed once', () => {
    const names = documentRows.map((row) => `${row.kind} ${nameOf(row)}`);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    // The market data spell one row of futures out that a row with a margin mode covers too.
    expect(twice).toEqual([]);
  });

  test('are all in the client, but for those known to be missing', () => {
    expect(rows.filter(({ client }) => client === '').map(({ name }) => name)).toEqual(missing.client);
  });

  test('are all in the exchange, but for those known to be missing', () => {
    expect(rows.filter(({ exchange }) => !exchange).map(({ name }) => name)).toEqual(missing.exchange);
  });

  test('that client and exchange have name a test file that exists', () => {
    const files = new Set(
      rows.map(({ test: received }) => received.split(':')[0] ?? '').filter((file) => file !== ''),
    );
    for (const file of files) expect(readFileSync(new URL(`../../${file}`, import.meta.url))).toBeDefined();
  });

  test('make docs/api.md what it is', () => {
    const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
    expect(page, 'run: node test/api/generate.ts --write').toBe(apiPage(rows));
  });
});

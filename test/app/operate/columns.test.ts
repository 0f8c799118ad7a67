import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { columns, shownRows } from '../../../src/app/operate/columns.ts';

const page = fileURLToPath(new URL('../../../src/operate/page/tables.js', import.meta.url));

test('a row has at most eight digits of each number, the same as the page, and nothing else is cut', async () => {
  const { cut } = (await import(page)) as { readonly cut: (value: string) => string };
  const numbers = [
    ['39.9745924619674', '39.974592'],
    ['-0.000007538037123', '-0.000007538'],
    ['0.0', '0.0'],
    ['1234567.891', '1234567.89'],
    ['123456789.129', '123456789.12'],
    ['1000000', '1000000'],
    ['0.05', '0.05'],
  ] as const;
  for (const [value, shown] of numbers) {
    expect(shownRows([{ value }])).toEqual([{ value: shown }]);
    expect(cut(value)).toBe(shown);
  }
  const other = { id: 'gw-1.123456789012', version: '1.2.123456789', time: '2026-11-28T09:15:37.661234567Z' };
  expect(shownRows([{ ...other, none: null, flag: true }])).toEqual([{ ...other, none: null, flag: true }]);
  expect(columns(shownRows([{ a: 1 / 3 }]), ['a'])).toEqual(['         a', '0.33333333']);
});

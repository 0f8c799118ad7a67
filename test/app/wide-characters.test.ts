import { expect, test } from 'vitest';
import { columns } from '../../src/app/operate/columns.ts';
import { table } from '../../src/app/sweep/table.ts';
import { displayWidth } from '../../src/core/base/display-width.ts';
import { renderDocument } from '../../src/research/report/render/terminal.ts';
import type { ReportDocument } from '../../src/research/report/document/document.ts';

const symbols = ['BTCUSDT', '币安人生USDT', '😀USDT'];

/** At which columns of the terminal a word of each line stands. */
const placesOf = (lines: readonly string[], word: string): ReadonlySet<number> =>
  new Set(
    lines.flatMap((line) => (line.includes(word) ? [displayWidth(line.slice(0, line.indexOf(word)))] : [])),
  );

test('tables of the operator stand in columns, whatever script their symbols are of', () => {
  const lines = columns(
    symbols.map((symbol) => ({ symbol, state: 'open', id: 'x' })),
    ['symbol', 'state', 'id'],
  );
  expect(placesOf(lines, 'open')).toEqual(new Set([14]));
  expect(placesOf(lines, ' x')).toEqual(new Set([20]));
});

test('tables of sweeps and reports do, too', () => {
  const swept = table(symbols.map((symbol) => [symbol, '1']));
  expect(new Set(swept.map(displayWidth))).toEqual(new Set([15]));
  const document = {
    title: 'wide',
    warning: '',
    notes: [],
    sections: [
      {
        title: 'Trades',
        figures: symbols.map((group) => ({ key: 'fills', label: 'Fills', group, value: '#7' })),
        tables: [{ title: 'by symbol', columns: ['symbol', 'net'], rows: symbols.map((one) => [one, '#9']) }],
      },
    ],
  };
  const lines = renderDocument(document as unknown as ReportDocument, { colours: false, full: true }).split(
    '\n',
  );
  expect(placesOf(lines, '#7').size).toBe(1);
  expect(placesOf(lines, '#9').size).toBe(1);
});

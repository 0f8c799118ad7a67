import type { ReportTable } from '../document/index.ts';
import { amountOn, shownOn } from './page-numbers.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}

/** A table with every row. Ends of cells and rows are left out, as HTML allows: a long one takes half the room. */
export function tableHtml(table: ReportTable): string {
  const { title, definition, columns, rows, words = 1, heat } = table;
  const head = columns.map((column) => `<th>${escaped(column)}`).join('');
  const units = columns.map((column) => /, ([A-Z][A-Z0-9]{1,9})$/.exec(column)?.[1]);
  const currencyAt = columns.indexOf('currency');
  const pricesAt = new Set(['entry price', 'exit price'].map((name) => columns.indexOf(name)));
  const moneyAt = new Set(['gross', 'fees', 'net profit'].map((name) => columns.indexOf(name)));
  const unitOf = (row: readonly string[], at: number): string | undefined =>
    units[at] ?? (moneyAt.has(at) && currencyAt >= 0 ? row[currencyAt] : undefined);
  const shaded = heat === undefined ? undefined : shadesOf(table);
  const body = rows.map((row, rowAt) => {
    const cells = row.map((cell, at) => {
      const unit = unitOf(row, at);
      const plain = pricesAt.has(at) ? nineDigits(cell) : cell;
      const text = at < words ? cell : unit === undefined ? shownOn(plain) : amountOn(cell, unit);
      return `<td${shaded?.(rowAt, at) ?? ''}>${escaped(text)}`;
    });
    return `<tr>${cells.join('')}`;
  });
  const name = title === '' ? '' : `<h3 title="${escaped(definition)}">${escaped(title)}</h3>`;
  return `${name}
<div class="scroll${rows.length > 45 ? ' long' : ''}" title="${escaped(definition)}"><table class="w${words}${heat === undefined ? '' : ' heat'}"><thead><tr>${head}<tbody>${body.join('')}</table></div>`;
}

/** An average price divides without end. */
function nineDigits(cell: string): string {
  const short = String(Number(Number(cell).toPrecision(9)));
  return cell === '' || short.includes('e') ? cell : short;
}

/** The shade of each cell that holds a number: by sign and size, or by its place between the lowest and the highest. */
function shadesOf({ rows, words = 1, heat }: ReportTable): (row: number, column: number) => string {
  const numbers = rows.map((row) =>
    row.map((cell, at) => (at < words ? Number.NaN : Number.parseFloat(cell))),
  );
  // The last column of months is that of whole years: its shades end where those of the largest month do.
  const compared = heat === 'signed' ? numbers.map((row) => row.slice(0, -1)) : numbers;
  const known = compared.flat().filter((value) => Number.isFinite(value));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return (row, column) => {
    const value = numbers[row]?.[column] ?? Number.NaN;
    if (!Number.isFinite(value)) return '';
    if (heat === 'signed') {
      const share = most === 0 ? 0 : Math.min(1, Math.abs(value) / most);
      return value === 0 ? '' : ` class="${value > 0 ? 'up' : 'down'}" style="--h:${percent(share)}"`;
    }
    return ` class="up" style="--h:${percent(high === low ? 1 : (value - low) / (high - low))}"`;
  };
}

function percent(share: number): string {
  return `${Math.round(8 + share * 52)}%`;
}

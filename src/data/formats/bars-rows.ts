import { parse } from 'csv-parse/sync';
import { BadInput } from '../../core/base/errors.ts';
import { textsOf, thrownBy } from '../recording/index.ts';
import { readBytes, readTextLines } from './opened-file.ts';

/** One row of a table, all cells as the texts they were written as. */
export interface Row {
  /** The line of a text file, otherwise the number of the row; both from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** The rows of one file, from the beginning each time they are asked for. */
export interface RowSource {
  readonly path: string;
  /** Unit that `number` of a row counts. */
  readonly unit: 'line' | 'row';
  rows(): AsyncGenerator<readonly Row[], void, undefined>;
}

const batchRows = 4_096;
const rowBytesMax = 64 * 1024;

/** A delimited text: comma, semicolon or tab, quoted or not (a cell never holds a line end), packed or not. Blank lines are left out. */
export function csvSource(path: string, delimiter: string): RowSource {
  return { path, unit: 'line', rows: () => readCsv(path, delimiter) };
}

/** A JSON list of lists, packed or not, as freqtrade writes them. Numbers keep the digits of the file. */
export function jsonSource(path: string): RowSource {
  return { path, unit: 'row', rows: () => readJson(path) };
}

/** `file:line`, or `file: row n` where rows are no lines. */
export function placeOf(source: Pick<RowSource, 'path' | 'unit'>, row: number): string {
  return source.unit === 'line' ? `${source.path}:${row}` : `${source.path}: row ${row}`;
}

/** Which of comma, semicolon and tab parts the cells of a line; a comma when none does. In numbers a comma may part the decimals. */
export function delimiterOf(line: string): string {
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }));
  const clear = counts.find(({ sign, count }) => sign !== ',' && count > cellsMin);
  return (clear ?? counts.reduce((most, one) => (one.count > most.count ? one : most))).sign;
}

/** A time and four prices have as many signs between them, and no number has so many. */
const cellsMin = 4;

async function* readCsv(path: string, delimiter: string): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const { number, lines } of readTextLines(path)) {
    let rows: Row[] = [];
    let refusal: { readonly error: unknown } | undefined;
    for (const [index, line] of textsOf(lines).entries()) {
      if (line === '' || line.trim() === '') continue;
      refusal = thrownBy(() => {
        rows.push({ number: number + index, cells: csvCells(line, delimiter, `${path}:${number + index}`) });
      });
      if (refusal !== undefined) break;
      if (rows.length < batchRows) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
    if (refusal !== undefined) throw refusal.error;
  }
}

/** The cells of one line. Lines without quotes, nearly all there are, need no parser. Throws `BadInput`. */
export function csvCells(line: string, delimiter: string, place: string): readonly string[] {
  const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  if (!text.includes('"')) {
    const cells = text.split(delimiter);
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as string;
      if (!isInk(cell.charCodeAt(0)) || !isInk(cell.charCodeAt(cell.length - 1))) cells[at] = cell.trim();
    }
    return cells;
  }
  try {
    const [cells] = parse(text, { delimiter, trim: true });
    return cells ?? [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${place}: expected a row of delimited cells, found: ${why}`, { cause: error });
  }
}

/** Whether a code is of a sign that no trim takes away, as nearly all are that a cell begins or ends with. */
function isInk(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

const rowText = /\[((?:[^[\]"]|"(?:[^"\\]|\\.)*")*)\]/y;
const cellText = /"((?:[^"\\]|\\.)*)"|([^\s,"]+)/g;

/** The first lists of texts and numbers in JSON that may be cut. */
export function rowsOfLists(text: string): readonly Row[] {
  return [...text.matchAll(/\[([^[\]{}]+)\]/g)]
    .slice(0, headRowsMax)
    .map(([, row = ''], at) => ({ number: at + 1, cells: cellsOf(row) }));
}

const headRowsMax = 200;

async function* readJson(path: string): AsyncGenerator<readonly Row[], void, undefined> {
  let text = '';
  let number = 0;
  let isOpen = false;
  for await (const piece of readBytes(path)) {
    text += Buffer.from(piece).toString('latin1');
    const rows: Row[] = [];
    let at = 0;
    if (!isOpen) {
      at = text.search(/\S/) + 1;
      if (at === 0) continue;
      if (text[at - 1] !== '[') throw notJson(path, 1, text);
      isOpen = true;
    }
    for (;;) {
      while (at < text.length && ' ,\n\r\t'.includes(text[at] as string)) at += 1;
      rowText.lastIndex = at;
      const match = rowText.exec(text);
      if (match === null) break;
      number += 1;
      rows.push({ number, cells: cellsOf(match[1] ?? '') });
      at = rowText.lastIndex;
    }
    text = text.slice(at);
    if (rows.length > 0) yield rows;
    if (text.length > rowBytesMax * 8) throw notJson(path, number + 1, text);
  }
  if (text.trim() === ']') return;
  if (number === 0 || text.trim() !== '') throw notJson(path, number + 1, text);
  throw new BadInput(`${path}: expected "]" after row ${number}, found the end: the file is cut short`);
}

function cellsOf(row: string): readonly string[] {
  return [...row.matchAll(cellText)].map(
    ([, quoted, bare]) => quoted ?? (bare === 'null' ? '' : (bare ?? '')),
  );
}

function notJson(path: string, row: number, text: string): BadInput {
  const found = text.trim() === '' ? 'the end' : JSON.stringify(text.trim().slice(0, 40));
  return new BadInput(`${path}: row ${row}: expected a JSON list of lists of numbers, found ${found}`);
}

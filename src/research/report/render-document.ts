import { isOfSettings } from './setting-sections.ts';
import { spanText } from './figure-text.ts';
import type { Paint } from './paint.ts';
import { painter, toneOf, warningLines } from './paint.ts';
import type { ReportDocument, ReportFigure, ReportSection, ReportTable } from './document.ts';

const labelWidthMin = 24;
/** Of a longer table so many rows are shown. */
const rowsMax = 45;
const rowsShown = 20;

/** A whole report for a terminal: sections of aligned label and value, tables, notes. Charts are for the page. */
export function renderDocument(document: ReportDocument, options: { colours: boolean }): string {
  const paint = painter(options.colours);
  const { title, warning, command, span, sections, notes } = document;
  const head = [paint(title, 'strong'), ...(span === undefined ? [] : [spanText(span)])];
  head.push(...warningLines(warning, paint));
  if (command !== undefined) head.push(paint(command, 'dim'));
  const parts = [head.join('\n'), ...sections.map((section) => sectionText(section, paint))];
  if (notes.length > 0)
    parts.push([paint('Notes', 'strong'), ...notes.map((note) => `  ${note}`)].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/** Where a table follows instead of the whole report: warning, command, and what the runs were told. */
export function toldLines(
  { warning, command, sections }: Pick<ReportDocument, 'warning' | 'command' | 'sections'>,
  paint: Paint,
): readonly string[] {
  const told = sections.filter(isOfSettings).flatMap((section) => ['', sectionText(section, paint)]);
  return [
    ...warningLines(warning, paint),
    ...(command === undefined ? [] : [paint(command, 'dim')]),
    ...told,
    ...(told.length === 0 ? [] : ['']),
  ];
}

function sectionText({ title, figures, tables }: ReportSection, paint: Paint): string {
  const lines = [paint(title, 'strong')];
  const width = figures.reduce((most, figure) => Math.max(most, nameOf(figure).length), labelWidthMin);
  for (const figure of figures) lines.push(figureText(figure, width, paint));
  for (const table of tables) lines.push('', ...tableText(table, paint));
  return lines.join('\n');
}

function nameOf({ label, group }: ReportFigure): string {
  return group === undefined ? label : `${label} (${group})`;
}

function figureText(figure: ReportFigure, width: number, paint: Paint): string {
  const { key, value, reason } = figure;
  const coloured = key === 'return.profit' || key === 'return.share';
  const shown =
    value === undefined
      ? paint(`N/A (${reason ?? ''})`, 'dim')
      : coloured
        ? paint(value, toneOf(value))
        : value;
  return `  ${nameOf(figure).padEnd(width)}  ${shown}`;
}

function tableText({ title, columns, rows: all, words = 1 }: ReportTable, paint: Paint): string[] {
  const rows = all.length > rowsMax ? all.slice(0, rowsShown) : all;
  const left = all.length - rows.length;
  const widths = columns.map((column, i) =>
    rows.reduce((most, row) => Math.max(most, (row[i] ?? '').length), column.length),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, i) => (i < words ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd();
  return [
    `  ${paint(title, 'dim')}`,
    paint(line(columns), 'dim'),
    ...rows.map(line),
    ...(left === 0 ? [] : [paint(`  and ${left} more rows, on the page and in JSON`, 'dim')]),
  ];
}

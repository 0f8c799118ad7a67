import { isOfSettings } from './setting-sections.ts';
import { spanText } from './figure-text.ts';
import type { Color } from './ansi-color.ts';
import { colorOf, toneOf, warningLines } from './ansi-color.ts';
import type { ReportDocument, ReportFigure, ReportSection, ReportTable } from './document.ts';

const labelWidthMin = 24;
/** Rows shown of a longer table. */
const rowsMax = 45;
const rowsShown = 20;

/** A whole report for a terminal: sections of aligned label and value, tables, notes. Charts are for the page. */
export function renderDocument(document: ReportDocument, options: { colours: boolean }): string {
  const color = colorOf(options.colours);
  const { title, warning, command, span, sections, notes } = document;
  const head = [color(title, 'strong'), ...(span === undefined ? [] : [spanText(span)])];
  head.push(...warningLines(warning, color));
  if (command !== undefined) head.push(color(command, 'dim'));
  const parts = [head.join('\n'), ...sections.map((section) => sectionText(section, color))];
  if (notes.length > 0)
    parts.push([color('Notes', 'strong'), ...notes.map((note) => `  ${note}`)].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/** Lines above a table that stands for the whole report: warning, command, parameters and settings. */
export function headLines(
  { warning, command, sections }: Pick<ReportDocument, 'warning' | 'command' | 'sections'>,
  color: Color,
): readonly string[] {
  const settings = sections.filter(isOfSettings).flatMap((section) => ['', sectionText(section, color)]);
  return [
    ...warningLines(warning, color),
    ...(command === undefined ? [] : [color(command, 'dim')]),
    ...settings,
    ...(settings.length === 0 ? [] : ['']),
  ];
}

function sectionText({ title, figures, tables }: ReportSection, color: Color): string {
  const lines = [color(title, 'strong')];
  const width = figures.reduce((most, figure) => Math.max(most, nameOf(figure).length), labelWidthMin);
  for (const figure of figures) lines.push(figureText(figure, width, color));
  for (const table of tables) lines.push('', ...tableText(table, color));
  return lines.join('\n');
}

function nameOf({ label, group }: ReportFigure): string {
  return group === undefined ? label : `${label} (${group})`;
}

function figureText(figure: ReportFigure, width: number, color: Color): string {
  const { key, value, reason } = figure;
  const coloured = key === 'return.profit' || key === 'return.share';
  const shown =
    value === undefined
      ? color(`N/A (${reason ?? ''})`, 'dim')
      : coloured
        ? color(value, toneOf(value))
        : value;
  return `  ${nameOf(figure).padEnd(width)}  ${shown}`;
}

function tableText({ title, columns, rows: all, words = 1 }: ReportTable, color: Color): string[] {
  const rows = all.length > rowsMax ? all.slice(0, rowsShown) : all;
  const left = all.length - rows.length;
  const widths = columns.map((column, i) =>
    rows.reduce((most, row) => Math.max(most, (row[i] ?? '').length), column.length),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, i) => (i < words ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd();
  return [
    `  ${color(title, 'dim')}`,
    color(line(columns), 'dim'),
    ...rows.map(line),
    ...(left === 0 ? [] : [color(`  and ${left} more rows, on the page and in JSON`, 'dim')]),
  ];
}

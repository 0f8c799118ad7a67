import { columnWidths, displayWidth, padLeft, padRight } from '../../../core/base/display-width.ts';
import { isOfSettings, parametersKey } from '../sections/index.ts';
import { spanText } from '../document/index.ts';
import type { Color } from './ansi-color.ts';
import { colorOf, toneOf, warningLines } from './ansi-color.ts';
import type { ReportDocument, ReportFigure, ReportSection, ReportTable } from '../document/index.ts';

/** What fits a terminal. */
export const lineWidth = 80;
const labelWidthMin = 24;
/** Rows shown of a longer table. */
const rowsMax = 45;
const rowsShown = 20;

export interface RenderOptions {
  readonly colours: boolean;
  /** Every figure, table and parameter. Otherwise figures without a value stand together by reason, and tables are left out. */
  readonly full?: boolean | undefined;
}

/**
 * A whole report for a terminal, in lines of at most 80 characters (a warning is one line, of any length): the result first, the identity last. Charts are for
 * the page.
 */
export function renderDocument(document: ReportDocument, options: RenderOptions): string {
  const color = colorOf(options.colours);
  const { title, warning, command, span, sections, notes } = document;
  const head = [color(title, 'strong'), ...(span === undefined ? [] : [spanText(span)])];
  head.push(...warningLines(warning, color));
  if (command !== undefined) head.push(...wrapped(command).map((line) => color(line, 'dim')));
  const isAside = (section: ReportSection): boolean => section.key === 'identity' || isOfSettings(section);
  const shown = options.full === true ? sections : sections.map((section) => shortOf(section));
  const parts = [head.join('\n')];
  for (const section of shown) if (!isAside(section)) parts.push(sectionText(section, color));
  if (options.full !== true) parts.push(leftOutText(sections, color));
  if (notes.length > 0)
    parts.push([color('Notes', 'strong'), ...notes.flatMap((note) => indented(note, 2))].join('\n'));
  for (const section of shown)
    if (isAside(section) && (options.full === true || section.key !== parametersKey))
      parts.push(sectionText(section, color));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Tables that say what went wrong stay in the short form. */
const keptTables = new Set(['Refusals by reason', 'Band']);

function shortOf(section: ReportSection): ReportSection {
  const figures = section.figures.filter(({ value }) => value !== undefined);
  const tables = section.tables.filter(({ title }) => keptTables.has(title));
  return { ...section, figures, tables };
}

/** Figures without a value, by their reason, and how to see the rest. */
function leftOutText(sections: readonly ReportSection[], color: Color): string {
  const reasons = new Map<string, string[]>();
  for (const { figures } of sections)
    for (const figure of figures) {
      if (figure.value !== undefined) continue;
      const reason = figure.reason ?? 'no reason is known';
      const names = reasons.get(reason);
      if (names === undefined) reasons.set(reason, [nameOf(figure)]);
      else names.push(nameOf(figure));
    }
  const tables = sections.flatMap((section) => section.tables).filter(({ title }) => !keptTables.has(title));
  const lines = [...reasons].flatMap(([reason, names]) => [
    ...indented(reason, 2),
    ...indented(names.join(', '), 4).map((line) => color(line, 'dim')),
  ]);
  if (lines.length > 0) lines.unshift(color('Not shown, and why', 'strong'));
  const count = tables.length === 1 ? '1 table' : `${tables.length} tables`;
  if (tables.length > 0)
    lines.push(color(`${count} and all parameters: --full, or the page and --json`, 'dim'));
  return lines.join('\n');
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
  const width = figures.reduce((most, figure) => Math.max(most, displayWidth(nameOf(figure))), labelWidthMin);
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
  const name = `  ${padRight(nameOf(figure), width)}  `;
  const plain = value ?? `N/A (${reason ?? ''})`;
  const taken = displayWidth(name);
  if (taken + displayWidth(plain) <= lineWidth) return `${name}${shown}`;
  const lines = wrapped(plain, lineWidth - taken);
  const fits = lines.every((line) => displayWidth(line) <= lineWidth - taken);
  if (fits) return lines.map((line, i) => (i === 0 ? name : ' '.repeat(taken)) + line).join('\n');
  return [name.trimEnd(), ...indented(plain, 4)].join('\n');
}

function tableText({ title, columns, rows: all, words = 1 }: ReportTable, color: Color): string[] {
  const rows = all.length > rowsMax ? all.slice(0, rowsShown) : all;
  const left = all.length - rows.length;
  const widths = columnWidths([columns, ...rows]);
  const line = (cells: readonly string[]): string => tableLines(cells, widths, words).join('\n');
  return [
    `  ${color(title, 'dim')}`,
    color(line(columns), 'dim'),
    ...rows.map(line),
    ...(left === 0 ? [] : [color(`  and ${left} more rows, on the page and in JSON`, 'dim')]),
  ];
}

/** A row in as many lines as its columns need; those after the first stand further in. */
function tableLines(cells: readonly string[], widths: readonly number[], words: number): readonly string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const [i, cell] of cells.entries()) {
    const width = widths[i] ?? 0;
    const text = i < words ? padRight(cell, width) : padLeft(cell, width);
    if (line.trim() !== '' && displayWidth(line) + 1 + displayWidth(text) > lineWidth) {
      lines.push(line.trimEnd());
      line = '     ';
    }
    line += ` ${text} `;
  }
  return [...lines, line.trimEnd()];
}

/** Lines of at most `width` columns, broken at spaces; a longer word has a line of its own. */
function wrapped(text: string, width = lineWidth): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A text in lines of at most 80 characters, all but the first two further in. */
export function indented(text: string, by: number): readonly string[] {
  return wrapped(text, lineWidth - by - 2).map((line, i) => `${' '.repeat(i === 0 ? by : by + 2)}${line}`);
}

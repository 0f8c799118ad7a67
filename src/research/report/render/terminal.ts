import { columnWidths, displayWidth, padLeft, padRight } from '../../../core/base/display-width.ts';
import { isOfSettings, parametersKey, accountSection } from '../sections/index.ts';
import { spanText } from '../document/index.ts';
import type { ReportDocument, ReportFigure, ReportSection, ReportTable, Cell } from '../document/index.ts';
import type { CurrencyResult, InstrumentResult, RunReport } from '../sections/index.ts';

/** Colours a terminal text, or leaves it as it is. */
export type Color = (text: string, tone: Tone) => string;
export type Tone = 'good' | 'bad' | 'dim' | 'strong';

const codes: Readonly<Record<Tone, string>> = { good: '32', bad: '31', dim: '2', strong: '1' };

/** Colours for a terminal (`colours`) or for a file. */
export function colorOf(colours: boolean): Color {
  return colours ? (text, tone) => `\u001B[${codes[tone]}m${text}\u001B[0m` : (text) => text;
}

/** The warning of a title, as a line below it. */
function warningLines(warning: string, color: Color): readonly string[] {
  return warning === '' ? [] : [color(warning.toUpperCase().slice(0, 1) + warning.slice(1), 'bad')];
}

/** `good` above zero, `bad` below. `text` is a plain decimal. */
export function toneOf(text: string): Tone {
  if (text.startsWith('-')) return 'bad';
  return /[1-9]/.test(text) ? 'good' : 'dim';
}

/** What fits a terminal. */
const lineWidth = 80;
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
function indented(text: string, by: number): readonly string[] {
  return wrapped(text, lineWidth - by - 2).map((line, i) => `${' '.repeat(i === 0 ? by : by + 2)}${line}`);
}

const labelWidth = 22;

/** The final report for a terminal, in lines of at most 80 characters: the result first, what was run last. */
export function renderReport(report: RunReport, options: { colours: boolean }): string {
  const color = colorOf(options.colours);
  const sections = [
    ...warningLines(report.warning ?? '', color),
    ...report.results.map((result) => section(resultTitle(report, result), resultRows(result, color), color)),
    ...report.instruments.map((result) => section(result.symbol, instrumentRows(result, color), color)),
    section('Account at the end', accountRows(report), color),
    section('Orders', orderRows(report), color),
    section(
      'Notes',
      report.notes.flatMap((note) => indented(note, 2)),
      color,
    ),
    section('Run', runRows(report), color),
    section(
      'Identity',
      Object.entries(report.identity).map(([key, value]) => row(key, String(value))),
      color,
    ),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** The report as one line of JSON, keys in reading order: it follows the lines of the run. */
export function reportJson(report: RunReport): string {
  return JSON.stringify(report);
}

/** That of a session says so: the run may have had others. */
function resultTitle({ account }: RunReport, { currency }: CurrencyResult): string {
  return account === undefined ? `Result in ${currency}` : `Result of this session in ${currency}`;
}

function runRows({ span, messages }: RunReport): string[] {
  const rows = [
    row('events', String(messages.events)),
    row('market messages', String(messages.market)),
    row('account messages', String(messages.account)),
    row('gaps in books', String(messages.gaps)),
  ];
  if (span === undefined) return rows;
  return [row('from', span.start), row('to', span.end), row('seconds', String(span.seconds)), ...rows];
}

function resultRows(result: CurrencyResult, color: Color): string[] {
  return [
    row('profit', color(result.profit, toneOf(result.profit))),
    row('return on capital', shown(result.returnOnCapital)),
    row('fees', result.fees),
    row('turnover', result.turnover),
    row('largest drawdown', result.drawdownMax),
  ];
}

function instrumentRows(result: InstrumentResult, color: Color): string[] {
  return [
    row(
      'profit',
      result.profit.value === undefined
        ? shown(result.profit)
        : color(result.profit.value, toneOf(result.profit.value)),
    ),
    row('realized', result.realized),
    row('position', result.position),
    row('valued at', result.markedAt),
    row('fees', `${result.fees} ${result.feeCurrency}`),
    row('fills', String(result.fills)),
    row('maker share', shown(result.makerShare)),
  ];
}

function orderRows({ orders, denials }: RunReport): string[] {
  const counts = [
    ['placed', orders.placed],
    ['of earlier sessions', orders.brought],
    ['filled', orders.filled],
    ['canceled', orders.canceled],
    ['replaced', orders.replaced],
    ['expired', orders.expired],
    ['rejected by the venue', orders.rejected],
    ['denied by us', orders.denied],
    ['unanswered', orders.unknown],
    ['open', orders.open],
  ] as const;
  return [
    ...counts.map(([label, count]) => row(label, String(count))),
    row('fill ratio', shown(orders.fillRatio)),
    ...denials.map(({ code, count }) => row(`  ${code}`, String(count))),
  ];
}

function accountRows({ account }: RunReport): string[] {
  if (account === undefined) return [];
  return accountSection(account).figures.map(({ label, value = '' }) => row(label, value));
}

function shown(cell: Cell): string {
  return cell.value ?? `N/A (${cell.reason})`;
}

function section(title: string, rows: readonly string[], color: Color): string {
  return rows.length === 0 ? '' : [color(title, 'strong'), ...rows].join('\n');
}

function row(label: string, value: string): string {
  const line = `  ${padRight(label, labelWidth)}  ${value}`;
  return displayWidth(line) <= lineWidth ? line : [`  ${label}`, ...indented(value, 4)].join('\n');
}

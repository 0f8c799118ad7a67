import { columnWidths, padRight } from '../../core/base/display-width.ts';
import { parametersKey, settingsKey } from './sections/index.ts';
import type { ReportDocument, ReportFigure } from './document/index.ts';
import { Decimal } from '../../core/base/decimal.ts';
import { basisPointText, durationText, numberText } from './document/index.ts';

/** One figure that is not the same in two reports, with the change from `a` to `b` where both are numbers of one unit. */
export interface FigureDifference extends Partial<Change> {
  readonly key: string;
  readonly label: string;
  readonly group?: string | undefined;
  /** As shown; the reason when there is none; `undefined` when the report does not have the figure. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

export interface SectionDifference {
  readonly key: string;
  readonly title: string;
  readonly figures: readonly FigureDifference[];
}

/** Where two reports part, section by section; parameters first. Empty sections are left out. */
export interface ReportComparison {
  readonly equal: boolean;
  /** What each report says against its own numbers: cut short, poor data; empty where it says nothing. */
  readonly warnings: { readonly a: string; readonly b: string };
  readonly sections: readonly SectionDifference[];
}

/** Compares figures by key and group. The command, notes, charts and tables follow from the same runs and are not compared. */
export function compareDocuments(a: ReportDocument, b: ReportDocument): ReportComparison {
  const keys = [...new Set([...a.sections, ...b.sections].map(({ key }) => key))];
  const sections = keys
    .map((key): SectionDifference => {
      const [left, right] = [a, b].map(({ sections: all }) => all.find((one) => one.key === key));
      const figures = differences(left?.figures ?? [], right?.figures ?? []);
      return { key, title: left?.title ?? right?.title ?? key, figures };
    })
    .filter(({ figures }) => figures.length > 0)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  const warnings = { a: a.warning, b: b.warning };
  return { equal: sections.length === 0 && a.warning === b.warning, warnings, sections };
}

/** Parameters and settings come first, then identity. */
const firstKeys = [parametersKey, settingsKey, 'identity'];

function placeOf({ key }: SectionDifference): number {
  const place = firstKeys.indexOf(key);
  return place < 0 ? firstKeys.length : place;
}

/** The comparison for a terminal. */
export function comparisonText({ equal, warnings, sections }: ReportComparison): string {
  const warned = [
    ...(warnings.a === '' ? [] : [`A: ${warnings.a}`]),
    ...(warnings.b === '' ? [] : [`B: ${warnings.b}`]),
  ];
  const parts = equal ? ['The two reports say the same.'] : sectionTexts(sections);
  return [...(warned.length === 0 ? [] : [warned.join('\n')]), ...parts].join('\n\n');
}

function sectionTexts(sections: readonly SectionDifference[]): readonly string[] {
  return sections.map(({ title, figures }) => {
    const rows = figures.map(({ label, group, a, b, change }) => [
      group === undefined ? label : `${label} (${group})`,
      a ?? '-',
      b ?? '-',
      change ?? '',
    ]);
    const all = [['', 'A', 'B', 'B - A'], ...rows];
    const widths = columnWidths(all.map((row) => row.slice(0, -1)));
    const line = (row: readonly string[]): string =>
      `  ${row.map((cell, i) => padRight(cell, widths[i] ?? 0)).join('  ')}`.trimEnd();
    return [title, ...all.map(line)].join('\n');
  });
}

function differences(a: readonly ReportFigure[], b: readonly ReportFigure[]): readonly FigureDifference[] {
  const found: FigureDifference[] = [];
  const others = new Map(b.map((figure) => [nameOf(figure), figure]));
  for (const figure of a) {
    const other = others.get(nameOf(figure));
    others.delete(nameOf(figure));
    const difference = differ(figure, other);
    if (difference !== undefined) found.push(difference);
  }
  for (const figure of others.values()) {
    const { key, label, group } = figure;
    found.push({ key, label, group, a: undefined, b: shown(figure) });
  }
  return found;
}

function differ(figure: ReportFigure, other: ReportFigure | undefined): FigureDifference | undefined {
  const { key, label, group } = figure;
  if (other === undefined) return { key, label, group, a: shown(figure), b: undefined };
  const same =
    figure.value === other.value && figure.reason === other.reason && figure.number === other.number;
  if (same) return undefined;
  const [a, b] = [shown(figure), shown(other)];
  const both = isNumber(figure) && isNumber(other) && isComparable(a, b);
  return { key, label, group, a, b, ...(both ? changeOf(figure, other) : {}) };
}

function isNumber(figure: ReportFigure): figure is ReportFigure & ShownNumber {
  return figure.value !== undefined && figure.number !== undefined;
}

function nameOf({ key, group }: ReportFigure): string {
  return `${key} ${group ?? ''}`;
}

function shown({ value, reason }: ReportFigure): string {
  return value ?? `N/A (${reason ?? ''})`;
}

const times = new Set(['µs', 'ms', 's', 'min', 'h', 'd']);
const shape = /^(-?[\d.]+) ?(\S*)(.*)$/s;

/** Whether two shown values are of one unit, so that one can be taken from the other: not 1 USDT and 2 BTC. */
export function isComparable(a: string, b: string): boolean {
  const [one, other] = [kindOf(a), kindOf(b)];
  return one !== undefined && one === other;
}

/** A figure as shown, `0.5 BTC`, and the number behind it: a fraction of a share, microseconds of a time. */
export interface ShownNumber {
  readonly value: string;
  readonly number: number;
}

/** From one figure to another: the numbers behind them, and in their unit, `+0.5 BTC`. */
export interface Change {
  readonly difference: number;
  readonly change: string;
}

/** What changed between two comparable figures: to the last digit where both are shown to theirs. */
export function changeOf(a: ShownNumber, b: ShownNumber): Change {
  const exact =
    isExact(a) && isExact(b) ? new Decimal(digitsOf(b.value)).minus(digitsOf(a.value)) : undefined;
  const difference = exact?.toNumber() ?? subtracted(a.number, b.number);
  const kind = kindOf(a.value) ?? '';
  const sign = difference > 0 ? '+' : difference < 0 ? '-' : '';
  const size = Math.abs(difference);
  const change = (text: string): Change => ({ difference, change: `${sign}${text}`.trimEnd() });
  if (exact !== undefined) return change(`${exact.abs().toFixed()} ${inPoints(kind)}`);
  if (kind === 'time') return change(durationText(size));
  if (kind === '%') return change(`${numberText(size * 100)} ${inPoints(kind)}`);
  const scale = kind === 'bp' && isShare(a) && isShare(b) ? 10_000 : 1;
  return change(`${numberText(size * scale)} ${kind}`);
}

function inPoints(kind: string): string {
  return kind === '%' ? '% points' : kind;
}

/** Whether the text has every digit of the number, and not fewer of them or another unit. */
function isExact({ value, number }: ShownNumber): boolean {
  return kindOf(value) !== 'time' && Number(digitsOf(value)) === number;
}

function digitsOf(value: string): string {
  return shape.exec(value)?.[1] ?? '';
}

/** The digits a double has. */
const digitsMax = 15;

/** `b` less `a`, without the digits below those that the larger of both has. */
function subtracted(a: number, b: number): number {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  if (largest === 0) return 0;
  const decimals = digitsMax - 1 - Math.floor(Math.log10(largest));
  return decimals > 100 ? b - a : Number((b - a).toFixed(Math.max(0, decimals)));
}

/** Basis points of a fee have a share of the price as their number; those of markouts and slippage have themselves. */
function isShare({ value, number }: ShownNumber): boolean {
  return value.startsWith(basisPointText(number * 10_000));
}

/** `time`, or what stands behind the number. A range has two numbers, and no change. */
function kindOf(value: string): string | undefined {
  const [, , unit = '', rest = ''] = shape.exec(value) ?? ['', '', undefined];
  if (!shape.test(value) || rest.startsWith(' to ')) return undefined;
  if (unit === 'of') return '';
  return times.has(unit) ? 'time' : unit;
}

import type { Change, ShownNumber } from './change-text.ts';
import { changeOf, isComparable } from './change-text.ts';
import { parametersKey, settingsKey } from './setting-sections.ts';
import type { ReportDocument, ReportFigure } from './document.ts';

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

/** What the runs were told comes first, then what they were made of. */
const firstKeys = [parametersKey, settingsKey, 'identity'];

function placeOf({ key }: SectionDifference): number {
  const place = firstKeys.indexOf(key);
  return place < 0 ? firstKeys.length : place;
}

/** The comparison for a terminal. */
export function comparisonText({ equal, warnings, sections }: ReportComparison): string {
  const told = [
    ...(warnings.a === '' ? [] : [`A: ${warnings.a}`]),
    ...(warnings.b === '' ? [] : [`B: ${warnings.b}`]),
  ];
  const parts = equal ? ['The two reports say the same.'] : sectionTexts(sections);
  return [...(told.length === 0 ? [] : [told.join('\n')]), ...parts].join('\n\n');
}

function sectionTexts(sections: readonly SectionDifference[]): readonly string[] {
  return sections.map(({ title, figures }) => {
    const rows = figures.map(({ label, group, a, b, change }) => [
      group === undefined ? label : `${label} (${group})`,
      a ?? '-',
      b ?? '-',
      change ?? '',
    ]);
    const widths = [0, 1, 2].map((i) => rows.reduce((most, row) => Math.max(most, (row[i] ?? '').length), 1));
    const line = (row: readonly string[]): string =>
      `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd();
    return [title, ...[['', 'A', 'B', 'B - A'], ...rows].map(line)].join('\n');
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

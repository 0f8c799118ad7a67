import { z } from 'zod';
import { expectationOf } from '../../../core/base/expectation.ts';

/** Every reason to doubt a result. `docs/reports.md` lists them with what to do. */
export const doubtCodes = [
  'INCOMPLETE',
  'STRATEGY_STOPPED',
  'FROM_JOURNAL',
  'DATA_POOR',
  'DATA_ROUNDED',
  'CLOCK_DOUBTFUL',
  'DATA_IN_FUTURE',
  'PRICES_DOUBTFUL',
  'RUINED',
  'OPEN_KNOWN',
  'SIZE_DOUBTFUL',
  'SIZE_BELOW_LOT',
  'DATA_ENDED_EARLY',
  'PRICE_COLLAPSED',
  'CALENDAR_GAPS',
  'FEES_ASSUMED',
  'FEES_DOUBTFUL',
  'MARK_ASSUMED',
  'FUNDING_ASSUMED',
  'ORDERS_REFUSED',
  'ORDERS_ALL_REFUSED',
  'EXITS_DENIED',
  'MODULE_STATE',
] as const;

export type DoubtCode = (typeof doubtCodes)[number];

/** One reason to doubt a result: a code that does not change, and a clause for the title. */
export interface Doubt {
  readonly code: DoubtCode;
  readonly text: string;
}

/** For the title of everything that is shown; empty when nothing is doubtful. */
export function warningOf(doubts: readonly Doubt[]): string {
  return doubts.map(({ text }) => text).join('; ');
}

/** The last sentence of a command whose result is doubtful; `undefined` where it is not. */
export function exitSentence(doubts: readonly Doubt[]): string | undefined {
  if (doubts.length === 0) return undefined;
  return `doubtful result: ${doubts.map(({ code, text }) => `${text} (${code})`).join('; ')}`;
}

export function doubt(code: DoubtCode, text: string): Doubt {
  return { code, text };
}

/** The mark of a document this version writes and reads. */
export const documentSchema = 'godwit-report/1';

/** One number of a report with its definition, or the reason why there is none. */
export interface ReportFigure {
  /** Names the figure in every report: `ratios.sharpe`. */
  readonly key: string;
  readonly label: string;
  readonly definition: string;
  /** What it belongs to where there are several: a currency, a symbol. */
  readonly group?: string | undefined;
  /** As shown, with its unit; absent when there is none. */
  readonly value?: string | undefined;
  /** The bare number where it is one: fractions (not per cent), microseconds, money. */
  readonly number?: number | undefined;
  /** Of a setting: what it is when nothing is said. */
  readonly usual?: string | undefined;
  /** Why there is no value. */
  readonly reason?: string | undefined;
}

export interface ReportTable {
  readonly title: string;
  readonly definition: string;
  readonly columns: readonly string[];
  /** How many columns from the left are words; 1 when left out. */
  readonly words?: number | undefined;
  /** Cells are shaded: by sign and size, or from the lowest to the highest number. */
  readonly heat?: 'signed' | 'scale' | undefined;
  readonly rows: readonly (readonly string[])[];
}

export interface ReportSection {
  readonly key: string;
  readonly title: string;
  readonly figures: readonly ReportFigure[];
  readonly tables: readonly ReportTable[];
}

export const chartTones = ['main', 'second', 'buy', 'sell', 'loss'] as const;
export const chartForms = ['line', 'step', 'points', 'bars', 'area', 'low', 'high'] as const;
export const chartAxes = ['time', 'number', 'log'] as const;

export interface ChartSeries {
  readonly label: string;
  /** Chooses the colour. */
  readonly tone: (typeof chartTones)[number];
  readonly form: (typeof chartForms)[number];
  readonly values: readonly (number | null)[];
  /** Drawn on an axis of its own, at the right. */
  readonly right?: boolean | undefined;
  /** Of points: how many fills each stands for, and their quantity. */
  readonly counts?: readonly (number | null)[] | undefined;
  readonly quantities?: readonly (number | null)[] | undefined;
}

export interface ReportChart {
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  /** `time`: seconds since the epoch. `number`: any. `log`: positive, spread by powers of ten. */
  readonly axis: (typeof chartAxes)[number];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** A whole report as plain JSON: what is stored, printed, drawn and compared. */
export interface ReportDocument {
  readonly schema: typeof documentSchema;
  readonly title: string;
  /** Said in the title of everything that is shown, such as `poor data (C): ...`. Empty when nothing is wrong. */
  readonly warning: string;
  /** The same, one by one with their codes; left out by versions that did not keep them. */
  readonly doubts?: readonly Doubt[] | undefined;
  /** The command that ran it, as it was typed, without secrets. */
  readonly command?: string | undefined;
  readonly span: { readonly start: string; readonly end: string; readonly seconds: number } | undefined;
  readonly sections: readonly ReportSection[];
  readonly charts: readonly ReportChart[];
  readonly notes: readonly string[];
}

/** The figure of that key (and group), or `undefined`. */
export function figureOf(document: ReportDocument, key: string, group?: string): ReportFigure | undefined {
  for (const section of document.sections) {
    for (const one of section.figures)
      if (one.key === key && (group === undefined || one.group === group)) return one;
  }
  return undefined;
}

const text = z.string();

const figure = z.object({
  key: text,
  label: text,
  definition: text,
  group: text.optional(),
  value: text.optional(),
  // JSON writes what is no number, or endless, as null.
  number: z.number().nullable().optional(),
  usual: text.optional(),
  reason: text.optional(),
});

const table = z.object({
  title: text,
  definition: text,
  columns: z.array(text),
  words: z.int().min(0).optional(),
  heat: z.enum(['signed', 'scale']).optional(),
  rows: z.array(z.array(text)),
});

const series = z.object({
  label: text,
  tone: z.enum(chartTones),
  form: z.enum(chartForms),
  values: z.array(z.number().nullable()),
  right: z.boolean().optional(),
  counts: z.array(z.number().nullable()).optional(),
  quantities: z.array(z.number().nullable()).optional(),
});

const chart = z.object({
  id: text,
  title: text,
  definition: text,
  axis: z.enum(chartAxes),
  xLabel: text,
  yLabel: text,
  x: z.array(z.number()),
  series: z.array(series),
});

const shape = z.object({
  schema: z.literal(documentSchema),
  title: text,
  warning: text,
  doubts: z.array(z.object({ code: z.enum(doubtCodes), text })).optional(),
  command: text.optional(),
  span: z.object({ start: text, end: text, seconds: z.number() }).optional(),
  sections: z.array(z.object({ key: text, title: text, figures: z.array(figure), tables: z.array(table) })),
  charts: z.array(chart),
  notes: z.array(text),
});

/** Whether the content of a file is marked as a report of this version. */
export function isMarkedReport(content: unknown): boolean {
  return shape.pick({ schema: true }).safeParse(content).success;
}

/** What is wrong with a report that may have been cut or edited, and where; `undefined` when it is whole. */
export function damageOf(content: unknown): string | undefined {
  const [issue] = shape.safeParse(content).error?.issues ?? [];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${expectationOf(issue.message)}`;
}

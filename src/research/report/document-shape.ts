import { z } from 'zod';
import { expectationOf } from '../../core/base/expectation.ts';
import { chartAxes, chartForms, chartTones, documentSchema } from './document.ts';

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
  rows: z.array(z.array(text)),
});

const series = z.object({
  label: text,
  tone: z.enum(chartTones),
  form: z.enum(chartForms),
  values: z.array(z.number().nullable()),
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
  command: text.optional(),
  span: z.object({ start: text, end: text, seconds: z.number() }).optional(),
  sections: z.array(z.object({ key: text, title: text, figures: z.array(figure), tables: z.array(table) })),
  charts: z.array(chart),
  notes: z.array(text),
});

/** Whether the content of a file is marked as a report of this version. */
export function isMarked(content: unknown): boolean {
  return shape.pick({ schema: true }).safeParse(content).success;
}

/** What is wrong with a report that may have been cut or edited, and where; `undefined` when it is whole. */
export function damageOf(content: unknown): string | undefined {
  const [issue] = shape.safeParse(content).error?.issues ?? [];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${expectationOf(issue.message)}`;
}

import { z } from 'zod';
import type { ViewField, ViewFields } from './views/view.ts';

const text = z.string();
/** Types of fields; a description says what the text is where the field has none of its own. */
const plain: Readonly<Record<Exclude<ViewField['type'], 'rows'>, z.ZodType>> = {
  word: text,
  text,
  time: text.describe('ISO 8601, UTC'),
  decimal: text.describe('decimal text'),
  count: z.int(),
  number: z.number(),
  flag: z.boolean(),
};

/** Schema of a row with these fields. */
export function rowSchema(fields: ViewFields): z.ZodType {
  return z.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])));
}

function schemaOf({ type, about, optional, values, fields = {} }: ViewField): z.ZodType {
  const value = values === undefined ? undefined : z.enum(values);
  const one = value ?? (type === 'rows' ? z.array(rowSchema(fields)) : plain[type]);
  const whole = optional ? one.nullable() : one;
  return about === undefined ? whole : whole.describe(about);
}

/** Description of a card, as the page reads it. */
export const viewCardSchema = z.object({
  name: text.describe('key of its rows in the live state, and path of its list'),
  command: text.describe('the command that prints it'),
  title: text,
  order: z.int().describe('place among the cards, from the top'),
  kind: z.enum(['table', 'gauges']),
  empty: text.describe('what is said without rows'),
  key: text.describe('field that identifies a row; several are parted by spaces'),
  hides: z.boolean().optional().describe('whether it is there only while it has rows'),
  rowsMax: z.int().optional().describe('rows that are drawn at most'),
  each: text.optional().describe('field whose rows have a line each'),
  columns: z.array(
    z.object({
      field: text,
      title: text,
      type: text,
      words: z.tuple([text, text]).optional().describe('how a flag is read: set, and not set'),
      or: text.optional().describe('field that stands there where the first one is null'),
      with: z
        .object({ separator: text, field: text, words: z.tuple([text, text]).optional() })
        .optional()
        .describe('what stands behind it in the same cell'),
      tones: z
        .record(text, z.enum(['good', 'bad']))
        .optional()
        .describe('colours by the text of the cell'),
      act: z.enum(['explain', 'cancel']).optional().describe('a button'),
    }),
  ),
});

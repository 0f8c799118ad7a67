import { z } from 'zod';

// What goes over the wire, for documents of the API. Readers take more than is sent, because clients and hosts differ: a
// number where the documents say text, both spellings of a time. A document says what is sent.

/** JSON Schema of one value; `channel`: as channels of the v3 public socket spell it, where that differs. */
export interface SentForm {
  readonly form: Readonly<Record<string, unknown>>;
  readonly channel?: Readonly<Record<string, unknown>>;
}

/** Forms by the schema that reads them. Schemas that are not here are described as they are. */
export const sentForms = z.registry<SentForm>();

/** `schema`, which documents describe by `form`. */
export function sentAs<Schema extends z.ZodType>(
  schema: Schema,
  form: SentForm['form'],
  channel?: SentForm['form'],
): Schema {
  sentForms.add(schema as z.ZodType, channel === undefined ? { form } : { form, channel });
  return schema;
}

/** Plain decimal text. */
export const decimalForm = { type: 'string', format: 'decimal' } as const;
/** A stamp. */
export const timeForm = { type: 'string', format: 'date-time' } as const;

const titles = new WeakMap<z.ZodType, string>();

/** `schema`, which documents describe once, under this name. */
export function titled<Schema extends z.ZodType>(schema: Schema, title: string): Schema {
  titles.set(schema, title);
  return schema;
}

/** Name of a schema in documents. */
export function documentTitle(schema: z.ZodType): string | undefined {
  return titles.get(schema);
}

const sentBy = new WeakMap<object, () => z.ZodType>();

/** `read`, a reader of answers, and the schema of what it reads. */
export function reads<Read extends object>(read: Read, sent: () => z.ZodType): Read {
  sentBy.set(read, sent);
  return read;
}

/** Schema of what a reader reads; anything where that is not known. */
export function sentTo(read: object): z.ZodType {
  return sentBy.get(read)?.() ?? z.unknown();
}

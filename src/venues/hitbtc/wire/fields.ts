import { z } from 'zod';
import { parseAmount } from '../../../core/base/amount.ts';
import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { Decimal } from '../../../core/base/decimal.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { microsOfMillis, readTime } from './formats.ts';
import { decimalForm, sentAs, timeForm } from './sent.ts';

// What the members of wire objects may look like. Readers of what a venue sends: strict in value, tolerant of
// unknown members. The documents speak of numbers where the wire sends text, so both are read (v2-gaps, section 9).

/** A plain decimal; a JSON number becomes its plain decimal text. */
export const decimalField = sentAs(
  z.union(
    [
      z.string().regex(/^-?\d{1,40}(?:\.\d{1,40})?$/, { error: 'expected a plain decimal' }),
      z
        .number()
        .refine(Number.isFinite)
        .transform((value) => new Decimal(value).toFixed()),
    ],
    { error: 'expected a plain decimal' },
  ),
  decimalForm,
);

/**
 * A number that a double may round, such as a duration or a score. Long literals come as text from `parseLossless`,
 * and some venues write text for any number.
 */
export const numberField = sentAs(
  z.union([z.number(), decimalField.transform(Number)], { error: 'expected a number' }),
  { type: 'number' },
);

/** As `field`, where a member that says nothing is left out or null. */
export function optionalField<Field extends z.ZodType>(field: Field) {
  return z.preprocess((given) => given ?? undefined, field.optional());
}

/** A plain decimal that is not negative. */
export const unsignedField = decimalField.refine((text) => !text.startsWith('-'), {
  error: 'expected a plain decimal that is not negative',
});

/** An exact amount: at most 24 decimals. */
export const amountField = decimalField.transform((text, context): Amount => {
  try {
    return parseAmount(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'expected a plain decimal of at most 24 decimals' });
    return z.NEVER;
  }
});

/** An exact amount, or `undefined` when the member is absent or null. */
export const optionalAmountField = amountField.nullish().transform((amount) => amount ?? undefined);

/** An id, always as text: ids above 2^53 come as text from `parseLossless`. */
export const idField = z.union([z.string().min(1).max(80), z.int().nonnegative().transform(String)], {
  error: 'expected an id: a whole number or text',
});

/** A stamp as `Micros`: ISO 8601 text, or whole milliseconds since 1970 as a number or its digits. Source: API v3, "Conventions". */
export const timeField = sentAs(z.union([z.string(), z.number()]), timeForm, {
  type: 'integer',
  description: 'milliseconds since 1970',
}).transform((given, context): Micros => {
  const isMillis = typeof given === 'number' || /^\d{12,14}$/.test(given);
  const time = isMillis ? microsOfMillis(Number(given)) : readTime(given);
  if (!Number.isNaN(time)) return time;
  const message = 'expected a UTC time like 2024-01-02T03:04:05.678Z, or whole milliseconds since 1970';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A code or name: not empty, of bounded length. */
export const nameField = z.string().min(1).max(80);

/**
 * `value` read by `schema`. Throws `BadInput` with one sentence: what was read, which member, what was expected.
 */
export function parseWith<Output>(schema: z.ZodType<Output>, value: unknown, what: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new BadInput(`${what}: ${issueText(result.error)}`);
}

/** The first fault of a zod error in one clause: `member a.0: expected ...`. */
export function issueText(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not as expected';
  const message = issue.message.replace(/^Invalid input: /, '');
  const path = issue.path.map(String).join('.').slice(0, 120);
  return path === '' ? message : `member ${path}: ${message}`;
}

/** Every item of a list read by `read`. Throws `BadInput` when `json` is no list. */
export function parseList<Item>(json: unknown, what: string, read: (item: unknown) => Item): readonly Item[] {
  if (!Array.isArray(json)) throw new BadInput(`${what}: expected a list`);
  return json.map((item: unknown) => read(item));
}

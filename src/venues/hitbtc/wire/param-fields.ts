import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { parseAmount, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerMilli } from '../../../core/base/clock.ts';
import { Decimal } from '../../../core/base/decimal.ts';
import { microsOfMillis, readTime } from './formats.ts';
import type { WireError } from './errors.ts';
import { wireError } from './errors.ts';
import { isAbsent, parameterError, problemOf } from './param-errors.ts';
import { decimalForm, sentAs } from './sent.ts';

// What the parameters of requests may look like. Lenient in form, because clients differ: numbers and booleans as
// JSON or text, lists with commas or as arrays, times as ISO text or milliseconds. Source: v3-gaps, section 5.

export type ParamsRead<Params> =
  | { readonly ok: true; readonly params: Params }
  | { readonly ok: false; readonly error: WireError };

/**
 * Reads parameters by a schema. Null and empty ones count as absent, unknown ones are ignored. The refusal is
 * error 10001 with a message that names the parameter. Source: v3-gaps, sections 5 and 9.
 */
export function readRequestParams<Params>(schema: z.ZodType<Params>, raw: unknown): ParamsRead<Params> {
  const given = raw === undefined || raw === null ? {} : raw;
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { ok: false, error: wireError(10001, { description: 'expected an object of parameters' }) };
  }
  const present = presentIn(given);
  const read = schema.safeParse(present);
  if (read.success) return { ok: true, params: read.data };
  const [issue] = read.error.issues;
  const name = issue?.path.map(String).join('.').slice(0, 60) ?? '';
  return { ok: false, error: parameterError(name, issue === undefined ? '' : problemOf(issue, present)) };
}

/** The members that are there; nearly always all of them, and then nothing is copied. */
function presentIn(given: object): object {
  if (!Object.values(given).some(isAbsent)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isAbsent(value)));
}

/** Parameters of a call or method without any. */
export const noParams = z.object({});

/** Text of limited length; a JSON number is taken as its digits. */
export function textParamUpTo(most: number) {
  const text = z
    .string()
    .min(1)
    .max(most, { error: `Parameter must have at most ${most} characters` });
  return sentAs(z.union([text, z.number().transform(String)], { error: 'Parameter must be a text' }), {
    type: 'string',
    maxLength: most,
  });
}

export const textParam = textParamUpTo(200);

/** A code, such as a symbol or a currency. */
export const codeParam = sentAs(
  textParam.refine((text) => text.length <= 40, { error: 'Parameter must have at most 40 characters' }),
  { type: 'string', maxLength: 40 },
);

/** A decimal as text; whether it is one, and on the grid, is judged where the value is used. */
export const decimalParam = sentAs(
  z.union(
    [
      z.string().max(100),
      z
        .number()
        .refine(Number.isFinite)
        .transform((value) => new Decimal(value).toFixed()),
    ],
    { error: 'Parameter must be a decimal number' },
  ),
  decimalForm,
);

/** A margin mode; which there are is judged where it is used. */
export const modeWord = sentAs(textParamUpTo(200), { type: 'string', enum: ['isolated', 'cross'] });

const wholeVolume = parseAmount('1');

/** A rate: a plain decimal, a fraction of a volume and so from 0 to 1; absent is zero. */
export const rateParam = decimalParam.optional().transform((text, context): Amount => {
  if (text === undefined) return zero;
  if (!/^\d{1,10}(?:\.\d{1,12})?$/.test(text))
    return refuse(context, `Can't parse value from string: ${text.slice(0, 40)}`);
  const rate = parseAmount(text);
  return rate <= wholeVolume ? rate : refuse(context, 'Parameter must be in [0, 1]');
});

/** `true`, `false`, as JSON or as text. */
export const booleanParam = sentAs(
  z.union(
    [z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')],
    { error: 'Parameter must be true or false' },
  ),
  { type: 'boolean' },
);

/** One of a list of words. */
export function oneOfParam<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `Parameter must be one of ${words.join(', ')}` });
}

/** A whole number from `low` to `high`; out of range is refused, not clamped. Source: v3-gaps, section 12. */
export function integerParam(low: number, high: number) {
  return sentAs(z.union([z.string(), z.number()]), {
    type: 'integer',
    minimum: low,
    // What no double can tell apart is no bound that anybody needs to know.
    ...(high < Number.MAX_SAFE_INTEGER && { maximum: high }),
  }).transform((given, context): number => {
    const value = typeof given === 'number' ? given : /^-?\d{1,20}$/.test(given) ? Number(given) : Number.NaN;
    if (!Number.isInteger(value)) {
      return refuse(context, `Can't parse value from string: ${String(given).slice(0, 40)}`);
    }
    if (value < low || value > high) return refuse(context, `Parameter must be in [${low}, ${high}]`);
    return value;
  });
}

/**
 * A number to compare ids with: a whole number of up to 20 digits. Ids lie below 2^53, so that whatever is above compares
 * as the greatest of these.
 */
export const idBoundParam = sentAs(z.union([z.string(), z.number()]), {
  type: 'integer',
  format: 'int64',
  minimum: 0,
}).transform((given, context): number => {
  const value = readIdParam(given);
  if (!Number.isNaN(value)) return value;
  return refuse(context, `Can't parse value from string: ${String(given).slice(0, 40)}`);
});

/** The number of an order, a position and the like, as text. */
export const idParam = idBoundParam.transform(String);

/** Codes with commas between them, or an array of such texts, each code once, in the order given. */
export const listParam = sentAs(
  z.union([z.string().max(100_000), z.array(z.string().max(40)).max(10_000)], {
    error: 'Parameter must be a list',
  }),
  { type: 'array', items: { type: 'string', maxLength: 40 } },
).transform((given): readonly string[] => {
  const items = (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(','));
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
});

/** A time as ISO text or as milliseconds, as text or number. Source: API v3, "Conventions". */
export const timeParam = sentAs(z.union([z.string(), z.number()]), {
  type: 'string',
  description: 'a time such as 2026-01-02T03:04:05.678Z, or milliseconds since 1970',
}).transform((given, context): Micros => {
  const time = readTimeParam(given);
  if (!Number.isNaN(time)) return time;
  return refuse(context, `Can't parse value from string: ${String(given).slice(0, 40)}`);
});

/** The last moment that is printed as this one: stamps have milliseconds, and both ends of an interval belong to it. */
export function endOfMilli(time: Micros): Micros {
  return (time % microsPerMilli === 0 ? time + microsPerMilli - 1 : time) as Micros;
}

/** Upper and lower ends of a page, the order, and how many. `from` and `till` are ids or `Micros`, as `by` says. */
export interface PageParams {
  readonly sort: 'ASC' | 'DESC';
  readonly by: 'id' | 'timestamp';
  readonly from: number | undefined;
  readonly till: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The paging defaults of one endpoint. */
export interface PageDefaults {
  readonly sort: 'ASC' | 'DESC';
  readonly by: 'id' | 'timestamp';
  readonly limit: number;
  /** The least `limit` accepted: v3 takes 1, v2 takes 0. */
  readonly limitMin: 0 | 1;
}

/** An end of an interval, which is read once it is known of what. */
export const endParam = sentAs(z.union([z.string(), z.number()]), {
  type: 'string',
  description: 'an id or a time, as the rows are ordered and found by',
}).optional();

/** The order of rows, in any case of letters. */
export function sortParam(byDefault: PageParams['sort']) {
  return sentAs(z.string().toUpperCase(), { type: 'string', enum: ['ASC', 'DESC'] })
    .pipe(z.enum(['ASC', 'DESC'], { error: 'Parameter must be ASC or DESC' }))
    .default(byDefault);
}

/** The paging members of an endpoint, to be spread into its schema, and `toPage` to read them. */
export function pageShape(defaults: PageDefaults) {
  return {
    sort: sortParam(defaults.sort),
    by: z.enum(['id', 'timestamp'], { error: 'Parameter must be id or timestamp' }).optional(),
    from: endParam,
    till: endParam,
    until: endParam,
    limit: integerParam(defaults.limitMin, 1000).default(defaults.limit),
    offset: integerParam(0, 100_000).default(0),
  };
}

/** The members that `pageShape` reads. */
export interface RawPage extends Omit<PageParams, 'by' | 'from' | 'till'> {
  readonly by?: 'id' | 'timestamp' | undefined;
  readonly from?: string | number | undefined;
  readonly till?: string | number | undefined;
  /** An alias of `till`. Source: v3-gaps, section 4.2. */
  readonly until?: string | number | undefined;
}

/**
 * The page asked for. Clients send times without `by` where the default is id; an ISO text, or a number that is
 * the milliseconds of a day from 2010 to 2100, then is a time. Source: v3-gaps, sections 4.4 and 7.
 */
export function toPage(
  raw: RawPage,
  byDefault: PageDefaults['by'],
  context: z.core.$RefinementCtx,
): PageParams {
  const from = raw.from;
  const till = raw.till ?? raw.until;
  const by = raw.by ?? (isTimeLike(from) || isTimeLike(till) ? 'timestamp' : byDefault);
  const read = (name: string, given: string | number | undefined): number | undefined => {
    if (given === undefined) return undefined;
    const value = by === 'timestamp' ? readTimeParam(given) : readIdParam(given);
    if (!Number.isNaN(value)) return value;
    const message = `Can't parse value from string: ${String(given).slice(0, 40)}`;
    context.addIssue({ code: 'custom', path: [name], message });
    return undefined;
  };
  return {
    sort: raw.sort,
    by,
    from: read('from', from),
    till: upTo(read('till', till), by),
    limit: raw.limit,
    offset: raw.offset,
  };
}

function isTimeLike(given: string | number | undefined): boolean {
  if (given === undefined) return false;
  if (typeof given === 'string' && /^\d{4}-\d{2}/.test(given)) return true;
  const value = Number(given);
  return value >= 1_262_304_000_000 && value <= 4_102_444_800_000;
}

function upTo(till: number | undefined, by: PageDefaults['by']): number | undefined {
  return till === undefined || by === 'id' ? till : endOfMilli(till as Micros);
}

function readTimeParam(given: string | number): Micros {
  if (typeof given === 'number') return microsOfMillis(given);
  return /^\d{1,15}$/.test(given) ? microsOfMillis(Number(given)) : readTime(given);
}

function readIdParam(given: string | number): number {
  const value = typeof given === 'number' ? given : /^\d{1,20}$/.test(given) ? Number(given) : Number.NaN;
  return Number.isInteger(value) && value >= 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : Number.NaN;
}

function refuse(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/**
 * "Unix timestamp": seconds or milliseconds (a number below 10^11 is seconds, until the year 5138), or ISO text.
 */
export const unixTimeParam = sentAs(z.union([z.string(), z.number()]), {
  type: 'integer',
  format: 'int64',
  description: 'seconds or milliseconds since 1970',
}).transform((given, context): Micros => {
  const time =
    typeof given === 'number' || /^\d{1,15}$/.test(given) ? ofNumber(Number(given)) : readTime(given);
  if (!Number.isNaN(time)) return time;
  context.addIssue({
    code: 'custom',
    message: `Can't parse value from string: ${String(given).slice(0, 40)}`,
  });
  return z.NEVER;
});

function ofNumber(value: number): Micros {
  return microsOfMillis(value < 100_000_000_000 ? value * 1_000 : value);
}

/** Ids of sub-accounts, at least one. */
export const idListParam = listParam.refine((ids) => ids.length > 0, { error: 'Parameter is required' });

// Parameters that many calls of both versions have.
export const symbolsParams = z.object({ symbols: listParam.optional() });
export const symbolParams = z.object({ symbol: codeParam });
export const optionalSymbolParams = z.object({ symbol: codeParam.optional() });
export const currencyParams = z.object({ currency: codeParam });

import { z } from 'zod';
import { BadInput } from '../base/errors.ts';
import type { SeriesColumn, SeriesDeclaration, SeriesRow } from '../model/event.ts';
import { seriesColumnsMax, seriesMax, seriesNameShape } from '../model/event.ts';
import { refuseUnknown } from './known-keys.ts';

/**
 * A series of one's own that a strategy follows, such as an index of sentiment or an on-chain figure. The scenario or the configuration
 * names its file under `series`. Each row comes by `onSeries` when it is known, and `market.series` has the latest.
 */
export interface SeriesRequest<Columns extends z.ZodObject = z.ZodObject> {
  /** Lower case letters, digits and dashes, such as `fear-greed`. */
  readonly series: string;
  /**
   * Columns that it reads: `z.strictObject({ value: z.number(), change: decimalColumn, label: z.string() })`. A column is `z.number()`,
   * `z.int()`, `decimalColumn`, `z.string()` or `z.enum([...])`, with bounds, and `.optional()` where cells may be empty. Every column of the
   * file, as text, when left out.
   */
  readonly columns?: Columns | undefined;
}

/** A row of a series with declared columns. */
export type SeriesRowOf<Columns extends z.ZodObject> = SeriesRow<z.output<Columns>>;

const decimalFormat = 'godwit-decimal';

/** A column of exact decimals: plain decimal text, with every digit of the file. `parseAmount` makes an `Amount` of it. */
export const decimalColumn = z
  .string()
  .regex(/^-?\d{1,40}(\.\d{1,40})?$/)
  .meta({ format: decimalFormat });

const known: ReadonlySet<string> = new Set<keyof SeriesRequest>(['series', 'columns']);

/** Whether a member of the list of feeds is a series. */
export function isSeriesRequest(feed: object): feed is SeriesRequest {
  return 'series' in feed;
}

/** Series that a strategy declares, as plain values. Throws `BadInput` with the strategy, the series and the column. */
export function seriesDeclarations(
  strategy: string,
  requests: readonly SeriesRequest[],
): readonly SeriesDeclaration[] {
  if (requests.length > seriesMax)
    throw new BadInput(
      `strategy ${strategy}: feeds() asks for ${requests.length} series, expected ${seriesMax} at most`,
    );
  const names = new Set<string>();
  return requests.map((request) => {
    const { series: name, columns } = request;
    const place = `strategy ${strategy}: feeds()`;
    if (typeof name !== 'string' || !seriesNameShape.test(name))
      throw new BadInput(
        `${place} asks for the series ${JSON.stringify(name)}, expected a name of 1 to 40 lower case letters, digits and dashes that begins with a letter`,
      );
    refuseUnknown(request, known, `series ${name} in feeds() of strategy ${strategy}`);
    if (names.has(name)) throw new BadInput(`${place} asks for the series ${name} twice, expected each once`);
    names.add(name);
    return columns === undefined
      ? { name }
      : { name, columns: columnsOf(columns, `${place}, series ${name}`) };
  });
}

function columnsOf(schema: z.ZodObject, place: string): Readonly<Record<string, SeriesColumn>> {
  if (!(schema instanceof z.ZodObject))
    throw new BadInput(`${place}: expected columns to be a z.strictObject({...})`);
  const columns = Object.entries(schema.shape);
  if (columns.length === 0 || columns.length > seriesColumnsMax)
    throw new BadInput(`${place}: expected 1 to ${seriesColumnsMax} columns, found ${columns.length}`);
  return Object.fromEntries(
    columns.map(([name, column]) => [name, columnOf(column as z.ZodType, `${place}, column ${name}`)]),
  );
}

/** Members of a JSON schema that a column may have. */
const jsonColumn = z.strictObject({
  type: z.enum(['number', 'integer', 'string']),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  format: z.literal(decimalFormat).optional(),
  pattern: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});

function columnOf(declared: z.ZodType, place: string): SeriesColumn {
  const expected = new BadInput(
    `${place}: expected z.number(), z.int(), decimalColumn, z.string() or z.enum([...]), with bounds of a number and optional() at most`,
  );
  const optional = declared instanceof z.ZodOptional;
  const schema: unknown = optional ? declared.unwrap() : declared;
  if (!(schema instanceof z.ZodType) || hasOwnChecks(schema)) throw expected;
  const read = jsonColumn.safeParse(jsonSchemaOf(schema));
  if (!read.success) throw expected;
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, format, pattern } = read.data;
  if (pattern !== undefined && format === undefined) throw expected;
  const oneOf = read.data.const === undefined ? read.data.enum : [read.data.const];
  return {
    kind: type === 'string' ? (format === undefined ? 'text' : 'decimal') : 'number',
    optional,
    ...(type === 'integer' && { whole: true }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(exclusiveMinimum !== undefined && { above: exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { below: exclusiveMaximum }),
    ...(oneOf !== undefined && { oneOf }),
  };
}

/** The JSON Schema of what a column gives; `undefined` where JSON has no word for it. */
function jsonSchemaOf(schema: z.ZodType): unknown {
  try {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'throw' });
    return json;
  } catch {
    return undefined;
  }
}

/** Whether a function of the author checks values: JSON Schema has no word for it, and it would be left out in silence. */
function hasOwnChecks(schema: z.ZodType): boolean {
  return schema.def.checks?.some((check) => check instanceof z.ZodCustom) === true;
}

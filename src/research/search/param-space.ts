import { z } from 'zod';
import { BadInput } from '../../core/base/errors.ts';
import { expectationOf } from '../../core/base/expectation.ts';
import { hintOf } from '../../core/base/nearest.ts';
import type { StrategyDefinition } from '../../core/strategy/framework.ts';
import { readParams } from '../../core/strategy/framework.ts';
import type { Dimension, ParamValue, Point, Space } from './space.ts';
import { sizeOf, dimensionValue } from './space.ts';

const value = z.union([z.number(), z.string().max(200), z.boolean()]);

/** How one parameter is searched: its whole range, a list of values, or a range of numbers. */
export const dimensionSpec = z.union(
  [
    z.literal('auto').describe('the range, values and step of the parameter itself'),
    z.array(value).min(1).max(10_000).describe('these values'),
    z
      .strictObject({
        from: z.number(),
        to: z.number(),
        step: z.number().positive().optional(),
        scale: z.enum(['linear', 'log']).optional(),
      })
      .refine(({ from, to }) => from <= to, {
        path: ['from'],
        message: 'expected the lower bound to be below the upper one',
      }),
  ],
  { error: 'expected auto, a list of values, or { from, to }' },
);

export type DimensionSpec = z.output<typeof dimensionSpec>;

/** Values that a parameter's schema declares. */
interface Declared {
  readonly type?: string;
  readonly enum?: readonly ParamValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

/** A whole range so wide is searched by its logarithm. */
const logFrom = 1_000;

/**
 * The space of a sweep over a strategy's parameters; `fixed` are those that are not searched. Throws `BadInput` in one
 * sentence: an unknown parameter, values its schema refuses, a range that is not given, nothing to search.
 */
export function paramSpace(
  definition: StrategyDefinition,
  specs: Readonly<Record<string, DimensionSpec>>,
  fixed: Readonly<Record<string, unknown>>,
): Space {
  const dimensions = Object.entries(specs).map(([name, spec]) => dimensionOf(definition, name, spec));
  if (dimensions.length === 0)
    throw new BadInput('space: expected at least one parameter to search, found none');
  const space: Space = {
    dimensions,
    refusal: (point) => refusalOf(definition, { ...fixed, ...point }),
  };
  checkFixed(definition, space, fixed);
  return space;
}

/** Reports faults of the parameters that stay once, and not for every point. */
function checkFixed(
  definition: StrategyDefinition,
  { dimensions }: Space,
  fixed: Readonly<Record<string, unknown>>,
): void {
  const searched = new Set(dimensions.map(({ name }) => name));
  for (const name of Object.keys(fixed)) {
    if (searched.has(name))
      throw new BadInput(`space.${name}: expected a parameter that is not fixed as well`);
    schemaOf(definition, name, 'params');
  }
}

function refusalOf(
  definition: StrategyDefinition,
  params: Point | Record<string, unknown>,
): string | undefined {
  try {
    readParams(definition, params);
    return undefined;
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

function schemaOf({ name: strategy, params }: StrategyDefinition, name: string, place: string): z.ZodType {
  const { shape } = params;
  if (Object.hasOwn(shape, name)) return shape[name] as z.ZodType;
  const known = Object.keys(shape);
  throw new BadInput(`${place}.${name}: strategy ${strategy} has no such param, ${hintOf(name, known)}`);
}

function dimensionOf(definition: StrategyDefinition, name: string, spec: DimensionSpec): Dimension {
  const schema = schemaOf(definition, name, 'space');
  const declared = declaredOf(schema);
  const dimension = shaped(name, spec, declared);
  const ends =
    dimension.kind === 'choice'
      ? dimension.choices
      : [dimensionValue(dimension, 0), dimensionValue(dimension, 1)];
  for (const end of ends) {
    const parsed = schema.safeParse(end);
    if (parsed.success) continue;
    const [issue] = parsed.error.issues;
    const why = issue === undefined ? 'which its schema refuses' : expectationOf(issue.message);
    throw new BadInput(`space.${name}: found ${JSON.stringify(end)}, ${why}`);
  }
  if (!(sizeOf(dimension) >= 1)) throw new BadInput(`space.${name}: expected at least one value, found none`);
  return dimension;
}

function shaped(name: string, spec: DimensionSpec, declared: Declared): Dimension {
  if (spec === 'auto') return wholeRange(name, declared);
  const isText = declared.type === 'string' && declared.enum === undefined;
  if (Array.isArray(spec)) {
    const values = spec.map((one) => (isText && typeof one === 'number' ? String(one) : one));
    return { kind: 'choice', name, choices: [...new Set(values)] };
  }
  const { from: low, to: high, scale } = spec;
  if (declared.type !== 'number' && declared.type !== 'integer' && !isText)
    throw new BadInput(`space.${name}: expected a list of values, because the param is no number`);
  const log = scale === 'log';
  if (log && low <= 0)
    throw new BadInput(`space.${name}: expected a range above 0 for a log scale, found ${low}`);
  return { kind: 'number', name, low, high, step: spec.step ?? stepOf(declared), log, isText };
}

function wholeRange(name: string, declared: Declared): Dimension {
  if (declared.type === 'boolean') return { kind: 'choice', name, choices: [false, true] };
  if (declared.enum !== undefined) return { kind: 'choice', name, choices: declared.enum };
  const { minimum: low, maximum: high } = declared;
  const isBounded = low !== undefined && high !== undefined && high < Number.MAX_SAFE_INTEGER;
  if (!isBounded || low <= Number.MIN_SAFE_INTEGER)
    throw new BadInput(`space.${name}: expected values or { from, to }, because its schema has no bounds`);
  return {
    kind: 'number',
    name,
    low,
    high,
    step: stepOf(declared),
    log: low > 0 && high / low >= logFrom,
    isText: false,
  };
}

function stepOf({ type, multipleOf }: Declared): number | undefined {
  return multipleOf ?? (type === 'integer' ? 1 : undefined);
}

/** The schema of a parameter in the words of JSON Schema, where it can be said in them. */
function declaredOf(schema: z.ZodType): Declared {
  const declared = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Declared;
  return declared;
}

import { z } from 'zod';
import { Decimal } from '../base/decimal.ts';
import { BadInput } from '../base/errors.ts';
import { expectationOf, tellingIssue } from '../base/expectation.ts';
import { hintOf } from '../base/nearest.ts';
import type { Product } from '../model/product.ts';
import { products } from '../model/product.ts';
import type { StrategyDefinition } from './define.ts';
import type { FeedRequest } from './feed-request.ts';
import type { SeriesDeclaration } from '../model/event.ts';
import type { SeriesRequest } from './series-request.ts';
import { isSeriesRequest, seriesDeclarations } from './series-request.ts';
import { describeThrownAt } from './thrown.ts';

export const schemaCharactersMax = 100_000;

/**
 * The parameters of a strategy, checked and completed with defaults. Throws `BadInput` with one sentence: which
 * parameter, what was found, what was expected, and for an unknown one the nearest known name.
 */
export function readParams(definition: StrategyDefinition, params: unknown): unknown {
  const result = definition.params.safeParse(withTexts(definition, params ?? {}));
  if (result.success) return result.data;
  const issue = tellingIssue(result.error.issues);
  const known = Object.keys(definition.params.shape);
  throw new BadInput(
    `strategy ${definition.name}: ${issue === undefined ? 'bad params' : sentence(issue, params, known)}`,
  );
}

/** Defaults of the parameters that have one. */
export function defaultParams(definition: StrategyDefinition): Readonly<Record<string, unknown>> {
  const usual = Object.entries(definition.params.shape).flatMap(([name, schema]) => {
    const found = schema instanceof z.ZodType ? schema.safeParse(undefined) : undefined;
    return found?.success === true && found.data !== undefined ? [[name, found.data] as const] : [];
  });
  return Object.fromEntries(usual);
}

/** The JSON Schema of the parameters as they are written, as JSON text: what forms and checks elsewhere are made of. */
export function paramsSchemaText({ name, params }: Pick<StrategyDefinition, 'name' | 'params'>): string {
  let text: string;
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
    text = JSON.stringify(schema);
  } catch {
    // A type that JSON Schema has no word for, deep inside: the strategy itself still checks its parameters.
    text = '{"type":"object"}';
  }
  if (text.length <= schemaCharactersMax) return text;
  throw new BadInput(
    `strategy ${name}: expected params whose JSON Schema has at most ${schemaCharactersMax} characters, found ${text.length}`,
  );
}

/** The feeds of symbols that a strategy declares. Throws `BadInput` when `feeds` throws or returns no list. */
export function readFeeds(definition: StrategyDefinition, params: unknown): readonly FeedRequest[] {
  return declaredIn(definition, params).filter((feed): feed is FeedRequest => !isSeriesRequest(feed));
}

/** The series that a strategy declares. Throws `BadInput` as `readFeeds` does, and when a series is not as it must be. */
export function readSeriesRequests(
  definition: StrategyDefinition,
  params: unknown,
): readonly SeriesDeclaration[] {
  return seriesDeclarations(definition.name, declaredIn(definition, params).filter(isSeriesRequest));
}

function declaredIn(
  definition: StrategyDefinition,
  params: unknown,
): readonly (FeedRequest | SeriesRequest)[] {
  let feeds: unknown;
  try {
    feeds = definition.feeds(params);
  } catch (error) {
    throw new BadInput(`strategy ${definition.name}: feeds() threw ${describeThrownAt(error)}`, {
      cause: error,
    });
  }
  if (Array.isArray(feeds)) {
    const odd: unknown = feeds.find((feed: unknown) => typeof feed !== 'object' || feed === null);
    if (odd === undefined) return feeds as readonly (FeedRequest | SeriesRequest)[];
    throw new BadInput(
      `strategy ${definition.name}: feeds() returned ${shown(odd)} in its list, expected { symbol: NAME, … } or { series: NAME }`,
    );
  }
  throw new BadInput(`strategy ${definition.name}: expected feeds() to return a list, found ${typeof feeds}`);
}

/** The products that a strategy declares, each once. Throws `BadInput` when `products` throws or names none, or an unknown one. */
export function readProducts(definition: StrategyDefinition, params: unknown): readonly Product[] {
  let declared: unknown;
  try {
    declared = definition.products(params);
  } catch (error) {
    throw new BadInput(`strategy ${definition.name}: products() threw ${describeThrownAt(error)}`, {
      cause: error,
    });
  }
  const list: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const known = list.filter((one): one is Product => products.includes(one as Product));
  if (known.length === list.length && known.length > 0) return [...new Set(known)];
  throw new BadInput(
    `strategy ${definition.name}: products() returned ${shown(declared)}, expected a list of ${products.join(', ')}`,
  );
}

/**
 * Quantities and prices are params of type text, so that no digit is lost; YAML and the command line read `0.05` as a
 * number. Its shortest form says the same as that text, written out: `0.00000001` is read as 1e-8.
 */
function withTexts(definition: StrategyDefinition, params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  const shape: Readonly<Record<string, unknown>> = definition.params.shape;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]: [string, unknown]) => {
      const isText = typeof value === 'number' && Number.isFinite(value) && wantsText(shape[name]);
      return [name, isText ? new Decimal(value).toFixed() : value];
    }),
  );
}

function wantsText(schema: unknown): boolean {
  let at = schema;
  while (at instanceof z.ZodDefault || at instanceof z.ZodOptional || at instanceof z.ZodPrefault)
    at = at.unwrap();
  return at instanceof z.ZodString;
}

/** Freezes plain objects and arrays all the way down. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

function sentence(issue: z.core.$ZodIssue, params: unknown, known: readonly string[]): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const hint = path === '' ? hintOf(key, known) : `known are ${known.join(', ')}`;
    return `there is no param ${JSON.stringify(path === '' ? key : `${path}.${key}`)}, ${hint}`;
  }
  const where = path === '' ? 'params' : `param ${path}`;
  const value = valueAt(params, issue.path);
  const found = value === undefined ? 'nothing' : shown(value);
  return `${where}: found ${found}, ${expectationOf(issue.message)}`;
}

function valueAt(params: unknown, path: readonly PropertyKey[]): unknown {
  let value = params;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

function shown(value: unknown): string {
  // JSON has no word for the infinities.
  if (typeof value === 'number') return String(value);
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 80);
  } catch {
    return typeof value;
  }
}

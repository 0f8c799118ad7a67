import type { z } from 'zod';
import { BadInput } from '../base/errors.ts';
import type { Product } from '../model/product.ts';
import { spotAlone } from '../model/product.ts';
import type { StrategyContext } from './context.ts';
import type { FeedRequest } from './feed-request.ts';
import type { StrategyHandlers } from './handlers.ts';
import { refuseUnknown } from './known-keys.ts';
import type { SeriesRequest } from './series-request.ts';

/** Marks definitions across module instances (a test runner may load this file twice). */
const mark = Symbol.for('godwit.strategy');
const nameShape = /^[a-z][a-z0-9-]{0,39}$/;

/** State that must survive a restart: typed, checked, versioned. */
export interface KeptDeclaration<Kept> {
  readonly version: number;
  readonly schema: z.ZodType<Kept>;
  /** Turns a value of an older version into one of this version. Without it older values are left unread. */
  migrate?(value: unknown, version: number): unknown;
}

const sourceKeys: ReadonlySet<string> = new Set<keyof StrategySource<z.ZodObject>>([
  'name',
  'params',
  'feeds',
  'products',
  'state',
  'create',
]);
const keptKeys: ReadonlySet<string> = new Set<keyof KeptDeclaration<unknown>>([
  'version',
  'schema',
  'migrate',
]);

/** Definition as an author writes it. */
export interface StrategySource<Schema extends z.ZodObject, Kept = never> {
  /** Lower case letters, digits and dashes. */
  readonly name: string;
  /** `z.strictObject({...})`: types the code, the command line and the search space of a sweep. */
  readonly params: Schema;
  /** The feeds it subscribes to: of symbols, and series of one's own. */
  feeds(params: z.output<Schema>): readonly (FeedRequest | SeriesRequest)[];
  /** Products that it trades, such as `['spot', 'futures']`; spot alone when left out. */
  products?(params: z.output<Schema>): readonly Product[];
  readonly state?: KeptDeclaration<Kept>;
  /** Called once, before `onStart`. */
  create(context: StrategyContext<z.output<Schema>, Kept>): StrategyHandlers;
}

/** A strategy as the loader and the hosts know it. Made by `defineStrategy` only. */
export interface StrategyDefinition {
  readonly name: string;
  readonly params: z.ZodObject;
  feeds(params: unknown): readonly (FeedRequest | SeriesRequest)[];
  products(params: unknown): readonly Product[];
  readonly state: KeptDeclaration<unknown> | undefined;
  create(context: StrategyContext<unknown, unknown>): StrategyHandlers;
}

/**
 * Defines a strategy: `export default defineStrategy({...})`. Params are inferred from the schema.
 * Throws `BadInput` in one sentence when a part is missing or of the wrong kind.
 */
export function defineStrategy<Schema extends z.ZodObject, Kept = never>(
  source: StrategySource<Schema, Kept>,
): StrategyDefinition {
  if (typeof source.name !== 'string' || !nameShape.test(source.name)) {
    throw new BadInput(
      `a strategy name must be 1 to 40 lower case letters, digits and dashes, found ${JSON.stringify(source.name)}`,
    );
  }
  expect(source.name, 'params', 'a z.strictObject({...})', typeof source.params?.safeParse === 'function');
  expect(source.name, 'feeds', 'a function of the params', typeof source.feeds === 'function');
  const isOne = source.products === undefined || typeof source.products === 'function';
  expect(source.name, 'products', 'a function of the params', isOne);
  expect(source.name, 'create', 'a function of the context', typeof source.create === 'function');
  refuseUnknown(source, sourceKeys, `strategy ${source.name}`);
  const { state } = source;
  if (state !== undefined) {
    const isWhole = Number.isSafeInteger(state.version) && typeof state.schema?.safeParse === 'function';
    expect(source.name, 'state', '{ version: a whole number, schema: a zod schema }', isWhole);
    refuseUnknown(state, keptKeys, `the state of strategy ${source.name}`);
  }
  const definition = {
    [mark]: true,
    name: source.name,
    params: strict(source.params),
    feeds: (params: unknown) => source.feeds(params as z.output<Schema>),
    products: (params: unknown) => source.products?.(params as z.output<Schema>) ?? spotAlone,
    state: source.state as KeptDeclaration<unknown> | undefined,
    create: (context: StrategyContext<unknown, unknown>) =>
      source.create(context as StrategyContext<z.output<Schema>, Kept>),
  };
  return Object.freeze(definition);
}

/** Whether `value` came from `defineStrategy`. */
export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && Reflect.get(value, mark) === true;
}

/** A plain `z.object` drops what it does not know: a misspelt parameter would be left out without a word. */
function strict(params: z.ZodObject): z.ZodObject {
  return params.def.catchall === undefined ? params.strict() : params;
}

function expect(name: string, part: string, what: string, holds: boolean): void {
  if (!holds) throw new BadInput(`strategy ${name}: expected ${part} to be ${what}`);
}

import { z } from 'zod';
import { BadInput } from '../base/errors.ts';
import { sharedLimits, sharedOptions } from './base/options.ts';
import type { StrategyLimits } from './base/options.ts';
import { ruleKinds } from './controls/table.ts';

const { reconcile, ...shared } = sharedOptions.shape;

/** Options of orders: what may be sent, how much of it, and how an unclear order is cleared up. Source: faults, sections 1 and 6. */
export const orderOptions = z.strictObject({ ...shared, ...ruleKinds, reconcile });

export type OrderOptions = z.output<typeof orderOptions>;

/**
 * The settings that a run takes over while it goes on: what the controls go by. Others decide which books are followed, how
 * orders are named, or how the account is read, and are fixed with the run.
 */
const limitSettings = sharedLimits.extend({
  orders: sharedLimits.shape.orders.extend(ruleKinds),
});

export type LimitSettings = z.output<typeof limitSettings>;

/** Names of the settings of orders, and of those of one strategy, that a run takes over while it goes on. */
export const liveLimits: { readonly orders: ReadonlySet<string>; readonly strategy: ReadonlySet<string> } = {
  orders: new Set(Object.keys(limitSettings.shape.orders.shape)),
  strategy: new Set(Object.keys(limitSettings.shape.strategies.valueType.shape)),
};

/** The limits among the options of a configuration. */
export function limitsAmong(
  orders: OrderOptions,
  strategies: readonly { readonly name: string; readonly limits: StrategyLimits }[],
): LimitSettings {
  const of = (options: object, names: ReadonlySet<string>): object =>
    Object.fromEntries(Object.entries(options).filter(([name]) => names.has(name)));
  return limitSettings.parse({
    orders: of(orders, liveLimits.orders),
    strategies: Object.fromEntries(
      strategies.map(({ name, limits }) => [name, of(limits, liveLimits.strategy)]),
    ),
  });
}

/** The limits that an event holds. Throws `BadInput` when it is not their JSON. */
export function limitsOf(text: string): LimitSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const read = limitSettings.safeParse(value);
  if (read.success) return read.data;
  throw new BadInput(`expected the limits of a run as JSON, found ${JSON.stringify(text.slice(0, 80))}`);
}

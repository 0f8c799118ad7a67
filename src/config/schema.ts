import { z } from 'zod';
import { budgetOptions } from '../budgets/options.ts';
import { gateOptions } from '../gate/options.ts';
import { orderOptions, strategyLimits } from '../orders/options.ts';
import { exchangeOptions } from '../server/options.ts';
import { logSection, recordSection, runSection, strategySection, venueSection } from './sections.ts';

/** The whole configuration: strict, composed of each room's own options. */
export const configSchema = z.strictObject({
  account: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('name of the account; live trading refuses to start without it'),
  venue: venueSection.prefault({}),
  run: runSection.prefault({}),
  strategies: z
    .array(strategySection.extend({ limits: strategyLimits.prefault({}) }))
    .max(100)
    .default([]),
  orders: orderOptions.prefault({}),
  gate: gateOptions.prefault({}),
  budgets: budgetOptions.prefault({}),
  exchange: exchangeOptions.prefault({}),
  record: recordSection.prefault({}),
  log: logSection.prefault({}),
});

export type Config = z.output<typeof configSchema>;

/** The configuration as JSON Schema, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
}

import { z } from 'zod';
import type { TrialOutcome } from './trial-contract.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';

/** A run as it waits in the queue. */
export const queueJob = z.strictObject({
  /** Under which its result is put. */
  key: z.string().regex(/^[\w.-]{1,200}$/),
  /** Hash of the program and the strategy that must run it. */
  code: z.string(),
  /** Name of the object that says what all runs of the sweep have in common. */
  base: z.string(),
  /** Name of the object with the data; none for runs that open their own. */
  pack: z.string().nullable(),
  label: z.string(),
  prepared: z.int(),
  task: z.strictObject({
    point: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
    from: z.number().optional(),
    until: z.number().optional(),
    currency: z.string().optional(),
    length: z.number().optional(),
    keepEquity: z.boolean().optional(),
  }),
});

export type QueueJob = z.output<typeof queueJob>;

/** A result as it stands behind its key. */
export const queueResult = z.strictObject({
  figures: z.record(z.string(), z.number()),
  currency: z.string().optional(),
  digest: z.string(),
  failure: z.string().optional(),
  equity: z.strictObject({ times: z.array(z.number()), values: z.array(z.number()) }),
});

/** Stands for the folder of the installation, wherever that is on a machine. */
const homeWord = '{home}';

/** A base with the paths inside `home` made independent of the machine. */
export function portable(base: ConfiguredScenario, home: string): string {
  return JSON.stringify(base, (_, value: unknown) =>
    typeof value === 'string' && (value === home || value.startsWith(`${home}/`))
      ? `${homeWord}${value.slice(home.length)}`
      : value,
  );
}

/** The opposite of `portable`. */
export function atHome(text: string, home: string): ConfiguredScenario {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(homeWord)
      ? `${home}${value.slice(homeWord.length)}`
      : value,
  ) as ConfiguredScenario;
}

/** The result of a run that no worker could finish. */
export function givenUp(why: string): TrialOutcome {
  return { figures: {}, digest: '', failure: why, equity: { times: [], values: [] } };
}

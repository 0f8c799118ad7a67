import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { tellingIssue } from '../../core/base/expectation.ts';
import { ConfigError } from '../../core/config/error.ts';
import { explainIssue } from '../../core/config/explain-issue.ts';
import { isTree, type Tree } from '../../core/config/layers.ts';
import { parseYaml } from '../../core/config/parse-yaml.ts';
import { dimensionSpec } from './param-space.ts';
import { duration } from '../../core/config/time.ts';
import { readText } from '../scenario/index.ts';

const trials = z.int().min(1).max(1_000_000);

/** How points are chosen. */
export const searchOptions = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('grid'),
    values: z.int().min(2).max(10_000).default(5).describe('of a parameter without a step'),
    trials: trials.default(10_000).describe('a larger grid is refused'),
  }),
  z.strictObject({ method: z.literal('random'), trials: trials.default(100) }),
  z.strictObject({ method: z.literal('latin'), trials: trials.default(100) }),
  z.strictObject({
    method: z.literal('halving'),
    trials: trials.default(81).describe('points in the first round'),
    factor: z
      .int()
      .min(2)
      .max(100)
      .default(3)
      .describe('one of this many goes on, on this many times more data'),
    shareMin: z
      .number()
      .min(0.001)
      .max(1)
      .default(1 / 27)
      .describe('part of the data in the first round'),
  }),
  z.strictObject({
    method: z.literal('tpe'),
    trials: trials.default(100),
    round: z.int().min(1).max(1_000).default(8).describe('points proposed at a time, whatever the workers'),
    startup: z.int().min(2).max(10_000).default(16).describe('Latin hypercube before anything is inferred'),
  }),
]);

/** Rolling or anchored windows. */
export const walkOptions = z
  .strictObject({
    train: duration,
    test: duration,
    step: duration.optional().describe('from one window to the next; the length of a test when left out'),
    anchored: z.boolean().default(false).describe('training always begins with the data'),
  })
  .refine(({ step, test }) => step === undefined || step >= test, {
    path: ['step'],
    message: 'expected at least the length of a test: tests that overlap would count a time twice',
  });

/** Schema of a sweep file. */
export const sweepSchema = z
  .strictObject({
    name: z.string().min(1).max(200).optional(),
    note: z.string().max(2_000).optional(),
    scenario: z.string().min(1).max(4_096).optional().describe('a scenario file; relative to this file'),
    data: z
      .array(z.string().min(1).max(4_096))
      .min(1)
      .optional()
      .describe('recordings, instead of a scenario'),
    strategy: z
      .strictObject({
        path: z.string().min(1).max(4_096).describe('relative to this file, or a shipped strategy'),
        params: z.record(z.string(), z.unknown()).default({}).describe('those that are not searched'),
      })
      .optional()
      .describe('needed with data; a scenario has its own'),
    config: z
      .partialRecord(z.enum(['orders', 'gate', 'budgets', 'state', 'sim', 'backtest', 'report']), z.unknown())
      .optional()
      .describe('sections of the default configuration, with data'),
    space: z.record(z.string(), dimensionSpec),
    search: searchOptions.prefault({ method: 'grid' }),
    objective: z
      .string()
      .min(1)
      .max(1_000)
      .default('profit')
      .describe('a formula of figures; greatest is best'),
    currency: z
      .string()
      .min(1)
      .max(20)
      .optional()
      .describe('in which profit counts, where there are several'),
    seed: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .optional()
      .describe('of the search and of every run; 1, or that of the scenario, when left out'),
    split: z
      .number()
      .min(0.01)
      .max(0.99)
      .optional()
      .describe('part of the time to choose on; the rest judges'),
    walk: walkOptions.optional(),
    top: z
      .int()
      .min(1)
      .max(1_000)
      .default(10)
      .describe('lines of the table, and how many are tested on the rest'),
  })
  .refine(({ scenario, data }) => (scenario === undefined) !== (data === undefined), {
    message: 'expected either scenario or data',
    path: ['data'],
  })
  .refine(({ scenario, strategy }) => (scenario === undefined) === (strategy !== undefined), {
    message: 'expected a strategy with data, and none with a scenario, which names its own',
    path: ['strategy'],
  })
  .refine(({ scenario, config }) => scenario === undefined || config === undefined, {
    message: 'expected none with a scenario, which has its own',
    path: ['config'],
  });

export type SweepOptions = z.output<typeof sweepSchema>;
export type SearchOptions = z.output<typeof searchOptions>;
export type WalkOptions = z.output<typeof walkOptions>;

/** A sweep that was read and checked; paths in it can be opened as they are. */
export interface LoadedSweep {
  readonly options: SweepOptions;
  /** As it was named, or `the command line`. */
  readonly file: string;
}

/** Reads a sweep file; `over` is laid over it. Throws `ConfigError`: one sentence with file, place and expectation. */
export function loadSweep(file: string, over: Readonly<Record<string, unknown>> = {}): LoadedSweep {
  const tree = parseYaml(readText(file, 'a sweep file'), file);
  if (!isTree(tree)) throw new ConfigError(`${file}: expected a sweep, with "space:" at the top`);
  const folder = dirname(resolve(file));
  const walk = { ...asTree(tree['walk']), ...asTree(over['walk']) };
  const { options } = checkSweep({ ...tree, ...over, ...(over['walk'] === undefined ? {} : { walk }) }, file);
  const { scenario, data } = options;
  const opened = (path: string): string => resolve(folder, path);
  return {
    file,
    options: {
      ...options,
      scenario: scenario === undefined ? undefined : opened(scenario),
      data: data?.map(opened),
    },
  };
}

function asTree(value: unknown): Tree {
  return isTree(value) ? value : {};
}

/** A sweep from what was read elsewhere. Throws `ConfigError`. */
export function checkSweep(options: Record<string, unknown>, file: string): LoadedSweep {
  const { search } = options;
  const tree = typeof search === 'string' ? { ...options, search: { method: search } } : options;
  const parsed = sweepSchema.safeParse(tree);
  if (parsed.success) return { options: parsed.data, file };
  const issue = tellingIssue(parsed.error.issues) as z.core.$ZodIssue;
  throw new ConfigError(`${file}: ${explainIssue(issue, { schema: sweepSchema, tree, origins: new Map() })}`);
}

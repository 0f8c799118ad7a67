/** Where a process or a user's program enters the product. */
export const entries: readonly string[] = [
  'src/app/cli/main.ts',
  'src/core/strategy/index.ts',
  'src/app/package/index.ts',
  'src/app/package/data/index.ts',
  'src/venues/hitbtc/typed/index.ts',
  'src/core/journal/disk-writer.ts',
  'src/exchange/index.ts',
  'src/sim/fill-models/index.ts',
];

/** Files under 40 lines with a single importer that stay on their own, and why. */
export const smallFiles: Readonly<Record<string, string>> = {
  'src/app/documents/api.ts': 'loads what no other command needs',
  'src/app/process/open-files.ts':
    'what the system lets a process do, which the entry of all commands asks first',
  'src/app/process/long-run.ts': 'what the compiler of this process does, which its test runs alone',
  'src/sim/fill-models/queue/engine.ts': 'one engine for each fill model',
};

/** Groups of folders that still import each other in circles. */
export const knownKnots: readonly (readonly string[])[] = [];

/** Words of the old dialect that each folder still has. The numbers only fall. */
export const dialectAllowed: Readonly<Record<string, number>> = { src: 230, strategies: 3, test: 12 };

/** Docstrings that still begin with a clause, by the folder of `src`: see `beginsPlainly`. It only falls. */
export const clausesAllowed: Readonly<Record<string, number>> = {
  app: 246,
  core: 313,
  data: 106,
  exchange: 161,
  operate: 36,
  research: 269,
  sim: 49,
  venues: 122,
};

/**
 * Verbs that still stand without their object, by the folder of `src`: see `givesVerbsObjects`. Those left are `take` and `settle` of
 * the budgets, which `godwit/client` publishes. The numbers only fall.
 */
export const bareVerbsAllowed: Readonly<Record<string, number>> = { core: 2, venues: 4 };

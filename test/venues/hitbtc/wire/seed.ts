import type { Parameters } from 'fast-check';

/** Settings of every property here: a fixed seed, printed by fast-check when a property fails. */
export const settings: Parameters<unknown> = { seed: 20_241_120, numRuns: 300 };

import type { SeedTrait } from './seed-traits.ts';

/** What a seed must have for a defect to show, where that is rare: such seeds are tried first. */
export const bugNeeds: Readonly<Record<string, readonly SeedTrait[]>> = {};

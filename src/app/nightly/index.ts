/** The nightly drift of a daemon: its schedule and its runs. */
export type { DriftComparison } from './drift.ts';
export { NightlyDrift } from './drift.ts';
export { startDrift } from './process.ts';

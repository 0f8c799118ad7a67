/** Checks of look-ahead, drift and warm-up. */
export type { DriftFill, DriftMarks } from './drift-fills.ts';
export { timeOf } from './drift-fills.ts';
export type { Drift, DriftRow, MissingSpan } from './drift.ts';
export { attributeDrift, driftScore } from './drift.ts';
export { LateClock } from './late-clock.ts';
export type { Breach } from './lookahead.ts';
export { compareFuture, comparePrice, compareWhole, sampleCuts, sampleFilledAtOnce } from './lookahead.ts';
export { marketDataTime, perturbed, perturbedSeries } from './perturb.ts';
export type { Divergence, Prefix, RunTimeline, Step } from './timeline.ts';
export { divergenceOf } from './timeline.ts';
export type { Settling } from './warm-up.ts';
export { hasSettled, plainDecisions, recommendedWarmUp, settlingOf } from './warm-up.ts';

/** The trader: `step` and what it is made of. */
export { sinceCarried, stateAfter } from './carrier.ts';
export { knownMarket, missedSnapshot } from './missed.ts';
export type { HostOpening, StrategyPlan, TraderDeps } from './parts.ts';
export { Trader } from './trader.ts';

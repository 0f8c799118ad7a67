/** The fill model of bars. */
export type { AccountFigures, BarAccount } from './account.ts';
export type { BarFill } from './engine.ts';
export type { BarRules } from './rules.ts';
export type { SessionRoll } from './session-roll.ts';
export { BarVenue } from './venue.ts';

/** Calls of the typed client: their input, outcome and failures. */
export type { CallOptions } from './caller.ts';
export { TypedCaller } from './caller.ts';
export type { DenialReason } from './denials.ts';
export { denialReasons } from './denials.ts';
export type { Attempt, CallFailure } from './failure.ts';
export { CallFailed, attempt, callDenied, failedBy, unreadable, unsent } from './failure.ts';
export type { Exact, Moment, Spelling } from './input.ts';
export { wireParams } from './input.ts';
export type { PageAsked } from './pages.ts';
export { historyRows, timePosition } from './pages.ts';
export type { UnreadableRow } from './rows.ts';
export { RowReader, unreadableRows } from './rows.ts';
export type { V2Input, V3Input } from './table-caller.ts';
export { V2Caller, V3Caller } from './table-caller.ts';
export { TypedTurn } from './turns.ts';

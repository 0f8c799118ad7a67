/** The gate: durability, freshness and rate budget before a command leaves. */
export { Gate } from './gate.ts';
export type { GateOptions } from './options.ts';
export type { CommandBudgets } from './parts.ts';

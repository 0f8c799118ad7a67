/** Troubles of an exchange by their names, and their coming and going at seeded moments. */
export type { AskedTrouble } from './chaos.ts';
export { Chaos } from './chaos.ts';
export type { Trouble, TroubledExchange, TroubleName, TroubleTerms } from './troubles.ts';
export { beginTrouble, troubleNames, troubles } from './troubles.ts';

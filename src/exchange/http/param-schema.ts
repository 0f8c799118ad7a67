import type { readParams } from '../../venues/hitbtc/wire/param-fields.ts';

/** A schema of the wire that reads parameters; its library is the wire's business. */
export type ParamSchema<Params> = Parameters<typeof readParams<Params>>[0];

import type { readParams } from '../wire/param-fields.ts';

/** A schema of the wire that reads parameters. */
export type ParamSchema = Parameters<typeof readParams>[0];

import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import type { Talk } from './talk.ts';

/** What shows that a documented error of a row comes about: the code the venue answered with. */
export type ErrorCase = (talk: Talk) => Promise<unknown>;

/** One row of the documents: a call that succeeds, what its result must be, and how each of its errors comes about. */
export interface RowCase {
  /** By `nameOf`. */
  readonly row: string;
  readonly before?: ((talk: Talk) => unknown) | undefined;
  readonly call: (client: GodwitClient, talk: Talk) => Promise<unknown>;
  readonly check: (value: never, talk: Talk) => unknown;
  /** Parameters that are not as documented: they are refused with 10001. */
  readonly bad?: object | undefined;
  /** What stands for the parameters of the path there. */
  readonly path?: readonly string[] | undefined;
  readonly errors: Readonly<Record<number, ErrorCase>>;
}

interface Rest {
  readonly before?: (talk: Talk) => unknown;
  readonly bad?: object;
  readonly path?: readonly string[];
  readonly errors?: Readonly<Record<number, ErrorCase>>;
}

/** A case whose check knows the type of the result. */
export function rowCase<Value>(
  row: string,
  call: (client: GodwitClient, talk: Talk) => Promise<Value>,
  check: (value: Value, talk: Talk) => unknown,
  rest: Rest = {},
): RowCase {
  return { row, call, check: check as RowCase['check'], errors: {}, ...rest };
}

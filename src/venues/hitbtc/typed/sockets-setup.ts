import type { Clock } from '../../../core/base/clock.ts';
import type { Random } from '../../../core/base/random.ts';
import type { PathBudgets, RateRow } from '../budgets/path.ts';
import type { ClientOptions } from '../../options.ts';
import type { RowReader } from './rows.ts';

/** What a socket line is made of. */
export interface LineSetup {
  readonly url: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions;
  readonly budgets: PathBudgets;
  readonly rows: RowReader;
  /** The rows of the documents' limits that a method counts against. */
  readonly rowsOf: (method: string) => readonly RateRow[];
  /** Parameters of a fresh login; left out where none is needed. */
  readonly login?: (() => object) | undefined;
}

/** One request on the wire. */
export interface LineRequest<Value> {
  readonly method: string;
  /** The `ch` member of the v3 public socket. */
  readonly channel?: string;
  readonly params: object;
  readonly read: (result: unknown) => Value;
}

import type { Amount } from '../../base/amount.ts';
import type { Clock, Micros } from '../../base/clock.ts';
import { microsPerSecond } from '../../base/clock.ts';
import type { MarginAccountKey, MarginChange } from '../../model/margin.ts';
import { marginNameOf } from '../../model/margin.ts';

/** After this long without a report the answer to a change is taken for all that will come. */
const reportMax = 5 * microsPerSecond;

/** A change of ours that nothing has settled yet, or that was made a moment ago. */
export interface OpenChange {
  readonly commandId: number;
  readonly strategy: string;
  readonly change: MarginChange;
  /** `made`: reported and acknowledged; it explains reports that come after. */
  stage: 'sent' | 'answered' | 'unknown' | 'made';
  /** When it came to its stage, by `uptime`. */
  since: Micros;
  /** Amount that it takes of the balance behind the account. */
  readonly adds: Amount;
  /** A balance of before then does not show what was taken. */
  takenAt: Micros;
  /** A report has shown the account as it is to be. */
  isShown: boolean;
}

/** Changes of margin accounts on their way: one for each account at most, because each names whole values. */
export class OpenChanges {
  readonly #byAccount = new Map<string, OpenChange>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The change of an account that may yet be made, or whose outcome the account does not show yet. */
  openOf(key: MarginAccountKey): MarginChange | undefined {
    const open = this.find(key);
    if (open === undefined || open.stage === 'made') return undefined;
    return open.stage === 'answered' && this.#clock.uptime() - open.since > reportMax
      ? undefined
      : open.change;
  }

  /** The last change of an account, made ones included. */
  find(key: MarginAccountKey): OpenChange | undefined {
    return this.#byAccount.size === 0 ? undefined : this.#byAccount.get(marginNameOf(key));
  }

  all(): Iterable<OpenChange> {
    return this.#byAccount.values();
  }

  set(change: OpenChange): void {
    this.#byAccount.set(marginNameOf(change.change), change);
  }

  delete({ change }: OpenChange): void {
    this.#byAccount.delete(marginNameOf(change));
  }
}

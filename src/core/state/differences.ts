import type { Micros } from '../base/clock.ts';
import { timeText } from '../base/clock.ts';
import type { Difference, DifferenceKind } from '../model/difference.ts';
import type { DifferenceEnded, DifferenceFound, Event } from '../model/event.ts';
import type { NextLooks } from '../model/safe-state.ts';

/** More differences than an operator reads; further ones are found again once there is room. */
const differencesMax = 500;

/** Words of one kind: what ends a difference, and the rule that acts on it. */
interface KindWords {
  /** Evidence that ends it, as it follows "until". */
  readonly endsWhen: string;
  /** Act of a rule once it is confirmed; empty where none acts. */
  readonly action: string;
}

/** Every kind of difference, in words. What tells of one takes its words from here. */
export const differenceWords: Readonly<Record<DifferenceKind, KindWords>> = {
  execution: {
    endsWhen: 'the trade history or the order shows the execution',
    action: 'after 90 s and two complete reads the execution is withdrawn',
  },
  unseenExecution: {
    endsWhen: 'the trade history shows the execution',
    action: '',
  },
  terms: {
    endsWhen: 'the trade history tells it as it was booked',
    action: 'after two complete reads the terms of the history are taken over',
  },
  order: {
    endsWhen: 'the order is no longer listed as active',
    action: '',
  },
  otherGodwit: {
    endsWhen: 'none of its orders is listed as active',
    action: 'its orders count in limits and are left alone; no request cancels all orders of a symbol',
  },
  position: {
    endsWhen: 'position and own trades agree',
    action: 'after 90 s and two complete reads the difference is booked to external, and the product halts',
  },
  margin: {
    endsWhen: 'a further read shows the account unchanged, which is then taken as it is',
    action: '',
  },
  balance: {
    endsWhen: 'entries explain the balance to the last digit',
    action: 'after 90 s and two complete reads it is booked as transfer or as unexplained',
  },
  charge: {
    endsWhen: 'wallet and margin explain the charge to the last digit',
    action: '',
  },
  book: {
    endsWhen: 'a read of the book shows the levels of the stream',
    action: 'after two reads the book is stale and fetched anew',
  },
  money: {
    endsWhen: 'entries explain the money, or an operator clears it',
    action:
      'beyond orders.reconcile.unexplainedMax only orders that reduce leave, beyond ten times as much none does',
  },
};

/** The store of differences between our books and the venue: opened and ended by events, so that a restart carries them. */
export class DifferenceStore {
  readonly #rows = new Map<string, Difference>();
  /** Made anew after a change: it is asked for more often than it changes. */
  #all: readonly Difference[] = none;

  get all(): readonly Difference[] {
    return this.#all;
  }

  find(key: string): Difference | undefined {
    return this.#rows.get(key);
  }

  /** Whether a difference of that key has a row, or there is room for one. */
  takes(key: string): boolean {
    return this.#rows.size < differencesMax || this.#rows.has(key);
  }

  applyFound({ difference }: DifferenceFound): void {
    if (!this.takes(difference.key)) return;
    this.#rows.set(difference.key, difference);
    this.#all = [...this.#rows.values()];
  }

  applyEnded({ key }: DifferenceEnded): void {
    if (this.#rows.delete(key)) this.#all = [...this.#rows.values()];
  }

  takeDifferences(carried: readonly Difference[]): void {
    for (const one of carried) this.#rows.set(one.key, one);
    this.#all = [...this.#rows.values()];
  }
}

const none: readonly Difference[] = Object.freeze([]);

/** The face of the store that others see. */
export type DifferenceView = Pick<DifferenceStore, 'all' | 'find' | 'takes'>;

/**
 * A line for a person: a difference once, when a second complete read confirms it, and what a rule did about one. `undefined` of every other
 * event. Orders that are not ours are no news.
 */
export function differenceText(event: Event): string | undefined {
  switch (event.kind) {
    case 'differenceFound': {
      const { kind, reads, cause } = event.difference;
      if (kind === 'otherGodwit') return reads === 1 ? cause : undefined;
      return reads === 2 && kind !== 'order' ? `our books and the venue differ: ${cause}` : undefined;
    }
    case 'executionCorrected':
      return event.correction.why;
    case 'moneyMoved':
      return event.moved.why;
    case 'chargeFound':
      return event.why;
    default:
      return undefined;
  }
}

/** An open difference in one line: what, since when, what ends it, and what a rule does. */
export function differenceLine({ cause, since, endsWhen, action }: ShownDifference): string {
  return `${cause} (since ${timeText(since)}); until ${endsWhen}${action === '' ? '' : `; ${action}`}`;
}

/** One open difference with its words. */
export interface ShownDifference extends Difference, KindWords {
  /** Wall time of the next read that may end it; `undefined` while none is due. */
  readonly nextLook: Micros | undefined;
}

/** Every open difference with its words, the oldest first. */
export function shownDifferences(
  differences: readonly Difference[],
  looks: NextLooks = {},
): readonly ShownDifference[] {
  const ofAccount = looks.account?.();
  const nextLook = ({ kind, instrument }: Difference): Micros | undefined =>
    kind === 'book' && instrument !== undefined ? looks.bookRead?.(instrument) : ofAccount;
  return differences
    .map((row) => ({ ...row, ...differenceWords[row.kind], nextLook: nextLook(row) }))
    .toSorted((one, other) => one.since - other.since);
}

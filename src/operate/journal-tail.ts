import type { Cancel } from '../core/base/clock.ts';
import type { StampedEvent } from '../core/model/stamped-event.ts';
import type { OperatedRun } from './run.ts';
import { journalLine } from './views/journal.ts';
import type { JournalLine } from './views/journal.ts';

const recordsMax = 200;
/** Lines sent at once: more than a person reads in the time until the next ones. */
const freshMax = 50;

/** The last records of the journal. They are kept as they came, and become text only when they are asked for. */
export class JournalTail {
  readonly #run: OperatedRun;
  readonly #records: StampedEvent[] = [];
  readonly #unwatch: Cancel;
  #sent = 0;

  constructor(run: OperatedRun) {
    this.#run = run;
    this.#unwatch = run.trader.watchLanes(
      () => {},
      (stamped) => {
        this.#records.push(stamped);
        if (this.#records.length > recordsMax) this.#records.shift();
      },
    );
  }

  /** The oldest first. */
  get records(): readonly StampedEvent[] {
    return this.#records;
  }

  /** Those that came since it was asked last, the newest first, and not more than can be read. */
  fresh(): JournalLine[] {
    const fresh = this.#records.filter(({ sequence }) => sequence > this.#sent).slice(-freshMax);
    this.#sent = fresh.at(-1)?.sequence ?? this.#sent;
    return fresh.map((stamped) => journalLine(stamped, this.#run.trader.instruments)).toReversed();
  }

  close(): void {
    this.#unwatch();
  }
}

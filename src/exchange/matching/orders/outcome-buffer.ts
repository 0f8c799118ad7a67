import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { OrderOutcome } from './outcome.ts';
import type { Outcome, ReportOutcome } from '../accounts/index.ts';

/** What the exchange itself says: its reports show what is in them without an order being made for it. */
export type ExchangeOutcome = OrderOutcome | Exclude<Outcome, ReportOutcome>;

const nothing: ExchangeOutcome = { kind: 'status', instrument: 0 as InstrumentId };

/**
 * Outcomes of the command under way, in a list of its own.
 *
 * An empty array that grows allocates seventeen places at once; this begins with the usual few.
 */
export class OutcomeBuffer {
  #list: ExchangeOutcome[] = [];
  #count = 0;
  readonly #usual: number;

  /** With `onlyReports` most commands come to one. */
  constructor(onlyReports: boolean) {
    this.#usual = onlyReports ? 1 : 4;
  }

  beginCommand(): void {
    this.#list = this.#usual === 1 ? [nothing] : [nothing, nothing, nothing, nothing];
    this.#count = 0;
  }

  push(outcome: ExchangeOutcome): void {
    const count = this.#count;
    this.#count = count + 1;
    if (count < this.#usual) this.#list[count] = outcome;
    else this.#list.push(outcome);
  }

  /** All of them; the caller's to keep. */
  endCommand(): readonly ExchangeOutcome[] {
    const list = this.#list;
    for (let count = this.#count; count < this.#usual; count++) list.pop();
    return list;
  }
}

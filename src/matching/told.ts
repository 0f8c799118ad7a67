import type { InstrumentId } from '../model/instrument.ts';
import type { Outcome } from './outcome.ts';

/** Most commands come to so many outcomes at most. */
const usual = 4;
const nothing: Outcome = { kind: 'status', instrument: 0 as InstrumentId };

/**
 * Outcomes of the command under way, in a list of its own.
 *
 * An empty array that grows takes room for seventeen at once; this begins with places for the usual few.
 */
export class Told {
  #list: Outcome[] = [];
  #count = 0;

  begin(): void {
    this.#list = [nothing, nothing, nothing, nothing];
    this.#count = 0;
  }

  push(outcome: Outcome): void {
    const count = this.#count;
    this.#count = count + 1;
    if (count < usual) this.#list[count] = outcome;
    else this.#list.push(outcome);
  }

  /** All of them; the caller's to keep. */
  end(): readonly Outcome[] {
    const list = this.#list;
    for (let count = this.#count; count < usual; count++) list.pop();
    return list;
  }
}

import { setImmediate } from 'node:timers/promises';
import { sliceRows } from '../core/base/slices.ts';

/** An answer of rows that may be very many: they are made and sent a slice a turn of the loop. */
export class LongList {
  readonly #rows: Iterable<unknown>;

  constructor(rows: Iterable<unknown>) {
    this.#rows = rows;
  }

  /** Pieces of the JSON of the list. A list of less than a slice comes in the turn that asks for it. */
  async *texts(): AsyncGenerator<string, void> {
    let text = '[';
    let done = 0;
    for (const row of this.#rows) {
      text += (done === 0 ? '' : ',') + JSON.stringify(row);
      done += 1;
      if (done % sliceRows !== 0) continue;
      yield text;
      text = '';
      await setImmediate();
    }
    yield `${text}]`;
  }
}

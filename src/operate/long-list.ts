import { setImmediate } from 'node:timers/promises';

/** Rows that become text in one turn of the loop: fewer than of other work, as a row of text costs several times as much. */
export const textRows = 100;

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
      if (done % textRows !== 0) continue;
      yield text;
      text = '';
      await setImmediate();
    }
    yield `${text}]`;
  }
}

/** What an outbox flushes: a connection with bytes waiting. */
export interface Flushable {
  flush(): void;
}

/**
 * Gathers what is sent during one turn of the loop, so that a connection costs one write per turn however many
 * frames it was sent. A write costs more than everything before it.
 */
export class Outbox {
  #waiting: Flushable[] = [];
  #spare: Flushable[] = [];
  #due = false;

  add(connection: Flushable): void {
    this.#waiting.push(connection);
    if (this.#due) return;
    this.#due = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#due = false;
    const waiting = this.#waiting;
    this.#waiting = this.#spare;
    for (const connection of waiting) connection.flush();
    waiting.length = 0;
    this.#spare = waiting;
  };
}

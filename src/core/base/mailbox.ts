import { assert, fail } from './assert.ts';

/**
 * A bounded first-in first-out queue that runs one handler at a time.
 *
 * Something posted while the handler runs waits its turn, so re-entrant posts keep their order.
 */
export class Mailbox<Letter> {
  readonly #handle: (letter: Letter) => void;
  readonly #sizeMax: number;
  #queue: (Letter | undefined)[] = Array.from({ length: 64 });
  #head = 0;
  #size = 0;
  #running = false;

  constructor(handle: (letter: Letter) => void, sizeMax = 1_000_000) {
    assert(sizeMax > 0, 'a mailbox needs room for one letter');
    this.#handle = handle;
    this.#sizeMax = sizeMax;
  }

  /** How many letters wait. */
  get size(): number {
    return this.#size;
  }

  /** Handles `letter` now, or after those already waiting. Fails (a bug) when the bound is reached. */
  post(letter: Letter): void {
    this.postTo(letter, this.#handle);
  }

  /** As `post`, but a letter that need not wait goes to `handle`, which does the same for letters of its kind. */
  postTo<Kind extends Letter>(letter: Kind, handle: (letter: Kind) => void): void {
    if (!this.#running && this.#size === 0) {
      this.#run(letter, handle);
      return;
    }
    this.#push(letter);
    if (!this.#running) this.#drain();
  }

  #run<Kind extends Letter>(letter: Kind, handle: (letter: Kind) => void): void {
    this.#running = true;
    try {
      handle(letter);
    } finally {
      this.#running = false;
    }
    if (this.#size > 0) this.#drain();
  }

  #drain(): void {
    this.#running = true;
    try {
      while (this.#size > 0) this.#handle(this.#shift());
    } finally {
      this.#running = false;
    }
  }

  #push(letter: Letter): void {
    if (this.#size >= this.#sizeMax) fail('a mailbox overflowed', { size: this.#size });
    if (this.#size === this.#queue.length) this.#grow();
    this.#queue[(this.#head + this.#size) & (this.#queue.length - 1)] = letter;
    this.#size += 1;
  }

  #shift(): Letter {
    const letter = this.#queue[this.#head] as Letter;
    this.#queue[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#queue.length - 1);
    this.#size -= 1;
    return letter;
  }

  #grow(): void {
    const old = this.#queue;
    const queue: (Letter | undefined)[] = Array.from({ length: old.length * 2 });
    for (let i = 0; i < this.#size; i++) queue[i] = old[(this.#head + i) & (old.length - 1)];
    this.#queue = queue;
    this.#head = 0;
  }
}

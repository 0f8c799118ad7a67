import { assert, fail } from './assert.ts';

/**
 * A bounded first-in first-out queue that runs one handler at a time.
 *
 * A message posted while the handler runs waits, so re-entrant posts keep their order.
 */
export class Mailbox<Message> {
  readonly #handle: (message: Message) => void;
  readonly #sizeMax: number;
  #queue: (Message | undefined)[] = Array.from({ length: 64 });
  #head = 0;
  #size = 0;
  #running = false;

  constructor(handle: (message: Message) => void, sizeMax = 1_000_000) {
    assert(sizeMax > 0, 'a mailbox needs space for one message');
    this.#handle = handle;
    this.#sizeMax = sizeMax;
  }

  /** How many messages wait. */
  get size(): number {
    return this.#size;
  }

  /** Handles `message` now, or after those already waiting. Fails (a bug) when the bound is reached. */
  post(message: Message): void {
    this.postTo(message, this.#handle);
  }

  /** As `post`, but a message that need not wait goes to `handle`, which does the same for messages of its kind. */
  postTo<Kind extends Message>(message: Kind, handle: (message: Kind) => void): void {
    if (!this.#running && this.#size === 0) {
      this.#run(message, handle);
      return;
    }
    this.#push(message);
    if (!this.#running) this.#drain();
  }

  #run<Kind extends Message>(message: Kind, handle: (message: Kind) => void): void {
    this.#running = true;
    try {
      handle(message);
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

  #push(message: Message): void {
    if (this.#size >= this.#sizeMax) fail('a mailbox overflowed', { size: this.#size });
    if (this.#size === this.#queue.length) this.#grow();
    this.#queue[(this.#head + this.#size) & (this.#queue.length - 1)] = message;
    this.#size += 1;
  }

  #shift(): Message {
    const message = this.#queue[this.#head] as Message;
    this.#queue[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#queue.length - 1);
    this.#size -= 1;
    return message;
  }

  #grow(): void {
    const old = this.#queue;
    const queue: (Message | undefined)[] = Array.from({ length: old.length * 2 });
    for (let i = 0; i < this.#size; i++) queue[i] = old[(this.#head + i) & (old.length - 1)];
    this.#queue = queue;
    this.#head = 0;
  }
}

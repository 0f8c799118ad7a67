import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { FromWorker } from './worker-messages.ts';

const messagesMax = 20_000;
const charactersMax = 16_777_216;

/** How much a worker may say in one second; more than that fills the memory of the host faster than it can be dealt with. */
export class MessageQuota {
  #second = -1;
  #messages = 0;
  #characters = 0;

  /** Why a message is too much, if it is. */
  take(now: Micros, message: FromWorker): string | undefined {
    const second = Math.floor(now / microsPerSecond);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
      this.#characters = 0;
    }
    this.#messages += 1;
    this.#characters += lengthOf(message);
    if (this.#messages > messagesMax) return `it sent more than ${messagesMax} messages in a second`;
    if (this.#characters > charactersMax) return `it sent more than ${charactersMax} characters in a second`;
    return undefined;
  }
}

function lengthOf(message: FromWorker): number {
  if (message.type === 'note') return message.text.length;
  return message.type === 'keep' ? message.state.json.length : 0;
}

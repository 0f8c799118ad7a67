import type { Intent } from '../model/intent.ts';
import type { ClientOrderId } from '../model/order.ts';

const waitingMax = 100_000;

/**
 * Intents that have no verdict yet. A denial that meets one answers the intent (our controls refused it); a
 * denial that meets none concerns a command that was accepted before and stopped at the gate.
 */
export class Unjudged {
  readonly #waiting = new Map<string, Intent[]>();

  add(intent: Intent): void {
    if (intent.action === 'cancelAll') return;
    const key = keyOf(intent.action, idOf(intent));
    const others = this.#waiting.get(key);
    if (others !== undefined) {
      others.push(intent);
      return;
    }
    this.#waiting.set(key, [intent]);
    if (this.#waiting.size > waitingMax) this.#evict();
  }

  /** Removes and returns the intent that a verdict on this id answers, or `undefined`. */
  take(action: Intent['action'], clientOrderId: ClientOrderId): Intent | undefined {
    const key = keyOf(action, clientOrderId);
    const intents = this.#waiting.get(key);
    const intent = intents?.shift();
    if (intents?.length === 0) this.#waiting.delete(key);
    return intent;
  }

  #evict(): void {
    for (const key of this.#waiting.keys()) {
      this.#waiting.delete(key);
      return;
    }
  }
}

function idOf(intent: Exclude<Intent, { action: 'cancelAll' }>): ClientOrderId {
  if (intent.action === 'place') return intent.request.clientOrderId;
  return intent.action === 'replace' ? intent.newClientOrderId : intent.clientOrderId;
}

function keyOf(action: Intent['action'], clientOrderId: ClientOrderId): string {
  return `${action} ${clientOrderId}`;
}

import { SmallMap } from '../base/small-map.ts';
import type { CancelIntent, Intent, PlaceIntent, ReplaceIntent } from '../model/intent.ts';
import type { ClientOrderId } from '../model/order.ts';

const waitingMax = 100_000;

/**
 * Intents that have no verdict yet. A denial that meets one answers the intent (our controls refused it); a
 * denial that meets none concerns a command that was accepted before and stopped at the gate.
 */
export class Unjudged {
  readonly #places: Waiting = new SmallMap();
  readonly #cancels: Waiting = new SmallMap();
  readonly #replaces: Waiting = new SmallMap();

  add(intent: Intent): void {
    if (intent.action === 'cancelAll') return;
    if (intent.action === 'placeList') {
      // Each order of a list has a verdict of its own.
      const { strategy } = intent;
      for (const request of intent.requests) this.add({ action: 'place', strategy, request });
      return;
    }
    const waiting = this.#of(intent.action);
    const id = idOf(intent);
    const others = waiting.get(id);
    if (others !== undefined) {
      others.push(intent);
      return;
    }
    waiting.set(id, [intent]);
    if (waiting.size > waitingMax) evictFirst(waiting);
  }

  /** Removes and returns the intent that a verdict on this id answers, or `undefined`. */
  take(action: Intent['action'], clientOrderId: ClientOrderId): Intent | undefined {
    if (action === 'cancelAll' || action === 'placeList') return undefined;
    const waiting = this.#of(action);
    const intents = waiting.get(clientOrderId);
    if (intents === undefined) return undefined;
    const intent = intents.shift();
    if (intents.length === 0) waiting.delete(clientOrderId);
    return intent;
  }

  /** All, so that adding them one by one makes this again. */
  list(): readonly Intent[] {
    return [this.#places, this.#cancels, this.#replaces].flatMap((waiting) => [...waiting.values()].flat());
  }

  #of(action: 'place' | 'cancel' | 'replace'): Waiting {
    if (action === 'place') return this.#places;
    return action === 'cancel' ? this.#cancels : this.#replaces;
  }
}

type Waiting = SmallMap<string, Intent[]>;

function evictFirst(waiting: Waiting): void {
  const oldest = waiting.oldestKey();
  if (oldest !== undefined) waiting.delete(oldest);
}

function idOf(intent: PlaceIntent | CancelIntent | ReplaceIntent): ClientOrderId {
  if (intent.action === 'place') return intent.request.clientOrderId;
  return intent.action === 'replace' ? intent.newClientOrderId : intent.clientOrderId;
}

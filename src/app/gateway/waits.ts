import type { Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { CommandSettled, OrderDenied } from '../../core/model/event.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { ClientOrderId, Order, VenueOrderState } from '../../core/model/order.ts';
import { venueOrderStates } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import { Refusal, refuse } from '../../exchange/base/index.ts';
import { deniedRefusal, noAnswer, venueRefusal } from './denials.ts';

/** An order that the venue has, as it answered or reported last. */
export interface VenueKnownOrder extends Order {
  readonly state: VenueOrderState;
}

/** Answer to a request about one order. */
export type OrderAnswer = VenueKnownOrder | Refusal;
export type OrderRequestKind = 'place' | 'replace' | 'cancel';

interface Wait {
  readonly asked: OrderRequestKind;
  readonly id: ClientOrderId;
  commandId: number | undefined;
  /** The venue has answered the request. */
  settled: boolean;
  readonly answer: (answer: OrderAnswer) => void;
}

export interface WaitsDeps {
  readonly clock: Clock;
  /** Milliseconds after which a request without an answer is answered with 504. */
  readonly answerMs: number;
}

const venueStates: ReadonlySet<string> = new Set(venueOrderStates);

/** Requests of one program that have no answer yet: each gets one, by what the run says of its order. */
export class Waits {
  readonly #setup: WaitsDeps;
  readonly #waits = new Map<ClientOrderId, Wait[]>();
  /** The orders of a list leave as one command. */
  readonly #byCommand = new Map<number, Wait[]>();

  constructor(setup: WaitsDeps) {
    this.#setup = setup;
  }

  /** Resolves with the answer to a request that is made right after this; with 504 where none has come in time. */
  open(asked: OrderRequestKind, id: ClientOrderId): Promise<OrderAnswer> {
    const { promise, resolve } = Promise.withResolvers<OrderAnswer>();
    const { clock, answerMs } = this.#setup;
    const wait: Wait = { asked, id, commandId: undefined, settled: false, answer: (answer) => end(answer) };
    const cancel = clock.after(millis(answerMs), () => end(noAnswer()));
    const end = (answer: OrderAnswer): void => {
      cancel();
      this.#forget(wait);
      resolve(answer);
    };
    this.#waits.set(id, [...(this.#waits.get(id) ?? []), wait]);
    return promise;
  }

  /** The request leaves as that command. */
  sent(asked: OrderRequestKind, id: ClientOrderId, commandId: number): void {
    const wait = this.#waits.get(id)?.find((one) => one.asked === asked && one.commandId === undefined);
    if (wait === undefined) return;
    wait.commandId = commandId;
    this.#byCommand.set(commandId, [...(this.#byCommand.get(commandId) ?? []), wait]);
  }

  settled({ commandId, outcome }: CommandSettled, state: StateView | Refusal): void {
    for (const wait of this.#byCommand.get(commandId) ?? []) {
      wait.settled = true;
      if (outcome === 'unanswered') wait.answer(noAnswer());
      else this.evaluate(wait.id, state);
    }
  }

  denied({ action, clientOrderId, denial }: OrderDenied): void {
    if (action === 'place' || action === 'replace' || action === 'cancel')
      this.#answer(action, clientOrderId, deniedRefusal(denial, action));
  }

  cancelRejected(id: ClientOrderId, code: number, why: string): void {
    this.#answer('cancel', id, venueRefusal(code, why));
  }

  /** Answers what the state of the order answers. */
  evaluate(id: ClientOrderId, state: StateView | Refusal): void {
    const waits = this.#waits.get(id);
    if (waits === undefined || state instanceof Refusal) return;
    const order = state.order(id);
    if (order === undefined) return;
    for (const wait of waits) {
      const answer = wait.asked === 'cancel' ? cancelAnswer(order) : orderAnswer(order, wait);
      if (answer !== undefined) wait.answer(answer);
    }
  }

  evaluateAll(state: StateView | Refusal): void {
    for (const id of this.#waits.keys()) this.evaluate(id, state);
  }

  #answer(asked: OrderRequestKind, id: ClientOrderId, answer: OrderAnswer): void {
    for (const wait of this.#waits.get(id) ?? []) if (wait.asked === asked) wait.answer(answer);
  }

  #forget(wait: Wait): void {
    leave(this.#waits, wait.id, wait);
    if (wait.commandId !== undefined) leave(this.#byCommand, wait.commandId, wait);
  }
}

function leave<Key>(waits: Map<Key, Wait[]>, key: Key, wait: Wait): void {
  const left = (waits.get(key) ?? []).filter((one) => one !== wait);
  if (left.length > 0) waits.set(key, left);
  else waits.delete(key);
}

/** Answer to a new order or a replacement, once there is one. */
function orderAnswer(order: Order, { settled }: Wait): OrderAnswer | undefined {
  const { state, code = '', why = '' } = order;
  if (state === 'unknown') return noAnswer();
  if (state === 'rejected') return venueRefusal(Number(code), why);
  // The verdict itself says why, and comes with it.
  if (!isAtVenue(order)) return undefined;
  return settled || isTerminal(state) ? order : undefined;
}

function cancelAnswer(order: Order): OrderAnswer | undefined {
  if (!isTerminal(order.state)) return undefined;
  return isAtVenue(order) && order.state === 'canceled' ? order : refuse(20_002);
}

/** Whether the venue has the order, or had it. */
export function isAtVenue(order: Order): order is VenueKnownOrder {
  return venueStates.has(order.state);
}

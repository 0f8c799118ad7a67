import type { Event } from '../../src/core/model/event.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Road } from '../../src/app/virtual/weather.ts';

/** Codes after which a request may have been executed. Source: API v3, "Error codes". */
const uncertain: readonly number[] = [500, 503, 504, 22_008];

/**
 * What is called refused was answered by a certain no, and orders leave on a connection whose subscriptions were all taken: by the frames
 * alone. I3, I9.
 */
export class AnswerCheck {
  readonly #breaches: Breaches;
  /** Subscriptions of the present trading connection without a yes, by id: what was asked for. */
  readonly #asked = new Map<string, string>();
  #subscribed = 0;
  /** Orders of lists: one reply tells of one of them. */
  readonly #listed = new Set<string>();
  /** The frame of the trading socket that arrived in this step. */
  #frame: string | undefined;
  /** Orders whose request was refused in this step. */
  #refused: ClientOrderId[] = [];
  /** The answers to writes that arrived in this step, `status body`, by their requests. */
  #answers: { readonly request: string; readonly text: string }[] = [];

  constructor(breaches: Breaches) {
    this.#breaches = breaches;
  }

  connects(): void {
    this.#asked.clear();
    this.#subscribed = 0;
  }

  /** A text frame leaves on the trading socket, with these orders in it. */
  sent(text: string, orders: readonly string[]): void {
    const name = /^\{"method":"(\w+_subscribe)"/.exec(text)?.[1];
    if (name !== undefined) {
      this.#subscribed += 1;
      this.#asked.set((JSON.parse(text) as { id: string }).id, name);
    }
    if (orders.length > 1) for (const id of orders) this.#listed.add(id);
    if (orders.length === 0 || (this.#subscribed > 0 && this.#asked.size === 0)) return;
    const open = this.#subscribed === 0 ? 'any subscription' : [...this.#asked.values()].join(', ');
    this.#breaches.add('I9', `order ${orders.join(', ')} left before ${open} was taken`);
  }

  /** A frame or an answer is about to reach the trader. */
  arrives(road: Road, text: string, request: string | undefined): void {
    if (road === 'rest' && request !== undefined && !request.startsWith('GET '))
      this.#answers.push({ request, text });
    if (road === 'trading') this.#frame = text;
    if (road !== 'trading' || this.#asked.size === 0 || !text.startsWith('{"jsonrpc":"2.0","result"')) return;
    const id = /"id":"(\w+)"\}$/.exec(text)?.[1];
    if (id !== undefined) this.#asked.delete(id);
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    if (event.kind !== 'commandSettled') return;
    const { clientOrderId: id, lane, outcome } = event;
    if ((lane === 'new' || lane === 'replace') && id !== undefined && !this.#listed.has(id)) {
      if (outcome === 'refused') this.#refused.push(id);
      if (outcome === 'acknowledged' && this.#frame?.includes(`"${id}"`) === false)
        this.#breaches.add('I3', `order ${id} is called acknowledged by a reply that does not tell of it`);
    }
    if (outcome !== 'refused') return;
    const answers =
      this.#answers.length > 1
        ? this.#answers.filter(({ request }) => id !== undefined && request.includes(id))
        : this.#answers;
    for (const { text } of answers)
      if (!isCertain(text))
        this.#breaches.add(
          'I3',
          `command ${event.commandId} is called refused, and the answer was ${text.slice(0, 80)}`,
        );
  }

  afterStep(view: StateView | undefined): void {
    for (const id of this.#refused) {
      const state = view?.order(id)?.state;
      if (state === 'pending' || state === 'unknown')
        this.#breaches.add('I3', `the request of order ${id} is called refused, and it is shown as ${state}`);
    }
    this.#refused = [];
    this.#frame = undefined;
    this.#answers = [];
  }
}

/** Whether an answer says that nothing was done: a status of 4xx with an error that can be read. */
function isCertain(answer: string): boolean {
  if (!/^4\d\d /.test(answer)) return false;
  try {
    const { error } = JSON.parse(answer.slice(4)) as { readonly error?: { readonly code?: number } };
    return error?.code !== undefined && !uncertain.includes(error.code);
  } catch {
    return false;
  }
}

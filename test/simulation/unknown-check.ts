import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Breaches } from './breaches.ts';
import type { HaltWatch } from './halt-watch.ts';

export interface UnknownParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly halts: HaltWatch;
  /** The limit of the controls. */
  readonly max: number;
}

/**
 * Orders without an answer, counted a second time: as many as the limit hold new ones back (I19), and more events than the
 * limit halt trading (I23). Two unknown orders are of one event unless an order that was admitted between them was answered.
 */
export class UnknownCheck {
  readonly #parts: UnknownParts;
  /** When each order of the present process was admitted, and those of them that were answered. */
  #admitted = new Map<string, number>();
  #answered = new Set<string>();
  /** Shown by a read before their command was settled. */
  #seen = new Set<string>();
  #unknown = new Set<string>();

  constructor(parts: UnknownParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#admitted = new Map();
    this.#answered = new Set();
    this.#seen = new Set();
    this.#unknown = new Set();
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    switch (event.kind) {
      case 'orderPending':
        this.#admit(event.command.request.clientOrderId);
        return;
      case 'replacePending':
        this.#admit(event.command.newClientOrderId);
        return;
      case 'orderReport':
        this.#answer(event.order.clientOrderId);
        return;
      case 'readAnswered':
        for (const { clientOrderId } of [...event.orders, ...event.fills]) this.#see(clientOrderId);
        return;
      case 'orderRejected':
      case 'orderProvenAbsent':
        this.#answer(event.clientOrderId);
        return;
      case 'orderUnknown':
        this.#doubt(event.clientOrderId);
        return;
      case 'modeChanged':
        if (event.manyUnknown === false && this.#unknown.size > 0)
          this.#parts.breaches.add(
            'I3',
            `the halt for orders without an answer is over, and nothing tells of ${[...this.#unknown].join(', ')}`,
          );
        return;
      default:
    }
  }

  #admit(id: string): void {
    const { time, breaches, max } = this.#parts;
    if (this.#unknown.size >= max)
      breaches.add(
        'I19',
        `order ${id} was admitted while ${this.#unknown.size} are unknown, of ${max} allowed`,
      );
    this.#admitted.set(id, time.now());
  }

  #answer(id: string): void {
    // One that had become unknown was not answered in its time.
    if (!this.#unknown.delete(id) && this.#admitted.has(id)) this.#answered.add(id);
  }

  /** A read shows it: that says nothing of the connection that it was sent on. */
  #see(id: string): void {
    if (!this.#unknown.delete(id) && this.#admitted.has(id)) this.#seen.add(id);
  }

  #doubt(id: string): void {
    const { halts, max } = this.#parts;
    if (!this.#admitted.has(id) || this.#answered.has(id) || this.#seen.has(id)) return;
    this.#unknown.add(id);
    const times = [...this.#unknown].map((other) => this.#admitted.get(other) ?? 0).sort((a, b) => a - b);
    const answered = [...this.#answered].map((other) => this.#admitted.get(other) ?? 0);
    let events = 1;
    for (let i = 1; i < times.length; i++)
      if (answered.some((at) => at > (times[i - 1] ?? 0) && at < (times[i] ?? 0))) events += 1;
    if (events > max) halts.expectHalt(`${events} events left orders unknown, of ${max} allowed`);
  }
}

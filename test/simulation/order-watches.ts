import type { Event } from '../../src/core/model/event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { CancelCheck } from './check-cancels.ts';
import { DoubtWatch } from './doubt-watch.ts';
import type { DueParts } from './due-watch.ts';
import { DueWatch } from './due-watch.ts';

/** What becomes of orders that are in doubt or that are to go. */
export class OrderWatches {
  readonly #dues: DueWatch;
  readonly #doubts: DoubtWatch;
  readonly #cancels: CancelCheck;

  constructor(parts: DueParts) {
    const { time, breaches, wire } = parts;
    this.#dues = new DueWatch(parts);
    this.#doubts = new DoubtWatch(breaches);
    this.#cancels = new CancelCheck({ time, breaches, sentAt: (id) => wire.sentAt(id) });
  }

  restart(): void {
    this.#doubts.restart();
    this.#cancels.restart();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    this.#dues.after(event, view);
    this.#doubts.after(event, view);
    this.#cancels.after(event, view);
  }

  afterStep(view: StateView): void {
    this.#doubts.afterStep(view);
    this.#cancels.afterStep(view);
  }

  /** The bytes of an order leave. */
  sent(id: string): void {
    this.#dues.sent(id);
  }

  /** A request leaves: `METHOD path`. */
  request(text: string): void {
    this.#dues.request(text);
  }

  /** The answer to a request arrived: `status body`. */
  answered(request: string, answer: string): void {
    this.#dues.answered(request, answer);
    this.#cancels.answered(request, answer);
  }
}

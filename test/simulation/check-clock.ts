import type { Event } from '../../src/core/model/event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { simOrderOptions } from './sim-trader.ts';

export interface ClockCheckParts {
  readonly breaches: Breaches;
  /** Wall time of the exchange. */
  readonly exchangeNow: () => number;
  /** Since when no fault has stood in the way, true time; `undefined`: one does. */
  readonly fairSince: () => number | undefined;
  /** By how much an answer came later than others at the most, ms. */
  readonly latestAnswerMs: () => number;
}

/** A clock is measured by a request, which takes a part of a second at the most where nothing stands in the way. */
const offsetMax = 1_200_000;
/** So late market data may come where an order leaves. */
const lagMax = simOrderOptions.marketLagMsMax * 1_000;

/**
 * How old market data are, reckoned a second time from stamps, arrivals and the last measured distance of the two clocks; and that distance,
 * held against the clocks themselves. I9.
 */
export class ClockCheck {
  readonly #parts: ClockCheckParts;
  #offset: number | undefined;
  /** The last update after its stamp, each by its own clock. */
  #delay = Number.NaN;
  /** So much after their stamp market data came last; `undefined`: not known. */
  #lag: number | undefined;

  constructor(parts: ClockCheckParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#offset = undefined;
    this.#delay = Number.NaN;
    this.#lag = undefined;
  }

  /** The bytes of an order or a replacement leave. */
  sent(id: string): void {
    if (this.#lag === undefined || this.#lag <= lagMax) return;
    const late = `market data come ${this.#lag / 1_000} ms after their stamp`;
    this.#parts.breaches.add('I9', `order ${id} left although ${late}`);
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    switch (event.kind) {
      case 'clockMeasured':
        this.#offset = event.offset;
        this.#checkOffset(event.offset, event.receiveTime);
        break;
      case 'bookUpdate':
        this.#delay = event.receiveTime - event.exchangeTime;
        break;
      case 'bookSnapshot': {
        // Stamped with the last change of the book: it may be old on a quick line.
        const delay = event.receiveTime - event.exchangeTime;
        if (delay < this.#delay) this.#delay = delay;
        break;
      }
      default:
        return;
    }
    if (this.#offset === undefined || Number.isNaN(this.#delay)) return;
    const lag = Math.max(0, this.#delay + this.#offset);
    this.#lag = lag;
    if (view.marketLag !== lag)
      this.#parts.breaches.add(
        'I9',
        `market data came ${lag / 1_000} ms after their stamp by the exchange's clock, known are ${view.marketLag} us`,
      );
  }

  #checkOffset(offset: number, now: number): void {
    const { breaches, exchangeNow, fairSince, latestAnswerMs } = this.#parts;
    const wrong = Math.abs(exchangeNow() - now - offset);
    // The time that an answer shows is of any moment between question and answer.
    if (wrong > offsetMax + latestAnswerMs() * 500 && fairSince() !== undefined)
      breaches.add('I9', `the clock of the exchange was measured, and is ${wrong / 1_000} ms beside that`);
  }
}

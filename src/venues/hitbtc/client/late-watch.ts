import type { Micros } from '../../../core/base/clock.ts';

/**
 * Notices a connection that has fallen behind: it goes on delivering, without a gap, what was true long ago. A stall
 * whose backlog arrives at once is none, for it ends with a message that comes in time. Source: faults, N7 and N9.
 */
export class LateWatch {
  readonly #limit: number;
  readonly #patience: Micros;
  #since: Micros | undefined;

  /** `limit`: how long after its stamp a message may come; `patience`: for how long they may come later. */
  constructor(limit: number, patience: Micros) {
    this.#limit = limit;
    this.#patience = patience;
  }

  /** A message came `lag` after its stamp, by the venue's clock; `now` by uptime. */
  heard(lag: number, now: Micros): void {
    if (lag <= this.#limit) this.#since = undefined;
    else this.#since ??= now;
  }

  /** A new connection: nothing of the one before holds. */
  restart(): void {
    this.#since = undefined;
  }

  /** Whether nothing has come in time for as long as patience lasts. */
  isOver(now: Micros): boolean {
    return this.#since !== undefined && now - this.#since >= this.#patience;
  }
}

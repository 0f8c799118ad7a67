import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { AccountId, ReportOutcome } from '../matching/index.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import { isEnded } from '../base/index.ts';
import type { Reports } from './reports.ts';

/** Calls of one account that wait at once; one more is answered without waiting. */
const waitsMax = 1_000;

/** Calls that wait for the end of an order, as long polling does. Source: v2-gaps, section 1 (`wait`). */
export class OrderWaits {
  readonly #reports: Reports;
  readonly #clock: Clock;
  readonly #counts = new Map<AccountId, number>();

  constructor(reports: Reports, clock: Clock) {
    this.#reports = reports;
    this.#clock = clock;
  }

  /**
   * Resolves when the order has ended or been replaced, when `ms` have passed, or when the caller has disconnected
   * (`onGone`). The caller bounds the longest wait.
   */
  untilEnded(
    account: AccountId,
    order: VenueOrder,
    { ms, onGone }: { readonly ms: number; readonly onGone: (task: () => void) => Cancel },
  ): Promise<void> {
    const waiting = this.#counts.get(account) ?? 0;
    if (isEnded(order) || ms === 0 || waiting >= waitsMax) return Promise.resolve();
    this.#counts.set(account, waiting + 1);
    return new Promise((resolve) => {
      const watcher = {
        isInside: true as const,
        onReport: (outcome: ReportOutcome) => {
          if (endsIt(outcome, order)) done();
        },
      };
      const done = () => {
        cancelTimer();
        cancelGone();
        this.#reports.unwatchReports(account, watcher);
        this.#leave(account);
        resolve();
      };
      const cancelTimer = this.#clock.after(millis(ms), done);
      const cancelGone = onGone(done);
      this.#reports.watchReports(account, watcher);
    });
  }

  #leave(account: AccountId): void {
    const left = (this.#counts.get(account) ?? 1) - 1;
    if (left > 0) this.#counts.set(account, left);
    else this.#counts.delete(account);
  }
}

/** A replacement ends the order it replaces without a report of its own. */
function endsIt({ order, reportType }: ReportOutcome, waited: VenueOrder): boolean {
  if (order.venueOrderId === waited.venueOrderId) return isEnded(order);
  return reportType === 'replaced' && order.originalClientOrderId === waited.clientOrderId;
}

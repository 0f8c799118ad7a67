import type { Amount } from '../base/amount.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { seconds } from '../base/clock.ts';
import { Recent } from '../base/recent.ts';
import { executionKey } from '../model/difference.ts';
import type { RunStarted } from '../model/event.ts';
import type { ProfitCourse } from '../model/loss.ts';
import type { StateView } from '../state/index.ts';
import type { Outbox } from './base/outbox.ts';
import { runProfits } from './base/profit.ts';

/** How often profits are valued while something is held. */
const every = seconds(1);
/** Executions of which it is remembered how the profit had gone before them. */
const coursesLeast = 1_000;

interface CourseDeps {
  readonly view: StateView;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/**
 * Records the highest profit of the run and the largest fall from it, so that a restart goes on from them: at every own fill, and
 * every second while something is held. A backtest has no restart, and its report values every sample.
 */
export class ProfitCourseWatch {
  readonly #parts: CourseDeps;
  /** How profits had gone before each execution that may be withdrawn, by its key. */
  readonly #before = new Recent<string, ProfitCourse>(coursesLeast);
  #isOn = false;
  #cancelTimer: Cancel | undefined;

  constructor(parts: CourseDeps) {
    this.#parts = parts;
  }

  beginRun({ mode }: RunStarted): void {
    this.#isOn = mode !== 'backtest';
    this.check();
  }

  /** An own fill, a charge or a correction may have changed the profit. */
  booked(): void {
    if (!this.#isOn) return;
    const { view } = this.#parts;
    for (const entry of view.entries) {
      if (entry.kind !== 'fill' || entry.open !== true) continue;
      const { quoteCurrency } = view.instruments.at(entry.trade.instrument).spec;
      this.#before.set(executionKey(entry.trade), view.courses.of(quoteCurrency));
    }
    this.check();
  }

  /** An execution was not as it was booked, or never was: what it made of peak and falls is taken back. */
  corrected(key: string): void {
    const { view, outbox } = this.#parts;
    const before = this.#before.get(key);
    this.#before.delete(key);
    if (before !== undefined) {
      // What was noted before it may hold what others made that were taken back since.
      const now = view.courses.of(before.currency);
      const [peak, drawdownMax] = [least(now.peak, before.peak), least(now.drawdownMax, before.drawdownMax)];
      if (peak !== now.peak || drawdownMax !== now.drawdownMax)
        outbox.profitCourseMarked({ currency: before.currency, peak, drawdownMax });
    }
    this.check();
  }

  close(): void {
    this.#cancelTimer?.();
  }

  /** Values the profit now. */
  check(): void {
    if (!this.#isOn) return;
    const { view, outbox, clock } = this.#parts;
    for (const { currency, peak, drawdownMax } of runProfits(view)) {
      const known = view.courses.of(currency);
      if (peak !== known.peak || drawdownMax !== known.drawdownMax)
        outbox.profitCourseMarked({ currency, peak, drawdownMax });
    }
    const isHeld = view.positions().some(({ held }) => held !== 0n);
    this.#cancelTimer?.();
    this.#cancelTimer = isHeld ? clock.after(every, () => this.check()) : undefined;
  }
}

function least(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

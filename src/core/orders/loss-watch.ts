import type { Amount } from '../base/amount.ts';
import { formatAmount } from '../base/amount.ts';
import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { later, microsPerSecond, seconds } from '../base/clock.ts';
import { Recent } from '../base/recent.ts';
import { peakWith } from '../ledger/index.ts';
import type { CorrectionCause, OpenExecution } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type { RunStarted } from '../model/event.ts';
import type { LossKind, LossLatch, LossScope, ProfitMark } from '../model/loss.ts';
import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import { isHeldBack } from './controls/index.ts';
import type { ResolvedLossLimit } from './base/limits.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import { ProfitCourseWatch } from './profit-course.ts';
import type { Profit } from './base/profit.ts';
import { isIn, lossesAt, profitOf } from './base/profit.ts';

/** How often profits are valued while nothing of our own happens. */
const every = seconds(1);
const daySeconds = 86_400;
/** Executions of which it is remembered what losses counted from before them. */
const marksLeast = 1_000;

interface LossWatchDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  readonly clock: Clock;
}

/**
 * Compares profits with the limits on loss: every second, at every own fill, and before every intent is judged. A limit that is
 * reached is recorded, which the controls go by, and cancels what may no longer execute. Source: faults, section 6 (15).
 */
export class LossWatch {
  readonly #parts: LossWatchDeps;
  /** The event and the instant of the last valuation: nothing can have changed since. */
  #seen = Number.NaN;
  #now = Number.NaN;
  /** Marks that losses counted from before each execution that may be withdrawn, by its key. */
  readonly #marks = new Recent<string, readonly ProfitMark[]>(marksLeast);
  /** `undefined` while there is nothing to watch. */
  #cancelTimer: Cancel | undefined;

  /** How the profit of the run went, whatever the limits. */
  readonly #course: ProfitCourseWatch;

  constructor(parts: LossWatchDeps) {
    this.#parts = parts;
    this.#course = new ProfitCourseWatch(parts);
  }

  /** A run begins. */
  beginRun(event: RunStarted): void {
    this.#course.beginRun(event);
    this.#watch();
  }

  #watch(): void {
    const { view, memory } = this.#parts;
    if (this.#cancelTimer !== undefined) return;
    if (memory.losses.length > 0 || view.losses.latches.length > 0) this.#schedule();
  }

  /** Other limits hold from now on. What was reached stays reached. */
  limitsChanged(): void {
    this.#seen = Number.NaN;
    this.#watch();
    this.check();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#course.close();
  }

  check(): void {
    const { view, clock, memory } = this.#parts;
    const now = clock.now();
    this.#clearOver(now);
    if (memory.losses.length === 0 || (view.time === this.#seen && now === this.#now)) return;
    this.#seen = view.time;
    this.#now = now;
    for (const limit of memory.losses) this.#checkOne(limit, now);
  }

  /** A halt may be the end of the run: what comes after it is not marked. */
  halted(): void {
    this.#course.check();
  }

  /** An own fill has changed the profit at the same instant. */
  filled(): void {
    this.#noteMarks();
    this.#course.booked();
    this.#seen = Number.NaN;
    this.check();
  }

  /** A finding, or what came with it, may have changed the profit at the same instant. */
  valueAgain(): void {
    this.#course.check();
    this.#seen = Number.NaN;
    this.check();
  }

  /**
   * An execution that was reported at `since` never was, or was another: what losses count from is as it was before it, and a limit that
   * was reached since then is no longer reached, unless what is left reaches it.
   */
  corrected({ trade, strategy: owner, since }: OpenExecution, cause: CorrectionCause): void {
    const { view, memory, outbox } = this.#parts;
    const key = executionKey(trade);
    const instrument = view.instruments.at(trade.instrument);
    const marks = this.#marks.get(key);
    this.#marks.delete(key);
    this.#course.corrected(key);
    for (const latch of view.losses.latches) {
      const { strategy, currency, limit, since: reachedAt } = latch;
      if (reachedAt < since || !isIn(latch, owner, instrument) || this.#isStillReached(latch)) continue;
      // Of another fee or price it is not known what the limit had counted from where a restart came between.
      if (cause !== 'withdrawn' && limit !== 'losingTrades' && marks === undefined) continue;
      outbox.lossLimitCleared(
        { strategy, currency, limit },
        cause === 'withdrawn'
          ? 'an execution that counted for it never was'
          : 'an execution that counted for it was another',
        profitOf(view, memory, latch)?.profit,
        true,
      );
    }
    for (const mark of marks ?? []) {
      if (!isIn(mark, owner, instrument)) continue;
      const now = view.losses.mark(mark);
      // A day that began since then began where the profit stood with it: losses of it count anew.
      const dayStart = now?.day === mark.day ? mark.dayStart : profitOf(view, memory, mark)?.profit;
      outbox.profitMarked({ ...mark, day: now?.day ?? mark.day, dayStart });
    }
    this.#seen = Number.NaN;
    this.check();
  }

  /** Whether the limit is still reached. Losing trades are counted without it by now. What profits come to is compared with the marks of before. */
  #isStillReached(latch: LossLatch): boolean {
    const own = this.#parts.memory.losses.find((one) => isSameScope(one.scope, latch));
    const most = latch.limit === 'losingTrades' ? own?.losingTrades : undefined;
    return most !== undefined && this.#parts.view.losses.losingTrades(latch) >= most;
  }

  /** Remembers what losses counted from before an execution that may be withdrawn. */
  #noteMarks(): void {
    const { view, memory } = this.#parts;
    if (memory.losses.length === 0) return;
    for (const entry of view.entries) {
      if (entry.kind !== 'fill' || entry.open !== true) continue;
      this.#marks.set(
        executionKey(entry.trade),
        memory.losses.flatMap(({ scope }) => view.losses.mark(scope) ?? []),
      );
    }
  }

  #schedule(): void {
    this.#cancelTimer = this.#parts.clock.after(every, () => {
      this.check();
      this.#schedule();
    });
  }

  #checkOne(limit: ResolvedLossLimit, now: Micros): void {
    const { view, memory } = this.#parts;
    const { scope } = limit;
    const profit = profitOf(view, memory, scope);
    if (profit === undefined) return;
    this.#mark(limit, profit.profit, now);
    const mark = view.losses.mark(scope);
    const reached = (kind: LossKind, found: string, most: string): void =>
      this.#reach(limit, { kind, found, most }, now);
    const { day, drawdown, losingTrades } = limit;
    const lost = lossesAt(mark, profit.worst);
    if (day !== undefined && lost.day !== undefined && lost.day >= day)
      reached('day', lostText(lost.day, scope.currency), formatAmount(day));
    if (drawdown !== undefined && lost.drawdown !== undefined && lost.drawdown >= drawdown)
      reached('drawdown', lostText(lost.drawdown, scope.currency), formatAmount(drawdown));
    const losing = view.losses.losingTrades(scope);
    if (losingTrades !== undefined && losing >= losingTrades)
      reached('losingTrades', `${losing} losing trades in a row`, String(losingTrades));
  }

  /** A new day begins where the profit stands, and a higher profit is the new peak. */
  #mark({ scope }: ResolvedLossLimit, profit: Amount, now: Micros): void {
    const { view, outbox } = this.#parts;
    const day = Math.floor(now / microsPerSecond / daySeconds);
    const known = view.losses.mark(scope);
    const dayStart = known?.day === day ? (known.dayStart ?? profit) : profit;
    const peak = peakWith(known?.peak, profit);
    if (known?.day === day && known.dayStart === dayStart && known.peak === peak) return;
    outbox.profitMarked({ ...scope, day, dayStart, peak });
  }

  #reach(
    { scope, action, cooldown }: ResolvedLossLimit,
    { kind, found, most }: { readonly kind: LossKind; readonly found: string; readonly most: string },
    now: Micros,
  ): void {
    const { view, outbox, cancels } = this.#parts;
    if (view.losses.latches.some((one) => isSame(one, scope, kind))) return;
    const whose = scope.strategy === undefined ? 'the account' : `strategy ${scope.strategy}`;
    const why = `${nameOf[kind]} of ${whose} was reached: ${found}, the limit is ${most}`;
    const until = cooldown === undefined ? undefined : later(now, cooldown);
    const latch: LossLatch = { ...scope, limit: kind, action, why, since: now, until };
    outbox.lossLimitReached(latch);
    cancels.requestThose(
      (order) =>
        isIn(scope, order.strategy, view.instruments.at(order.instrument)) &&
        isHeldBack(order, latch, view, this.#parts.memory),
      scope.strategy,
    );
  }

  /** Ends the limits whose time is over. */
  #clearOver(now: Micros): void {
    const { view, memory, outbox } = this.#parts;
    for (const latch of view.losses.latches) {
      if (latch.until === undefined || latch.until > now) continue;
      const { strategy, currency, limit } = latch;
      const profit: Profit | undefined = profitOf(view, memory, latch);
      outbox.lossLimitCleared({ strategy, currency, limit }, 'its time is over', profit?.profit);
    }
  }
}

const nameOf: Readonly<Record<LossKind, string>> = {
  day: 'the limit on the loss of a day',
  drawdown: 'the limit on drawdown',
  losingTrades: 'the limit on losing trades',
};

function lostText(amount: Amount, currency: string): string {
  return `${formatAmount(amount)} ${currency} lost`;
}

function isSame(
  latch: LossLatch,
  { strategy, currency }: ResolvedLossLimit['scope'],
  kind: LossKind,
): boolean {
  return isSameScope(latch, { strategy, currency }) && latch.limit === kind;
}

function isSameScope(one: LossScope, other: LossScope): boolean {
  return one.strategy === other.strategy && one.currency === other.currency;
}

import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, multiply, parseAmount, subtract, zero } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type {
  Event,
  LossLimitCleared,
  LossLimitReached,
  ProfitCourseMarked,
  ProfitMarked,
} from '../../src/core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { LossKind, LossLatch, LossScope, ProfitCourse, ProfitMark } from '../../src/core/model/loss.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { StateCheck } from './check-state.ts';
import type { HaltWatch } from './halt-watch.ts';
import type { LossLimits, SeedLosses } from './losses.ts';
import type { Marks } from './marks.ts';
import { middleOf } from './middle.ts';
import { isOf, nameOfScope, worthAt } from './profits.ts';
import type { Known } from './reported-orders.ts';
import { leftOf } from './reported-orders.ts';
import { simOrderOptions } from './sim-trader.ts';
import { placeOf } from './traded.ts';
import { workloadName } from './cast.ts';

export interface LossParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly instruments: Instruments;
  readonly state: StateCheck;
  readonly halts: HaltWatch;
  readonly losses: SeedLosses;
  /** Whether positions pay neither funding nor interest. */
  readonly isFree: boolean;
  /** When the last byte of an order left; `undefined`: never. */
  readonly sentAt: (id: string) => number | undefined;
}

interface Limit {
  readonly scope: LossScope;
  readonly limits: LossLimits[string];
}

/** Profits are valued every second; a process may find that a moment later. */
const valuedEvery = 1_250_000;
const microsPerDay = 86_400_000_000;
const kinds: readonly LossKind[] = ['day', 'drawdown', 'losingTrades'];

/**
 * Limits on loss, reckoned a second time from booked trades, funding and interest, and the book: I19. What was reached is reported at
 * once, holds over restarts until its time is over or an operator clears it (I7), and lets nothing out that it forbids.
 */
export class LossCheck {
  readonly #parts: LossParts;
  readonly #limits: readonly Limit[];
  readonly #latches = new Map<string, LossLatch>();
  readonly #marks = new Map<string, ProfitMark>();
  /** Peak and largest fall of the run by quote currency. */
  readonly #courses = new Map<string, ProfitCourse>();
  /** Orders that had not left when a limit was reached under which they may not. */
  readonly #heldBack = new Set<string>();
  /** Since when a limit counts as reached that is not reported to be. */
  readonly #since = new Map<string, number>();
  /** The operator has had the present process clear what holds. */
  mayClear = false;
  /** When a limit held last, true time. */
  heldAt = Number.NEGATIVE_INFINITY;
  #isChanged = true;
  /** The step that is handled had a correction: the trader has taken it in before the events that came first were shown. */
  #isCorrected = false;
  /** What courses of the step that is handled should be. */
  #wrong: string[] = [];

  constructor(parts: LossParts) {
    this.#parts = parts;
    const of = (limits: LossLimits, strategy: string | undefined): Limit[] =>
      Object.entries(limits).map(([currency, one]) => ({ scope: { strategy, currency }, limits: one }));
    this.#limits = [...of(parts.losses.account, undefined), ...of(parts.losses.strategy, workloadName)];
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[], mayClear: boolean): void {
    this.mayClear = mayClear;
    this.#isChanged = true;
    this.#latches.clear();
    this.#marks.clear();
    this.#courses.clear();
    this.#heldBack.clear();
    this.#since.clear();
    for (const { event } of history) this.#fold(event);
    if (this.#latches.size > 0 && !mayClear) this.#parts.marks.hit('branch/limit on loss outlived a restart');
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'profitCourseMarked') this.#checkCourse(event, view);
    this.#isCorrected ||= event.kind === 'executionCorrected';
    if (this.#limits.length === 0) return;
    switch (event.kind) {
      case 'profitMarked':
        this.#checkMark(event, view);
        break;
      case 'lossLimitReached':
        this.#checkReached(event, view);
        break;
      case 'lossLimitCleared':
        this.#checkCleared(event, view);
        break;
      case 'orderPending':
        this.#admitted(event.command.request.clientOrderId, event, view);
        break;
      case 'replacePending':
        this.#admitted(event.command.newClientOrderId, event, view);
        break;
      default:
    }
    this.#fold(event);
    this.#look(event, view);
  }

  /** A step is over, and all of its events were shown. */
  afterStep(view: StateView): void {
    const { time, breaches, state, isFree } = this.#parts;
    if (!this.#isCorrected) for (const why of this.#wrong) breaches.add('I19', why);
    this.#isCorrected = false;
    this.#wrong = [];
    if (this.#latches.size > 0) this.heldAt = time.now();
    for (const [what, since] of this.#since)
      if (time.now() - since > valuedEvery)
        breaches.add(
          'I19',
          `${what} was reached ${(time.now() - since) / 1_000} ms ago, and is not told to be`,
        );
    if (!this.#isChanged) return;
    this.#isChanged = false;
    for (const [currency, own] of this.#courses) {
      const known = view.courses.of(currency);
      if (own.peak !== known.peak || own.drawdownMax !== known.drawdownMax)
        breaches.add('I7', `peak and largest fall of the run in ${currency} are not those that it had`);
    }
    const ours = [...this.#latches.values()].map(textOf).sort().join();
    const theirs = view.losses.latches.map(textOf).sort().join();
    if (ours !== theirs) breaches.add('I7', `these limits on loss hold: ${ours}; the trader knows ${theirs}`);
    for (const { scope } of this.#limits) {
      const [own, known] = [this.#marks.get(nameOfScope(scope)), view.losses.mark(scope)];
      if (own?.day !== known?.day || own?.dayStart !== known?.dayStart || own?.peak !== known?.peak)
        breaches.add('I7', `losses of ${nameOfScope(scope)} do not count from where they did`);
      const [losing, counted] = [state.orders.profits.losing(scope), view.losses.losingTrades(scope)];
      if (isFree && losing !== counted)
        breaches.add(
          'I19',
          `${losing} trades of ${nameOfScope(scope)} lost in a row, counted are ${counted}`,
        );
    }
  }

  /** The bytes of an order leave. */
  sent(id: string): void {
    const { breaches, state } = this.#parts;
    const known = this.#latches.size === 0 ? undefined : state.orders.order(id);
    for (const latch of this.#latches.values())
      if (latch.action === 'halted' && concerns(latch.strategy, known))
        breaches.add('I7', `order ${id} left after a limit on loss: ${latch.why}`);
    if (this.#heldBack.has(id))
      breaches.add('I7', `order ${id} left, which a limit on loss that was reached before forbids`);
  }

  #fold(event: Event): void {
    if (event.kind === 'profitCourseMarked') this.#courses.set(event.course.currency, event.course);
    else if (event.kind === 'profitMarked') this.#marks.set(nameOfScope(event.mark), event.mark);
    else if (event.kind === 'lossLimitReached')
      this.#latches.set(nameOf(event.latch, event.latch.limit), event.latch);
    else if (event.kind === 'lossLimitCleared') {
      const { limit, profit } = event;
      this.#latches.delete(nameOf(event, limit));
      const mark = this.#marks.get(nameOfScope(event));
      if (mark !== undefined && limit !== 'losingTrades')
        this.#marks.set(nameOfScope(event), {
          ...mark,
          ...(limit === 'day' ? { dayStart: profit } : { peak: profit }),
        });
    } else if (event.kind === 'stateCarried') {
      return;
    } else if (event.kind !== 'orderReport' && event.kind !== 'readAnswered') return;
    this.#isChanged = true;
  }

  /** The peak is the highest profit, from 0 on, and the largest fall that from it; a correction takes both back. */
  #checkCourse({ course, ...event }: ProfitCourseMarked, view: StateView): void {
    const { currency, peak, drawdownMax } = course;
    const known = this.#courses.get(currency) ?? { peak: zero, drawdownMax: zero };
    const profit = this.#profitOf({ strategy: undefined, currency }, view);
    this.#courses.set(currency, course);
    this.#isChanged = true;
    if (profit === undefined) return;
    const highest = profit > known.peak ? profit : known.peak;
    const fall = subtract(highest, profit);
    const deepest = fall > known.drawdownMax ? fall : known.drawdownMax;
    if (peak !== highest || drawdownMax !== deepest)
      this.#wrong.push(
        `at ${event.receiveTime} the peak is ${shown(peak)} and the largest fall ${shown(drawdownMax)}, expected ${shown(highest)} and ${shown(deepest)}`,
      );
  }

  /** Losses count from the profit at the beginning of the day, and from the highest. */
  #checkMark({ mark, receiveTime }: ProfitMarked, view: StateView): void {
    const { breaches } = this.#parts;
    const profit = this.#profitOf(mark, view);
    const known = this.#marks.get(nameOfScope(mark));
    const day = Math.floor(receiveTime / microsPerDay);
    const dayStart = known?.day === day ? (known.dayStart ?? profit) : profit;
    const peak = known?.peak === undefined || (profit ?? zero) > known.peak ? profit : known.peak;
    if (profit === undefined || mark.day !== day || mark.dayStart !== dayStart || mark.peak !== peak)
      breaches.add(
        'I19',
        `losses of ${nameOfScope(mark)} count from ${shown(mark.dayStart)} and ${shown(mark.peak)}, the profit is ${shown(profit)}, expected ${shown(dayStart)} and ${shown(peak)}`,
      );
  }

  #checkReached({ latch, receiveTime }: LossLimitReached, view: StateView): void {
    const { breaches, marks, halts } = this.#parts;
    const { limit: kind, action, until } = latch;
    marks.hit(`branch/limit on loss ${action}`);
    const own = this.#limits.find(({ scope }) => nameOfScope(scope) === nameOfScope(latch));
    const { cooldownMs } = own?.limits ?? {};
    const ends = cooldownMs === undefined ? undefined : receiveTime + cooldownMs * 1_000;
    if (own?.limits.action !== action || until !== ends)
      breaches.add(
        'I19',
        `${nameOf(latch, kind)} was reached, which leads to something else: ${textOf(latch)}`,
      );
    else if (this.#found(own, kind, { now: receiveTime, view }) !== true)
      breaches.add('I19', `${nameOf(latch, kind)} is told to be reached, which it is not: ${latch.why}`);
    halts.expectCancels(this.#withdraw(latch, view));
  }

  #checkCleared(event: LossLimitCleared, view: StateView): void {
    const { breaches, marks } = this.#parts;
    const what = nameOf(event, event.limit);
    const until = this.#latches.get(what)?.until;
    const isOver = until !== undefined && until <= event.receiveTime;
    if (isOver) marks.hit('branch/limit on loss over');
    else if (!this.mayClear)
      breaches.add('I7', `${what} was cleared, and its time is not over: ${event.why}`);
    else marks.hit('branch/operator cleared a limit on loss');
    if (event.profit !== undefined && event.profit !== this.#profitOf(event, view))
      breaches.add('I19', `${what} was cleared at ${formatAmount(event.profit)}, which is not the profit`);
  }

  /** Own orders that may not execute any more. Returns those that live; the others must not leave. */
  #withdraw({ action, strategy }: LossLatch, view: StateView): readonly ClientOrderId[] {
    const { state, sentAt } = this.#parts;
    const living: ClientOrderId[] = [];
    for (const [id, known] of state.orders.open()) {
      if (known.strategy === 'external' || !concerns(strategy, known)) continue;
      if (action === 'reducing' && this.#mayReduce(known)) continue;
      const now = view.order(id)?.state;
      if (sentAt(id) === undefined) this.#heldBack.add(id);
      else if (now === 'new' || now === 'partiallyFilled') living.push(id);
    }
    return living;
  }

  /** Our controls accepted an order: no limit was reached then, or it reduces. */
  #admitted(id: ClientOrderId, { receiveTime: now }: Event, view: StateView): void {
    const { breaches, state } = this.#parts;
    for (const { scope } of this.#limits) {
      const peak = this.#marks.get(nameOfScope(scope))?.peak;
      if (peak !== undefined && (this.#profitOf(scope, view) ?? peak) > peak)
        breaches.add('I19', `losses of ${nameOfScope(scope)} do not count from the highest profit`);
    }
    const known = state.orders.order(id);
    for (const limit of this.#limits)
      for (const kind of kinds) {
        const what = nameOf(limit.scope, kind);
        if (!concerns(limit.scope.strategy, known) || this.#latches.has(what)) continue;
        if (this.#found(limit, kind, { now, view }) === true)
          breaches.add('I19', `order ${id} was admitted although ${what} was reached`);
      }
    if (known === undefined) return;
    for (const { action, why, strategy } of this.#latches.values()) {
      if (!concerns(strategy, known)) continue;
      if (action === 'halted') breaches.add('I19', `order ${id} was admitted after a limit on loss: ${why}`);
      else if (
        // One that closes a position closes what there is then, and never more.
        known.quantity > 0 &&
        (!this.#mayReduce(known) || state.orders.workingBeside(known) + leftOf(known) > this.#held(known))
      )
        breaches.add('I19', `order ${id} was admitted, which does not reduce: ${why}`);
      else this.#parts.marks.hit('branch/order reduced after a limit on loss');
    }
  }

  /** Whether there is something that an order on its side would close. One that closes a position names no lots. */
  #mayReduce(known: Known): boolean {
    return known.quantity === 0 || this.#held(known) > 0;
  }

  /** Lots of its strategy that an order on its side could close. */
  #held({ instrument, account, side, strategy }: Known): number {
    const lots = this.#parts.state.orders.profits.lotsOf(strategy, placeOf(instrument, account));
    return side === 'buy' ? -lots : lots;
  }

  /** Limits that count as reached and hold nothing. */
  #look({ receiveTime }: Event, view: StateView): void {
    const now = this.#parts.time.now();
    for (const limit of this.#limits)
      for (const kind of kinds) {
        const what = nameOf(limit.scope, kind);
        const isDue =
          !this.#latches.has(what) && this.#found(limit, kind, { now: receiveTime, view }) === true;
        if (!isDue) this.#since.delete(what);
        else if (!this.#since.has(what)) this.#since.set(what, now);
      }
  }

  /** Whether a limit is reached at `now` of the trader's clock; `undefined` when there is no such limit, or no price. */
  #found(
    { scope, limits }: Limit,
    kind: LossKind,
    { now, view }: { readonly now: number; readonly view: StateView },
  ): boolean | undefined {
    const { state, isFree } = this.#parts;
    const most = limits[kind];
    const profit = most === undefined ? undefined : this.#profitOf(scope, view);
    const unknown = profit === undefined ? undefined : this.#unknownCost(scope, view);
    if (most === undefined || profit === undefined || unknown === undefined) return undefined;
    if (typeof most === 'number')
      return (isFree ? state.orders.profits.losing(scope) : view.losses.losingTrades(scope)) >= most;
    const mark = this.#marks.get(nameOfScope(scope));
    const isToday = mark?.day === Math.floor(now / microsPerDay);
    const peak = mark?.peak === undefined || profit > mark.peak ? profit : mark.peak;
    const from = kind === 'drawdown' ? peak : ((isToday ? mark.dayStart : undefined) ?? profit);
    return subtract(from, subtract(profit, unknown)) >= parseAmount(most);
  }

  #profitOf(scope: LossScope, view: StateView): Amount | undefined {
    const { state, instruments } = this.#parts;
    const traded = state.orders.profits.of(scope, (id) => middleOf(id, view));
    if (traded === undefined) return undefined;
    return view
      .positions()
      .filter(({ instrument, strategy }) => isOf(scope, strategy, instruments.at(instrument)))
      .reduce((sum, position) => {
        const { cash = zero } = state.orders.profits.find(position.strategy, position) ?? {};
        // Losses that the exchange bore are checked with the ledger, and so are charges.
        return add(sum, subtract(subtract(position.cash, cash), position.charges));
      }, traded);
  }

  /** What orders without an answer would cost if all that is left of them had executed at their price. */
  #unknownCost(scope: LossScope, view: StateView): Amount | undefined {
    const { state, instruments } = this.#parts;
    let sum = zero;
    for (const known of state.orders.unknownOrders()) {
      const grid = instruments.at(known.instrument as InstrumentId);
      if (!isOf(scope, known.strategy, grid)) continue;
      const middle = middleOf(grid.id, view);
      const lots = known.quantity === 0 ? Math.abs(this.#held(known)) : known.quantity - known.cumulative;
      const worth = worthAt(grid, lots, middle);
      if (worth === undefined) return undefined;
      sum = add(sum, costAt(known, grid, { lots, worth }));
    }
    return sum;
  }
}

function costAt(
  { side, price, takeMarkup }: Known,
  grid: Instrument,
  { lots, worth }: { readonly lots: number; readonly worth: Amount },
): Amount {
  const sign = side === 'buy' ? 1n : -1n;
  const away = BigInt(Math.round(simOrderOptions.marketReservePercent)) * sign;
  const paid =
    price === 0 ? (((worth * (100n + away)) / 100n) as Amount) : grid.notional(price as Ticks, lots as Lots);
  const lost = (sign * (paid - worth)) as Amount;
  const rates = [add(grid.takeRate, takeMarkup), grid.makeRate, zero].sort((a, b) => (a < b ? -1 : 1));
  return add(lost > zero ? lost : zero, multiply(paid, rates[2] ?? zero));
}

/** Whether a limit of one strategy, or of all, is about an order. */
function concerns(strategy: string | undefined, known: Known | undefined): boolean {
  return strategy === undefined || known === undefined || known.strategy === strategy;
}

function nameOf(scope: LossScope, kind: LossKind): string {
  return `the limit ${kind} of ${nameOfScope(scope)}`;
}

function textOf(latch: LossLatch): string {
  return `${nameOf(latch, latch.limit)} ${latch.action} until ${latch.until}`;
}

function shown(amount: Amount | undefined): string {
  return amount === undefined ? 'unknown' : formatAmount(amount);
}

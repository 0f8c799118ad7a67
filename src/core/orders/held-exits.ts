import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { later, micros, millis, seconds } from '../base/clock.ts';
import type { Denial, DenialCode } from '../model/denial.ts';
import type { Event } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { isOperatorOrder } from '../model/operator.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Order, OrderRequest } from '../model/order.ts';
import { opposite } from '../model/order.ts';
import type { HeldOrder } from '../model/safe-state.ts';
import type { StateView } from '../state/index.ts';
import type { ReplaceIntent } from '../model/intent.ts';
import type { Cancels } from './base/cancels.ts';
import type { Candidate } from './base/candidate.ts';
import { deny } from './base/candidate.ts';
import { isExit } from './controls/index.ts';
import type { ExitIntent, HeldExit, Memory } from './base/memory.ts';
import { kindOf } from './base/memory.ts';
import type { LossWatch } from './loss-watch.ts';
import type { Outbox } from './base/outbox.ts';
import { isOurs } from './base/owners.ts';

interface HeldDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly cancels: Cancels;
  readonly losses: LossWatch;
  /** Judges an intent anew. */
  readonly judge: (intent: ExitIntent) => void;
}

/** Denials that own orders under cancel may be the cause of: once these have ended, the exit passes. */
const endWithOrders: ReadonlySet<DenialCode> = new Set([
  'SELF_TRADE',
  'FUNDS',
  'FUNDS_STRATEGY',
  'REDUCE_ONLY',
  'MODE_REDUCING',
  'LOSS_LIMIT',
  'MARGIN_CALL',
  'POSITION_MAX',
  'OPEN_ORDERS_STRATEGY',
  'OPEN_ORDERS_SYMBOL',
  'OPEN_ORDERS_ACCOUNT',
]);

/** More than this wait for nothing that ends: a fault of the strategy. */
const heldMax = 100;
/** An exit held longer than this is told as a warning. */
const lateAfter = seconds(2);
/** The balance that an ended order frees may come after its report. */
const balanceMax = seconds(1);

/**
 * Exits that own orders under cancel keep from leaving, and replacements where the venue offers none: these wait for the end of the
 * order that they replace, which is cancelled for them. Each is judged anew, as if it were asked for now, when these orders have
 * ended or trading is stopped. One that waits longer than a cancel is waited for is denied with what it waited for.
 */
export class HeldExits {
  readonly #parts: HeldDeps;
  /** The exit that is being judged anew. */
  #again: HeldExit | undefined;
  #cancelTimer: Cancel | undefined;

  constructor(parts: HeldDeps) {
    this.#parts = parts;
  }

  /** Holds an intent of which `candidate` was denied. Returns whether it is held; if not, the denial stands. */
  takeExit(
    intent: ExitIntent,
    candidate: Candidate,
    requests: readonly OrderRequest[],
    denial: Denial,
  ): boolean {
    const { memory, clock, outbox } = this.#parts;
    const again = this.#again;
    const original = again?.original;
    if (!endWithOrders.has(denial.code) || this.#isFull(original)) return false;
    const isExit = this.#isExit(candidate) && !this.#isClosed(denial.code);
    if (!isExit && original === undefined) return false;
    const causes = isExit ? this.#causes(candidate, denial.code) : [];
    const waitsFor = causes.map(({ clientOrderId }) => clientOrderId);
    const now = clock.uptime();
    const freedAt = waitsFor.length === 0 && again !== undefined ? (again.freedAt ?? now) : undefined;
    if (waitsFor.length === 0) {
      const isEarly = freedAt !== undefined && now - freedAt < balanceMax;
      if (denial.code !== 'FUNDS' || !isEarly) return false;
    }
    const since = again?.since ?? now;
    if (now - since >= this.#patience) return false;
    const isLate = again?.isLate ?? false;
    const openCount = this.#openCount(denial.code, intent.strategy, candidate.instrument.id);
    memory.held.push({ intent, requests, since, waitsFor, denial, openCount, freedAt, original, isLate });
    if (again === undefined)
      outbox.noteText(intent.strategy, 'info', `exit ${shownIds(idsOf(requests))} is held ${why(waitsFor)}`);
    this.#watch();
    return true;
  }

  /** The order that was cancelled for the replacement which is being judged anew; `undefined` when none was yet. */
  get canceled(): ClientOrderId | undefined {
    return this.#again?.original;
  }

  /**
   * Holds a replacement until the order that it replaces, which is cancelled for it, has ended. Returns why not: too many wait, or
   * it has waited too long.
   */
  takeReplacement(intent: ReplaceIntent, request: OrderRequest): Denial | undefined {
    const { memory, clock, cancels } = this.#parts;
    const original = intent.clientOrderId;
    const again = this.#again;
    const now = clock.uptime();
    const since = again?.since ?? now;
    const denial = deny('CANCEL_UNDER_WAY', `order ${original}, which it replaces, is being cancelled`);
    if (now - since >= this.#patience) return denial;
    if (this.#isFull(original))
      return deny('REPLACE_UNDER_WAY', `expected at most ${heldMax} replacements that wait for a cancel`);
    const waits = { since, waitsFor: [original], freedAt: undefined, isLate: again?.isLate ?? false };
    memory.held.push({ intent, requests: [request], denial, openCount: 0, original, ...waits });
    if (again?.original === undefined) cancels.request(original);
    this.#watch();
    return undefined;
  }

  /** Called after every event while exits are held. */
  lookAtExits(event: Event): void {
    const { memory } = this.#parts;
    const isNews = stops.has(event.kind);
    const isMoney = event.kind === 'balances' || event.kind === 'readAnswered';
    for (const exit of memory.held.slice()) {
      const isFree = exit.waitsFor.length === 0 ? isMoney : exit.waitsFor.every((id) => this.#hasEnded(id));
      if (isNews || isFree || this.#hasPlace(exit) || this.#isStopped(exit)) this.#judgeExit(exit);
    }
  }

  /** Every order that is held, as a safe state. */
  get states(): readonly HeldOrder[] {
    const { memory, clock } = this.#parts;
    const wallOf = (uptime: number): Micros => micros(clock.now() + uptime - clock.uptime());
    return memory.held.flatMap((exit) => {
      const { requests, since, waitsFor, denial } = exit;
      const nextLook = wallOf(this.#nextLook(exit));
      return requests.map(({ clientOrderId }) => ({
        clientOrderId,
        code: denial.code,
        cause: `${kindOf(exit)} ${clientOrderId} is held: ${denial.why}`,
        endsWhen: awaited(waitsFor),
        since: wallOf(since),
        nextLook,
      }));
    });
  }

  /** The order of that id that is held. */
  find(id: ClientOrderId): HeldExit | undefined {
    return this.#parts.memory.held.find(({ requests }) => idsOf(requests).includes(id));
  }

  /** The cancel of an order takes a replacement along that waits for its end. */
  dropReplacementOf(strategy: string | undefined, id: ClientOrderId): void {
    this.dropExits(
      ({ intent, original }) => original === id && (strategy === undefined || intent.strategy === strategy),
    );
  }

  /** The cancel of an order that is held, or of one of a list that is: it never leaves. Returns whether there was one. */
  cancel(strategy: string, id: ClientOrderId): boolean {
    return this.dropExits((exit) => exit.intent.strategy === strategy && idsOf(exit.requests).includes(id));
  }

  /** The same for all exits of a strategy, or of all, on one instrument, or on all. */
  cancelAll(strategy: string | undefined, instrument?: InstrumentId): void {
    this.dropExits(
      ({ intent, requests }) =>
        (strategy === undefined || intent.strategy === strategy) &&
        (instrument === undefined || requests.some((request) => request.instrument === instrument)),
    );
  }

  dropExits(which: (exit: HeldExit) => boolean): boolean {
    const going = this.#parts.memory.held.filter(which);
    for (const exit of going) {
      this.#remove(exit);
      this.#deny(exit, deny('CANCELED_UNSENT', 'it was canceled before it left'));
    }
    return going.length > 0;
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #judgeExit(exit: HeldExit): void {
    if (!this.#remove(exit)) return;
    // The event that ended its wait may have changed the profit: limits on loss of now count.
    this.#parts.losses.valueAgain();
    this.#again = exit;
    try {
      this.#parts.judge(exit.intent);
    } finally {
      this.#again = undefined;
    }
  }

  #remove(exit: HeldExit): boolean {
    const { held } = this.#parts.memory;
    const at = held.indexOf(exit);
    if (at >= 0) held.splice(at, 1);
    return at >= 0;
  }

  /** Whether nothing of it may leave any more. A stop within the step of another event is no event to look at. */
  #isStopped({ intent, requests }: HeldExit): boolean {
    const { view } = this.#parts;
    if (view.mode === 'halted') return true;
    return (
      view.stopped(intent.strategy) !== undefined &&
      !requests.every(({ clientOrderId }) => isOperatorOrder(clientOrderId))
    );
  }

  /** Exits and replacements are counted apart: many of these keep no exit from waiting. */
  #isFull(original: ClientOrderId | undefined): boolean {
    const { held } = this.#parts.memory;
    const isAlike = (one: HeldExit): boolean => (one.original === undefined) === (original === undefined);
    return held.length >= heldMax && held.filter(isAlike).length >= heldMax;
  }

  /** Whether fewer orders are open than when their count was the cause: each that ends makes room, canceled or not. */
  #hasPlace({ intent, requests, denial, openCount }: HeldExit): boolean {
    const instrument = requests[0]?.instrument;
    return instrument !== undefined && this.#openCount(denial.code, intent.strategy, instrument) < openCount;
  }

  /** Open orders that a limit on their count counts; 0 of another denial. */
  #openCount(code: DenialCode, strategy: string, instrument: InstrumentId): number {
    const { view } = this.#parts;
    if (code === 'OPEN_ORDERS_STRATEGY') return view.openCountBy(strategy);
    if (code === 'OPEN_ORDERS_SYMBOL') return view.openCountOf(instrument);
    return code === 'OPEN_ORDERS_ACCOUNT' ? view.openCount() : 0;
  }

  #hasEnded(id: ClientOrderId): boolean {
    const order = this.#parts.view.order(id);
    return order === undefined || isTerminal(order.state);
  }

  /** Whether a limit on loss lets nothing leave, whatever else ends. */
  #isClosed(code: DenialCode): boolean {
    const { latches } = this.#parts.view.losses;
    return code === 'LOSS_LIMIT' && latches.some(({ action }) => action === 'halted');
  }

  #isExit({ request, lots, strategy, replaces }: Candidate): boolean {
    const { view, cancels } = this.#parts;
    const goes = ({ clientOrderId }: Order): boolean => cancels.isRequested(clientOrderId);
    const setting = { strategy: strategy.limits.name, lots, replaces: replaces?.clientOrderId, goes };
    return isExit(request, setting, view);
  }

  /** Own orders under cancel that an exit was denied for. None where another stands in its way, too. */
  #causes({ request, instrument, strategy }: Candidate, code: DenialCode): readonly Order[] {
    const { view, cancels, memory } = this.#parts;
    const goes = ({ clientOrderId }: Order): boolean => cancels.isRequested(clientOrderId);
    if (code === 'SELF_TRADE') {
      const met = view.ownResting(instrument.id, opposite(request.side), request.price);
      // An operator who closes positions goes before all that strategies have in the book.
      if (isOperatorOrder(request.clientOrderId)) {
        for (const order of met) if (isOurs(order, view, memory) && !goes(order)) cancels.requestWhole(order);
      }
      return met.every(goes) ? met : [];
    }
    const { name } = strategy.limits;
    if (code.startsWith('OPEN_ORDERS')) {
      const where = code === 'OPEN_ORDERS_SYMBOL' ? instrument.id : undefined;
      return view.openOrders(code === 'OPEN_ORDERS_STRATEGY' ? name : undefined, where).filter(goes);
    }
    return view.openOrders(name, instrument.id).filter((order) => order.side === request.side && goes(order));
  }

  get #patience(): Micros {
    return millis(this.#parts.memory.options.reconcile.answerMsMax);
  }

  /** Looks at the exits when the next of them is late, was held for too long, or has waited for its balance. */
  #watch(): void {
    const { memory, clock } = this.#parts;
    this.close();
    if (memory.held.length === 0) return;
    const now = clock.uptime();
    const next = Math.min(...memory.held.map((exit) => this.#nextLook(exit)));
    this.#cancelTimer = clock.after(micros(Math.max(1, next - now)), () => {
      this.#cancelTimer = undefined;
      for (const exit of memory.held.slice()) this.#lookLate(exit);
      this.#watch();
    });
  }

  #nextLook({ since, isLate, freedAt }: HeldExit): number {
    const last = later(since, this.#patience);
    const tell = isLate ? last : later(since, lateAfter);
    return Math.min(last, tell, freedAt === undefined ? last : later(freedAt, balanceMax));
  }

  #lookLate(exit: HeldExit): void {
    const { clock, outbox } = this.#parts;
    const { intent, requests, since, waitsFor, denial, freedAt } = exit;
    const now = clock.uptime();
    if (freedAt !== undefined && now - freedAt >= balanceMax) {
      if (this.#remove(exit)) this.#deny(exit, denial);
      return;
    }
    const heldMs = Math.round((now - since) / 1_000);
    if (now - since >= this.#patience) {
      if (!this.#remove(exit)) return;
      this.#deny(
        exit,
        deny(denial.code, `${denial.why}; the ${kindOf(exit)} was held ${heldMs} ms ${why(waitsFor)}`),
      );
    } else if (!exit.isLate && now - since >= lateAfter) {
      exit.isLate = true;
      const ids = shownIds(idsOf(requests));
      outbox.noteText(
        intent.strategy,
        'warn',
        `${kindOf(exit)} ${ids} has been held for ${heldMs} ms ${why(waitsFor)}`,
      );
    }
  }

  #deny({ intent, requests }: HeldExit, denial: Denial): void {
    const { outbox } = this.#parts;
    const isReplace = intent.action === 'replace';
    for (const { clientOrderId } of requests)
      outbox.denied(
        {
          strategy: intent.strategy,
          action: isReplace ? 'replace' : 'place',
          clientOrderId,
          originalClientOrderId: isReplace ? intent.clientOrderId : undefined,
        },
        denial,
      );
  }
}

/** Events that end or narrow trading: an exit that is held learns it at once. */
const stops: ReadonlySet<Event['kind']> = new Set([
  'modeChanged',
  'operatorActed',
  'strategyStopped',
  'lossLimitReached',
]);

function idsOf(requests: readonly OrderRequest[]): readonly ClientOrderId[] {
  return requests.map(({ clientOrderId }) => clientOrderId);
}

const idsShown = 3;

function shownIds(ids: readonly ClientOrderId[]): string {
  const more = ids.length > idsShown ? ` and ${ids.length - idsShown} more` : '';
  return `${ids.slice(0, idsShown).join(', ')}${more}`;
}

function why(waitsFor: readonly ClientOrderId[]): string {
  return `until ${awaited(waitsFor)}`;
}

function awaited(waitsFor: readonly ClientOrderId[]): string {
  if (waitsFor.length === 0) return 'the balance that ended orders freed has come';
  return `own orders have ended that are being cancelled: ${shownIds(waitsFor)}`;
}

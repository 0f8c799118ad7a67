import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { later, millis, seconds, timeText } from '../base/clock.ts';
import type { SlicedWork } from '../base/slices.ts';
import { runInSlices, unhurriedGap } from '../base/slices.ts';
import type { CommandSettled, ReadAnswered } from '../model/event.ts';
import type { EvidenceHalt } from '../model/evidence-halt.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { Product } from '../model/product.ts';
import { productOf, products, tradedOn } from '../model/product.ts';
import { externalStrategy } from '../ledger/index.ts';
import type { StateView } from '../state/index.ts';
import type { ExecutionComparison } from './executions.ts';
import type { Clearing } from './clearing.ts';
import type { FoundOrders } from './found.ts';
import type { MarginComparison } from './margin/index.ts';
import type { Memory } from './base/memory.ts';
import type { MissingOrders } from './missing.ts';
import type { Outbox } from './base/outbox.ts';
import type { ReadShare } from './base/read-share.ts';
import { Throttle } from './base/throttle.ts';
import type { UnexplainedMoney } from './controls/index.ts';
import { Reads, backOff, gather, startRound, targetsOf } from './base/reads.ts';
import type { WalletComparison } from './wallets.ts';

/** The look after one that is still to show what the wallets hold comes so soon; each further one after twice as long. */
const provingMs = 1_000;

interface ReconcilerDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly missing: MissingOrders;
  readonly found: FoundOrders;
  readonly margin: MarginComparison;
  readonly executions: ExecutionComparison;
  readonly wallets: WalletComparison;
  readonly unexplained: UnexplainedMoney;
  readonly clearing: Clearing;
  readonly share: ReadShare;
}

/** Looks for the sake of orders that must go: so many at most in this time do not wait for their share. */
const atOnceMax = 10;
const atOnceWindow = seconds(60);

/** That looks wait for their share of the budget is told at most so often. */
const tellEvery = seconds(600);

/**
 * Compares what we believe with what the venue says: at the start and after every outage before any new order,
 * whenever an order is in doubt, and now and then. One look at a time; looks repeat, with growing waits, while an
 * order's state is open. Source: faults, sections 1 and 6 (22, 23).
 */
export class Reconciler {
  readonly #parts: ReconcilerDeps;
  readonly #reads: Reads;
  #up = false;
  #looking = false;
  /** Something came up during a look: another follows at once. */
  #again = false;
  /** Looks in a row that left an order open. */
  #openLooks = 0;
  /** Looks in a row that did not show every balance while it stood still. */
  #unprovenLooks = 0;
  #tradesKnownTo: Micros | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Time of the halt, by `uptime`. */
  #haltedAt = Number.NEGATIVE_INFINITY;
  /** Looks that begin before say nothing of whether the venue serves the account again, by `uptime`. */
  #forbiddenTo = Number.NEGATIVE_INFINITY;
  #cancelTimer: Cancel = () => {};
  /** Leaves what the last look shows, where not all of it was taken. */
  #cancelSlices: Cancel = () => {};
  /** How many reads the last look began with. */
  #lookReads = 0;
  /** Somebody waits for the next look: it does not wait for its share of the budget. */
  #isUrgent = false;
  readonly #atOnce = new Throttle(atOnceMax, atOnceWindow);
  /** When it was last told that looks wait, by `uptime`. */
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Time of the next look, by `uptime`. */
  #dueAt: number | undefined;

  constructor(parts: ReconcilerDeps) {
    this.#parts = parts;
    const { outbox, clock, memory, share } = parts;
    this.#reads = new Reads({ outbox, clock, options: memory.options.reconcile, share });
  }

  /** When the next look begins, by wall time: now while one is under way; `undefined` while none is due. */
  get nextLook(): Micros | undefined {
    const { clock } = this.#parts;
    if (this.#looking) return clock.now();
    return this.#dueAt === undefined ? undefined : ((clock.now() + this.#dueAt - clock.uptime()) as Micros);
  }

  /** When the last complete look began, by `uptime`; before every time while there was none. */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  /** The trading session is up: look before anything is sent. */
  up(): void {
    this.#stop();
    this.#up = true;
    this.#openLooks = 0;
    this.#lookAtAccount();
  }

  /** The trading session is lost: no new order until the next look is complete. */
  down(): void {
    this.#parts.memory.reconciled = false;
    this.#up = false;
    this.#stop();
  }

  /**
   * Halts because the disk has no room for the journal (`why`), or ends that halt: all that waited is written. An order whose
   * record waited has not left and was refused, so nothing of it needs to be looked for.
   */
  journalWaits(why: string | undefined): void {
    const { view, outbox } = this.#parts;
    if (why !== undefined) outbox.haltUntil('unwritten', why);
    else if (view.awaits('unwritten') !== undefined)
      this.#endHalt('unwritten', 'the journal is written again');
  }

  /** Trades up to this wall time are known already (from the journal of an earlier run). */
  tradesKnownTo(time: Micros): void {
    this.#tradesKnownTo ??= time;
  }

  /** An order is in doubt: look as soon as the present look, if any, is over. `urgent`: whatever reads were used before. */
  lookSoon(urgent = false): undefined {
    this.#openLooks = 0;
    this.#isUrgent ||= urgent;
    if (!this.#up) return;
    if (this.#looking) this.#again = true;
    else this.#scheduleSoon();
  }

  /** Looks without waiting for its share of reads, while there were few such looks: a cancel failed of an order that must go. */
  lookAtOnce(): void {
    const now = this.#parts.clock.uptime();
    const isUrgent = this.#isUrgent || this.#atOnce.admits(now);
    if (isUrgent && !this.#isUrgent) this.#atOnce.count(now);
    this.lookSoon(isUrgent);
  }

  /** Trading halts until evidence has come: only a look that begins from now on is any. */
  halted(): void {
    this.#haltedAt = this.#parts.clock.uptime();
    this.lookSoon(true);
  }

  /** The venue refuses the key or the account: looks answered so soon may be of another state of it. */
  forbidden(): void {
    const { clock, memory } = this.#parts;
    this.#forbiddenTo = later(clock.uptime(), millis(memory.options.reconcile.absentMs));
    this.halted();
  }

  answered(event: ReadAnswered): void {
    this.#reads.answered(event);
  }

  settled(event: CommandSettled): void {
    this.#reads.settled(event);
  }

  close(): void {
    this.#up = false;
    this.#stop();
  }

  #stop(): void {
    this.#cancelTimer();
    this.#cancelSlices();
    this.#dueAt = undefined;
    this.#reads.clear();
    this.#parts.wallets.forget();
    this.#looking = false;
    this.#again = false;
  }

  #lookAtAccount(): void {
    const { clock, memory, missing, executions } = this.#parts;
    this.#cancelTimer();
    this.#dueAt = undefined;
    this.#looking = true;
    this.#again = false;
    this.#isUrgent = false;
    const begunAt = clock.uptime();
    this.#begunAt = begunAt;
    const { marginMs, idsMax } = memory.options.reconcile;
    const ids = missing.beginLook();
    const evidence = new Set([...ids, ...executions.orders.slice(0, idsMax)]);
    const targets = targetsOf({
      products: this.#products(),
      since: Math.max(0, this.#since(ids) - millis(marginMs)) as Micros,
      orders: [...evidence].map((clientOrderId) => ({ clientOrderId, ...this.#tradedOn(clientOrderId) })),
    });
    this.#lookReads = targets.length;
    startRound({
      reads: this.#reads,
      targets,
      done: (answers) => {
        // Orders wait for the first look.
        const gap = memory.reconciled ? unhurriedGap : undefined;
        this.#cancelSlices = runInSlices(this.#asLook(this.#settle(begunAt, answers)), clock, gap);
      },
    });
  }

  /** Products that the strategies trade, and those of orders of earlier runs that may live. */
  #products(): readonly Product[] {
    const { view, memory } = this.#parts;
    const read = new Set(memory.products);
    for (const { instrument, margin } of view.openOrders())
      read.add(productOf(view.instruments.at(instrument), margin));
    for (const { change } of view.marginChanges) read.add(change.product);
    return products.filter((product) => read.has(product));
  }

  #tradedOn(id: ClientOrderId): { readonly product?: Product } {
    const { view } = this.#parts;
    const order = view.order(id);
    return order === undefined ? {} : tradedOn(view.instruments.at(order.instrument), order);
  }

  /** Up to when trades are known, or when the oldest order in doubt was last reported, if that is earlier. */
  #since(ids: readonly ClientOrderId[]): number {
    const { view, clock } = this.#parts;
    let since: number = Math.min(this.#tradesKnownTo ?? clock.now(), this.#parts.executions.since);
    for (const id of ids) {
      const order = view.order(id);
      if (order === undefined) continue;
      const open = order.state === 'unknown' || order.state === 'pending';
      since = Math.min(since, open ? order.createdAt : order.updatedAt);
    }
    return since;
  }

  /** Work as a part of the look, which goes on between two slices: what comes up there brings another look, what the work wants does not. */
  *#asLook(work: SlicedWork): SlicedWork {
    for (;;) {
      this.#looking = false;
      if (work.next().done === true) return;
      this.#cancelTimer();
      this.#dueAt = undefined;
      this.#looking = true;
      yield;
    }
  }

  /** Takes what a complete look shows: of long lists a slice a turn, between which the account may change. */
  *#settle(begunAt: Micros, answers: readonly ReadAnswered[]): SlicedWork {
    const { memory, missing, found, margin, wallets, executions } = this.#parts;
    const findings = yield* gather(begunAt, answers);
    this.#tradesKnownTo = findings.tradesAskedAt;
    this.#lookedAt = findings.begunAt;
    yield* missing.settle(findings);
    yield* found.settle(findings);
    // An execution that never was explains a position: it goes first.
    executions.settle(findings);
    margin.settle(findings);
    wallets.settleReads(this.#reads);
    this.#parts.unexplained.settle();
    memory.reconciled = true;
    if (findings.begunAt >= this.#haltedAt) this.#endHalts();
    this.#next();
  }

  /** A complete look that began after the halt is the evidence that it waits for; where orders were unknown, with none left. */
  #endHalts(): void {
    const { view } = this.#parts;
    if (view.awaits('unread') !== undefined) this.#endHalt('unread', 'the account was read completely');
    if (view.awaits('manyUnknown') !== undefined && view.unknownCount() === 0)
      this.#endHalt('manyUnknown', 'reads of the account have shown what became of every order');
    if (view.awaits('forbidden') !== undefined && this.#lookedAt >= this.#forbiddenTo)
      this.#endHalt('forbidden', 'the venue answers looks at the account again');
  }

  /** Ends a halt. `because`: what evidence has come, as a clause. */
  #endHalt(halt: EvidenceHalt, because: string): void {
    const { view, outbox, clearing } = this.#parts;
    outbox.haltOver(halt, view.modeWithout(halt), because);
    if (view.mode !== 'halted') clearing.haltOver();
  }

  #next(): void {
    const { missing, found, margin, wallets, memory, clock } = this.#parts;
    const { stillListed } = found;
    const { retryMsMin, retryMsMax, everyMs } = memory.options.reconcile;
    if (this.#again) {
      this.#scheduleSoon();
    } else if (
      missing.unsettled + missing.doubted + stillListed.size + margin.unsettled + wallets.unsettled >
      0
    ) {
      const wait = backOff(this.#openLooks, retryMsMin, retryMsMax);
      this.#openLooks += 1;
      const untilProof = Math.min(missing.provableAt, stillListed.provableAt) - clock.uptime();
      this.#schedule((untilProof > 0 ? Math.min(wait, untilProof) : wait) as Micros);
    } else {
      this.#openLooks = 0;
      const wait = this.#quietWait();
      if (wait > 0) this.#schedule(wait < millis(everyMs) ? wait : this.#sinceBegun(wait));
    }
  }

  /**
   * Until the next look while no order is in doubt: sooner while a difference of executions is open, or while no look showed every
   * balance as it stood still; 0 where none is due.
   */
  #quietWait(): Micros {
    const { memory, executions, clock, view } = this.#parts;
    const { retryMsMin, retryMsMax, everyMs } = memory.options.reconcile;
    this.#unprovenLooks = view.wallets.isProven ? 0 : this.#unprovenLooks + 1;
    const isProving = everyMs > 0 && this.#unprovenLooks > 0;
    const every = isProving ? backOff(this.#unprovenLooks - 1, provingMs, everyMs) : millis(everyMs);
    if (!executions.unsettled) return every;
    const wait = everyMs > 0 ? Math.min(every, millis(retryMsMax)) : millis(retryMsMax);
    const untilAct = executions.actsAt - clock.now();
    return Math.max(millis(retryMsMin), untilAct > 0 ? Math.min(wait, untilAct) : wait) as Micros;
  }

  /**
   * Rest of a wait that began with the last look. The next one begins so much earlier that it is over when the wait is, even if
   * it takes as long again: what no report told of is known within `everyMs`.
   */
  #sinceBegun(wait: Micros): Micros {
    const { clock } = this.#parts;
    const took = clock.uptime() - this.#begunAt;
    const ahead = Math.min(2 * took, wait / 10);
    return Math.max(0, Math.ceil(wait - took - ahead)) as Micros;
  }

  /** At once, but not more often than reads are repeated. */
  #scheduleSoon(): void {
    const { clock, memory } = this.#parts;
    const due = this.#begunAt + millis(memory.options.reconcile.retryMsMin);
    this.#schedule(Math.max(0, due - clock.uptime()) as Micros);
  }

  #schedule(delay: Micros): void {
    const { clock, share } = this.#parts;
    this.#cancelTimer();
    const wait = this.#isUrgent ? delay : (Math.max(delay, share.wait(this.#lookReads)) as Micros);
    this.#dueAt = clock.uptime() + wait;
    this.#cancelTimer = clock.after(wait, () => this.#lookAtAccount());
    if (wait > delay) this.#tellWait();
  }

  #tellWait(): void {
    const { clock, outbox } = this.#parts;
    const now = clock.uptime();
    if (now - this.#toldAt < tellEvery) return;
    this.#toldAt = now;
    const next = this.nextLook ?? clock.now();
    outbox.noteText(
      externalStrategy,
      'warn',
      `looks at the account have used up their tenth of the budget for reads: the next one waits until ${timeText(next)}`,
    );
  }
}

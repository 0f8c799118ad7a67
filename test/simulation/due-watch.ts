import { millis } from '../../src/core/base/clock.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { ownerOf } from '../../src/core/model/client-order-id.ts';
import type { Event } from '../../src/core/model/event.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { WireCheck } from './check-wire.ts';
import { cancelledBy, CancelRequests } from './check-wire.ts';
import { mayStay } from './halt-watch.ts';
import type { SimExchange } from './sim-exchange.ts';
import { simOrderOptions } from './sim-trader.ts';

export interface DueParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly wire: WireCheck;
  readonly exchange: SimExchange;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
  /** Orders that no read shows, and until when, true time. */
  readonly withheld: ReadonlyMap<string, number>;
  /** Since when no fault has stood in the way of reads and cancels, true time; `undefined`: one does. */
  readonly fairSince: () => number | undefined;
}

/** So long after its session went an order that has left may still be called on its way. */
const doubtMs = 2_500;
/** So long after it left, whatever its session does. */
const silenceMs = 20_000;
/** So long after a refusal it is known what became of the order, where nothing stands in the way. */
const clearedMs = 8_000;

/** So long after an order became unknown a look has shown it that could. */
const unknownMs = 48_000;
/** Looks that leave an order in doubt follow one another so quickly at least, the time of one included. */
const repeatedMs = 33_000;

interface Judged {
  readonly id: ClientOrderId;
  readonly stays: typeof mayStay;
}

/**
 * Share of the budget for reads that looks may use, reckoned a second time: reads of the account, by what the documentation says of
 * it (9 % of 20 a second, saved for 30 s). A look that can wait does so while the share is used up.
 */
class LookShare {
  readonly #time: VirtualClock;
  readonly #refill = 1.8;
  readonly #most = 54;
  /** As many as a look at three products has, and some histories. */
  readonly #wanted = 16;
  #left = this.#most;
  #at = 0;

  constructor(time: VirtualClock) {
    this.#time = time;
  }

  restart(): void {
    this.#left = this.#most;
    this.#at = this.#time.now();
  }

  after(event: Event): void {
    if (event.kind !== 'readPending') return;
    const { of } = event.command.what;
    if (of === 'book') return;
    this.#update();
    this.#left -= 1;
  }

  /** When a look may begin that is wanted now, true time. */
  lookFrom(): number {
    this.#update();
    return this.#at + millis(Math.max(0, Math.ceil(((this.#wanted - this.#left) * 1_000) / this.#refill)));
  }

  #update(): void {
    const now = this.#time.now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1_000_000) * this.#refill);
    this.#at = now;
  }
}

/** What must have happened some time after something else: I3, I6, I7. */
export class DueWatch {
  readonly #parts: DueParts;
  readonly #requests = new CancelRequests();
  /** When the last request to cancel an order left, true time. */
  readonly #cancelled = new Map<string, number>();
  #sessionChangedAt = 0;
  /** When the history of an order was last asked for, true time. */
  readonly #asked = new Map<string, number>();
  /** When an order came to be at the exchange, true time. */
  readonly #cameAt = new Map<string, number>();
  /** Orders of which the exchange refused a cancel before they came. */
  readonly #refused = new Set<string>();
  readonly #share: LookShare;
  /** Orders that are to go unless what a look shows lets them stay. */
  readonly #judged = new Set<Judged>();
  /** What the venue rejected of the present process, requests turned away for their rate left out. */
  #rejected = 0;
  /** Of the process that runs: part of the ids of its orders. */
  #run = '';

  constructor(parts: DueParts) {
    this.#parts = parts;
    this.#share = new LookShare(parts.time);
    parts.exchange.world.core.listen({
      onReport: ({ order }) => this.#came(order.clientOrderId),
      onBalance() {},
      onSettled() {},
    });
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'runStarted') {
      this.#run = event.run;
      this.#rejected = 0;
      this.#requests.restart();
      this.#share.restart();
    }
    this.#share.after(event);
    if (event.kind === 'orderRejected' && event.code !== 429) this.#rejected += 1;
    if (event.kind === 'strategyStopped' && event.why.startsWith('the venue rejected'))
      this.#stopped(event.why);
    if (event.kind === 'orderRejected' && event.originalClientOrderId !== undefined)
      this.#refusedReplacement(event.originalClientOrderId, view);
    if (event.kind === 'cancelPending') {
      if (this.#requests.pending(event.command))
        this.#cancelled.set(event.command.clientOrderId, this.#parts.time.now());
      this.#goesWith(event.command.clientOrderId, view);
    }
    if (event.kind === 'readPending' && event.command.what.of === 'orderHistory')
      this.#asked.set(event.command.what.clientOrderId, this.#parts.time.now());
    if (event.kind === 'orderUnknown') {
      this.#unknownReplacement(event.clientOrderId, view);
      this.#unknown(event.clientOrderId);
    }
    if (event.kind === 'readAnswered') this.#judgeAgain(view);
    if (event.kind === 'readAnswered' && event.what.of === 'activeOrders')
      for (const { clientOrderId } of event.orders) this.#ofEarlierRun(clientOrderId);
    if ((event.kind !== 'sessionDown' && event.kind !== 'sessionUp') || event.session !== 'trading') return;
    this.#sessionChangedAt = this.#parts.time.now();
    if (event.kind === 'sessionUp')
      for (const { clientOrderId, state } of view.openOrders())
        if (state === 'unknown') this.#unknownReplacement(clientOrderId, view);
    if (event.kind === 'sessionDown') this.#lostSession(view);
  }

  /** The bytes of an order leave. */
  sent(id: string): void {
    this.#later(silenceMs, (view) => {
      if (view.order(id as ClientOrderId)?.state === 'pending')
        this.#breach('I3', `order ${id} left ${silenceMs} ms ago without an answer, and is not unknown`);
    });
  }

  /** A request leaves: `METHOD path`. */
  request(text: string): void {
    for (const id of this.#requests.by(text)) this.#cancelled.set(id, this.#parts.time.now());
  }

  /** The answer to a request arrived: `status body`. */
  answered(request: string, answer: string): void {
    const id = cancelledBy(request);
    const { exchange } = this.#parts;
    if (id === undefined || !answer.startsWith('4') || answer.startsWith('429 ')) return;
    if (exchange.isActive(id)) this.#refusedCancel(id);
    else if (!this.#cameAt.has(id)) this.#refused.add(id);
  }

  /** The exchange tells of an order. */
  #came(id: string): void {
    if (this.#cameAt.has(id)) return;
    this.#cameAt.set(id, this.#parts.time.now());
    // What was refused because it was not there yet lives now.
    if (this.#refused.delete(id)) this.#refusedCancel(id);
  }

  /** An order lives of which a cancel was refused. */
  #refusedCancel(id: string): void {
    const { time, exchange } = this.#parts;
    const at = time.now();
    this.#cleared(id, (view) => {
      const state = view.order(id as ClientOrderId)?.state;
      if (state !== 'new' && state !== 'partiallyFilled') return;
      if (!this.#clearFrom(at) || (this.#cancelled.get(id) ?? 0) > at || !exchange.isActive(id)) return;
      this.#breach(
        'I7',
        `the cancel of ${id} was refused ${clearedMs} ms ago, it lives, and no other has left`,
      );
    });
  }

  #stopped(why: string): void {
    const { of, percentMax } = simOrderOptions.rejects;
    if (this.#rejected * 100 <= of * percentMax)
      this.#breach('I24', `the strategy was stopped because ${why}, and ${this.#rejected} were rejected`);
  }

  /** Orders of an earlier run that live are cancelled, but for those that only reduce: `orders.onStart`. */
  #ofEarlierRun(id: ClientOrderId): void {
    const owner = ownerOf(id);
    if (owner?.prefix !== simOrderOptions.idPrefix || owner.run === this.#run) return;
    this.#mustGo(id, 'is of an earlier run', mayStay);
  }

  /** Who cancels an order that is being replaced wants neither. */
  #goesWith(original: ClientOrderId, view: StateView): void {
    const replacement = view.order(original)?.replacePending;
    if (replacement !== undefined) this.#mustGo(replacement, 'replaces an order that was cancelled');
  }

  /** From now on the order is to go: some time later it has ended, or a cancel has left. */
  #mustGo(id: ClientOrderId, why: string, stays: typeof mayStay = () => false): void {
    const at = this.#parts.time.now();
    const before = this.#parts.view();
    const first = before?.order(id);
    // One that only reduced then may no longer do so when it is looked at again.
    if (before !== undefined && first !== undefined && stays(first, before)) return;
    const judged = { id, stays };
    this.#judged.add(judged);
    this.#cleared(id, (view) => {
      if (!this.#judged.delete(judged)) return;
      const order = view.order(id);
      if (order?.state !== 'new' && order?.state !== 'partiallyFilled') return;
      if (stays(order, view)) return;
      const left = this.#cancelled.get(id) ?? 0;
      if (!this.#clearFrom(at) || left > at - millis(clearedMs) || !this.#parts.exchange.isActive(id)) return;
      this.#breach('I7', `order ${id} ${why}, lives ${clearedMs} ms later, and no cancel of it has left`);
    });
  }

  /** What is held is known once the trades of a look are in. */
  #judgeAgain(view: StateView): void {
    for (const judged of this.#judged) {
      const order = view.order(judged.id);
      if (order !== undefined && judged.stays(order, view)) this.#judged.delete(judged);
    }
  }

  /** A replacement that was refused may have ended its original, whatever reports got lost. */
  #refusedReplacement(original: ClientOrderId, view: StateView): void {
    const { time, exchange } = this.#parts;
    const state = view.order(original)?.state;
    if (state === undefined || isTerminal(state) || exchange.isActive(original) || !exchange.has(original))
      return;
    const at = time.now();
    this.#cleared(original, (then) => {
      const found = then.order(original)?.state;
      if (found === undefined || isTerminal(found) || !this.#clearFrom(at)) return;
      this.#breach(
        'I6',
        `order ${original} ended ${clearedMs} ms ago, as its replacement was refused: it is ${found}`,
      );
    });
  }

  /** A replacement without an answer may have ended its original, or left it: its history is read, as that of the replacement. */
  #unknownReplacement(id: ClientOrderId, view: StateView): void {
    const original = view.order(id)?.originalClientOrderId;
    if (original === undefined) return;
    const at = this.#parts.time.now();
    this.#cleared(original, (then) => {
      const state = then.order(original)?.state;
      if (state === undefined || isTerminal(state) || then.order(id)?.state !== 'unknown') return;
      if (!this.#clearFrom(at) || (this.#asked.get(original) ?? 0) >= at) return;
      this.#breach(
        'I3',
        `replacement ${id} has been unknown for ${clearedMs} ms, and what became of ${original} was not asked`,
      );
    });
  }

  /** What the exchange has, and reads show, is not unknown for longer than looks wait for one another at most. */
  #unknown(id: ClientOrderId): void {
    const { exchange, withheld } = this.#parts;
    const at = this.#parts.time.now();
    if (this.#share.lookFrom() > at) return;
    this.#later(unknownMs, (view) => {
      const isHidden = (withheld.get(id) ?? 0) > at + millis(unknownMs - repeatedMs);
      if (isHidden || view.order(id)?.state !== 'unknown' || !this.#clearFrom(at)) return;
      const came = this.#cameAt.get(id);
      if (!exchange.has(id) || came === undefined || came > at) return;
      if (this.#share.lookFrom() > this.#parts.time.now()) return;
      this.#breach('I6', `order ${id} has been unknown for ${unknownMs} ms, and the exchange has it`);
    });
  }

  #lostSession(view: StateView): void {
    const { wire } = this.#parts;
    for (const { clientOrderId: id, state } of view.openOrders()) {
      if (state !== 'pending' || wire.sentAt(id) === undefined) continue;
      this.#later(doubtMs, (then) => {
        if (then.order(id)?.state === 'pending')
          this.#breach(
            'I3',
            `order ${id} had left as its session went, and is not unknown ${doubtMs} ms later`,
          );
      });
    }
  }

  /** Whether nothing has stood in the way of reads since `at`. */
  #clearFrom(at: number): boolean {
    const since = this.#parts.fairSince();
    return since !== undefined && since <= at && this.#sessionChangedAt <= at;
  }

  /** Runs `check` when it must be clear what became of an order, of which there is doubt from now on. */
  #cleared(id: string, check: (view: StateView) => void, from = this.#share.lookFrom()): void {
    const { time, withheld } = this.#parts;
    const wait = Math.max(from, withheld.get(id) ?? 0) + millis(clearedMs) - time.now();
    this.#later(wait / 1_000, (view) => {
      if ((withheld.get(id) ?? 0) > from) this.#cleared(id, check, withheld.get(id));
      else check(view);
    });
  }

  /** Runs `check` so much later, if the same process is there then. */
  #later(ms: number, check: (view: StateView) => void): void {
    const { time, view } = this.#parts;
    const process = view();
    time.after(millis(ms), () => {
      const now = view();
      if (now !== undefined && now === process) check(now);
    });
  }

  #breach(invariant: string, why: string): void {
    this.#parts.breaches.add(invariant, why);
  }
}

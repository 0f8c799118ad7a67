import type { Amount } from '../../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, millis, seconds } from '../../core/base/clock.ts';

/** On which side of acceptance an order request is answered with 504. */
export type GatewayTimeout = 'beforeAccept' | 'afterAccept';

/** Fault of one request that places, replaces or cancels. */
export type OrderFault =
  | { readonly kind: GatewayTimeout }
  /** Answered with 504 now, executed once the delay has passed. */
  | { readonly kind: 'late'; readonly delay: Micros }
  /** Answered with that code and not executed. */
  | { readonly kind: 'refused'; readonly code: number };

const orderFaultsMax = 10_000;
/** A report that waits to be overtaken waits no longer. */
const overtakenWithin = seconds(2);

/**
 * Switchable misbehaviour, for tests of clients. Everything is off until switched on, and each counted fault
 * switches itself off after `count` times.
 */
export class Faults {
  /** The clock of the exchange: that of the machine, and as far from it as `shiftClock` says. */
  readonly clock: Clock;
  readonly #clock: Clock;
  readonly #closeSockets: (code: number, reason: string) => void;
  readonly #drops = new Map<string, number>();
  readonly #repeats = new Map<string, number>();
  readonly #resets = new Map<string, number>();
  readonly #deletionsLost = new Map<string, number>();
  #orderFaults: OrderFault[] = [];
  /** Reports that wait to be overtaken, by who is to receive them. */
  readonly #held = new Map<object, () => void>();
  #clockShift = 0;
  #isFrozen = false;
  #isDown = false;
  #acknowledgementsDropped = 0;
  #reportsRepeated = 0;
  #reportsHeld = 0;
  #historyLag = 0 as Micros;
  #historyKept: Micros | undefined;
  #replyDelay = 0 as Micros;
  #repliesDropped = 0;
  #unavailable = 0;
  #limited = 0;
  #snapshotsWithheld = 0;
  #originalsKept = 0;
  #fillsInvented = 0;
  #feeFactor = 1n;

  constructor(clock: Clock, closeSockets: (code: number, reason: string) => void) {
    this.#clock = clock;
    this.#closeSockets = closeSockets;
    this.clock = {
      now: () => micros(clock.now() + this.#clockShift),
      uptime: () => clock.uptime(),
      after: (delay, task) => clock.after(delay, task),
    };
  }

  /** The clock of the exchange is so far ahead of that of the machine, or behind it below 0; 0 ends it. */
  shiftClock(byMs: number): void {
    this.#clockShift = byMs * 1_000;
  }

  /** Nothing is published of any market until this is called with `false`; sockets and their pings go on, and so does trading. */
  freezeFeeds(isFrozen: boolean): void {
    this.#isFrozen = isFrozen;
  }

  /** Every request is answered with 503 and no socket is taken until this is called with `false`. What is open stays so. */
  goDown(isDown: boolean): void {
    this.#isDown = isDown;
  }

  /** The next `count` full book updates of `symbol` get lost: their sequence numbers are used up. */
  dropUpdates(symbol: string, count: number): void {
    this.#drops.set(symbol, count);
  }

  /** The next `count` full book updates of `symbol` are sent twice. */
  repeatUpdates(symbol: string, count: number): void {
    this.#repeats.set(symbol, count);
  }

  /** The next `count` full book updates of `symbol` that delete levels are sent without these deletions, their sequence unbroken. */
  loseDeletions(symbol: string, count: number): void {
    this.#deletionsLost.set(symbol, count);
  }

  /** The next `count` book snapshots are not sent, though the subscription is acknowledged. */
  withholdSnapshots(count: number): void {
    this.#snapshotsWithheld = count;
  }

  /** The next `count` requests that place, replace or cancel are answered with 504, executed or not. Returns what withdraws those not met. */
  answer504(when: GatewayTimeout, count: number): Cancel {
    return this.#meet({ kind: when }, count);
  }

  /**
   * The next `count` requests that place, replace or cancel are answered with 504, and executed `delayMs` later. Returns what withdraws
   * those not met.
   */
  landLate(delayMs: number, count: number): Cancel {
    return this.#meet({ kind: 'late', delay: millis(delayMs) }, count);
  }

  /** The next `count` requests that place, replace or cancel are answered with that code and not executed. */
  refuseOrders(code: number, count: number): void {
    this.#meet({ kind: 'refused', code }, count);
  }

  /** The next `count` requests that place, replace or cancel are executed and never answered. */
  dropAcknowledgements(count: number): void {
    this.#acknowledgementsDropped = count;
  }

  /** The next `count` reports on orders are sent twice. */
  repeatReports(count: number): void {
    this.#reportsRepeated = count;
  }

  /** The next `count` reports on orders are sent after the report that follows them, or 2 s late where none does. */
  reorderReports(count: number): void {
    this.#reportsHeld = count;
  }

  /** The next `count` replacements over version 3 leave the original alive beside the new order, and say nothing of it. */
  keepOriginals(count: number): void {
    this.#originalsKept = count;
  }

  /** Orders and trades show in the histories only once they are this old; 0 ends it. */
  lagHistory(lagMs: number): void {
    this.#historyLag = millis(lagMs);
  }

  /** Orders go from the histories so long after they ended, trades do not; `undefined` ends it. */
  forgetHistory(olderThanMs: number | undefined): void {
    this.#historyKept = olderThanMs === undefined ? undefined : millis(olderThanMs);
  }

  /** The next `count` orders of spot that come to rest are reported as filled at their price, though they rest on and nothing executed. */
  inventFills(count: number): void {
    this.#fillsInvented = count;
  }

  /** Trade histories show fees so many times as high as reports told them, a whole number; below 0 as rebates. 1 ends it. */
  multiplyFees(factor: number): void {
    this.#feeFactor = BigInt(factor);
  }

  /** The sequence of the full book of `symbol` starts anew with its next change. */
  resetSequence(symbol: string): void {
    this.#resets.set(symbol, 1);
  }

  /** The next `count` requests, of any kind, are answered with 503 and not executed. */
  answer503(count: number): void {
    this.#unavailable = count;
  }

  /** The next `count` requests, of any kind, are answered with 429 whatever the budget says. */
  answer429(count: number): void {
    this.#limited = count;
  }

  /** Every reply waits this long, in order, while notifications pass; 0 ends it. */
  holdReplies(delayMs: number): void {
    this.#replyDelay = millis(delayMs);
  }

  /** The next `count` replies are never sent; the requests are executed. */
  dropReplies(count: number): void {
    this.#repliesDropped = count;
  }

  /** Closes every socket with a close frame; 1006 cuts the connections instead. */
  closeSockets(code: number, reason = ''): void {
    this.#closeSockets(code, reason);
  }

  /** Ends every fault. */
  clear(): void {
    this.#drops.clear();
    this.#repeats.clear();
    this.#resets.clear();
    this.#deletionsLost.clear();
    this.#orderFaults = [];
    this.#clockShift = 0;
    this.#isFrozen = false;
    this.#isDown = false;
    this.#acknowledgementsDropped = 0;
    this.#reportsRepeated = 0;
    this.#reportsHeld = 0;
    this.#historyKept = undefined;
    this.#historyLag = 0 as Micros;
    this.#replyDelay = 0 as Micros;
    this.#repliesDropped = 0;
    this.#unavailable = 0;
    this.#limited = 0;
    this.#snapshotsWithheld = 0;
    this.#originalsKept = 0;
    this.#fillsInvented = 0;
    this.#feeFactor = 1n;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  takeUpdateDrop(symbol: string): boolean {
    return take(this.#drops, symbol);
  }

  takeDeletions(symbol: string): boolean {
    return take(this.#deletionsLost, symbol);
  }

  takeUpdateRepeat(symbol: string): boolean {
    return take(this.#repeats, symbol);
  }

  takeSnapshotDrop(): boolean {
    if (this.#snapshotsWithheld === 0) return false;
    this.#snapshotsWithheld -= 1;
    return true;
  }

  takeOriginalKept(): boolean {
    if (this.#originalsKept === 0) return false;
    this.#originalsKept -= 1;
    return true;
  }

  takeInventedFill(): boolean {
    if (this.#fillsInvented === 0) return false;
    this.#fillsInvented -= 1;
    return true;
  }

  /** A fee as trade histories show it. */
  historyFee(fee: Amount): Amount {
    return this.#feeFactor === 1n ? fee : ((fee * this.#feeFactor) as Amount);
  }

  takeSequenceReset(symbol: string): boolean {
    return this.#resets.size > 0 && take(this.#resets, symbol);
  }

  /**
   * Executes a request that places, replaces or cancels by `run`, as the next fault for such requests says: a code is
   * what it is answered with instead of the result.
   */
  meetOrder<Result>(run: () => Result): Result | number {
    const fault = this.#orderFaults.shift();
    switch (fault?.kind) {
      case undefined:
        return run();
      case 'beforeAccept':
        return 504;
      case 'afterAccept':
        run();
        return 504;
      case 'late':
        this.#clock.after(fault.delay, () => void run());
        return 504;
      case 'refused':
        return fault.code;
    }
  }

  /** Whether a row of a history that changed last at `time` shows by now. */
  historyShows(time: Micros): boolean {
    return this.#historyLag === 0 || time <= this.clock.now() - this.#historyLag;
  }

  /** Whether an order that ended at `time` is still in a history. */
  historyKeeps(time: Micros): boolean {
    return this.#historyKept === undefined || time > this.clock.now() - this.#historyKept;
  }

  #meet(fault: OrderFault, count: number): Cancel {
    const free = orderFaultsMax - this.#orderFaults.length;
    for (let i = 0; i < Math.min(count, free); i++) this.#orderFaults.push(fault);
    return () => {
      this.#orderFaults = this.#orderFaults.filter((one) => one !== fault);
    };
  }

  /** Whether a request is to be refused before anything is looked at, and with which status. */
  takeRefusal(): 503 | 429 | undefined {
    if (this.#isDown) return 503;
    if (this.#unavailable > 0) {
      this.#unavailable -= 1;
      return 503;
    }
    if (this.#limited > 0) {
      this.#limited -= 1;
      return 429;
    }
    return undefined;
  }

  /** Sends a reply by `send`: now, later, or never, as switched. `changesOrders`: the request was to place, replace or cancel. */
  deliver(send: () => void, changesOrders = false): void {
    if (changesOrders && this.#acknowledgementsDropped > 0) {
      this.#acknowledgementsDropped -= 1;
      return;
    }
    if (this.#repliesDropped > 0) {
      this.#repliesDropped -= 1;
      return;
    }
    if (this.#replyDelay > 0) this.#clock.after(this.#replyDelay, send);
    else send();
  }

  /** Sends a report on an order to `receiver` by `send`: once, twice, or after the next one, as switched. */
  tellReport(receiver: object, send: () => void): void {
    const held = this.#held.get(receiver);
    if (held === undefined && this.#reportsHeld > 0) {
      this.#reportsHeld -= 1;
      const tell = (): void => {
        if (this.#held.get(receiver) !== tell) return;
        this.#held.delete(receiver);
        send();
      };
      this.#held.set(receiver, tell);
      this.#clock.after(overtakenWithin, tell);
      return;
    }
    send();
    held?.();
    if (this.#reportsRepeated === 0) return;
    this.#reportsRepeated -= 1;
    send();
  }
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left === 0) return false;
  counts.set(key, left - 1);
  return true;
}

import type { Clock, Micros } from '../../core/base/clock.ts';
import { millis, seconds } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import { ownerOf } from '../../core/model/client-order-id.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import type { MarginProductName, Product } from '../../core/model/product.ts';
import type { Desk } from './desk.ts';
import type { KnownPositions } from './raising.ts';
import { productIn, raisingOrders } from './raising.ts';

export interface SweepTerms {
  readonly idPrefix: string;
  /** Begins of ids under the same prefix that are of other Godwits on the account, as the daemon has written them. */
  readonly others: () => readonly string[];
  /** Orders that are cancelled: those that can raise exposure, or all of ours. */
  readonly cancel: 'raising' | 'all';
  /** Number of orders of one symbol that go in one request, where they are all that are live there; `undefined`: none do. */
  readonly togetherFrom: number | undefined;
  readonly products: readonly Product[];
}

/** State of a sweep, as of its last step. */
export interface SweepState {
  readonly canceled: number;
  /** Client ids of these, up to a bound. */
  readonly orders: readonly string[];
  readonly kept: number;
  readonly unresolved: readonly string[];
  /** Wall time at which a complete look found nothing that is to go; `undefined` before. */
  readonly clearedAt: Micros | undefined;
  readonly done: boolean;
  /** Fault between it and the venue; empty when there is none. */
  readonly trouble: string;
}

export interface SweepDeps {
  readonly clock: Clock;
  readonly terms: SweepTerms;
  /** Opens the way to the account; asked again after it failed. */
  readonly open: () => Promise<{ readonly desk: Desk; readonly instruments: Instruments }>;
  /** Whether this sentinel may still act. */
  readonly isStill: () => boolean;
  readonly onStep: (state: SweepState) => void;
}

/** Cancelled orders that are named, so that the journal tells of each: the most that a symbol may have. */
const namedMax = 2_000;
/** An order that was on its way may arrive so long after its daemon is gone. Source: faults, section 1, rule 1. */
const lateMax = seconds(95);
/** Looks come often at first: what was on its way mostly arrives within seconds. */
const paces: readonly { readonly until: Micros; readonly pause: Micros }[] = [
  { until: seconds(5), pause: millis(200) },
  { until: seconds(30), pause: seconds(1) },
  { until: lateMax, pause: seconds(2) },
];
const slowPause = seconds(30);
/** Pause after a look that failed; doubles up to the longest. */
const failedPause = millis(250);
const failedPauseMax = seconds(5);
/** Age of an act from which on every order of a margin account may raise while the positions are not known. */
const positionsWait = seconds(2);
const cancelsAtOnce = 16;

interface Found {
  readonly live: readonly VenueOrder[];
  readonly positions: KnownPositions;
  /** Every list of orders was answered. */
  readonly isWhole: boolean;
}

/**
 * Looks for own orders and cancels those that are to go, again and again: an order may arrive late, a cancel may lose its answer or its
 * race with a fill, a position may change. Nothing but a list that does not show an order counts as its end. It goes on for as long as an
 * order may arrive late, and then slowly while orders of ours are left.
 */
export class Sweep {
  readonly #parts: SweepDeps;
  readonly #asked = new Set<string>();
  readonly #life = new AbortController();
  #state: SweepState = {
    canceled: 0,
    orders: [],
    kept: 0,
    unresolved: [],
    clearedAt: undefined,
    done: false,
    trouble: '',
  };
  #desk: Desk | undefined;

  constructor(parts: SweepDeps) {
    this.#parts = parts;
  }

  get state(): SweepState {
    return this.#state;
  }

  /** Ends at once; what is under way is not waited for. */
  stop(): void {
    this.#life.abort();
    void this.#desk?.close();
  }

  /** Resolves when nothing of ours is left and nothing can arrive late, or when it was stopped. */
  async run(): Promise<void> {
    const { clock } = this.#parts;
    const begun = clock.uptime();
    let failures = 0;
    while (this.#goesOn()) {
      const isWhole = await this.#step(begun);
      failures = isWhole ? 0 : failures + 1;
      const age = clock.uptime() - begun;
      const isDone = isWhole && age >= lateMax && this.#state.unresolved.length === 0;
      this.#tellState({ done: this.#state.done || isDone });
      if (isDone && this.#state.kept === 0) break;
      const next = isWhole ? paceAt(age, this.#state.unresolved.length > 0) : failedPauseOf(failures);
      await pause(clock, next, this.#life.signal);
    }
    await this.#desk?.close();
  }

  #goesOn(): boolean {
    return !this.#life.signal.aborted && this.#parts.isStill();
  }

  /** One look and what follows from it. Returns whether the look was whole. */
  async #step(begun: Micros): Promise<boolean> {
    const { open, terms, clock } = this.#parts;
    try {
      const { desk, instruments } = await open();
      this.#desk = desk;
      const found = await this.#readOrders(desk);
      const waits = clock.uptime() - begun < positionsWait;
      const going = goingOf(found, instruments, terms);
      // A stop of a position is not given up for one read that failed.
      const isSure = (order: VenueOrder): boolean => {
        const product = productIn(order, instruments);
        return product === 'spot' || found.positions[product] !== undefined || !waits;
      };
      const now = terms.cancel === 'all' ? going : going.filter(isSure);
      this.#noteFound(found, going);
      await this.#cancel(desk, now, found.live, instruments);
      return found.isWhole;
    } catch (error) {
      this.#tellState({ trouble: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  async #readOrders(desk: Desk): Promise<Found> {
    const { products } = this.#parts.terms;
    const margins = products.filter((product): product is MarginProductName => product !== 'spot');
    const [orders, accounts] = await Promise.all([
      Promise.all(products.map((product) => desk.read({ of: 'activeOrders', product }))),
      Promise.all(margins.map((product) => desk.read({ of: 'marginAccounts', product }))),
    ]);
    const live = orders.flatMap(({ answer }) => answer?.orders ?? []);
    const positions: { -readonly [Name in MarginProductName]?: NonNullable<KnownPositions[Name]> } = {};
    for (const [index, product] of margins.entries()) {
      const known = accounts[index]?.answer?.marginAccounts;
      if (known !== undefined) positions[product] = known.flatMap((account) => account.positions);
    }
    // A key that may not read a product has no orders there.
    const failed = products.filter((_, index) => {
      const read = orders[index];
      return read?.answer === undefined && read?.outcome !== 'refused';
    });
    const isWhole = failed.length === 0 && orders.some(({ answer }) => answer !== undefined);
    this.#tellState({
      trouble: isWhole
        ? ''
        : `the venue does not answer what is asked about orders (${(failed.length > 0 ? failed : products).join(', ')})`,
    });
    return { live, positions, isWhole };
  }

  /** An order that was asked to go and is listed no more is gone; one that is still listed is unresolved. */
  #noteFound({ live, isWhole }: Found, going: readonly VenueOrder[]): void {
    const { terms, clock } = this.#parts;
    const listed = new Set<string>(live.map(({ clientOrderId }) => clientOrderId));
    const waiting = new Set<string>(going.map(({ clientOrderId }) => clientOrderId));
    const left = [...this.#asked].filter((id) => !isWhole || listed.has(id));
    const isClear = isWhole && going.length === 0;
    const kept = ownAmong(live, terms).filter(({ clientOrderId }) => !waiting.has(clientOrderId)).length;
    this.#tellState({
      canceled: this.#asked.size - left.length,
      orders: [...this.#asked.difference(new Set(left))].slice(0, namedMax),
      ...(isWhole && { kept }),
      unresolved: [...new Set([...left, ...waiting])],
      clearedAt: isClear ? (this.#state.clearedAt ?? clock.now()) : undefined,
    });
  }

  async #cancel(
    desk: Desk,
    going: readonly VenueOrder[],
    live: readonly VenueOrder[],
    instruments: Instruments,
  ): Promise<void> {
    const { togetherFrom } = this.#parts.terms;
    const ids = new Set(going.map(({ clientOrderId }) => clientOrderId));
    const tasks: (() => Promise<unknown>)[] = [];
    const bySymbol = Map.groupBy(live, (order) => `${productIn(order, instruments)} ${order.instrument}`);
    for (const orders of bySymbol.values()) {
      const [first] = orders;
      const those = orders.filter(({ clientOrderId }) => ids.has(clientOrderId));
      if (first === undefined || those.length === 0) continue;
      const product = productIn(first, instruments);
      const isAll = those.length === orders.length;
      if (isAll && togetherFrom !== undefined && those.length >= togetherFrom)
        tasks.push(() => desk.cancelSymbol(first.instrument, product, those));
      else tasks.push(...those.map((order) => () => desk.cancel(order, product)));
      for (const { clientOrderId } of those) this.#asked.add(clientOrderId);
    }
    const worker = async (): Promise<void> => {
      for (let task = tasks.shift(); task !== undefined && this.#goesOn(); task = tasks.shift()) await task();
    };
    await Promise.all(Array.from({ length: cancelsAtOnce }, worker));
  }

  #tellState(change: Partial<SweepState>): void {
    this.#state = { ...this.#state, ...change };
    this.#parts.onStep(this.#state);
  }
}

function goingOf(
  { live, positions }: Found,
  instruments: Instruments,
  terms: SweepTerms,
): readonly VenueOrder[] {
  const found = terms.cancel === 'all' ? live : raisingOrders(live, positions, instruments);
  return ownAmong(found, terms);
}

function ownAmong(orders: readonly VenueOrder[], { idPrefix, others }: SweepTerms): readonly VenueOrder[] {
  const heads = others();
  return orders.filter(
    ({ clientOrderId: id }) => ownerOf(id)?.prefix === idPrefix && !heads.some((head) => id.startsWith(head)),
  );
}

function paceAt(age: number, isUnresolved: boolean): Micros {
  return paces.find(({ until }) => age < until)?.pause ?? (isUnresolved ? failedPauseMax : slowPause);
}

function failedPauseOf(failures: number): Micros {
  return Math.min(failedPauseMax, failedPause * 2 ** Math.min(failures - 1, 10)) as Micros;
}

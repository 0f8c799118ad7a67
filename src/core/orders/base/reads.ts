import type { Cancel, Clock, Micros } from '../../base/clock.ts';
import { millis } from '../../base/clock.ts';
import type { SlicedWork } from '../../base/slices.ts';
import { eachInSlices } from '../../base/slices.ts';
import type { ReadTarget } from '../../model/command.ts';
import { joinedAnswer } from '../../model/account-event.ts';
import type { CommandSettled, OwnTrade, ReadAnswered } from '../../model/event.ts';
import type { Balance } from '../../model/market.ts';
import type { ClientOrderId, VenueOrder } from '../../model/order.ts';
import type { MarginProductName, Product } from '../../model/product.ts';
import type { SharedOptions } from './options.ts';
import type { Outbox } from './outbox.ts';
import type { ReadShare } from './read-share.ts';

/** Upper bound of the wait between attempts: until the look after an outage is complete nothing may be traded. */
const askAgainMsMax = 5_000;

interface Asked {
  readonly what: ReadTarget;
  readonly done: (answer: ReadAnswered) => void;
  readonly refused: (() => void) | undefined;
  /** Parts of the answer that have come. */
  parts: ReadAnswered[];
  attempt: number;
  commandId: number;
  cancelTimer: Cancel;
}

interface ReadDeps {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly options: SharedOptions['reconcile'];
  /** Share that the reads are counted in. */
  readonly share?: ReadShare | undefined;
}

/** Trades that one request brings at most; a read of more takes one for each further so many. Source: API v3, "limit". */
const pageRows = 1_000;

/**
 * Questions to the venue. A read that fails or stays without an answer is asked again under a new command id,
 * with a growing wait: reads change nothing, so only they are ever repeated.
 */
export class Reads {
  readonly #parts: ReadDeps;
  readonly #asked = new Map<number, Asked>();
  readonly #waiting = new Set<Asked>();

  constructor(parts: ReadDeps) {
    this.#parts = parts;
  }

  /** How many questions are open. */
  get size(): number {
    return this.#asked.size + this.#waiting.size;
  }

  /** Asks; `done` gets the answer once, from whichever attempt. With `refused`, which is then called, a refusal is one. */
  ask(what: ReadTarget, done: (answer: ReadAnswered) => void, refused?: () => void): void {
    this.#send({ what, done, refused, parts: [], attempt: 0, commandId: 0, cancelTimer: () => {} });
  }

  answered(event: ReadAnswered): void {
    const asked = this.#asked.get(event.commandId);
    if (asked === undefined) return;
    asked.parts.push(event);
    if (event.more === true) {
      this.#await(asked);
      return;
    }
    this.#takeAsked(event.commandId);
    const answer = joinedAnswer(asked.parts);
    this.#parts.share?.takeReads(Math.floor(answer.fills.length / pageRows));
    asked.done(answer);
  }

  settled(event: CommandSettled): void {
    if (event.outcome === 'acknowledged') return;
    const asked = this.#takeAsked(event.commandId);
    if (asked === undefined) return;
    if (event.outcome === 'refused' && asked.refused !== undefined) asked.refused();
    else this.#retry(asked);
  }

  /** Forgets every open question. */
  clear(): void {
    for (const asked of [...this.#asked.values(), ...this.#waiting]) asked.cancelTimer();
    this.#asked.clear();
    this.#waiting.clear();
  }

  #send(asked: Asked): void {
    const { outbox } = this.#parts;
    // The number is taken first: the question must be known before anything can answer it.
    asked.commandId = outbox.nextCommandId();
    this.#parts.share?.takeReads(1);
    this.#asked.set(asked.commandId, asked);
    this.#await(asked);
    outbox.pending({ kind: 'read', commandId: asked.commandId, what: asked.what });
  }

  /** Asks again where nothing more of the answer comes for long. */
  #await(asked: Asked): void {
    const { clock, options } = this.#parts;
    asked.cancelTimer();
    asked.cancelTimer = clock.after(millis(options.answerMsMax), () => {
      if (this.#takeAsked(asked.commandId) !== undefined) this.#retry(asked);
    });
  }

  #retry(asked: Asked): void {
    const { clock, options } = this.#parts;
    const delay: Micros = backOff(
      asked.attempt,
      options.retryMsMin,
      Math.min(options.retryMsMax, askAgainMsMax),
    );
    asked.attempt += 1;
    asked.parts = [];
    this.#waiting.add(asked);
    asked.cancelTimer = clock.after(delay, () => {
      this.#waiting.delete(asked);
      this.#send(asked);
    });
  }

  #takeAsked(commandId: number): Asked | undefined {
    const asked = this.#asked.get(commandId);
    if (asked === undefined) return undefined;
    asked.cancelTimer();
    this.#asked.delete(commandId);
    return asked;
  }
}

/** Doubles from `msMin` with every attempt, up to `msMax`. */
export function backOff(attempt: number, msMin: number, msMax: number): Micros {
  return millis(Math.min(msMin * 2 ** Math.min(attempt, 30), Math.max(msMin, msMax)));
}

/** One complete look at the account: active orders, balances, trades, and the histories of some orders. */
export interface Findings {
  /** When the look began, by `uptime`; every read of it left then or later. */
  readonly begunAt: Micros;
  readonly tradesAskedAt: Micros;
  /** The orders listed as active. */
  readonly active: ReadonlyMap<ClientOrderId, VenueOrder>;
  readonly balances: readonly Balance[];
  readonly balancesAskedAt: Micros;
  /** Orders whose history was read. */
  readonly histories: ReadonlySet<ClientOrderId>;
  /** Products whose margin accounts were read. */
  readonly marginProducts: readonly MarginProductName[];
  /** Orders as lists and histories show them. */
  readonly orders: ReadonlyMap<ClientOrderId, VenueOrder>;
  /** Rows of the trade histories. */
  readonly trades: readonly OwnTrade[];
  /** Products whose trade history was read. */
  readonly tradeProducts: ReadonlySet<Product>;
  /** Ids that any answer names: an active order, a history row or a trade. */
  readonly found: ReadonlySet<ClientOrderId>;
}

interface RoundParts {
  readonly reads: Reads;
  readonly targets: readonly ReadTarget[];
  readonly done: (answers: readonly ReadAnswered[]) => void;
}

/** Asks all reads of one look and calls `done` when the last answer is in. Dropped by forgetting the reads. */
export function startRound({ reads, targets, done }: RoundParts): void {
  const answers: ReadAnswered[] = [];
  const take = (answer: ReadAnswered): void => {
    answers.push(answer);
    if (answers.length === targets.length) done(answers);
  };
  for (const target of targets) reads.ask(target, take);
}

interface Wanted {
  readonly products: readonly Product[];
  /** Trades are read since then, by wall time. */
  readonly since: Micros;
  /** Orders whose history is read. */
  readonly orders: readonly { readonly clientOrderId: ClientOrderId; readonly product?: Product }[];
}

/** Targets of one look: of every product its active orders, its balances, its trades and its margin accounts. */
export function targetsOf({ products, since, orders }: Wanted): readonly ReadTarget[] {
  const targets: ReadTarget[] = [];
  const named = products.map((product) => (product === 'spot' ? {} : { product }));
  for (const name of named) targets.push({ of: 'activeOrders', ...name });
  if (products.some((product) => product !== 'futures')) targets.push({ of: 'balances' });
  if (products.includes('futures')) targets.push({ of: 'balances', product: 'futures' });
  for (const name of named) targets.push({ of: 'tradeHistory', since, ...name });
  for (const product of products) if (product !== 'spot') targets.push({ of: 'marginAccounts', product });
  for (const order of orders) targets.push({ of: 'orderHistory', ...order });
  return targets;
}

/** Everything that the answers of a look show, in slices. */
export function* gather(begunAt: Micros, answers: readonly ReadAnswered[]): SlicedWork<Findings> {
  const active = new Map<ClientOrderId, VenueOrder>();
  const histories = new Set<ClientOrderId>();
  const found = new Set<ClientOrderId>();
  let balances: readonly Balance[] = [];
  const marginProducts: MarginProductName[] = [];
  const listed = new Map<ClientOrderId, VenueOrder>();
  const trades: OwnTrade[] = [];
  const tradeProducts = new Set<Product>();
  let tradesAskedAt = Number.POSITIVE_INFINITY as Micros;
  let balancesAskedAt = 0 as Micros;
  for (const { what, orders, fills, balances: rows, askedAt } of answers) {
    const isActive = what.of === 'activeOrders';
    yield* eachInSlices(orders, (order) => {
      found.add(order.clientOrderId);
      listed.set(order.clientOrderId, order);
      if (isActive) active.set(order.clientOrderId, order);
    });
    yield* eachInSlices(fills, ({ clientOrderId }) => found.add(clientOrderId));
    switch (what.of) {
      case 'balances':
        // Those of contracts are compared by their margin accounts.
        if (what.product === 'futures') break;
        balances = rows;
        balancesAskedAt = askedAt;
        break;
      case 'tradeHistory':
        tradesAskedAt = Math.min(tradesAskedAt, askedAt) as Micros;
        tradeProducts.add(what.product ?? 'spot');
        for (const fill of fills) trades.push(fill);
        break;
      case 'marginAccounts':
        marginProducts.push(what.product);
        break;
      case 'orderHistory':
        histories.add(what.clientOrderId);
    }
  }
  return {
    begunAt,
    tradesAskedAt,
    active,
    balances,
    balancesAskedAt,
    histories,
    marginProducts,
    orders: listed,
    trades,
    tradeProducts,
    found,
  };
}

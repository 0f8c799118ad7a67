import type { Micros } from '../base/clock.ts';
import type { ReadAnswered } from '../model/event.ts';
import type { Balance } from '../model/market.ts';
import type { ClientOrderId, VenueOrder } from '../model/order.ts';
import type { Reads } from './reads.ts';

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
  /** Ids that any answer told of: an active order, a history row or a trade. */
  readonly told: ReadonlySet<ClientOrderId>;
}

interface RoundParts {
  readonly reads: Reads;
  readonly begunAt: Micros;
  /** Trades are read since then, by wall time. */
  readonly since: Micros;
  readonly ids: readonly ClientOrderId[];
  readonly done: (findings: Findings) => void;
}

/** Asks all reads of one look and calls `done` when the last answer is in. Dropped by forgetting the reads. */
export function startRound({ reads, begunAt, since, ids, done }: RoundParts): void {
  const answers: ReadAnswered[] = [];
  const expected = 3 + ids.length;
  const take = (answer: ReadAnswered): void => {
    answers.push(answer);
    if (answers.length === expected) done(gather(begunAt, answers));
  };
  reads.ask({ of: 'activeOrders' }, take);
  reads.ask({ of: 'balances' }, take);
  reads.ask({ of: 'tradeHistory', since }, take);
  for (const clientOrderId of ids) reads.ask({ of: 'orderHistory', clientOrderId }, take);
}

function gather(begunAt: Micros, answers: readonly ReadAnswered[]): Findings {
  const active = new Map<ClientOrderId, VenueOrder>();
  const histories = new Set<ClientOrderId>();
  const told = new Set<ClientOrderId>();
  let balances: readonly Balance[] = [];
  let tradesAskedAt = 0 as Micros;
  let balancesAskedAt = 0 as Micros;
  for (const { what, orders, fills, balances: rows, askedAt } of answers) {
    for (const { clientOrderId } of orders) told.add(clientOrderId);
    for (const { clientOrderId } of fills) told.add(clientOrderId);
    switch (what.of) {
      case 'activeOrders':
        for (const order of orders) active.set(order.clientOrderId, order);
        break;
      case 'balances':
        balances = rows;
        balancesAskedAt = askedAt;
        break;
      case 'tradeHistory':
        tradesAskedAt = askedAt;
        break;
      case 'orderHistory':
        histories.add(what.clientOrderId);
    }
  }
  return { begunAt, tradesAskedAt, active, balances, balancesAskedAt, histories, told };
}

import { assert, fail } from '../../../core/base/assert.ts';
import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { Command, Lane } from '../../../core/model/command.ts';
import { laneOf } from '../../../core/model/command.ts';
import type { CommandSettled } from '../../../core/model/event.ts';
import type { Product } from '../../../core/model/product.ts';
import type { BudgetUsage, LaneUsage } from '../../../core/budgets/lanes.ts';
import { LaneBudget } from '../../../core/budgets/lanes.ts';
import type { BudgetOptions } from './options.ts';

/** The limits a call may draw on. Source: API v3, "Limits"; API v2, "Limits" (`publicV2`). */
export const scopes = [
  'orderEntry',
  'tradingSocket',
  'publicSocket',
  'publicV2',
  'login',
  'subscribe',
  'spotOrderPath',
  'marginPath',
  'futuresPath',
  'restDefault',
  'restPublic',
] as const;
export type Scope = (typeof scopes)[number];

const scopesPerCall = 2;

/**
 * The budgets of one account on one address: a command draws on every limit it falls under, all at once or not at
 * all. One instance serves all connections of the account.
 *
 * New orders and replacements go over the trading socket (per account 300 + 200 for all products); cancels and reads of
 * active orders over REST `/spot/order/*` (per address 300 + 450), those of margin and of futures over paths with a limit of
 * their own, which margin accounts share; other reads count against `/*` (20 + 30). A read of active orders or of accounts
 * and a cancel of all orders also count against `/*`, because the document does not say whether `/spot/order/*` covers
 * `/spot/order`.
 */
export class ApiBudgets {
  readonly #budgets: Readonly<Record<Scope, LaneBudget>>;
  /** Reads of the account that are sustained in a second: our part of the limit that they all fall under. */
  readonly readRate: number;
  readonly #orderScopes: readonly Scope[];
  /** Per held slot: the scope indexes and the slots in them, -1 for none. */
  readonly #heldScopes: Int32Array;
  readonly #heldSlots: Int32Array;
  readonly #freeHeld: Int32Array;
  #freeCount = 0;

  constructor(options: BudgetOptions, clock: Clock) {
    const build = (scope: Scope): LaneBudget => {
      const { rate, burst } = options[scope];
      const part = options.mode === 'both' ? burst : rate + burst;
      const keep = reserves(scope) ? part * options.share : 0;
      const reserved = {
        cancel: Math.floor(options.reserved.cancel * keep),
        read: Math.floor(options.reserved.read * keep),
      };
      return new LaneBudget(
        { rate, burst, mode: options.mode, reserved, share: options.share, guard: options.guard },
        clock,
      );
    };
    this.#budgets = Object.fromEntries(scopes.map((scope) => [scope, build(scope)])) as Record<
      Scope,
      LaneBudget
    >;
    this.readRate = options.restDefault.rate * options.share;
    this.#orderScopes =
      options.socketCounts === 'messages' ? ['orderEntry', 'tradingSocket'] : ['orderEntry'];
    const size = scopes.reduce((sum, scope) => sum + this.#budgets[scope].capacity, 0);
    this.#heldScopes = new Int32Array(size * scopesPerCall).fill(-1);
    this.#heldSlots = new Int32Array(size * scopesPerCall);
    this.#freeHeld = Int32Array.from({ length: size }, (_, index) => size - 1 - index);
    this.#freeCount = size;
  }

  /** Takes a slot for `command`, which leaves now. Returns a slot for `settle` (0 or more), or -1: not now. */
  take(command: Command): number {
    return this.#takeAll(this.#scopesOf(command), laneOf(command));
  }

  /** Takes a slot for a call that is no command: a login, a subscription, a further page of a read. */
  takeCall(scope: Scope, lane: Lane = 'read'): number {
    return this.#takeAll(oneScope[scope], lane);
  }

  /** How long until `take(command)` may succeed if nothing else happens; 0 when it would now. */
  wait(command: Command): Micros {
    return this.#waitAll(this.#scopesOf(command), laneOf(command));
  }

  /** How long until `takeCall(scope, lane)` may succeed if nothing else happens; 0 when it would now. */
  waitCall(scope: Scope, lane: Lane = 'read'): Micros {
    return this.#waitAll(oneScope[scope], lane);
  }

  /** The call in `slot` ended, in any way. Every slot taken must be settled once. */
  settle(slot: number, outcome: CommandSettled['outcome']): void {
    const limited = outcome === 'limited';
    const base = slot * scopesPerCall;
    assert((this.#heldScopes[base] ?? -1) >= 0, 'a budget slot was settled that is not taken');
    for (let at = base; at < base + scopesPerCall; at++) {
      const scope = this.#heldScopes[at] as number;
      if (scope < 0) continue;
      this.#at(scope).settle(this.#heldSlots[at] as number, limited);
      this.#heldScopes[at] = -1;
    }
    this.#freeHeld[this.#freeCount] = slot;
    this.#freeCount += 1;
  }

  /** Per lane, the limit it draws on: requests that count now and how many may. */
  usage(): Readonly<Record<Lane, LaneUsage>> {
    const paths = Object.values(orderPaths).map((scope) => brief(this.#budgets[scope]));
    const cancels = paths.reduce((most, one) => (share(one) > share(most) ? one : most));
    const orders = brief(this.#budgets.orderEntry);
    return { cancel: cancels, read: brief(this.#budgets.restDefault), replace: orders, new: orders };
  }

  /** Usage of one limit, with the time a new order or call would wait. */
  usageOf(scope: Scope): BudgetUsage {
    return this.#budgets[scope].usage();
  }

  #takeAll(needed: readonly Scope[], lane: Lane): number {
    if (this.#waitAll(needed, lane) > 0) return -1;
    if (this.#freeCount === 0) fail('budget slots ran out', { lane });
    this.#freeCount -= 1;
    const slot = this.#freeHeld[this.#freeCount] as number;
    for (let i = 0; i < needed.length; i++) {
      const scope = scopes.indexOf(needed[i] as Scope);
      this.#heldScopes[slot * scopesPerCall + i] = scope;
      this.#heldSlots[slot * scopesPerCall + i] = this.#at(scope).takeSlot(lane);
    }
    return slot;
  }

  #waitAll(needed: readonly Scope[], lane: Lane): Micros {
    let wait = 0;
    for (let i = 0; i < needed.length; i++) {
      wait = Math.max(wait, this.#budgets[needed[i] as Scope].wait(lane));
    }
    return wait as Micros;
  }

  #scopesOf(command: Command): readonly Scope[] {
    switch (command.kind) {
      case 'newOrder':
      case 'newOrderList':
      case 'replaceOrder':
        return this.#orderScopes;
      case 'cancelOrder':
        return oneScope[orderPaths[command.product ?? 'spot']];
      case 'cancelOrders':
        return listScopes[command.product ?? 'spot'];
      case 'changeMargin': {
        // No row of the document counts the method that changes the leverage alone: it is taken for one of those beside it.
        const { balance, product } = command.change;
        return balance === undefined ? this.#orderScopes : oneScope[orderPaths[product]];
      }
      case 'read': {
        const { what } = command;
        if (what.of === 'book') return oneScope.restPublic;
        const isOnPath = what.of === 'activeOrders' || what.of === 'marginAccounts';
        return isOnPath ? listScopes[what.product ?? 'spot'] : oneScope.restDefault;
      }
    }
  }

  #at(scope: number): LaneBudget {
    return this.#budgets[scopes[scope] as Scope];
  }
}

const orderPaths = { spot: 'spotOrderPath', margin: 'marginPath', futures: 'futuresPath' } as const;
const listScopes: Readonly<Record<Product, readonly Scope[]>> = {
  spot: ['spotOrderPath', 'restDefault'],
  margin: ['marginPath', 'restDefault'],
  futures: ['futuresPath', 'restDefault'],
};
const oneScope = Object.fromEntries(scopes.map((scope) => [scope, [scope]])) as unknown as Readonly<
  Record<Scope, readonly Scope[]>
>;

/** Only these limits are shared by lanes of different urgency; in the others a reserve would lie idle. */
function reserves(scope: Scope): boolean {
  return scope === 'spotOrderPath' || scope === 'marginPath' || scope === 'futuresPath';
}

function share({ used, capacity }: LaneUsage): number {
  return used / capacity;
}

function brief(budget: LaneBudget): LaneUsage {
  const { inUse, capacity } = budget.usage();
  return { used: inUse, capacity };
}

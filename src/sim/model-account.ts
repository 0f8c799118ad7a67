import type { Amount } from '../core/base/amount.ts';
import { zero } from '../core/base/amount.ts';
import type { InstrumentId, Ticks } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type {
  AccountPort,
  PaidOrder,
  AccountId,
  Execution,
  BalanceOutcome,
} from '../exchange/matching/index.ts';
import type { SimAccount } from './account.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import type { PricedMarket } from './fill-models/models.ts';
import { midPrice } from './fill-models/models.ts';

/** The account that pays for orders at a simulated venue, and which of its balances have changed. */
export class ModelAccount implements AccountPort {
  readonly #account: SimAccount;
  readonly #id: AccountId;
  /** Markets by instrument id, as the account's fees are. */
  readonly #markets: readonly PricedMarket[];
  readonly #fees: readonly FeeSchedule[];
  readonly #before = new Map<string, Balance>();
  #touched = false;

  constructor(
    account: SimAccount,
    id: AccountId,
    at: { readonly markets: readonly PricedMarket[]; readonly fees: readonly FeeSchedule[] },
  ) {
    this.#account = account;
    this.#id = id;
    this.#markets = at.markets;
    this.#fees = at.fees;
    for (const balance of account.balances()) this.#before.set(balance.currency, balance);
  }

  need({ instrument: id, side, remaining }: PaidOrder, at: Ticks): Amount {
    this.#mark(id, at);
    const { instrument } = this.#market(id);
    return this.#account.need({ instrument, side, price: at, lots: remaining, fees: this.#feesOf(id) });
  }

  reserve({ instrument, side }: PaidOrder, amount: Amount): boolean {
    if (!this.#account.reserve(this.#market(instrument).instrument, side, amount)) return false;
    this.#touched = true;
    return true;
  }

  release({ instrument, side }: PaidOrder, amount: Amount): void {
    this.#account.release(this.#market(instrument).instrument, side, amount);
    this.#touched = true;
  }

  settle({ instrument: id, side }: PaidOrder, { price, quantity }: Execution, taker: boolean): Amount {
    const { instrument } = this.#market(id);
    const fee = this.#feesOf(id).charge(price, quantity, taker);
    this.#touched = true;
    this.#account.book({ instrument, side, price, lots: quantity, fee });
    return fee;
  }

  /** The account has changed without an order. */
  touch(): void {
    this.#touched = true;
  }

  /** The balances that have changed since they were asked for last. */
  changes(): BalanceOutcome[] {
    if (!this.#touched) return [];
    this.#touched = false;
    const changed: BalanceOutcome[] = [];
    const before = this.#before;
    const now = new Map(this.#account.balances().map((balance) => [balance.currency, balance]));
    for (const currency of new Set([...before.keys(), ...now.keys()])) {
      const balance: Balance = now.get(currency) ?? { currency, available: zero, reserved: zero };
      const known = before.get(currency);
      if (isSame(known, balance)) continue;
      before.set(currency, balance);
      changed.push({ kind: 'balance', account: this.#id, ...balance });
    }
    return changed;
  }

  /** Values every market at its middle; that of an order at what it asks for, where a side of its book is empty. */
  #mark(id: InstrumentId, at: Ticks): void {
    const account = this.#account;
    if (account.mark === undefined) return;
    for (const market of this.#markets) {
      const { instrument } = market;
      const mid = midPrice(market) ?? (instrument.id === id ? instrument.priceAmount(at) : undefined);
      if (mid !== undefined) account.mark(instrument, mid);
    }
  }

  #market(id: InstrumentId): PricedMarket {
    return this.#markets[id] as PricedMarket;
  }

  #feesOf(id: InstrumentId): FeeSchedule {
    return this.#fees[id] as FeeSchedule;
  }
}

function isSame(one: Balance | undefined, other: Balance): boolean {
  return (
    one?.available === other.available &&
    one.reserved === other.reserved &&
    one.buyingPower === other.buyingPower
  );
}

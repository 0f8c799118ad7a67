import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type {
  InstrumentId,
  Instruments,
  InstrumentStatus,
  Lots,
  Ticks,
} from '../../core/model/instrument.ts';
import type { Balance, Level } from '../../core/model/market.ts';
import type { MarginAccountView } from '../../core/model/margin.ts';
import type { ListMark } from '../../core/model/order-list.ts';
import type { Side, VenueOrder } from '../../core/model/order.ts';
import type { AccountId } from './accounts/index.ts';
import type { ExchangeState, MarginKey } from './state/index.ts';
import { viewOf } from './accounts/index.ts';
import { priceOf, none } from './book/index.ts';

/** Reads of an exchange; nothing here changes it. */
export class ExchangeReads {
  readonly instruments: Instruments;
  readonly #exchange: ExchangeState;

  constructor(exchange: ExchangeState) {
    this.instruments = exchange.instruments;
    this.#exchange = exchange;
  }

  /** The active or suspended order with that client id. */
  order(account: AccountId, clientOrderId: string): VenueOrder | undefined {
    return this.#exchange.accounts.get(account)?.live(clientOrderId)?.snapshot();
  }

  /** Active and suspended orders of an account, on one instrument or on all, in order of creation. */
  activeOrders(account: AccountId, instrument?: InstrumentId): VenueOrder[] {
    const orders: VenueOrder[] = [];
    for (const record of this.#exchange.accounts.get(account)?.orders() ?? []) {
      if (instrument === undefined || record.instrument === instrument) orders.push(record.snapshot());
    }
    return orders;
  }

  /** Mark of a live order in its list; `undefined` when it belongs to none. */
  listMark(account: AccountId, clientOrderId: string): ListMark | undefined {
    const record = this.#exchange.accounts.get(account)?.live(clientOrderId);
    return record?.list?.mark(record.inactive);
  }

  /** How many active and suspended orders the user of an account has on spot, margin and futures: on one instrument or on all. */
  activeCount(account: AccountId, instrument?: InstrumentId): number {
    const found = this.#exchange.accounts.get(account);
    return (instrument === undefined ? found?.count : found?.countOf(instrument)) ?? 0;
  }

  /** Balance of one currency; zeros when the account has never had any. */
  balance(account: AccountId, currency: string): Balance {
    const wallet = this.#exchange.accounts.get(account)?.wallets.get(currency);
    return { currency, available: wallet?.available ?? zero, reserved: wallet?.reserved ?? zero };
  }

  /** Balances of an account in the order in which currencies were first used; zeros are left out. */
  balances(account: AccountId): Balance[] {
    const balances: Balance[] = [];
    for (const { currency, available, reserved } of this.#exchange.accounts.get(account)?.wallets.values() ??
      []) {
      if (available !== zero || reserved !== zero) balances.push({ currency, available, reserved });
    }
    return balances;
  }

  /** Best price of a side, `undefined` when it is empty. */
  best(instrument: InstrumentId, side: Side): Ticks | undefined {
    return this.#exchange.market(instrument).book.best(side);
  }

  /** Levels of a side, best first, all or at most `countMax`. */
  levels(instrument: InstrumentId, side: Side, countMax = Number.POSITIVE_INFINITY): Level[] {
    const { levels } = this.#exchange.market(instrument).book.queue(side);
    const found: Level[] = [];
    for (let slot = levels.best; slot !== none && found.length < countMax; slot = levels.worse(slot)) {
      const quantity = levels.total[slot] as Lots;
      found.push({ price: priceOf(side, levels.key[slot] as number), quantity });
    }
    return found;
  }

  /** Price of the last trade, `undefined` before the first. */
  lastPrice(instrument: InstrumentId): Ticks | undefined {
    return this.#exchange.market(instrument).last;
  }

  status(instrument: InstrumentId): InstrumentStatus {
    return this.#exchange.market(instrument).status;
  }

  /** A margin account of a product account. */
  marginAccount(product: AccountId, key: MarginKey): MarginAccountView | undefined {
    const account = this.#exchange.margin.find(product, key);
    return account === undefined ? undefined : viewOf(account);
  }

  /** Margin accounts of a product account, in the order they were opened. */
  marginAccounts(product: AccountId): MarginAccountView[] {
    return [...this.#exchange.margin.of(product)].map(viewOf);
  }

  /** Funds of the exchange in a currency; less than nothing where it has lent to positions. */
  exchangeFunds(currency: string): Amount {
    return this.#exchange.margin.exchangeFunds(currency);
  }

  /** Fees collected from all accounts, rebates subtracted. */
  collectedFees(currency: string): Amount {
    return this.#exchange.wallets.collected(currency);
  }

  /** When the next GTD or Day order is due: send `expire` then. */
  nextExpiry(): Micros | undefined {
    return this.#exchange.expiries.next();
  }
}

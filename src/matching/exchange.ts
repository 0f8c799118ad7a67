import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import { unreachable } from '../base/assert.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Instruments, InstrumentStatus, Lots, Ticks } from '../model/instrument.ts';
import type { Balance, Level } from '../model/market.ts';
import type { MarginAccountView } from '../model/margin.ts';
import type { ListMark } from '../model/order-list.ts';
import type { Side, VenueOrder } from '../model/order.ts';
import type {
  AccountId,
  AdjustBalanceCommand,
  ExchangeCommand,
  SetMarkCommand,
  SetStatusCommand,
} from './command.ts';
import { placeList } from './contingency.ts';
import { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { activateFired } from './entry.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { defaultExchangeOptions } from './exchange-options.ts';
import { priceOf } from './order-book.ts';
import { none } from './order-pool.ts';
import { manageMargin } from './margin-manager.ts';
import type { MarginKey } from './margin-desk.ts';
import { viewOf } from './margin-view.ts';
import { watchMargins } from './margin-watch.ts';
import type { Outcome } from './outcome.ts';
import { Outsiders } from './outsiders.ts';
import { place } from './place.ts';
import { placePlain } from './plain-orders.ts';
import { replace } from './replace.ts';

/** What an exchange is made of. */
export interface ExchangeSetup {
  readonly instruments: Instruments;
  readonly options?: Partial<ExchangeOptions>;
}

/**
 * Many accounts, many instruments: a command in, its outcomes out.
 *
 * Never reads a clock: time comes with the command and must not go back. Deterministic. Accounts open at their first
 * use. Order of outcomes: what happened to orders and public trades as it happened, then one per changed level, then
 * one per changed balance. Orders that are due by `now` expire before the command is looked at.
 */
export class Exchange {
  readonly instruments: Instruments;
  /** The way in for quantity and takers that belong to no account. */
  readonly outsiders: Outsiders;
  readonly #desk: Desk;

  constructor(setup: ExchangeSetup) {
    this.instruments = setup.instruments;
    this.#desk = new Desk(setup.instruments, { ...defaultExchangeOptions, ...setup.options });
    this.outsiders = new Outsiders(this.#desk);
  }

  /** Executes a command at `now`. The outcomes are the caller's to keep. Throws `BadInput` on an unknown instrument. */
  handle(command: ExchangeCommand, now: Micros): readonly Outcome[] {
    const desk = this.#desk;
    desk.begin(now);
    const next = desk.expiries.next();
    if (next !== undefined && next <= now) this.#expire(now);
    switch (command.kind) {
      case 'place':
        if (!placePlain(desk, command)) place(desk, command);
        break;
      case 'placeList':
        placeList(desk, command);
        break;
      case 'cancel':
        this.#cancel(command.account, command.clientOrderId);
        break;
      case 'replace':
        replace(desk, command);
        break;
      case 'cancelAll':
        this.#cancelAll(command.account, command.instrument);
        break;
      case 'adjustBalance':
        this.#adjustBalance(command);
        break;
      case 'expire':
        break;
      case 'setStatus':
        this.#setStatus(command);
        break;
      case 'setMargin':
      case 'setLeverage':
      case 'setAmr':
      case 'setAutoMargin':
      case 'closePosition':
      case 'takeInterest':
      case 'settleFunding':
        manageMargin(desk, command);
        break;
      case 'setMark':
        this.#setMark(command);
        break;
      default:
        unreachable(command);
    }
    if (desk.fired.length > 0) activateFired(desk);
    watchMargins(desk);
    return desk.finish();
  }

  /** The active or suspended order with that client id. */
  order(account: AccountId, clientOrderId: string): VenueOrder | undefined {
    return this.#desk.accounts.get(account)?.live(clientOrderId)?.snapshot();
  }

  /** Active and suspended orders of an account, on one instrument or on all, in order of creation. */
  activeOrders(account: AccountId, instrument?: InstrumentId): VenueOrder[] {
    const orders: VenueOrder[] = [];
    for (const record of this.#desk.accounts.get(account)?.orders() ?? []) {
      if (instrument === undefined || record.instrument === instrument) orders.push(record.snapshot());
    }
    return orders;
  }

  /** What the list of a live order says of it; `undefined` when it belongs to none. */
  listMark(account: AccountId, clientOrderId: string): ListMark | undefined {
    const record = this.#desk.accounts.get(account)?.live(clientOrderId);
    return record?.list?.mark(record.inactive);
  }

  /** How many active and suspended orders an account has, on one instrument or on all. */
  activeCount(account: AccountId, instrument?: InstrumentId): number {
    const found = this.#desk.accounts.get(account);
    return (instrument === undefined ? found?.count : found?.countOf(instrument)) ?? 0;
  }

  /** Balance of one currency; zeros when the account has never had any. */
  balance(account: AccountId, currency: string): Balance {
    const purse = this.#desk.accounts.get(account)?.purses.get(currency);
    return { currency, available: purse?.available ?? zero, reserved: purse?.reserved ?? zero };
  }

  /** Balances of an account in the order in which currencies were first used; zeros are left out. */
  balances(account: AccountId): Balance[] {
    const balances: Balance[] = [];
    for (const { currency, available, reserved } of this.#desk.accounts.get(account)?.purses.values() ?? []) {
      if (available !== zero || reserved !== zero) balances.push({ currency, available, reserved });
    }
    return balances;
  }

  /** Best price of a side, `undefined` when it is empty. */
  best(instrument: InstrumentId, side: Side): Ticks | undefined {
    return this.#desk.market(instrument).book.best(side);
  }

  /** Levels of a side, best first, all or at most `countMax`. */
  levels(instrument: InstrumentId, side: Side, countMax = Number.POSITIVE_INFINITY): Level[] {
    const { levels } = this.#desk.market(instrument).book.queue(side);
    const found: Level[] = [];
    for (let slot = levels.best; slot !== none && found.length < countMax; slot = levels.worse(slot)) {
      const quantity = levels.total[slot] as Lots;
      found.push({ price: priceOf(side, levels.key[slot] as number), quantity });
    }
    return found;
  }

  /** Price of the last trade, `undefined` before the first. */
  lastPrice(instrument: InstrumentId): Ticks | undefined {
    return this.#desk.market(instrument).last;
  }

  status(instrument: InstrumentId): InstrumentStatus {
    return this.#desk.market(instrument).status;
  }

  /** A margin account of a wing. */
  marginAccount(wing: AccountId, key: MarginKey): MarginAccountView | undefined {
    const account = this.#desk.margin.find(wing, key);
    return account === undefined ? undefined : viewOf(account);
  }

  /** Margin accounts of a wing, in the order they were opened. */
  marginAccounts(wing: AccountId): MarginAccountView[] {
    return [...this.#desk.margin.of(wing)].map(viewOf);
  }

  /** What the house has of a currency; less than nothing where it has lent to positions. */
  house(currency: string): Amount {
    return this.#desk.margin.house(currency);
  }

  /** Fees collected from all accounts, rebates subtracted. */
  collectedFees(currency: string): Amount {
    return this.#desk.ledger.collected(currency);
  }

  /** When the next GTD or Day order is due: send `expire` then. */
  nextExpiry(): Micros | undefined {
    return this.#desk.expiries.next();
  }

  #cancel(account: AccountId, clientOrderId: string): void {
    const record = this.#desk.account(account).live(clientOrderId);
    if (record !== undefined) endAndReport(this.#desk, record, 'canceled');
    else
      this.#desk.refuse(account, clientOrderId, 'ORDER_NOT_FOUND', 'there is no active order with that id');
  }

  #cancelAll(account: AccountId, instrument: InstrumentId | undefined): void {
    for (const record of this.#desk.account(account).orders()) {
      if (instrument === undefined || record.instrument === instrument)
        endAndReport(this.#desk, record, 'canceled');
    }
  }

  #adjustBalance(command: AdjustBalanceCommand): void {
    const desk = this.#desk;
    const purse = desk.purse(desk.account(command.account), command.currency);
    if (desk.ledger.deposit(purse, command.change)) return;
    desk.refuse(
      command.account,
      undefined,
      'INSUFFICIENT_FUNDS',
      `too little ${command.currency} is available`,
    );
  }

  #expire(now: Micros): void {
    const { expiries } = this.#desk;
    for (let record = expiries.takeDue(now); record !== undefined; record = expiries.takeDue(now)) {
      // It has left the heap already, so that its end must not be counted there.
      record.expiresAt = 0;
      endAndReport(this.#desk, record, 'expired');
    }
  }

  #setMark({ instrument, price }: SetMarkCommand): void {
    const market = this.#desk.market(instrument);
    if (market.mark === price) return;
    market.mark = price;
    if (market.exposed.size > 0) this.#desk.margin.moved.add(market);
  }

  #setStatus(command: SetStatusCommand): void {
    this.#desk.market(command.instrument).status = command.status;
    this.#desk.outcomes.push({ kind: 'status', instrument: command.instrument });
  }
}

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
import type { Side, VenueOrder, OrderRequest } from '../../core/model/order.ts';
import { unreachable } from '../../core/base/assert.ts';
import type {
  AccountId,
  AdjustBalanceCommand,
  ExchangeCommand,
  MarginCommand,
  PlaceCommand,
  SetMarkCommand,
} from './accounts/index.ts';
import { viewOf } from './accounts/index.ts';
import type { MarginKey, MatchingOptions, ExchangeOutcome } from './state/index.ts';
import { ExchangeState, defaultMatchingOptions } from './state/index.ts';
import { priceOf, none } from './book/index.ts';
import { placeList } from './place-list.ts';
import { endAndReport, activateFired, FifoFills } from './execution/index.ts';
import {
  settleFunding,
  takeInterest,
  closePosition,
  setAmr,
  setAutoMargin,
  setLeverage,
  setMargin,
  expireContract,
  setStatus,
  settleContract,
  watchMargins,
} from './margin/index.ts';
import { AnonymousOrders } from './anonymous-orders.ts';
import { place, placePlain, replace } from './place.ts';

/** Reads of an exchange; nothing here changes it. */
class ExchangeReads {
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

/** Parts that an exchange is made of. */
export interface ExchangeDeps {
  readonly instruments: Instruments;
  readonly options?: Partial<MatchingOptions>;
}

/**
 * Many accounts, many instruments: a command in, its outcomes out.
 *
 * Never reads a clock: time comes with the command and must not go back. Deterministic. Accounts open at their first
 * use. Order of outcomes: what happened to orders and public trades as it happened, then one per changed level, then
 * one per changed balance. Orders that are due by `now` expire before the command is looked at.
 *
 * With `publicOutcomes` and `spotFunds` off it is books, client ids and reports: no public trades, levels, money.
 */
export class Exchange extends ExchangeReads {
  /** The way in for quantity and takers that belong to no account. */
  readonly anonymous: AnonymousOrders;
  readonly #exchange: ExchangeState;

  constructor(setup: ExchangeDeps | ExchangeState) {
    const exchange = setup instanceof ExchangeState ? setup : stateOf(setup);
    super(exchange);
    this.#exchange = exchange;
    this.anonymous = new AnonymousOrders(exchange);
  }

  /** Places an order without mark-ups, as the command does. The request is read and not kept: it may be used again. */
  place(account: AccountId, request: OrderRequest, now: Micros): readonly ExchangeOutcome[] {
    this.#beginCommand(now);
    if (!placePlain(this.#exchange, account, request))
      place(this.#exchange, { kind: 'place', account, request, takeMarkup: zero, makeMarkup: zero });
    return this.#finishCommand();
  }

  /** Cancels an order, as the command does. */
  cancel(account: AccountId, clientOrderId: string, now: Micros): readonly ExchangeOutcome[] {
    this.#beginCommand(now);
    this.#cancel(account, clientOrderId);
    return this.#finishCommand();
  }

  /** Executes a command at `now`. The outcomes are the caller's to keep. Throws `BadInput` on an unknown instrument. */
  handle(command: ExchangeCommand, now: Micros): readonly ExchangeOutcome[] {
    const exchange = this.#exchange;
    this.#beginCommand(now);
    switch (command.kind) {
      case 'place':
        if (!isPlain(command) || !placePlain(exchange, command.account, command.request))
          place(exchange, command);
        break;
      case 'placeList':
        placeList(exchange, command);
        break;
      case 'cancel':
        this.#cancel(command.account, command.clientOrderId);
        break;
      case 'replace':
        replace(exchange, command);
        break;
      case 'cancelAll':
        this.#cancelAll(command.account, command.instrument);
        break;
      case 'adjustBalance':
        this.#adjustBalance(command);
        break;
      case 'expire':
        this.#expire(now);
        break;
      case 'setStatus':
        setStatus(this.#exchange, command.instrument, command.status);
        break;
      case 'setMargin':
      case 'setLeverage':
      case 'setAmr':
      case 'setAutoMargin':
      case 'closePosition':
      case 'takeInterest':
      case 'settleFunding':
      case 'expireContract':
      case 'settleContract':
        manageMargin(exchange, command);
        break;
      case 'setMark':
        this.#setMark(command);
        break;
      default:
        unreachable(command);
    }
    return this.#finishCommand();
  }

  /** Begins a command: what is due by `now` comes first. */
  #beginCommand(now: Micros): void {
    const exchange = this.#exchange;
    exchange.beginCommand(now);
    const next = exchange.expiries.next();
    if (next !== undefined && next <= now && exchange.options.expiresFirst) this.#expire(now);
  }

  #finishCommand(): readonly ExchangeOutcome[] {
    const exchange = this.#exchange;
    if (exchange.fired.length > 0) activateFired(exchange);
    watchMargins(exchange);
    return exchange.finishCommand();
  }

  #cancel(account: AccountId, clientOrderId: string): void {
    const record = this.#exchange.account(account).live(clientOrderId);
    if (record !== undefined) endAndReport(this.#exchange, record, 'canceled');
    else
      this.#exchange.refuse(
        account,
        clientOrderId,
        'ORDER_NOT_FOUND',
        'there is no active order with that id',
      );
  }

  #cancelAll(account: AccountId, instrument: InstrumentId | undefined): void {
    for (const record of this.#exchange.account(account).orders()) {
      if (instrument === undefined || record.instrument === instrument)
        endAndReport(this.#exchange, record, 'canceled');
    }
  }

  #adjustBalance(command: AdjustBalanceCommand): void {
    const exchange = this.#exchange;
    const wallet = exchange.wallet(exchange.account(command.account), command.currency);
    if (exchange.wallets.deposit(wallet, command.change)) return;
    exchange.refuse(
      command.account,
      undefined,
      'INSUFFICIENT_FUNDS',
      `too little ${command.currency} is available`,
    );
  }

  #expire(now: Micros): void {
    const { expiries } = this.#exchange;
    for (let record = expiries.takeDue(now); record !== undefined; record = expiries.takeDue(now)) {
      // It has left the heap already, so that its end must not be counted there.
      record.expiresAt = 0;
      endAndReport(this.#exchange, record, 'expired');
    }
  }

  #setMark({ instrument, price }: SetMarkCommand): void {
    const market = this.#exchange.market(instrument);
    if (market.mark === price) return;
    market.mark = price;
    if (market.exposed.size > 0) this.#exchange.margin.moved.add(market);
  }
}

function stateOf({ instruments, options }: ExchangeDeps): ExchangeState {
  const all = { ...defaultMatchingOptions, ...options };
  return new ExchangeState(instruments, all, (exchange, market) => new FifoFills(exchange, market));
}

/** Whether an order has no mark-ups. */
function isPlain({ takeMarkup, makeMarkup }: PlaceCommand): boolean {
  return takeMarkup === zero && makeMarkup === zero;
}

/** Executes a command about margin. */
function manageMargin(exchange: ExchangeState, command: MarginCommand): void {
  switch (command.kind) {
    case 'setMargin':
      return setMargin(exchange, command);
    case 'setLeverage':
      return setLeverage(exchange, command);
    case 'setAmr':
      return setAmr(exchange, command);
    case 'setAutoMargin':
      return setAutoMargin(exchange, command);
    case 'closePosition':
      return closePosition(exchange, command);
    case 'takeInterest':
      return takeInterest(exchange, command);
    case 'settleFunding':
      return settleFunding(exchange, command);
    case 'expireContract':
      return expireContract(exchange, command);
    case 'settleContract':
      return settleContract(exchange, command);
    default:
      return unreachable(command);
  }
}

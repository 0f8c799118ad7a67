import type { Amount } from '../core/base/amount.ts';
import { add, parseAmount, zero } from '../core/base/amount.ts';
import { assert } from '../core/base/assert.ts';
import type { Micros } from '../core/base/clock.ts';
import type { ContractInfo } from '../core/model/market-event.ts';
import type { ChangeMarginCommand, OrderCommand } from '../core/model/command.ts';
import type { Instrument, InstrumentId, Lots, Ticks } from '../core/model/instrument.ts';
import type { MarginAccountView, OpenMarginAccount } from '../core/model/margin.ts';
import type { MarginRule } from '../core/model/margin-math.ts';
import type { Balance } from '../core/model/market.ts';
import type { OrderRequest, VenueOrder } from '../core/model/order.ts';
import type { MarginProductName, Product } from '../core/model/product.ts';
import { productOf } from '../core/model/product.ts';
import type {
  AccountId,
  ListedOrder,
  Exchange,
  ExchangeState,
  ExchangeMarket,
  Outcome,
  RefusalCode,
} from '../exchange/matching/index.ts';
import {
  futuresAccountOf,
  isFuturesAccount,
  isProductAccount,
  marginAccountOf,
} from '../exchange/matching/index.ts';
import type { Charges } from './charges.ts';
import { AnnouncedFunding } from './charges.ts';
import { openAsLeft } from './opened-accounts.ts';

/** The account of the run at a simulated venue. */
export const ourAccount = 0 as AccountId;

/** The margin and futures accounts that a simulated venue keeps for the run. */
export interface MarginDeps {
  /** The money of contracts. Margin of symbols comes from the balances of spot trading. */
  readonly futures: readonly Balance[];
  /** Demands of margin on an instrument; `undefined` where it is not traded on margin. */
  readonly ruleOf: (instrument: Instrument) => MarginRule | undefined;
  /** Charges that positions pay for standing open. */
  readonly charges: readonly Charges[];
  /** Accounts that stand at the start, with their positions; what was reserved for orders is free. */
  readonly opened?: readonly OpenMarginAccount[] | undefined;
}

/** The account number of the run for a product. */
export function accountFor(product: Product): AccountId {
  if (product === 'spot') return ourAccount;
  return product === 'futures' ? futuresAccountOf(ourAccount) : marginAccountOf(ourAccount);
}

/** The product of orders of an account number. */
export function productOfAccount(account: AccountId): Product {
  if (!isProductAccount(account)) return 'spot';
  return isFuturesAccount(account) ? 'futures' : 'margin';
}

/** Market whose positions are watched. */
interface Watched {
  readonly market: ExchangeMarket;
  bid: number;
  ask: number;
  /** A mark price was recorded: the book no longer makes one. */
  isMarked: boolean;
}

/** A charge, and when it is due next: nothing while no position is open. */
interface Due extends Charges {
  at: Micros | undefined;
}

/**
 * Margin and futures accounts of the run, by the exchange's own rules: it lends, calls, liquidates and takes charges as the
 * embedded exchange does. Positions are valued at the recorded mark price, or else at the middle of the book, cut to the tick.
 */
export class ProductAccounts {
  readonly #state: ExchangeState;
  readonly #exchange: Exchange;
  readonly #watched: readonly Watched[];
  readonly #due: readonly Due[];

  constructor(
    state: ExchangeState,
    exchange: Exchange,
    { setup, now }: { readonly setup: MarginDeps; readonly now: Micros },
  ) {
    this.#state = state;
    this.#exchange = exchange;
    this.#due = setup.charges.map((charges) => ({ ...charges, at: undefined }));
    this.#watched = state.instruments.all.map(({ id }) => ({
      market: state.market(id),
      bid: 0,
      ask: 0,
      isMarked: false,
    }));
    for (const one of setup.opened ?? []) openAsLeft(state, accountFor(one.product), one);
    for (const balance of setup.futures) deposit(exchange, accountFor('futures'), balance, now);
  }

  /** The best prices of a market. Whether positions there must be looked at: then the market is noted as moved. */
  quoted(id: InstrumentId, bid: number, ask: number): boolean {
    const watched = this.#watched[id] as Watched;
    if (watched.bid === bid && watched.ask === ask) return false;
    watched.bid = bid;
    watched.ask = ask;
    if (watched.isMarked || !Number.isFinite(bid) || !Number.isFinite(ask)) return false;
    return this.#mark(watched, Math.floor((bid + ask) / 2));
  }

  /** The market has named a mark price. Whether positions there must be looked at. */
  marked(id: InstrumentId, price: Ticks): boolean {
    const watched = this.#watched[id] as Watched;
    watched.isMarked = true;
    return this.#mark(watched, price);
  }

  /** The account that a command is for. */
  accountOf(command: OrderCommand): AccountId {
    switch (command.kind) {
      case 'newOrder':
        return this.#payerOf(command.request);
      case 'newOrderList':
        return command.requests[0] === undefined ? ourAccount : this.#payerOf(command.requests[0]);
      case 'cancelOrder':
      case 'replaceOrder':
        return accountFor(command.product ?? 'spot');
    }
  }

  /** An order as the exchange takes it. One that closes a position is for what is open now, and is counted anew when it fires. */
  listed(request: OrderRequest): ListedOrder {
    const { margin, takeRate = zero, makeRate = zero } = request;
    const rates = { takeMarkup: takeRate, makeMarkup: makeRate, margin };
    if (margin?.closePosition !== true) return { request, ...rates };
    const instrument = this.#state.instruments.at(request.instrument);
    const account = this.#state.margin.find(this.#payerOf(request), {
      mode: margin.mode,
      instrument: instrument.id,
      currency: instrument.spec.quoteCurrency,
    });
    const open = account?.positions.get(instrument.id)?.quantity ?? 0;
    return { request: { ...request, quantity: Math.max(1, Math.abs(open)) as Lots }, ...rates };
  }

  /** Takes what a contract shows of itself: its mark price, and its coming funding. Whether positions there must be looked at. */
  announced({ instrument: id, markPrice, fundingRate, nextFundingAt }: ContractInfo): boolean {
    const { instrument } = (this.#watched[id] as Watched).market;
    if (fundingRate !== undefined && nextFundingAt !== undefined)
      for (const { instrument: of, schedule } of this.#due)
        if (of === id && schedule instanceof AnnouncedFunding) schedule.announce(nextFundingAt, fundingRate);
    const price = Number(markPrice / instrument.priceAmount(1 as Ticks));
    return price > 0 && this.marked(id, price as Ticks);
  }

  /** When positions are charged next; nothing while none is open. */
  due(now: Micros): Micros | undefined {
    let first: Micros | undefined;
    for (const charge of this.#due) {
      const isOpen = this.#state.market(charge.instrument).exposed.size > 0;
      // What is due now is charged before the next time is looked for.
      charge.at = isOpen ? (charge.at ?? charge.schedule.nextAfter(now)) : undefined;
      if (charge.at !== undefined && (first === undefined || charge.at < first)) first = charge.at;
    }
    return first;
  }

  /** Charges what is due, and does what follows. */
  settle(now: Micros): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    for (const charge of this.#due) {
      const { at, instrument, schedule } = charge;
      if (at === undefined || now < at) continue;
      charge.at = undefined;
      const { mark: price } = this.#state.market(instrument);
      // A market that never had a price has no funding.
      if (charge.kind === 'funding' && price === undefined) continue;
      const command =
        charge.kind === 'interest' || price === undefined
          ? ({ kind: 'takeInterest', instrument } as const)
          : ({ kind: 'settleFunding', instrument, price, rate: schedule.rateAt(at) } as const);
      for (const outcome of this.#exchange.handle(command, now)) {
        const isCharge = outcome.kind === 'margin' && outcome.reason === 'interestTaken';
        outcomes.push(isCharge ? { ...outcome, charged: instrument } : outcome);
      }
    }
    return outcomes;
  }

  /** Changes a margin account, or refuses. */
  changeMargin({ change }: ChangeMarginCommand, now: Micros): readonly Outcome[] {
    const { product, mode, instrument, currency, balance, leverage } = change;
    const account = accountFor(product);
    const key = { mode, instrument: mode === 'isolated' ? instrument : undefined, currency };
    const refusal = this.#refusalOf(change);
    if (refusal !== undefined) return [{ kind: 'refused', account, clientOrderId: undefined, ...refusal }];
    const known = this.#exchange.marginAccount(account, key);
    if (balance === undefined && leverage !== undefined && known !== undefined)
      return this.#exchange.handle({ kind: 'setLeverage', account, ...key, leverage }, now);
    const set = { kind: 'setMargin', account, ...key, balance: balance ?? known?.balance ?? zero } as const;
    return this.#exchange.handle({ ...set, leverage }, now);
  }

  balances(product: Product): Balance[] {
    return this.#exchange.balances(product === 'futures' ? accountFor('futures') : ourAccount);
  }

  accounts(product: MarginProductName): MarginAccountView[] {
    return this.#exchange.marginAccounts(accountFor(product));
  }

  /** Amount that the exchange itself has of a currency: fees, and what it lent and took as charges. */
  exchangeHolds(currency: string): Amount {
    return add(this.#exchange.exchangeFunds(currency), this.#exchange.collectedFees(currency));
  }

  /** Live orders of a product, oldest first. */
  activeOrders(product: Product): VenueOrder[] {
    const orders: VenueOrder[] = [];
    for (const record of this.#state.account(accountFor(product)).orders()) {
      const order = record.snapshot();
      orders.push(record.margin === undefined ? order : { ...order, margin: record.margin });
    }
    return orders;
  }

  #payerOf({ instrument, margin }: OrderRequest): AccountId {
    return accountFor(productOf(this.#state.instruments.at(instrument), margin));
  }

  #mark(watched: Watched, price: number): boolean {
    const { market } = watched;
    if (market.mark === price) return false;
    market.mark = price as Ticks;
    if (market.exposed.size === 0) return false;
    this.#state.margin.moved.add(market);
    return true;
  }

  /** Refusal that the servers of the exchange would give before the matching core has the order. */
  #refusalOf({
    product,
    mode,
    instrument: id,
    currency,
    balance,
    leverage,
  }: ChangeMarginCommand['change']): Refusal | undefined {
    const { all } = this.#state.instruments;
    const ruleOf = this.#state.options.marginRule;
    const traded = all.filter(
      (one) => (one.spec.type === 'futures') === (product === 'futures') && ruleOf(one) !== undefined,
    );
    const meant =
      mode === 'isolated'
        ? traded.filter((one) => one.id === id)
        : traded.filter(({ spec }) => spec.quoteCurrency === currency);
    const [first] = meant;
    if (first === undefined)
      return {
        code: 'MARGIN_FORBIDDEN',
        why: 'neither the symbol nor the currency is traded on margin here',
      };
    const most = ruleOf(first)?.leverage ?? zero;
    if (leverage !== undefined && (leverage < leverageMin || leverage > most))
      return { code: 'MARGIN_FORBIDDEN', why: `the leverage of ${first.symbol} is out of its range` };
    if (balance !== undefined && balance < zero)
      return { code: 'INSUFFICIENT_FUNDS', why: 'a margin balance is not below zero' };
    return undefined;
  }
}

/** Source: v3-gaps, section 2.5 (futures_set_leverage). */
const leverageMin = parseAmount('1');

interface Refusal {
  readonly code: RefusalCode;
  readonly why: string;
}

/** Puts money into an account before the run. */
export function deposit(
  exchange: Exchange,
  account: AccountId,
  { currency, available, reserved }: Balance,
  now: Micros,
): void {
  const change: Amount = add(available, reserved);
  const outcomes = exchange.handle({ kind: 'adjustBalance', account, currency, change }, now);
  assert(outcomes[0]?.kind !== 'refused', `the simulated account cannot start with less than no ${currency}`);
}

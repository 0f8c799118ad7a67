import { zero } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type {
  Exchange,
  ExchangeCommand,
  ListedOrder,
  MatchingOptions,
  Outcome,
} from '../exchange/matching/index.ts';
import { defaultMatchingOptions } from '../exchange/matching/index.ts';
import type { OrderCommand } from '../core/model/command.ts';
import { listIdOf } from '../core/model/command.ts';
import type { MarketEvent } from '../core/model/event.ts';
import type { Instruments } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { OrderRequest, VenueOrder } from '../core/model/order.ts';
import type { SimOptions } from './options.ts';
import type { MarginDeps, ProductAccounts } from './product-accounts.ts';
import { ourAccount } from './product-accounts.ts';

/**
 * A fill model whole: the recorded market, our orders in it, and the account. Never reads a clock; times come with
 * the calls and never go back.
 */
export interface SimEngine {
  /** A fact of the recorded market. What comes of it for our orders goes to `happened` of the setup. */
  data(event: MarketEvent, now: Micros): void;
  /** A command has arrived. */
  execute(command: OrderCommand, now: Micros): readonly Outcome[];
  /** Ends the orders that are due. */
  expire(now: Micros): readonly Outcome[];
  /** When the next order expires by itself. */
  nextExpiry(): Micros | undefined;
  /** Balances as the venue reports them, without zeros. */
  balances(): readonly Balance[];
  /** Orders that live, oldest first: those of spot trading alone. */
  activeOrders(): VenueOrder[];
  /** The margin and futures accounts, where it keeps some. */
  readonly products?: ProductAccounts | undefined;
}

/** Parts that an engine is made from. */
export interface EngineDeps {
  readonly instruments: Instruments;
  readonly options: SimOptions;
  /** Balances that the account starts with: available amounts; `reserved` is added to them. */
  readonly balances: readonly Balance[];
  readonly now: Micros;
  /** Whether market data include the single orders behind the books. Default false. */
  readonly orders?: boolean | undefined;
  /** The number of the first trade. */
  readonly tradesFrom: number;
  /** The margin and futures accounts; without, the run trades spot alone. */
  readonly margin?: MarginDeps | undefined;
  /** Rules of the order keeping that differ from those of a simulation: where an exchange serves the market. */
  readonly rules?: Partial<MatchingOptions> | undefined;
  /** Called with everything that happens to our orders without a command. */
  readonly happened: (outcomes: readonly Outcome[], now: Micros) => void;
}

/** An engine that serves many accounts: their commands come as the embedded exchange has them. */
export interface SharedEngine extends SimEngine {
  /** Order keeping behind it, for reads. */
  readonly exchange: Exchange;
  /** A command of any account has arrived. */
  handle(command: ExchangeCommand, now: Micros): readonly Outcome[];
}

export type OpenEngine = (setup: EngineDeps) => SimEngine;

/** The order keeping of the embedded exchange beside a fill model: without limits of the venue, and ids are free once ended. */
export const simMatchingOptions: MatchingOptions = {
  ...defaultMatchingOptions,
  ordersPerSymbolMax: Number.POSITIVE_INFINITY,
  ordersPerAccountMax: Number.POSITIVE_INFINITY,
  idReuseAfter: 0 as Micros,
  refusesUnchanged: false,
  publicOutcomes: false,
  windowTicks: 1_024,
};

/** A command in the form in which the order keeping takes it; `products` where the run has more than a spot account. */
export function exchangeCommandOf(command: OrderCommand, products?: ProductAccounts): ExchangeCommand {
  const account = products?.accountOf(command) ?? ourAccount;
  const listed = (request: OrderRequest): ListedOrder => products?.listed(request) ?? plainOrder(request);
  switch (command.kind) {
    case 'newOrder':
      return { kind: 'place', account, ...listed(command.request) };
    case 'newOrderList': {
      const { contingency, requests } = command;
      const listId = listIdOf(command);
      return { kind: 'placeList', account, listId, contingency, orders: requests.map(listed) };
    }
    case 'cancelOrder':
      return { kind: 'cancel', account, clientOrderId: command.clientOrderId };
    case 'replaceOrder': {
      const { clientOrderId, newClientOrderId, quantity, price, stopPrice } = command;
      return { kind: 'replace', account, clientOrderId, newClientOrderId, quantity, price, stopPrice };
    }
  }
}

function plainOrder(request: OrderRequest): ListedOrder {
  return { request, takeMarkup: request.takeRate ?? zero, makeMarkup: request.makeRate ?? zero };
}

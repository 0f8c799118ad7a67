import { amountToNumber, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { NewOrderCommand } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { Candle } from '../../src/core/model/market.ts';
import type { ContingencyType } from '../../src/core/model/order-list.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import { defaultTimeInForce } from '../../src/core/model/order.ts';
import { barRulesOf } from '../../src/research/scenario/bar-fills.ts';
import { readBarFills } from '../support/bar-fills.ts';
import type { BarFillsInput } from '../support/bar-fills.ts';
import { BarVenue } from '../../src/sim/fill-models/bars/venue.ts';

const minute = 60_000_000;
const begin = 1_600_000_020_000_000;

interface Asked extends Partial<Pick<OrderRequest, 'type' | 'timeInForce' | 'postOnly' | 'expireTime'>> {
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price?: number;
  readonly stop?: number;
  /** The next one when left out. */
  readonly id?: string;
}

/** A bar venue with one instrument (tick 0.1, lot 1) that hears bars as rows and answers with what it reported. */
export class BarWorld {
  readonly noted: Event[] = [];
  readonly clock = new VirtualClock(begin as Micros);
  readonly venue: BarVenue;
  /** Called with every event, as a strategy would be. */
  hear: (event: Event) => void = () => {};
  readonly #instruments: Instruments;
  #bars = 0;
  #orders = 0;
  #commands = 0;

  constructor(
    fills: Omit<BarFillsInput, 'model'> = {},
    balances: Readonly<Record<string, string>> = { USD: '10000' },
    feeCurrency = 'USD',
  ) {
    const spec = {
      symbol: 'ABC',
      type: 'spot',
      baseCurrency: 'ABC',
      quoteCurrency: 'USD',
      feeCurrency,
    } as const;
    this.#instruments = new Instruments([
      {
        ...spec,
        tickSize: '0.1',
        quantityIncrement: '1',
        takeRate: '0',
        makeRate: '0',
        status: 'working',
        marginTrading: false,
      },
    ]);
    this.venue = new BarVenue({
      clock: this.clock,
      instruments: this.#instruments,
      rules: barRulesOf(readBarFills(fills)),
      balances: Object.entries(balances).map(([currency, text]) => ({
        currency,
        available: parseAmount(text),
        reserved: zero,
      })),
    });
    this.venue.events.subscribe((event) => {
      this.noted.push(event);
      this.hear(event);
    });
    this.clock.drain(this.clock.now());
  }

  /** The next bar: open, high, low, close. */
  bar(open: number, high: number, low: number, close: number): void {
    const time = (begin + this.#bars * minute) as Micros;
    this.#bars += 1;
    const end = (time + minute) as Micros;
    const [first, max, min, last] = [open, high, low, close].map((price) => parseAmount(price.toFixed(1)));
    const candle = {
      instrument: 0 as InstrumentId,
      period: 'M1',
      time,
      open: first,
      max,
      min,
      close: last,
      volume: zero,
      volumeQuote: zero,
    };
    const candles = [candle as Candle];
    this.venue.accept({
      kind: 'candles',
      instrument: 0 as InstrumentId,
      snapshot: false,
      candles,
      exchangeTime: end,
      receiveTime: end,
    });
  }

  /** So many bars are missing here. */
  skip(bars: number): void {
    this.#bars += bars;
  }

  /** Sends an order; prices in units of money. */
  order(asked: Asked): string {
    const request = this.#requestOf(asked);
    this.venue.send({
      kind: 'newOrder',
      commandId: this.#next(),
      strategy: 'test',
      request,
    } satisfies NewOrderCommand);
    this.clock.drain(this.clock.now());
    return request.clientOrderId;
  }

  /** Sends orders that depend on each other; returns their ids. */
  list(contingency: ContingencyType, ...asked: readonly Asked[]): readonly string[] {
    const requests = asked.map((one) => this.#requestOf(one));
    const orders = requests.map(({ clientOrderId }) => clientOrderId);
    this.venue.send({
      kind: 'newOrderList',
      commandId: this.#next(),
      strategy: 'test',
      contingency,
      requests: requests.map((request) => ({ ...request, list: { contingency, orders } })),
    });
    this.clock.drain(this.clock.now());
    return orders;
  }

  #requestOf(asked: Asked): OrderRequest {
    this.#orders += 1;
    const { price, stop, id, ...rest } = asked;
    const type = rest.type ?? (price === undefined ? 'market' : 'limit');
    return {
      clientOrderId: (id ?? `order-${String(this.#orders).padStart(4, '0')}`) as ClientOrderId,
      instrument: 0 as InstrumentId,
      timeInForce: defaultTimeInForce(type),
      expireTime: undefined,
      postOnly: false,
      ...rest,
      type,
      quantity: rest.quantity as Lots,
      price: ticks(price),
      stopPrice: ticks(stop),
    };
  }

  /** Replaces a limit order; returns the new id. */
  replace(id: string, quantity: number, price: number): string {
    this.#orders += 1;
    const newClientOrderId = `order-${String(this.#orders).padStart(4, '0')}` as ClientOrderId;
    this.venue.send({
      kind: 'replaceOrder',
      commandId: this.#next(),
      strategy: 'test',
      clientOrderId: id as ClientOrderId,
      newClientOrderId,
      instrument: 0 as InstrumentId,
      side: 'buy',
      quantity: quantity as Lots,
      price: ticks(price),
      stopPrice: undefined,
    });
    this.clock.drain(this.clock.now());
    return newClientOrderId;
  }

  cancel(id: string): void {
    const clientOrderId = id as ClientOrderId;
    const instrument = 0 as InstrumentId;
    this.venue.send({
      kind: 'cancelOrder',
      commandId: this.#next(),
      strategy: 'test',
      clientOrderId,
      instrument,
    });
    this.clock.drain(this.clock.now());
  }

  /** `side quantity at price` of every execution, in order. */
  get fills(): readonly string[] {
    return this.noted.flatMap((event) =>
      event.kind === 'orderReport' && event.fill !== undefined
        ? `${event.order.side} ${event.fill.quantity} at ${(event.fill.price / 10).toFixed(1)}`
        : [],
    );
  }

  /** Whether each of them took. */
  get takers(): readonly boolean[] {
    return this.noted.flatMap((event) =>
      event.kind === 'orderReport' && event.fill !== undefined ? event.fill.taker : [],
    );
  }

  /** What became of an order, in order. */
  reports(id: string): readonly string[] {
    return this.noted.flatMap((event) => {
      if (event.kind === 'orderReport' && event.order.clientOrderId === id) return event.reportType;
      if (event.kind === 'orderRejected' && event.clientOrderId === id) return `rejected ${event.code}`;
      return [];
    });
  }

  /** A balance of the account, in units. */
  balance(currency: string): Readonly<Record<'available' | 'reserved', number>> | undefined {
    const found = this.venue.account.balances().find((one) => one.currency === currency);
    if (found === undefined) return undefined;
    return { available: amountToNumber(found.available), reserved: amountToNumber(found.reserved) };
  }

  get figures(): Readonly<Record<'total' | 'locked' | 'free' | 'equity', number>> {
    const { total, locked, free, equity } = this.venue.account.figures('USD');
    return {
      total: amountToNumber(total),
      locked: amountToNumber(locked),
      free: amountToNumber(free),
      equity: amountToNumber(equity),
    };
  }

  #next(): number {
    this.#commands += 1;
    return this.#commands;
  }
}

function ticks(price: number | undefined): Ticks | undefined {
  return price === undefined ? undefined : (Math.round(price * 10) as Ticks);
}

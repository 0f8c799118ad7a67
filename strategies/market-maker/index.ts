import { defineStrategy, later, millis, seconds } from 'godwit/strategy';
import type { BookView, ClientOrderId, Denial, Order, Side, StrategyContext, z } from 'godwit/strategy';
import { params } from './params.ts';
import { quotesOf } from './quotes.ts';
import { othersBest } from './touch.ts';
import { Volatility } from './volatility.ts';

type Context = StrategyContext<z.output<typeof params>>;

/** Pause of a side after a refusal. */
const refusalPause = seconds(2);

/** Of the venue: "Order not found". */
const orderNotFound = '20002';

/** One side: the quote that stands or is on its way, and when the next action is allowed. */
interface Quote {
  readonly side: Side;
  id: ClientOrderId | undefined;
  /** The order it asked to cancel: the order manager repeats the cancel until the order has ended. */
  leaving: ClientOrderId | undefined;
  quietUntil: number;
  /** It was refused once for want of a price: before the first trade that is no trouble yet, a second time it is. */
  hasWaited: boolean;
  /** What was placed of late, and when: the same again within a second would be refused as a slip. */
  placed: { readonly price: number; readonly lots: number; readonly time: number }[];
}

class MarketMaker {
  readonly #context: Context;
  readonly #lots: number;
  readonly #lotsMax: number;
  readonly #makeRate: number;
  readonly #volatility: Volatility;
  /** One object for every quote: one is thought of with every message. */
  readonly #inputs = { mid: 0, inventory: 0, held: 0, deviation: 0, bestBid: 0, bestAsk: 0, feeTicks: 0 };
  readonly #quotes: readonly [Quote, Quote] = [
    { side: 'buy', id: undefined, leaving: undefined, quietUntil: 0, hasWaited: false, placed: [] },
    { side: 'sell', id: undefined, leaving: undefined, quietUntil: 0, hasWaited: false, placed: [] },
  ];

  constructor(context: Context) {
    const { params, log } = context;
    const instrument = context.instrument(params.symbol);
    this.#context = context;
    this.#lots = instrument.lots(params.quantity, 'down');
    this.#lotsMax = instrument.lots(params.positionMax, 'down');
    this.#makeRate = Number(instrument.spec.makeRate);
    this.#volatility = new Volatility({ sampleSeconds: 1, memorySeconds: params.memorySeconds });
    if (this.#lots === 0) log.error('the quantity is below one increment: nothing will be quoted');
  }

  quote(book: BookView): void {
    const { params, clock } = this.#context;
    const [buy, sell] = this.#quotes;
    const buying = this.#order(buy);
    const selling = this.#order(sell);
    const bestBid = othersBest(book, 'buy', buying);
    const bestAsk = othersBest(book, 'sell', selling);
    if (book.status !== 'live' || bestBid === undefined || bestAsk === undefined || bestBid >= bestAsk) {
      this.withdraw();
      return;
    }
    const inputs = this.#inputs;
    const mid = (bestBid + bestAsk) / 2;
    this.#volatility.observe(mid, clock.now());
    const position = this.#context.position(params.symbol).quantity;
    inputs.mid = mid;
    inputs.inventory = this.#lotsMax === 0 ? 0 : position / this.#lotsMax;
    inputs.held = this.#lots === 0 ? 0 : position / this.#lots;
    inputs.deviation = this.#volatility.over(params.horizonSeconds);
    inputs.bestBid = bestBid;
    inputs.bestAsk = bestAsk;
    inputs.feeTicks = mid * this.#makeRate;
    const quotes = quotesOf(inputs, params);
    const toBuy = Math.min(this.#lots, this.#lotsMax - position);
    const toSell = Math.min(this.#lots, this.#lotsMax + position);
    // The side that moves away goes first: our own orders must never meet.
    const rising = quotes.ask > (selling?.price ?? quotes.ask);
    if (rising) this.#steer(sell, selling, quotes.ask, toSell);
    this.#steer(buy, buying, quotes.bid, toBuy);
    if (!rising) this.#steer(sell, selling, quotes.ask, toSell);
  }

  /** Quotes go when we cannot see: the market moves on without us. */
  withdraw(): void {
    this.#volatility.interrupt();
    for (const quote of this.#quotes) {
      const order = this.#order(quote);
      if (order !== undefined) this.#cancel(quote, order);
    }
  }

  ended(order: Order, denial: Denial | undefined): void {
    if (denial === undefined && order.state !== 'rejected') return;
    const code = denial?.code ?? order.code;
    // It was filled, or gone, before the request came, here or at the venue: no reason to pause.
    if (code === 'ORDER_NOT_LIVE' || code === orderNotFound) return;
    const quote = this.#quotes.find(({ side }) => side === order.side);
    if (quote === undefined) return;
    quote.quietUntil = later(this.#context.clock.now(), refusalPause);
    if (code === 'CANCEL_UNDER_WAY') return;
    if (quote.leaving === order.clientOrderId) quote.leaving = undefined;
    const fields = { side: order.side, code, why: denial?.why ?? order.why };
    const { log } = this.#context;
    if (code !== 'REFERENCE_PRICE_MISSING' || quote.hasWaited) log.warn('refused', fields);
    else log.info('waits for a price to compare with', fields);
    if (code === 'REFERENCE_PRICE_MISSING') quote.hasWaited = true;
  }

  /** Brings one side to `price` and `lots` with as few messages as possible. */
  #steer(quote: Quote, order: Order | undefined, price: number, lots: number): void {
    const { params, clock } = this.#context;
    const now = clock.now();
    if (order === undefined) {
      if (lots <= 0 || now < quote.quietUntil || repeats(quote, price, lots, now)) return;
      if (!this.#meets(quote, price)) this.#place(quote, price, lots);
      return;
    }
    if (order.price === undefined || isMoving(quote, order)) return;
    if (lots <= 0) {
      this.#cancel(quote, order);
      return;
    }
    if (now < quote.quietUntil) return;
    const old = order.expireTime !== undefined && order.expireTime - now < (params.lifetimeSeconds * 1e6) / 2;
    const moved = Math.abs(order.price - price) >= params.requoteTicks;
    if (old) this.#cancel(quote, order);
    else if (moved && !this.#meets(quote, price)) this.#move(quote, order, { price, lots });
  }

  #place(quote: Quote, price: number, quantity: number): void {
    const { params, orders, clock } = this.#context;
    const expireTime = later(clock.now(), seconds(params.lifetimeSeconds));
    const { symbol } = params;
    const terms = { timeInForce: 'GTD', expireTime, postOnly: true } as const;
    quote.id = orders.place({ symbol, side: quote.side, quantity, price, ...terms });
    const now = clock.now();
    quote.placed = [
      ...quote.placed.filter((one) => isRecent(one, now)),
      { price, lots: quantity, time: now },
    ];
    this.#acted(quote);
  }

  /** An executed part is inherited by a replacement, so the wanted rest comes on top of it. */
  #move(quote: Quote, order: Order, to: { price: number; lots: number }): void {
    const { params, orders } = this.#context;
    if (!params.replace) {
      this.#cancel(quote, order);
      return;
    }
    quote.id = orders.replace(order.clientOrderId, { quantity: order.cumulative + to.lots, price: to.price });
    this.#acted(quote);
  }

  #cancel(quote: Quote, order: Order): void {
    if (isMoving(quote, order)) return;
    quote.leaving = order.clientOrderId;
    this.#context.orders.cancel(order.clientOrderId);
    this.#acted(quote);
  }

  #acted(quote: Quote): void {
    quote.quietUntil = Math.max(
      quote.quietUntil,
      later(this.#context.clock.now(), millis(this.#context.params.pauseMs)),
    );
  }

  /** The order this side waits for or stands with; the original again when its replacement was refused. */
  #order(quote: Quote): Order | undefined {
    const { orders } = this.#context;
    const order = quote.id === undefined ? undefined : orders.get(quote.id);
    if (order !== undefined && isOpen(order)) return order;
    quote.id = undefined;
    return orders.openCount() === 0 ? undefined : this.#standing(quote);
  }

  /** An order of this side that stands although the quote does not know it. */
  #standing(quote: Quote): Order | undefined {
    const { orders, params } = this.#context;
    const standing = orders.open(params.symbol).find((other) => other.side === quote.side);
    quote.id = standing?.clientOrderId;
    return standing;
  }

  /** Whether `price` would meet an order of ours on the other side, one on its way out included. */
  #meets(quote: Quote, price: number): boolean {
    const { orders, params } = this.#context;
    const buys = quote.side === 'buy';
    return orders
      .open(params.symbol)
      .some(
        (order) =>
          order.side !== quote.side &&
          order.price !== undefined &&
          (buys ? price >= order.price : price <= order.price),
      );
  }
}

/** Whether an answer is still on its way, or the order: to act again now would be to act blindly. */
function isMoving(quote: Quote, { clientOrderId, state, cancelPending, replacePending }: Order): boolean {
  if (state === 'pending' || state === 'unknown' || clientOrderId === quote.leaving) return true;
  return cancelPending || replacePending !== undefined;
}

function isOpen(order: Order): boolean {
  const { state } = order;
  return state === 'pending' || state === 'unknown' || state === 'new' || state === 'partiallyFilled';
}

export default defineStrategy({
  name: 'market-maker',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create(context) {
    const { params, market, orders, timers } = context;
    const maker = new MarketMaker(context);
    return {
      onStart() {
        // Quotes grow old although the book stands still.
        timers.every(seconds(1), 'renew');
      },
      onBook: (book) => maker.quote(book),
      onTimer: () => maker.quote(market.book(params.symbol)),
      onOrder: (order, denial) => maker.ended(order, denial),
      onOutage(outage) {
        if (outage.of === 'book') maker.withdraw();
      },
      onStop: () => orders.cancelAll(params.symbol),
    };
  },
});

function repeats({ placed }: Quote, price: number, lots: number, now: number): boolean {
  return placed.some((one) => one.price === price && one.lots === lots && isRecent(one, now));
}

/** One second, for the control of duplicates, and 0.2 s for the time that one order may take longer to reach it. */
const recent = seconds(1.2);

function isRecent({ time }: { readonly time: number }, now: number): boolean {
  return now - time <= recent.micros;
}

import { zero } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { micros, microsPerSecond } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, Side } from '../../core/model/order.ts';
import type { Core } from '../base/index.ts';
import type { Worth } from './fundamentals.ts';
import type { FlowOptions } from './options.ts';

/** How often an informed trader looks for quotes to take out, by event. */
const sweepChance = 0.15;
/** How much more stands far from the touch: a quote grows by this part of the median for each half spread of distance. */
const growth = 1.5;
/** How far the side of a taker may lean to what the informed know. */
const leanMax = 0.45;

/** Quotes that are taken away before one event at most, on each side. */
const pulledMax = 8;

interface FlowMarketDeps {
  readonly core: Core;
  readonly clock: Clock;
  readonly random: Random;
  readonly instrument: Instrument;
  readonly base: Worth;
  readonly quote: Worth;
  readonly options: FlowOptions;
  readonly makers: AccountId;
  readonly takers: AccountId;
}

/**
 * The seeded participants of one symbol. Makers quote around the publicly known price, at exponential distances
 * with more behind the touch than at it, and leave after exponential lifetimes. Takers come in clusters; some know the
 * fundamental price before the makers do, so that the book follows their trades and quoting strategies lose to them what
 * is earned from the others. One event at a time; the number of resting orders is bounded.
 */
export class SymbolFlow {
  readonly instrument: Instrument;
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #base: Worth;
  readonly #quote: Worth;
  readonly #options: FlowOptions;
  readonly #makers: AccountId;
  readonly #takers: AccountId;
  readonly #tick: number;
  readonly #increment: number;
  readonly #quotes = new MakerQuotes();
  #orderNumber = 0;
  readonly #clusters: TakerClusters;

  constructor(setup: FlowMarketDeps) {
    this.instrument = setup.instrument;
    this.#core = setup.core;
    this.#clock = setup.clock;
    this.#random = setup.random;
    this.#base = setup.base;
    this.#quote = setup.quote;
    this.#options = setup.options;
    this.#makers = setup.makers;
    this.#takers = setup.takers;
    const { tickSize, quantityIncrement } = setup.instrument.spec;
    this.#tick = Number(tickSize);
    this.#increment = Number(quantityIncrement);
    this.#clusters = new TakerClusters(setup.options.takerShare, setup.clock.uptime());
  }

  /** Time to the next event: exponential around the configured rate, shorter when the market is agitated. */
  nextDelay(): Micros {
    const rate = this.#options.eventsPerSecond * this.#agitation();
    return micros(Math.ceil(this.#random.exponential(microsPerSecond / rate)));
  }

  /** Quotes until the book has half of what it may have. */
  fill(): void {
    const count = Math.floor(this.#options.ordersMax / 2);
    for (let i = 0; i < count; i++) this.#quoteOnce();
  }

  /** One event: a taker, a cancel or a new quote; before it, makers take away what is publicly known to be too good. */
  act(): void {
    const fair = this.#fairTicks();
    const known = this.#knownTicks();
    this.#pull('buy', known);
    this.#pull('sell', known);
    const { book } = this.#core.market(this.instrument.id);
    const thin = Math.min(book.depth('buy'), book.depth('sell')) < this.#options.ordersMax / 16;
    // A thin book first attracts makers: they earn more there than takers do.
    if (!thin && this.#random.chance(this.#clusters.shareAt(this.#clock.uptime()))) {
      this.#take(fair);
      return;
    }
    if (this.#random.chance(sweepChance) && this.#sweepStale(fair)) return;
    // Lifetimes are exponential when each resting order is equally likely to go next.
    const full = this.#quotes.size / this.#options.ordersMax;
    if (this.#quotes.size > 0 && this.#random.chance(Math.min(1, full * full * 0.95 + 0.02))) {
      this.#cancel(this.#random.pick(this.#quotes.orders));
      return;
    }
    this.#quoteOnce();
  }

  /** An order of the makers has ended. */
  forget(clientOrderId: string): void {
    this.#quotes.remove(clientOrderId);
  }

  #fairTicks(): number {
    const now = this.#clock.now();
    return this.#base.at(now) / this.#quote.at(now) / this.#tick;
  }

  #knownTicks(): number {
    const now = this.#clock.now();
    return this.#base.known(now) / this.#quote.known(now) / this.#tick;
  }

  /** How wild the wilder of the two currencies is, within what participants believe. */
  #agitation(): number {
    return Math.min(4, Math.max(0.5, this.#base.agitation, this.#quote.agitation));
  }

  /** Half the spread aimed at: never below half a tick. */
  #spreadTicks(fair: number): number {
    return Math.max(0.5, (fair * this.#options.spreadBps) / 10_000);
  }

  #depthTicks(fair: number): number {
    return Math.max(5, (fair * this.#options.depthBps) / 10_000);
  }

  #quoteOnce(): void {
    if (this.#quotes.size >= this.#options.ordersMax) return;
    const fair = this.#knownTicks();
    const { book } = this.#core.market(this.instrument.id);
    const [bids, asks] = [book.depth('buy'), book.depth('sell')];
    // Makers go where there is less competition, so that neither side stays thin.
    const side: Side = this.#random.chance(0.5 + (0.4 * (asks - bids)) / (asks + bids + 1)) ? 'buy' : 'sell';
    const agitation = this.#agitation();
    const near = this.#random.chance(0.35);
    const spread = this.#spreadTicks(fair);
    const reach = agitation * (near ? spread * 2 : this.#depthTicks(fair));
    const distance = spread * agitation * 0.5 + this.#random.exponential(reach);
    const price = side === 'buy' ? Math.floor(fair - distance) : Math.ceil(fair + distance);
    const quantity = this.#lots(fair, 0.8, 1 + (growth * distance) / spread);
    if (price < 1 || quantity < 1) return;
    const clientOrderId = this.#newId('mm');
    this.#quotes.add(clientOrderId, side, price);
    const outcomes = this.#place(this.#makers, clientOrderId, { side, price, quantity, ioc: false });
    if (outcomes.some((outcome) => outcome.kind === 'refused')) this.forget(clientOrderId);
  }

  #take(fair: number): void {
    const book = this.#core.market(this.instrument.id).book;
    const ask = book.best('sell')?.price;
    const bid = book.best('buy')?.price;
    const askDiscount = ask === undefined ? 0 : fair - ask;
    const bidPremium = bid === undefined ? 0 : bid - fair;
    const lean = 0.5 + leanMax * Math.tanh((askDiscount - bidPremium) / (2 * this.#spreadTicks(fair)));
    const side: Side = this.#random.chance(lean) ? 'buy' : 'sell';
    const touch = side === 'buy' ? ask : bid;
    if (touch === undefined) return;
    // A limit that ends at once: it never sweeps further than a few quotes.
    const reach = Math.ceil(this.#depthTicks(fair) * 0.5);
    const price = side === 'buy' ? touch + reach : touch - reach;
    const quantity = this.#lots(fair, 1.1, 1);
    if (price < 1 || quantity < 1) return;
    this.#clusters.taken(this.#options.eventsPerSecond * this.#agitation());
    this.#place(this.#takers, this.#newId('mt'), { side, price, quantity, ioc: true });
  }

  /** Takes out a quote the fundamental price has run through, as an informed trader would. */
  #sweepStale(fair: number): boolean {
    const book = this.#core.market(this.instrument.id).book;
    const ask = book.best('sell');
    const bid = book.best('buy');
    const margin = this.#spreadTicks(fair) * 0.5;
    const cheap = ask !== undefined && ask.price < fair - margin ? ask : undefined;
    const stale = cheap ?? (bid !== undefined && bid.price > fair + margin ? bid : undefined);
    if (stale === undefined) return false;
    const side: Side = stale === ask ? 'buy' : 'sell';
    const { price, quantity } = stale;
    this.#place(this.#takers, this.#newId('mt'), { side, price, quantity, ioc: true });
    return true;
  }

  /** Cancels the makers' best quotes as long as they lie beyond the publicly known price. */
  #pull(side: Side, known: number): void {
    const { book } = this.#core.market(this.instrument.id);
    for (let count = 0; count < pulledMax; count++) {
      const price = book.best(side)?.price;
      if (price === undefined || (side === 'buy' ? price < known : price > known)) return;
      const clientOrderId = this.#quotes.at(side, price);
      if (clientOrderId === undefined) return;
      this.#cancel(clientOrderId);
    }
  }

  #cancel(clientOrderId: string): void {
    this.#core.handle({ kind: 'cancel', account: this.#makers, clientOrderId });
    // Whatever the core answered, the order is not ours to cancel again.
    this.forget(clientOrderId);
  }

  /** A size in lots: log-normal around `times` the configured value, never above a hundred times of that. */
  #lots(fair: number, deviation: number, times: number): number {
    const value = Number(this.#options.orderValue) * Math.exp(deviation * this.#random.normal());
    const worth = this.#quote.at(this.#clock.now()) * fair * this.#tick;
    const bounded = Math.min(value, Number(this.#options.orderValue) * 100);
    return Math.max(1, Math.round((bounded * times) / worth / this.#increment));
  }

  #newId(prefix: string): string {
    const { id, symbol } = this.instrument;
    // An id is ASCII, whatever the symbol is.
    const name = /^\p{ASCII}+$/u.test(symbol) ? symbol : String(id);
    return `${prefix}-${name}-${(this.#orderNumber++).toString(36).padStart(8, '0')}`;
  }

  #place(
    account: AccountId,
    clientOrderId: string,
    order: { side: Side; price: number; quantity: number; ioc: boolean },
  ): ReturnType<Core['handle']> {
    const request: OrderRequest = {
      clientOrderId: clientOrderId as ClientOrderId,
      instrument: this.instrument.id,
      side: order.side,
      type: 'limit',
      timeInForce: order.ioc ? 'IOC' : 'GTC',
      quantity: order.quantity as Lots,
      price: order.price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    };
    return this.#core.handle({ kind: 'place', account, request, takeMarkup: zero, makeMarkup: zero });
  }
}

interface Quote {
  place: number;
  readonly side: Side;
  readonly price: number;
}

/** The resting orders of the seeded makers of one symbol: any of them by chance, and those at a price. */
class MakerQuotes {
  readonly #orders: string[] = [];
  readonly #quotes = new Map<string, Quote>();
  readonly #levels = { buy: new Map<number, Set<string>>(), sell: new Map<number, Set<string>>() };

  get size(): number {
    return this.#orders.length;
  }

  get orders(): readonly string[] {
    return this.#orders;
  }

  /** The oldest order at a price; `undefined` when none of the makers' is there. */
  at(side: Side, price: number): string | undefined {
    const [oldest] = this.#levels[side].get(price) ?? [];
    return oldest;
  }

  add(clientOrderId: string, side: Side, price: number): void {
    this.#quotes.set(clientOrderId, { place: this.#orders.length, side, price });
    this.#orders.push(clientOrderId);
    const level = this.#levels[side].get(price);
    if (level === undefined) this.#levels[side].set(price, new Set([clientOrderId]));
    else level.add(clientOrderId);
  }

  /** An order has ended; one that is not here changes nothing. */
  remove(clientOrderId: string): void {
    const quote = this.#quotes.get(clientOrderId);
    if (quote === undefined) return;
    this.#quotes.delete(clientOrderId);
    const { place, side, price } = quote;
    const level = this.#levels[side].get(price);
    level?.delete(clientOrderId);
    if (level?.size === 0) this.#levels[side].delete(price);
    const last = this.#orders.pop() as string;
    if (last === clientOrderId) return;
    this.#orders[place] = last;
    (this.#quotes.get(last) as Quote).place = place;
  }
}

/** Each taker draws this many more after it on average, over about two seconds. */
const takersPerTaker = 0.5;
const fadePerSecond = 0.5;
const shareMax = 0.7;

/** How large a part of the events of the seeded market takes liquidity: takers come in clusters. */
class TakerClusters {
  readonly #usual: number;
  #excitement = 0;
  #time = 0 as Micros;

  constructor(usual: number, uptime: Micros) {
    this.#usual = usual;
    this.#time = uptime;
  }

  /** The part at `uptime`, from 0 to 1. */
  shareAt(uptime: Micros): number {
    const elapsed = (uptime - this.#time) / microsPerSecond;
    this.#time = uptime;
    this.#excitement *= Math.exp(-fadePerSecond * elapsed);
    return Math.min(shareMax, this.#usual * (1 + this.#excitement));
  }

  /** A taker came at this rate of events. */
  taken(eventsPerSecond: number): void {
    // Below one drawn per taker at any pace, or the cluster would never end.
    this.#excitement += (takersPerTaker * fadePerSecond) / Math.max(0.01, this.#usual * eventsPerSecond);
  }
}

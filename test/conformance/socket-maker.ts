import { request } from 'undici';
import { WebSocket } from 'ws';
import type { Act, Steps } from './strategies/stepping.ts';
import { Stepping } from './strategies/stepping.ts';

// A program that trades a recorded market by what crosses the wire, and shares no code with the exchange.

type Json = ReturnType<typeof JSON.parse>;

export interface SocketMakerSetup {
  readonly rest: string;
  readonly ws: string;
  readonly key: { readonly apiKey: string; readonly secretKey: string };
  readonly market: {
    readonly symbol: string;
    readonly tickSize: string;
    readonly quantityIncrement: string;
  };
  readonly steps: Steps;
  /** Microseconds of market time from a decision to the order on the wire, where time goes on as it asks. */
  readonly latency: number;
}

/** An execution as the trading socket reported it. */
export interface SocketFill {
  /** Number of the order, from 1 on. */
  readonly order: number;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly taker: boolean;
  readonly fee: string;
  /** In milliseconds. */
  readonly time: number;
}

/** A socket whose messages wait until they are taken. */
class Inbox {
  readonly ws: WebSocket;
  #messages: Json[] = [];
  #id = 0;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data: Buffer) => this.#messages.push(JSON.parse(data.toString('utf8'))));
  }

  static async open(url: string): Promise<Inbox> {
    const inbox = new Inbox(new WebSocket(url));
    await new Promise((resolve, reject) => {
      inbox.ws.once('open', resolve);
      inbox.ws.once('error', reject);
    });
    return inbox;
  }

  send(message: object): void {
    this.#id += 1;
    this.ws.send(JSON.stringify({ ...message, id: this.#id }));
  }

  /** All that was sent until now is here when it resolves: a pong comes behind it. */
  async settled(): Promise<void> {
    const pong = new Promise((resolve) => this.ws.once('pong', resolve));
    this.ws.ping();
    await pong;
  }

  /** Calls `look` whenever a message has come. */
  onMessage(look: () => void): void {
    this.ws.on('message', look);
  }

  take(): readonly Json[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}

/** One side of a book by price in ticks. */
class Side {
  readonly #lots = new Map<number, number>();

  set(price: number, lots: number): void {
    if (lots === 0) this.#lots.delete(price);
    else this.#lots.set(price, lots);
  }

  clear(): void {
    this.#lots.clear();
  }

  best(pick: (...prices: number[]) => number): readonly [price: number, lots: number] | undefined {
    if (this.#lots.size === 0) return undefined;
    let found: number | undefined;
    for (const price of this.#lots.keys()) found = found === undefined ? price : pick(found, price);
    return [found as number, this.#lots.get(found as number) as number];
  }
}

/** The decisions of `Stepping` by both sockets of version 3, until the recording has ended. Returns what was executed, and how many orders were sent. */
export class SocketMaker {
  readonly fills: SocketFill[] = [];
  readonly refused: string[] = [];
  /** Number of orders that were sent. */
  orders = 0;
  readonly #setup: SocketMakerSetup;
  readonly #deciding: Stepping;
  readonly #bids = new Side();
  readonly #asks = new Side();
  #public!: Inbox;
  #trading!: Inbox;

  constructor(setup: SocketMakerSetup) {
    this.#setup = setup;
    this.#deciding = new Stepping(setup.steps);
  }

  /** Subscribes to both. Returns the time from which on it has seen every change of the book, in milliseconds. */
  async open(): Promise<number> {
    const { ws, key, market } = this.#setup;
    this.#public = await Inbox.open(`${ws}/api/3/ws/public`);
    this.#trading = await Inbox.open(`${ws}/api/3/ws/trading`);
    this.#public.send({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: [market.symbol] } });
    const login = { type: 'BASIC', api_key: key.apiKey, secret_key: key.secretKey };
    this.#trading.send({ method: 'login', params: login });
    this.#trading.send({ method: 'spot_subscribe', params: {} });
    await this.#settled();
    const { micros } = await this.#ask('GET');
    const from = Math.floor(micros / 1_000) + 1;
    this.#deciding.begin(from);
    this.#hear();
    for (const act of this.#look()) this.#send(act);
    return from;
  }

  close(): void {
    this.#public.ws.close();
    this.#trading.ws.close();
  }

  /** Has the market go on event by event, and trades on it until its end. */
  async run(): Promise<void> {
    const { latency } = this.#setup;
    const waiting: { readonly due: number; readonly act: Act }[] = [];
    let now = (await this.#ask('GET')).micros as number;
    for (;;) {
      const due = waiting[0]?.due;
      const step = due === undefined ? { events: 1 } : { events: 1, ms: (due - now) / 1_000 };
      const at = await this.#ask('POST', step);
      now = at.micros;
      await this.#settled();
      this.#hear();
      for (const act of this.#look()) waiting.push({ due: now + latency, act });
      let isSent = false;
      while (waiting[0] !== undefined && waiting[0].due <= now) {
        this.#send((waiting.shift() as (typeof waiting)[number]).act);
        isSent = true;
      }
      if (isSent) {
        await this.#trading.settled();
        await this.#settled();
        this.#hear();
      }
      // A backtest is over then: what is still on its way arrives in neither.
      if (at.ended) return;
    }
  }

  /** Trades as messages come, until the market has `ended`. */
  async runFreely(ended: Promise<void>): Promise<void> {
    this.#trading.onMessage(() => this.#hear());
    this.#public.onMessage(() => {
      for (const act of this.#look()) this.#send(act);
    });
    await ended;
    await this.#settled();
    await this.#settled();
  }

  async #ask(method: 'GET' | 'POST', step?: object): Promise<Json> {
    const body = step === undefined ? {} : { body: JSON.stringify(step) };
    const answer = await request(`${this.#setup.rest}/replay`, { method, ...body });
    return await answer.body.json();
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#public.settled(), this.#trading.settled()]);
  }

  #send(act: Act): void {
    if ('cancel' in act) {
      this.#trading.send({ method: 'spot_cancel_order', params: { client_order_id: idOf(act.cancel) } });
      return;
    }
    const { market } = this.#setup;
    this.orders += 1;
    const params = {
      client_order_id: idOf(act.place),
      symbol: market.symbol,
      side: act.side,
      type: 'limit',
      time_in_force: 'GTC',
      price: textOf(act.price, market.tickSize),
      quantity: textOf(act.lots, market.quantityIncrement),
    };
    this.#trading.send({ method: 'spot_new_order', params });
  }

  /** Takes the reports that have come. */
  #hear(): void {
    for (const message of this.#trading.take()) {
      if (message.error !== undefined && message.error.code !== 20_002)
        this.refused.push(JSON.stringify(message.error));
      if (message.method !== 'spot_order') continue;
      const report = message.params;
      const order = numberOf(report.client_order_id);
      if (report.report_type === 'trade') {
        const {
          side,
          trade_price: price,
          trade_quantity: quantity,
          trade_taker: taker,
          trade_fee: fee,
        } = report;
        this.fills.push({ order, side, price, quantity, taker, fee, time: Date.parse(report.updated_at) });
        this.#deciding.onFill(side, stepsOf(quantity, this.#setup.market.quantityIncrement));
      }
      if (!['new', 'partiallyFilled', 'suspended'].includes(report.status)) this.#deciding.onEnd(order);
    }
  }

  /** Takes the books that have come, and decides at each. */
  #look(): readonly Act[] {
    const { symbol } = this.#setup.market;
    const acts: Act[] = [];
    for (const message of this.#public.take()) {
      const snapshot = message.snapshot?.[symbol];
      const change = snapshot ?? message.update?.[symbol];
      if (message.ch !== 'orderbook/full' || change === undefined) continue;
      if (snapshot !== undefined) {
        this.#bids.clear();
        this.#asks.clear();
      }
      this.#apply(this.#bids, change.b);
      this.#apply(this.#asks, change.a);
      const bid = this.#bids.best(Math.max);
      const ask = this.#asks.best(Math.min);
      if (snapshot !== undefined || bid === undefined || ask === undefined) continue;
      const touch = { bid: bid[0], bidLots: bid[1], ask: ask[0], askLots: ask[1] };
      acts.push(...this.#deciding.onBook(touch, change.t));
    }
    return acts;
  }

  #apply(side: Side, levels: readonly (readonly [price: string, size: string])[]): void {
    const { tickSize, quantityIncrement } = this.#setup.market;
    for (const [price, size] of levels) side.set(stepsOf(price, tickSize), stepsOf(size, quantityIncrement));
  }
}

function idOf(order: number): string {
  return `stepping-${String(order).padStart(6, '0')}`;
}

/** The number of an order from its client order id. */
export function numberOf(id: string): number {
  return Number(id.slice('stepping-'.length));
}

function stepsOf(text: string, step: string): number {
  return Math.round(Number(text) / Number(step));
}

function textOf(steps: number, step: string): string {
  const decimals = step.split('.')[1]?.length ?? 0;
  const units = BigInt(Math.round(Number(step) * 10 ** decimals)) * BigInt(steps);
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

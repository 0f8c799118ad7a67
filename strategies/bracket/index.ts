import { defineStrategy, later, seconds, z } from 'godwit/strategy';
import type { BookView, ClientOrderId, Denial, Order, Side, StrategyContext } from 'godwit/strategy';

const params = z.strictObject({
  symbol: z.string().default('ETHBTC').describe('what is traded'),
  side: z.enum(['buy', 'sell']).default('buy').describe('which way the entry goes'),
  quantity: z.string().default('0.05').describe('size of the entry in base currency'),
  entryTicks: z.int().min(0).max(1e6).default(0).describe('how far behind the own touch the entry stands'),
  profitTicks: z.int().min(1).max(1e6).default(30).describe('take profit so far from the entry'),
  stopTicks: z.int().min(1).max(1e6).default(30).describe('stop the loss so far from the entry'),
  slippageTicks: z.int().min(1).max(1e6).default(20).describe('how far beyond its trigger the stop may fill'),
  entrySeconds: z.number().min(1).max(86_400).default(20).describe('give the entry up after so long'),
  repeat: z.boolean().default(true).describe('enter again when a bracket is over'),
  restSeconds: z.number().min(1.1).max(86_400).default(5).describe('rest between two brackets'),
});

class Bracket {
  readonly #context: StrategyContext<z.output<typeof params>>;
  readonly #lots: number;
  /** Entry, profit and stop of the bracket under way. */
  #ids: readonly ClientOrderId[] = [];
  #entryUntil = 0;
  #quietUntil = 0;
  #count = 0;

  constructor(context: StrategyContext<z.output<typeof params>>) {
    this.#context = context;
    this.#lots = context.instrument(context.params.symbol).lots(context.params.quantity, 'down');
  }

  look(book: BookView): void {
    const { params, clock, orders, position } = this.#context;
    const now = clock.now();
    if (book.status !== 'live' || now < this.#quietUntil) return;
    const open = orders.open(params.symbol);
    if (open.length > 0) {
      this.#giveUp(open, now);
      return;
    }
    const held = position(params.symbol).quantity;
    if (held !== 0) this.#flatten(book, held);
    else if (params.repeat || this.#count === 0) this.#enter(book);
  }

  changed(order: Order, denial: Denial | undefined): void {
    const { params, clock, log } = this.#context;
    if (denial !== undefined) log.warn('refused by us', { code: denial.code, why: denial.why });
    if (order.state === 'filled' && this.#ids.includes(order.clientOrderId)) {
      const part = ['entry', 'profit', 'stop'][this.#ids.indexOf(order.clientOrderId)];
      log.info('filled', { part, side: order.side, price: order.price });
    }
    const isOver = ['denied', 'rejected', 'filled', 'canceled', 'expired'].includes(order.state);
    if (isOver) this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
  }

  /** Entry, take profit and stop in one message: the two exits wait until the entry is filled, then exclude each other. */
  #enter(book: BookView): void {
    const { params, clock, orders } = this.#context;
    const { side, symbol } = params;
    const touch = side === 'buy' ? book.bestBid : book.bestAsk;
    if (touch === undefined || this.#lots === 0) return;
    const away = side === 'buy' ? 1 : -1;
    const entry = touch - away * params.entryTicks;
    const stop = entry - away * params.stopTicks;
    const lowest = Math.min(entry, stop, stop - away * params.slippageTicks);
    if (lowest < 1) return;
    const exit: Side = side === 'buy' ? 'sell' : 'buy';
    const quantity = this.#lots;
    this.#count += 1;
    this.#entryUntil = later(clock.now(), seconds(params.entrySeconds));
    this.#ids = orders.placeList({
      contingency: 'oneTriggerOneCancelOther',
      orders: [
        { symbol, side, quantity, price: entry },
        { symbol, side: exit, quantity, price: entry + away * params.profitTicks },
        {
          symbol,
          side: exit,
          quantity,
          type: 'stopLimit',
          stopPrice: stop,
          price: stop - away * params.slippageTicks,
        },
      ],
    });
  }

  /** An entry that did not fill in time is cancelled; the venue cancels the exits that wait for it. */
  #giveUp(open: readonly Order[], now: number): void {
    const entry = open.find(({ clientOrderId }) => clientOrderId === this.#ids[0]);
    if (entry === undefined || entry.cancelPending || entry.state === 'pending' || now < this.#entryUntil)
      return;
    this.#context.orders.cancel(entry.clientOrderId);
  }

  /** An entry filled in part before it was given up, or a stop the market ran over: out, whatever it costs. */
  #flatten(book: BookView, held: number): void {
    const { params, orders, clock } = this.#context;
    const side: Side = held > 0 ? 'sell' : 'buy';
    const touch = side === 'buy' ? book.bestAsk : book.bestBid;
    if (touch === undefined) return;
    const price = side === 'buy' ? touch + params.slippageTicks : Math.max(1, touch - params.slippageTicks);
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
    orders.place({ symbol: params.symbol, side, quantity: Math.abs(held), price, timeInForce: 'IOC' });
  }
}

export default defineStrategy({
  name: 'bracket',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create(context) {
    const { params, market, orders, timers } = context;
    const bracket = new Bracket(context);
    return {
      onStart() {
        timers.every(seconds(1), 'look');
      },
      onBook: (book) => bracket.look(book),
      onTimer: () => bracket.look(market.book(params.symbol)),
      onOrder: (order, denial) => bracket.changed(order, denial),
      onStop: () => orders.cancelAll(params.symbol),
    };
  },
});

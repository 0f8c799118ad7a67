import { defineStrategy, ema, later, seconds, z } from 'godwit/strategy';
import type { BookView, Denial, Order, Side, StrategyContext } from 'godwit/strategy';
import { imbalanceOf } from './imbalance.ts';

const params = z
  .strictObject({
    symbol: z.string().default('ETHBTC').describe('what is traded'),
    quantity: z.string().default('0.05').describe('size of one trade in base currency'),
    levels: z.int().min(1).max(50).default(5).describe('levels of each side that are weighed'),
    smoothing: z.int().min(1).max(10_000).default(10).describe('book changes in the moving average'),
    enter: z.number().min(0.05).max(1).default(0.6).describe('take when the average leans so far'),
    leave: z.number().min(0).max(1).default(0.1).describe('get out when it leans no further than this'),
    spreadTicksMax: z.int().min(1).max(1e6).default(10).describe('no entry across a wider spread'),
    slippageTicks: z
      .int()
      .min(0)
      .max(100_000)
      .default(2)
      .describe('how far beyond the touch an order may fill'),
    holdSecondsMax: z.number().min(0.1).max(86_400).default(20).describe('get out after so long in any case'),
    restSeconds: z.number().min(1.1).max(3_600).default(3).describe('rest after a trade or a refusal'),
  })
  .refine(({ enter, leave }) => leave < enter, { path: ['leave'], message: 'expected less than enter' });

class ImbalanceTaker {
  readonly #context: StrategyContext<z.output<typeof params>>;
  readonly #lots: number;
  readonly #average;
  #quietUntil = 0;
  #since = 0;

  constructor(context: StrategyContext<z.output<typeof params>>) {
    this.#context = context;
    this.#lots = context.instrument(context.params.symbol).lots(context.params.quantity, 'down');
    this.#average = ema(context.params.smoothing);
  }

  look(book: BookView): void {
    const { params, clock, orders, position } = this.#context;
    if (book.status !== 'live' || book.crossed) return;
    const average = this.#average.next(imbalanceOf(book, params.levels));
    const now = clock.now();
    if (average === undefined || orders.openCount(params.symbol) > 0 || now < this.#quietUntil) return;
    const held = position(params.symbol).quantity;
    if (held === 0) this.#enter(book, average);
    else if (this.#isOver(held, average)) this.#take(book, held > 0 ? 'sell' : 'buy', Math.abs(held));
  }

  changed(order: Order, denial: Denial | undefined): void {
    const { params, clock, log } = this.#context;
    if (denial !== undefined) log.warn('refused by us', { code: denial.code, why: denial.why });
    if (order.state === 'pending' || order.state === 'new' || order.state === 'partiallyFilled') return;
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
  }

  #enter(book: BookView, average: number): void {
    const { params, clock } = this.#context;
    const { bestBid, bestAsk } = book;
    if (bestBid === undefined || bestAsk === undefined || bestAsk - bestBid > params.spreadTicksMax) return;
    if (Math.abs(average) < params.enter) return;
    this.#since = clock.now();
    this.#take(book, average > 0 ? 'buy' : 'sell', this.#lots);
  }

  #isOver(held: number, average: number): boolean {
    const { params, clock } = this.#context;
    const leaning = held > 0 ? average : -average;
    return leaning <= params.leave || clock.now() - this.#since >= seconds(params.holdSecondsMax).micros;
  }

  /** A limit that fills at once or ends. */
  #take(book: BookView, side: Side, quantity: number): void {
    const { params, orders, clock } = this.#context;
    const touch = side === 'buy' ? book.bestAsk : book.bestBid;
    if (touch === undefined || quantity === 0) return;
    const price = side === 'buy' ? touch + params.slippageTicks : Math.max(1, touch - params.slippageTicks);
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
    orders.place({ symbol: params.symbol, side, quantity, price, timeInForce: 'IOC' });
  }
}

export default defineStrategy({
  name: 'imbalance',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create(context) {
    const taker = new ImbalanceTaker(context);
    return {
      onBook: (book) => taker.look(book),
      onOrder: (order, denial) => taker.changed(order, denial),
    };
  },
});

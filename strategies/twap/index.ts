import { defineStrategy, z } from 'godwit/strategy';
import type { Denial, Fill, Order, StrategyContext, StrategyTimerHandle } from 'godwit/strategy';
import { dueBy } from './schedule.ts';

const params = z.strictObject({
  symbol: z.string().default('ETHBTC').describe('what is traded'),
  side: z.enum(['buy', 'sell']).default('buy').describe('which way'),
  quantity: z.string().default('0.5').describe('how much in all, in base currency'),
  minutes: z.number().min(0.1).max(10_080).default(1).describe('over how long'),
  slices: z.int().min(1).max(10_000).default(12).describe('in how many parts'),
  jitter: z.number().min(0).max(0.9).default(0.3).describe('how far a part may come early or late, in parts'),
  slippageTicks: z.int().min(0).max(100_000).default(3).describe('how far beyond the touch a part may fill'),
  limit: z.string().optional().describe('worst price; parts wait while the market is beyond it'),
});

class Executor {
  readonly #context: StrategyContext<z.output<typeof params>>;
  readonly #total: number;
  readonly #limit: number | undefined;
  #slice = 0;
  #executed = 0;
  /** Ticks times lots of what was executed: for the average, as a double. */
  #paid = 0;
  #done = false;
  #retries: StrategyTimerHandle | undefined;

  constructor(context: StrategyContext<z.output<typeof params>>) {
    const { params } = context;
    const instrument = context.instrument(params.symbol);
    this.#context = context;
    this.#total = instrument.lots(params.quantity, 'down');
    const rounding = params.side === 'buy' ? 'down' : 'up';
    this.#limit = params.limit === undefined ? undefined : instrument.ticks(params.limit, rounding);
  }

  start(): void {
    this.next();
    // What a thin or absent book left open is tried again.
    this.#retries = this.#context.timers.every(1_500, 'again');
  }

  /** The next part is due: the rest of the earlier ones comes with it. */
  next(): void {
    const { params, timers, random } = this.#context;
    this.#slice += 1;
    this.pursue();
    if (this.#slice >= params.slices) return;
    const length = (params.minutes * 60_000) / params.slices;
    const shift = (random.float() - 0.5) * params.jitter;
    timers.after(Math.max(1, Math.round(length * (1 + shift))), 'next');
  }

  /** Sends what is due and neither executed nor on its way. */
  pursue(): void {
    const { params, market, orders } = this.#context;
    if (this.#done || orders.openCount(params.symbol) > 0) return;
    const missing = dueBy(this.#total, this.#slice, params.slices) - this.#executed;
    const book = market.book(params.symbol);
    const touch = params.side === 'buy' ? book.bestAsk : book.bestBid;
    if (missing <= 0 || book.status !== 'live' || touch === undefined) return;
    const wanted = params.side === 'buy' ? touch + params.slippageTicks : touch - params.slippageTicks;
    const price = this.#within(Math.max(1, wanted));
    const isBeyond = params.side === 'buy' ? touch > price : touch < price;
    if (isBeyond) return;
    orders.place({ symbol: params.symbol, side: params.side, quantity: missing, price, timeInForce: 'IOC' });
  }

  filled(fill: Fill): void {
    const { params, log, instrument } = this.#context;
    this.#executed += fill.quantity;
    this.#paid += fill.price * fill.quantity;
    if (this.#executed < this.#total) return;
    this.#done = true;
    this.#retries?.cancel();
    const average = (this.#paid / this.#executed) * Number(instrument(params.symbol).spec.tickSize);
    log.info('all of it is executed', { slice: this.#slice, average: average.toPrecision(8) });
  }

  changed(order: Order, denial: Denial | undefined): void {
    const code = denial?.code ?? (order.state === 'rejected' ? order.code : undefined);
    if (code !== undefined) this.#context.log.warn('refused', { code, why: denial?.why ?? order.why });
  }

  stop(): void {
    if (!this.#done) {
      const left = this.#total - this.#executed;
      this.#context.log.warn('stopped before all was executed', { executed: this.#executed, left });
    }
  }

  #within(price: number): number {
    if (this.#limit === undefined) return price;
    return this.#context.params.side === 'buy' ? Math.min(price, this.#limit) : Math.max(price, this.#limit);
  }
}

export default defineStrategy({
  name: 'twap',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create(context) {
    const executor = new Executor(context);
    return {
      onStart: () => executor.start(),
      onTimer: (name) => (name === 'next' ? executor.next() : executor.pursue()),
      onFill: (fill) => executor.filled(fill),
      onOrder: (order, denial) => executor.changed(order, denial),
      onStop: () => executor.stop(),
    };
  },
});

import { defineStrategy, millis, z } from 'godwit/strategy';
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

/** What a restart must know: which task it is, the position it began with, and the part that is due. */
const keptSchema = z.strictObject({ task: z.string(), begun: z.int(), slice: z.int().min(1) });

type Context = StrategyContext<z.output<typeof params>, z.output<typeof keptSchema>>;

class Executor {
  readonly #context: Context;
  readonly #task: string;
  readonly #total: number;
  readonly #limit: number | undefined;
  #slice = 0;
  /** The own position when the task began: what came since is executed, whichever run did it. */
  #begun = 0;
  /** Lots of this run, and ticks times lots of them: for the average, as a double. */
  #filled = 0;
  #paid = 0;
  #done = false;
  #retries: StrategyTimerHandle | undefined;

  constructor(context: Context) {
    const { params } = context;
    const instrument = context.instrument(params.symbol);
    this.#context = context;
    const { symbol, side, quantity, minutes, slices } = params;
    this.#task = `${side} ${quantity} ${symbol} in ${slices} parts over ${minutes} min`;
    this.#total = instrument.lots(params.quantity, 'down');
    const rounding = params.side === 'buy' ? 'down' : 'up';
    this.#limit = params.limit === undefined ? undefined : instrument.ticks(params.limit, rounding);
  }

  start(): void {
    const { kept, log, params, position } = this.#context;
    const before = kept.read();
    const resumes = before?.task === this.#task;
    this.#begun = resumes ? before.begun : position(params.symbol).quantity;
    // The part that was due before is due now.
    if (resumes) this.#slice = before.slice - 1;
    const executed = this.#executed();
    if (resumes) log.info('the task of an earlier run goes on', { executed, left: this.#total - executed });
    this.#done = executed >= this.#total;
    if (this.#done) return;
    this.next();
    // What a thin or absent book left open is tried again.
    this.#retries = this.#context.timers.every(millis(1_500), 'again');
  }

  /** The next part is due: the rest of the earlier ones comes with it. */
  next(): void {
    const { params, timers, random, kept } = this.#context;
    this.#slice += 1;
    kept.write({ task: this.#task, begun: this.#begun, slice: this.#slice });
    this.pursue();
    if (this.#slice >= params.slices) return;
    const length = (params.minutes * 60_000) / params.slices;
    const shift = (random.float() - 0.5) * params.jitter;
    timers.after(millis(Math.max(1, Math.round(length * (1 + shift)))), 'next');
  }

  /** Sends what is due and neither executed nor on its way. */
  pursue(): void {
    const { params, market, orders } = this.#context;
    if (this.#done || orders.openCount(params.symbol) > 0) return;
    const missing = dueBy(this.#total, this.#slice, params.slices) - this.#executed();
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
    this.#filled += fill.quantity;
    this.#paid += fill.price * fill.quantity;
    if (this.#executed() < this.#total) return;
    this.#done = true;
    this.#retries?.cancel();
    const average = (this.#paid / this.#filled) * Number(instrument(params.symbol).spec.tickSize);
    log.info('all of it is executed', { slice: this.#slice, average: average.toPrecision(8) });
  }

  changed(order: Order, denial: Denial | undefined): void {
    const code = denial?.code ?? (order.state === 'rejected' ? order.code : undefined);
    if (code !== undefined) this.#context.log.warn('refused', { code, why: denial?.why ?? order.why });
  }

  stop(): void {
    if (!this.#done) {
      const executed = this.#executed();
      const left = this.#total - executed;
      this.#context.log.warn('stopped before all was executed', { executed, left });
    }
  }

  #executed(): number {
    const { params, position } = this.#context;
    const moved = position(params.symbol).quantity - this.#begun;
    return params.side === 'buy' ? moved : -moved;
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
  state: { version: 1, schema: keptSchema },
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

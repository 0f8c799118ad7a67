import { defineStrategy, later, millis, seconds, z } from 'godwit/strategy';
import type { BookView, ClientOrderId, Fill, Order, Side, StrategyContext, Ticks } from 'godwit/strategy';
import type { Cell } from './cells.ts';
import { catchUp, cellsAround, wantOf } from './cells.ts';

const params = z.strictObject({
  symbol: z.string().default('ETHBTC').describe('what is traded'),
  quantity: z.string().default('0.02').describe('size of one cell in base currency'),
  cells: z.int().min(1).max(100).default(4).describe('cells on each side of the centre'),
  stepTicks: z.int().min(1).max(1e6).default(20).describe('distance between two lines of the grid'),
  centre: z.string().optional().describe('price in the middle; the mid price at the start when left out'),
  pauseMs: z
    .int()
    .min(1_001)
    .max(600_000)
    .default(2_000)
    .describe('rest of a cell whose order ended unfilled'),
});

const stepsSchema = z.strictObject({ tick: z.string(), increment: z.string() });
type Steps = z.output<typeof stepsSchema>;

/** What a restart must know: where the grid stands, how much each cell holds, and the position that was true of. */
const keptSchema = z.strictObject({
  centre: z.int(),
  stepTicks: z.int(),
  held: z.array(z.int().min(0)),
  position: z.int().optional(),
  /** What ticks and lots were when this was kept: a venue may change its grid. */
  steps: stepsSchema.optional(),
});

type Context = StrategyContext<z.output<typeof params>, z.output<typeof keptSchema>>;

class Grid {
  readonly #context: Context;
  readonly #lots: number;
  #cells: readonly Cell[] = [];
  readonly #byOrder = new Map<ClientOrderId, Cell>();
  #looksAgain = false;

  constructor(context: Context) {
    this.#context = context;
    this.#lots = context.instrument(context.params.symbol).lots(context.params.quantity, 'down');
    if (this.#lots === 0) context.log.error('the quantity is below one increment: nothing will be traded');
  }

  /** Places what is missing: every cell has one order, or rests. */
  tend(book: BookView): void {
    const { bestBid, bestAsk, status } = book;
    if (status !== 'live' || bestBid === undefined || bestAsk === undefined || this.#lots === 0) return;
    if (this.#cells.length === 0) this.#lay(Math.round((bestBid + bestAsk) / 2));
    const now = this.#context.clock.now();
    for (const cell of this.#cells) {
      if (cell.order !== undefined) continue;
      if (cell.quietUntil <= now) this.#place(cell, bestBid, bestAsk);
      else this.lookAgain();
    }
  }

  /** Also where the book stays as it is; no timer runs while all that is missing is a price. */
  lookAgain(): void {
    if (this.#looksAgain) return;
    this.#looksAgain = true;
    this.#context.timers.after(seconds(1), 'tend');
  }

  again(): void {
    this.#looksAgain = false;
    this.tend(this.#context.market.book(this.#context.params.symbol));
  }

  filled(fill: Fill, order: Order): void {
    const cell = this.#byOrder.get(order.clientOrderId);
    if (cell === undefined) return;
    cell.held += order.side === 'buy' ? fill.quantity : -fill.quantity;
    if (cell.held <= 0) cell.side = 'buy';
    else if (cell.held >= this.#lots) cell.side = 'sell';
    this.#keep();
  }

  changed(order: Order): void {
    if (isOpen(order)) return;
    this.lookAgain();
    const cell = this.#byOrder.get(order.clientOrderId);
    if (cell === undefined) return;
    this.#byOrder.delete(order.clientOrderId);
    cell.order = undefined;
    // Refused, expired because it would have taken, or cancelled: the same at once would end the same way.
    if (order.state !== 'filled') cell.quietUntil = this.#rested();
    if (order.state === 'denied' || order.state === 'rejected') {
      this.#context.log.warn('refused', { code: order.code, why: order.why });
    }
  }

  #lay(mid: number): void {
    const { params, instrument, kept, log, position } = this.#context;
    const before = kept.read();
    const isOfThisGrid = before?.steps === undefined || isSame(before.steps, this.#steps());
    const resumes =
      before?.stepTicks === params.stepTicks && before.held.length === 2 * params.cells && isOfThisGrid;
    const named =
      params.centre === undefined ? mid : instrument(params.symbol).ticks(params.centre, 'nearest');
    const centre = resumes ? before.centre : named;
    this.#cells = cellsAround({ centre, step: params.stepTicks, count: params.cells, lots: this.#lots });
    if (resumes) {
      for (const [at, cell] of this.#cells.entries()) {
        cell.held = Math.min(this.#lots, before.held[at] ?? 0);
      }
      const { quantity } = position(params.symbol);
      catchUp(this.#cells, this.#lots, quantity - (before.position ?? quantity));
      for (const cell of this.#cells) cell.side = cell.held > 0 ? 'sell' : 'buy';
    }
    log.info('the grid is laid', { centre, cells: this.#cells.length, resumes });
    this.#keep();
  }

  #place(cell: Cell, bestBid: number, bestAsk: number): void {
    const { params, orders } = this.#context;
    const { side, price, quantity } = wantOf(cell, this.#lots);
    // A line the market has passed is waited for from the other side.
    const takes = side === 'buy' ? price >= bestAsk : price <= bestBid;
    const now = this.#context.clock.now();
    if (now - cell.placed[side] <= seconds(1).micros) return this.lookAgain();
    if (takes || price < 1 || quantity <= 0 || this.#meets(side, price)) return;
    cell.order = orders.place({ symbol: params.symbol, side, price, quantity, postOnly: true });
    this.#byOrder.set(cell.order, cell);
    cell.placed[side] = now;
  }

  #meets(side: Side, price: number): boolean {
    return this.#context.orders
      .open(this.#context.params.symbol)
      .some(
        (order) =>
          order.side !== side &&
          order.price !== undefined &&
          (side === 'buy' ? price >= order.price : price <= (order.price as Ticks)),
      );
  }

  #rested(): number {
    return later(this.#context.clock.now(), millis(this.#context.params.pauseMs));
  }

  #keep(): void {
    const [first] = this.#cells;
    if (first === undefined) return;
    const { symbol, stepTicks, cells } = this.#context.params;
    const held = this.#cells.map((cell) => Math.max(0, cell.held));
    const position = this.#context.position(symbol).quantity;
    this.#context.kept.write({
      centre: first.low + cells * stepTicks,
      stepTicks,
      held,
      position,
      steps: this.#steps(),
    });
  }

  #steps(): Steps {
    const { tickSize, quantityIncrement } = this.#context.instrument(this.#context.params.symbol).spec;
    return { tick: tickSize, increment: quantityIncrement };
  }
}

function isSame(one: Steps, other: Steps): boolean {
  return one.tick === other.tick && one.increment === other.increment;
}

function isOpen({ state }: Order): boolean {
  return ['pending', 'unknown', 'new', 'partiallyFilled', 'suspended'].includes(state);
}

export default defineStrategy({
  name: 'grid',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  state: { version: 1, schema: keptSchema },
  create(context) {
    const { params, orders } = context;
    const grid = new Grid(context);
    return {
      onStart: () => grid.lookAgain(),
      onBook: (book) => grid.tend(book),
      onTimer: () => grid.again(),
      onFill: (fill, order) => grid.filled(fill, order),
      onOrder: (order) => grid.changed(order),
      onStop: () => orders.cancelAll(params.symbol),
    };
  },
});

import { amountToNumber, defineStrategy, z } from 'godwit/strategy';
import type { StrategyContext } from 'godwit/strategy';

const params = z.strictObject({
  symbol: z.string(),
  /** By row: whether to enter long, exit long, enter short, exit short; acted on at the next open. */
  signals: z.array(z.tuple([z.boolean(), z.boolean(), z.boolean(), z.boolean()])),
  quantity: z.string().default('1'),
  /** Loss at which a position is closed, as a negative share of the stake. */
  stopLoss: z.number().negative(),
  /** Minutes after which a profit, as a share of the stake, is taken: the last entry that has come counts. */
  roi: z.array(z.tuple([z.number(), z.number()])),
  leverage: z.number().positive().default(1),
  trailing: z.boolean().default(false),
  /** The distance of the stop once the profit exceeds `trailingOffset`; before that it trails by the stop loss. */
  trailingPositive: z.number().optional(),
  trailingOffset: z.number().default(0),
  trailingOnlyFromOffset: z.boolean().default(false),
  /** The stop trails by the stop loss from the first bar on. */
  customStop: z.boolean().default(false),
  useExitSignal: z.boolean().default(false),
  entryPrice: z.number().optional(),
  /** What an unfilled entry is moved to with every bar; null: it is cancelled. */
  adjustEntryPrice: z.number().nullable().optional(),
  exitPrice: z.number().optional(),
  /** Minutes after which an unfilled order is cancelled. */
  timeout: z.number().default(10),
});
type Params = z.output<typeof params>;
type Reason = 'exit_signal' | 'stop_loss' | 'trailing_stop_loss' | 'roi' | 'force_exit';

const rowMinutes = 60;
const thirdMicros = (rowMinutes / 3) * 60_000_000;

/**
 * Entries by signal or at a price of one's own; exits by signal, stop, trailing stop and falling profit targets: the
 * rules of freqtrade's backtests, as orders. What freqtrade decides with the whole bar before it, this decides at the
 * points of the path: where it takes the worse of two prices of a bar, the order waits at the worse one. Every closed
 * position is noted as JSON.
 */
class CandleExits {
  readonly #context: StrategyContext<Params>;
  #start = 0;
  #row = 0;
  #open = 0;
  /** 1 long, -1 short; of the position or of the entry under way. */
  #sign = 1;
  #entry: { row: number; id: string | undefined; price: number | undefined; beyond: boolean } | undefined;
  #held: { row: number; filledRow: number; price: number; stop: number; raised: boolean } | undefined;
  /** The row opened beyond the stop: it is placed once the price has been where the position gains. */
  #gapped = false;
  /** What a trailing stop would have become in the row of the entry. */
  #raiseTo: number | undefined;
  /** Closed at the price of the row that hurts, for this reason. */
  #atWorst: Reason | undefined;
  readonly #reasons = new Map<string, Reason>();
  #phaseOne = 0;

  constructor(context: StrategyContext<Params>) {
    this.#context = context;
  }

  /** A row closed; the next one has opened. */
  rowOpens(closed: number, open: number): void {
    if (this.#start === 0) this.#start = closed;
    this.#row = Math.round((closed - this.#start) / (rowMinutes * 60_000_000)) + 1;
    this.#open = open;
    const [enterLong, exitLong, enterShort, exitShort] = this.#context.params.signals[this.#row - 1] ?? none;
    if (this.#entry !== undefined) this.#manageEntry();
    const exits = this.#sign > 0 ? exitLong : exitShort;
    if (this.#held !== undefined) this.#armRow(exits && this.#context.params.useExitSignal);
    else if (this.#entry === undefined && enterLong !== enterShort && !this.#isLast)
      this.#enter(enterLong ? 1 : -1);
  }

  /** The price stands at a point of the row's path: 1 and 2 are the extremes, 3 is the close. */
  point(time: number, price: number): void {
    const phase = Math.round((time - this.#start - this.#row * rowMinutes * 60_000_000) / thirdMicros);
    if (this.#start === 0 || phase < 1) return;
    if (phase === 3) {
      if (this.#held !== undefined) this.#cancelAll();
      return;
    }
    const way = Math.sign(price - this.#open) * this.#sign;
    // An extreme at the open: the first is where the position gains, unless the second turns out to be.
    const gains = way > 0 || (way === 0 && (phase === 1 || this.#phaseOne < 0));
    this.#phaseOne = gains ? 1 : -1;
    if (this.#entry?.beyond === true && way > 0) this.#enterNow();
    else if (this.#held !== undefined && gains) this.#atBest(price);
    else if (this.#held !== undefined) this.#atTheWorst(price);
  }

  filled(id: string, price: number): void {
    const reason = this.#reasons.get(id);
    const { params } = this.#context;
    if (reason !== undefined) {
      this.#exited(reason, price);
    } else if (this.#entry !== undefined) {
      const stop = price * (1 + (this.#sign * params.stopLoss) / params.leverage);
      this.#held = { row: this.#entry.row, filledRow: this.#row, price, stop, raised: false };
      this.#entry = undefined;
      this.#gapped = false;
      this.#armRow(false);
    }
  }

  get #isLast(): boolean {
    return this.#row >= this.#context.params.signals.length - 1;
  }

  #enter(sign: number): void {
    this.#sign = sign;
    this.#entry = { row: this.#row, id: undefined, price: this.#context.params.entryPrice, beyond: false };
    this.#placeEntry();
  }

  /** At the open; at a better price by a limit; at a worse one by a stop, or at the worst price of the row. */
  #placeEntry(): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    const side = this.#sign > 0 ? 'buy' : 'sell';
    const { price } = entry;
    entry.beyond = price !== undefined && (price - this.#open) * this.#sign > 0;
    if (price === undefined) entry.id = this.#place(side, {});
    else entry.id = this.#place(side, entry.beyond ? { stop: price } : { limit: price });
  }

  #enterNow(): void {
    this.#cancelAll();
    if (this.#entry === undefined) return;
    this.#entry.beyond = false;
    this.#entry.id = this.#place(this.#sign > 0 ? 'buy' : 'sell', {});
  }

  #manageEntry(): void {
    const { adjustEntryPrice: adjusted, timeout } = this.#context.params;
    const entry = this.#entry;
    if (entry === undefined) return;
    const age = (this.#row - entry.row) * rowMinutes;
    this.#cancelAll();
    if (age >= timeout || adjusted === null) this.#entry = undefined;
    else {
      if (adjusted !== undefined) entry.price = adjusted;
      this.#placeEntry();
    }
  }

  /** The orders of the row: exits stand at their prices, unless the open decides. */
  #armRow(isSignal: boolean): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#raiseTo = undefined;
    this.#atWorst = undefined;
    const { exitPrice } = this.#context.params;
    if (isSignal && (exitPrice === undefined || this.#row === held.filledRow)) {
      this.#exitNow('exit_signal');
      return;
    }
    if (isSignal && exitPrice !== undefined) {
      if ((exitPrice - this.#open) * this.#sign >= 0) this.#exitAt('exit_signal', { limit: exitPrice });
      else this.#atWorst = 'exit_signal';
      return;
    }
    if (this.#takeProfit()) return;
    this.#gapped = this.#row !== held.filledRow && (held.stop - this.#open) * this.#sign > 0;
    if (!this.#gapped) this.#exitAt(this.#stopReason, { stop: held.stop });
  }

  /** The target of the row; answers whether the position is closed at once. */
  #takeProfit(): boolean {
    const held = this.#held;
    if (held === undefined) return false;
    const { roi, leverage } = this.#context.params;
    const age = (this.#row - held.row) * rowMinutes;
    const [after, share] = roi.findLast(([minutes]) => minutes <= age) ?? [];
    if (after === undefined || share === undefined) return false;
    const target = held.price * (1 + (this.#sign * share) / leverage);
    const isAbove = this.#row !== held.filledRow && (this.#open - target) * this.#sign > 0;
    const isNew = after % rowMinutes === 0 && (share === -1 || (age === after && age > 0 && isAbove));
    if (isNew) {
      this.#exitNow('roi');
      return true;
    }
    if (!isAbove) {
      this.#exitAt('roi', { limit: target });
    } else {
      if (target > 0) this.#exitAt('roi', { stop: target });
      this.#atWorst = 'roi';
    }
    return false;
  }

  /** The price is where the row is best for the position: what trails is raised. */
  #atBest(price: number): void {
    const held = this.#held;
    if (held === undefined || this.#atWorst !== undefined) return;
    const { params } = this.#context;
    const raised = this.#trailed(held.price, price);
    if (this.#gapped) {
      this.#exitAt(this.#stopReason, {
        stop: (price - held.stop) * this.#sign >= 0 ? held.stop : this.#open,
      });
    } else if (raised !== undefined && (raised - held.stop) * this.#sign > 0) {
      this.#cancelStops();
      held.raised = true;
      if (this.#row === held.filledRow) {
        // In its first row it is taken to have moved just enough to raise the stop, and to have turned.
        const { trailingOffset: offset, customStop, trailingOnlyFromOffset: only } = params;
        const distance = this.#distance(held.price, price);
        const reach = only && !customStop ? offset : 0;
        this.#raiseTo = raised;
        this.#exitAt('trailing_stop_loss', { stop: this.#open * (1 + this.#sign * (reach - distance)) });
      } else {
        held.stop = raised;
        this.#exitAt('trailing_stop_loss', { stop: raised });
      }
    }
    if (this.#isLast) this.#exitAt('force_exit', { stop: this.#open });
  }

  /** The price is where the row is worst for the position. */
  #atTheWorst(price: number): void {
    const held = this.#held;
    if (held === undefined) return;
    if (this.#atWorst !== undefined) this.#exitNow(this.#atWorst);
    else if (this.#raiseTo !== undefined && (this.#raiseTo - price) * this.#sign >= 0)
      this.#exitNow('trailing_stop_loss');
    else if (this.#raiseTo !== undefined) held.stop = this.#raiseTo;
  }

  get #stopReason(): Reason {
    return this.#held?.raised === true ? 'trailing_stop_loss' : 'stop_loss';
  }

  /** Where the stop trails to when the price is at its best, or `undefined` when it does not. */
  #trailed(entry: number, best: number): number | undefined {
    const { trailing, customStop, trailingOffset, trailingOnlyFromOffset } = this.#context.params;
    if (!trailing && !customStop) return undefined;
    const profit = (best / entry - 1) * this.#sign;
    if (!customStop && trailingOnlyFromOffset && profit < trailingOffset) return undefined;
    return best * (1 - this.#sign * this.#distance(entry, best));
  }

  #distance(entry: number, best: number): number {
    const { customStop, trailingPositive, trailingOffset, stopLoss, leverage } = this.#context.params;
    const profit = (best / entry - 1) * this.#sign;
    const isPositive = !customStop && trailingPositive !== undefined && profit > trailingOffset;
    return (isPositive ? trailingPositive : -stopLoss) / leverage;
  }

  #exitAt(reason: Reason, at: { readonly limit?: number; readonly stop?: number }): void {
    this.#reasons.set(this.#place(this.#sign > 0 ? 'sell' : 'buy', at), reason);
  }

  #exitNow(reason: Reason): void {
    this.#cancelAll();
    this.#exitAt(reason, {});
  }

  #exited(reason: Reason, price: number): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    this.#cancelAll();
    const profit = (price / held.price - 1) * this.#sign * this.#context.params.leverage;
    const note = { reason, openRow: held.row, closeRow: this.#row, short: this.#sign < 0, profit };
    this.#context.log.info(JSON.stringify(note));
  }

  #cancelAll(): void {
    this.#context.orders.cancelAll(this.#context.params.symbol);
  }

  #cancelStops(): void {
    const { orders, params } = this.#context;
    for (const order of orders.open(params.symbol)) {
      if (order.type === 'stopMarket') orders.cancel(order.clientOrderId);
    }
  }

  #place(side: 'buy' | 'sell', at: { readonly limit?: number; readonly stop?: number }): string {
    const { orders, instrument, params } = this.#context;
    const { symbol, quantity } = params;
    const ticks = (price: number): number => instrument(symbol).ticks(price.toFixed(8), 'nearest');
    if (at.stop !== undefined)
      return orders.place({ symbol, side, quantity, type: 'stopMarket', stopPrice: ticks(at.stop) });
    return orders.place({
      symbol,
      side,
      quantity,
      price: at.limit === undefined ? undefined : ticks(at.limit),
    });
  }
}

const none = [false, false, false, false] as const;

export default defineStrategy({
  name: 'candle-exits',
  params,
  feeds: ({ symbol }) => [{ symbol, candles: ['H1'], ticker: true }],
  create: (context) => {
    const {
      market,
      params: { symbol },
      instrument,
    } = context;
    const exits = new CandleExits(context);
    return {
      onCandle(candle) {
        const running = market.candles(symbol, 'H1').at(-1);
        if (running !== undefined) exits.rowOpens(candle.time, amountToNumber(running.open));
      },
      onTicker({ time, last }) {
        if (last !== undefined) exits.point(time, amountToNumber(last));
      },
      onFill(fill, order) {
        exits.filled(order.clientOrderId, instrument(symbol).price(fill.price).toNumber());
      },
    };
  },
});

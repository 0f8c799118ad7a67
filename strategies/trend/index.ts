import {
  amountToNumber,
  barSpec,
  defineStrategy,
  filter,
  map,
  marginModes,
  parseAmount,
  seconds,
  z,
} from 'godwit/strategy';
import type { Observable, Position, Side, StrategyContext, StrategyTimerHandle } from 'godwit/strategy';
import { Cross } from './averages.ts';

const params = z
  .strictObject({
    symbol: z.string().default('ETHBTC').describe('what is traded'),
    period: barSpec.default('M1').describe('candle period, or bars such as 45m, tick:100 or volume:2.5'),
    fast: z.int().min(1).max(1_000).default(5).describe('candles in the fast average'),
    slow: z.int().min(2).max(10_000).default(20).describe('candles in the slow average'),
    quantity: z.string().default('0.05').describe('position held while in a trend, base currency'),
    short: z.boolean().default(false).describe('go short on a falling cross instead of flat'),
    product: z
      .enum(['spot', 'futures'])
      .default('spot')
      .describe('spot, or futures where the symbol is a contract'),
    marginMode: z.enum(marginModes).default('isolated').describe('of futures: which margin pays'),
    leverage: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,2})?$/, 'expected a leverage such as "5"')
      .default('5')
      .describe('of isolated futures'),
    margin: z.string().default('1000').describe('of futures: opens the margin account with so much'),
    slippageTicks: z
      .int()
      .min(0)
      .max(100_000)
      .default(5)
      .describe('how far beyond the touch an order may fill'),
  })
  .refine(({ fast, slow }) => fast < slow, { path: ['fast'], message: 'expected fewer candles than slow' });

/** After an attempt the next one waits this long, then twice as long each time, up to an hour: a refusal may last. */
const patienceSecondsMin = 5;
const patienceSecondsMax = 3_600;

type Context = StrategyContext<z.output<typeof params>>;

/** The crossings of both averages, by closed candles. Candles closed before the start fill the averages and decide nothing. */
function crossingsOf({ params, market }: Context): Observable<'up' | 'down'> {
  const { symbol, period, fast, slow } = params;
  const cross = new Cross(fast, slow);
  for (const candle of market.candles(symbol, period).slice(0, -1)) cross.next(amountToNumber(candle.close));
  return market.candles$(symbol, period).pipe(
    map(({ close }) => cross.next(amountToNumber(close))),
    filter((crossing) => crossing !== undefined),
  );
}

class TrendFollower {
  readonly #context: Context;
  readonly #lots: number;
  /** Signed lots we want to hold; `undefined` until the first crossing. */
  #target: number | undefined;
  #patienceSeconds = patienceSecondsMin;
  #timer: StrategyTimerHandle | undefined;
  /** What was asked of the margin account, so that it is asked once. */
  readonly #asked = new Set<'account' | 'leverage'>();

  constructor(context: Context) {
    const { params } = context;
    this.#context = context;
    this.#lots = context.instrument(params.symbol).lots(params.quantity, 'down');
  }

  crossed(crossing: 'up' | 'down'): void {
    const { params, log } = this.#context;
    this.#target = crossing === 'up' ? this.#lots : params.short ? -this.#lots : 0;
    log.info('the averages crossed', { crossing, target: this.#target });
    this.moved();
  }

  /** The target or the position is another: what has been waited so far counts no more. */
  moved(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#patienceSeconds = patienceSecondsMin;
    this.#pursue();
  }

  /** Opens the margin account of futures, then sets the leverage of an isolated one. Nothing is traded before both stand. */
  prepare(): void {
    const { params, margin } = this.#context;
    if (this.#isReady()) {
      this.#pursue();
      return;
    }
    const account = margin.account(params.symbol, params.marginMode);
    const missing = account === undefined ? 'account' : 'leverage';
    if (this.#asked.has(missing)) return;
    this.#asked.add(missing);
    const { marginMode } = params;
    if (account === undefined) margin.set(params.symbol, { balance: params.margin, marginMode });
    else margin.setLeverage(params.symbol, params.leverage);
  }

  /** The timer has fired. */
  again(): void {
    this.#timer = undefined;
    this.#patienceSeconds = Math.min(2 * this.#patienceSeconds, patienceSecondsMax);
    this.prepare();
  }

  /** The margin account is another. What is still missing is asked later: the change that led here is not settled yet. */
  reported(): void {
    const { params, margin } = this.#context;
    // The venue closes a cross account with its last position: it is opened again.
    if (margin.account(params.symbol, params.marginMode) === undefined) this.#asked.clear();
    if (this.#isReady()) this.#pursue();
    else this.#lookAgain();
  }

  /** A margin call: the position is closed, and the next crossing opens one anew. */
  called(): void {
    if (this.#target === 0 && this.#position().quantity === 0) return;
    this.#target = 0;
    this.#context.log.warn('margin call: the position is closed');
    this.moved();
  }

  /** A change of margin was refused: it is asked again later. */
  refused(code: string, why: string): void {
    this.#context.log.warn('margin refused', { code, why });
    this.#asked.clear();
    this.#lookAgain();
  }

  /**
   * Sends one order towards the target when none is on its way: a limit that fills at once or ends. What a thin book left
   * open is tried again. No timer runs while nothing is missing, so that years of candles cost no timers.
   */
  #pursue(): void {
    const { params, market, orders } = this.#context;
    if (this.#target === undefined || !this.#isReady()) return;
    const missing = this.#target - this.#position().quantity;
    if (missing === 0) return;
    this.#lookAgain();
    if (orders.openCount(params.symbol) > 0) return;
    const book = market.book(params.symbol);
    const side: Side = missing > 0 ? 'buy' : 'sell';
    const touch = side === 'buy' ? book.bestAsk : book.bestBid;
    if (book.status !== 'live' || touch === undefined) return;
    const price = side === 'buy' ? touch + params.slippageTicks : Math.max(1, touch - params.slippageTicks);
    const quantity = Math.abs(missing);
    const order = { symbol: params.symbol, side, quantity, price, timeInForce: 'IOC' } as const;
    if (params.product === 'spot') orders.place(order);
    else orders.place({ ...order, product: 'futures', marginMode: params.marginMode });
  }

  #position(): Position {
    const { params, position } = this.#context;
    return position(params.symbol, params.product === 'spot' ? 'spot' : params.marginMode);
  }

  /** Whether orders have what pays them: cross margin has no leverage of its own, and without an account would run at the venue's. */
  #isReady(): boolean {
    const { params, margin } = this.#context;
    if (params.product === 'spot') return true;
    const account = margin.account(params.symbol, params.marginMode);
    if (params.marginMode === 'cross') return account !== undefined;
    return account?.leverage === parseAmount(params.leverage);
  }

  #lookAgain(): void {
    this.#timer ??= this.#context.timers.after(seconds(this.#patienceSeconds), 'again');
  }
}

export default defineStrategy({
  name: 'trend',
  params,
  feeds: ({ symbol, period }) => [{ symbol, book: true, trades: true, candles: [period] }],
  products: ({ product }) => [product],
  create(context) {
    const follower = new TrendFollower(context);
    crossingsOf(context).subscribe((crossing) => follower.crossed(crossing));
    return {
      onStart: () => follower.prepare(),
      onMargin: () => follower.reported(),
      onMarginCall: () => follower.called(),
      onMarginRefused: (_change, { code, why }) => follower.refused(code, why),
      onTimer: () => follower.again(),
      onPosition: () => follower.moved(),
    };
  },
});

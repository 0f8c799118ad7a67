import { amountToNumber, defineStrategy, later, seconds, z } from 'godwit/strategy';
import type { Denial, Order, StrategyContext, Ticks } from 'godwit/strategy';

const params = z.strictObject({
  one: z.string().default('BTCUSDT@one').describe('a symbol'),
  other: z.string().default('BTCUSDT@other').describe('the same thing elsewhere, or a contract on it'),
  quantity: z.string().default('0.01').describe('of one trade'),
  most: z.string().default('0.05').describe('the largest position sold of either'),
  edgeBasisPointsMin: z
    .number()
    .min(-10_000)
    .max(10_000)
    .default(20)
    .describe('how much more one must cost than the other, fees included, in hundredths of a percent'),
  restSeconds: z.number().min(1.1).max(3_600).default(2).describe('rest after a trade'),
});

class Spread {
  readonly #context: StrategyContext<z.output<typeof params>>;
  #quietUntil = 0;

  constructor(context: StrategyContext<z.output<typeof params>>) {
    this.#context = context;
  }

  look(): void {
    const { params, clock, orders } = this.#context;
    if (clock.now() < this.#quietUntil || orders.openCount() > 0) return;
    if (!this.#trade(params.one, params.other)) this.#trade(params.other, params.one);
  }

  changed(order: Order, denial: Denial | undefined): void {
    const code = denial?.code ?? (order.state === 'rejected' ? order.code : undefined);
    if (code !== undefined) this.#context.log.warn('refused', { code, why: denial?.why ?? order.why });
  }

  /** Sells `expensive` and buys `cheap` at once, where that brings enough; whether it does. */
  #trade(expensive: string, cheap: string): boolean {
    const { params, market, clock, orders, position, instrument } = this.#context;
    const [sold, bought] = [market.book(expensive), market.book(cheap)];
    if (sold.status !== 'live' || bought.status !== 'live') return false;
    const { bestBid: bid } = sold;
    const { bestAsk: ask } = bought;
    if (bid === undefined || ask === undefined) return false;
    const edge = this.#price(expensive, bid) / this.#price(cheap, ask) - 1;
    if (edge * 10_000 < params.edgeBasisPointsMin) return false;
    if (position(expensive).quantity <= -instrument(expensive).lots(params.most, 'down')) return false;
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
    const terms = { quantity: params.quantity, timeInForce: 'IOC' } as const;
    orders.place({ ...terms, symbol: expensive, side: 'sell', price: bid });
    orders.place({ ...terms, symbol: cheap, side: 'buy', price: ask });
    return true;
  }

  #price(symbol: string, ticks: Ticks): number {
    return amountToNumber(this.#context.instrument(symbol).priceAmount(ticks));
  }
}

export default defineStrategy({
  name: 'spread',
  params,
  feeds: ({ one, other }) => [one, other].map((symbol) => ({ symbol, book: true, needs: [one, other] })),
  create(context) {
    const spread = new Spread(context);
    return {
      onBook: () => spread.look(),
      onOrder: (order, denial) => spread.changed(order, denial),
    };
  },
});

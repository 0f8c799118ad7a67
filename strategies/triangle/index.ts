import { defineStrategy, later, seconds, z } from 'godwit/strategy';
import type { BookView, Denial, Order, StrategyContext } from 'godwit/strategy';
import type { Prices, Touch } from './edge.ts';
import { bestWay, touchOf } from './edge.ts';

const params = z.strictObject({
  cross: z.string().default('ETHBTC').describe('the first currency in the second'),
  first: z.string().default('ETHUSDT').describe('the first currency in the third'),
  second: z.string().default('BTCUSDT').describe('the second currency in the third'),
  quantity: z.string().default('0.05').describe('most of the first currency in one round'),
  edgeBasisPointsMin: z
    .number()
    .min(-1_000)
    .max(10_000)
    .default(2)
    .describe('what a round must earn after taker fees, in hundredths of a percent'),
  restSeconds: z.number().min(1.1).max(3_600).default(2).describe('rest after a round'),
});

class Triangle {
  readonly #context: StrategyContext<z.output<typeof params>>;
  readonly #quantity: number;
  #quietUntil = 0;

  constructor(context: StrategyContext<z.output<typeof params>>) {
    this.#context = context;
    this.#quantity = Number(context.params.quantity);
  }

  look(): void {
    const { params, clock, orders, market } = this.#context;
    if (clock.now() < this.#quietUntil || orders.openCount() > 0) return;
    const cross = this.#touch(market.book(params.cross), params.cross);
    const first = this.#touch(market.book(params.first), params.first);
    const second = this.#touch(market.book(params.second), params.second);
    if (cross === undefined || first === undefined || second === undefined) return;
    const prices: Prices = { cross, first, second };
    const way = bestWay(prices);
    if (way.edge * 10_000 >= params.edgeBasisPointsMin) this.#send(prices, way.sells);
  }

  changed(order: Order, denial: Denial | undefined): void {
    const code = denial?.code ?? (order.state === 'rejected' ? order.code : undefined);
    if (code !== undefined) this.#context.log.warn('refused', { code, why: denial?.why ?? order.why });
  }

  #touch(book: BookView, symbol: string): Touch | undefined {
    return book.status === 'live' && !book.crossed
      ? touchOf(book, this.#context.instrument(symbol))
      : undefined;
  }

  /** Three orders that all execute at once, or none does: no leg is ever left alone. */
  #send({ cross, first, second }: Prices, sells: boolean): void {
    const { params, orders, clock } = this.#context;
    // `sells`: the first currency is bought with the third, sold for the second, and that sold for the third.
    const [buyFirst, sellCross] = [sells ? first.ask : first.bid, sells ? cross.bid : cross.ask];
    const most = Math.min(this.#quantity, buyFirst.quantity, sellCross.quantity);
    const secondSide = sells ? second.bid : second.ask;
    const size = Math.min(most, secondSide.quantity / sellCross.price);
    const quantity = this.#down(params.first, Math.min(size, this.#quantity));
    const other = this.#down(params.second, size * sellCross.price);
    if (quantity === undefined || other === undefined) return;
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
    const fok = { timeInForce: 'FOK' } as const;
    orders.placeList({
      contingency: 'allOrNone',
      orders: [
        { ...fok, symbol: params.first, side: sells ? 'buy' : 'sell', quantity, price: buyFirst.ticks },
        {
          ...fok,
          symbol: params.cross,
          side: sells ? 'sell' : 'buy',
          quantity: this.#cross(quantity),
          price: sellCross.ticks,
        },
        {
          ...fok,
          symbol: params.second,
          side: sells ? 'sell' : 'buy',
          quantity: other,
          price: secondSide.ticks,
        },
      ],
    });
  }

  /** The quantity as text on the grid of a symbol; `undefined` when nothing is left of it. */
  #down(symbol: string, quantity: number): string | undefined {
    const instrument = this.#context.instrument(symbol);
    const lots = instrument.lots(quantity.toFixed(12), 'down');
    return lots === 0 ? undefined : instrument.quantityText(lots);
  }

  /** The same quantity of the first currency on the grid of the cross. */
  #cross(quantity: string): number {
    return this.#context.instrument(this.#context.params.cross).lots(quantity, 'down');
  }
}

export default defineStrategy({
  name: 'triangle',
  params,
  feeds: ({ cross, first, second }) =>
    [cross, first, second].map((symbol) => ({ symbol, book: true, needs: [cross, first, second] })),
  create(context) {
    const triangle = new Triangle(context);
    return {
      onBook: () => triangle.look(),
      onOrder: (order, denial) => triangle.changed(order, denial),
    };
  },
});

import { amountToNumber, defineStrategy, z } from 'godwit/strategy';

const step = z.strictObject({
  /** How many bars have closed when it is taken. */
  after: z.int().min(0),
  side: z.enum(['buy', 'sell']),
  /** Whole units, or `all`: what the cash buys at the open, with spread and fees as sizing counts them. */
  quantity: z.union([z.string(), z.literal('all')]),
  /** A limit order of the opposite side, placed when the step has filled. */
  target: z.string().optional(),
});

/** Market orders after a given number of closed bars: for results published as a list of actions. */
export default defineStrategy({
  name: 'plan',
  params: z.strictObject({
    symbol: z.string(),
    period: z.enum(['M1', 'H1', 'D1']).default('D1'),
    steps: z.array(step).max(1_000),
    sizing: z
      .strictObject({ share: z.number(), spread: z.number(), rate: z.number(), fixed: z.number() })
      .default({ share: 1, spread: 0, rate: 0, fixed: 0 }),
  }),
  feeds: ({ symbol, period }) => [{ symbol, candles: [period] }],
  create: ({ params, orders, position, market, balances, instrument }) => {
    const { symbol, period, steps, sizing } = params;
    let closed = 0;
    let target: string | undefined;
    const all = (): string => {
      const open = amountToNumber(market.candles(symbol, period).at(-1)?.open ?? (0n as never));
      const cash = amountToNumber(balances.get(instrument(symbol).spec.quoteCurrency).available);
      const price = open * (1 + sizing.spread);
      const fee = (sizing.fixed + sizing.share * price * sizing.rate) / sizing.share;
      return String(Math.floor((cash * sizing.share) / (price + fee)));
    };
    return {
      onCandle() {
        closed += 1;
        for (const { after, side, quantity, target: price } of steps) {
          if (after !== closed) continue;
          target = price;
          const held = position(symbol).quantity;
          const units = quantity !== 'all' ? quantity : held === 0 ? all() : Math.abs(held);
          orders.place({ symbol, side, quantity: units });
        }
      },
      onFill(fill, order) {
        if (target === undefined) return;
        const side = order.side === 'buy' ? 'sell' : 'buy';
        orders.place({ symbol, side, quantity: fill.quantity, price: target });
        target = undefined;
      },
    };
  },
});

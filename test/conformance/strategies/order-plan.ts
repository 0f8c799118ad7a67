import { defineStrategy, later, seconds, z } from 'godwit/strategy';

const order = z.strictObject({
  /** How many bars have closed when it is placed. */
  after: z.int().min(0),
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit', 'stopMarket', 'stopLimit', 'bracket']),
  /** Whole units. */
  quantity: z.string(),
  price: z.string().optional(),
  stopPrice: z.string().optional(),
  /** The last bar in which it may fill, counted from the one at whose open it is placed; minutes alone. */
  life: z.int().min(1).optional(),
  /** Exits of a bracket. */
  profit: z.string().optional(),
  stop: z.string().optional(),
});

/** Given orders after given numbers of closed bars; a bracket only when nothing was held at the close. */
export default defineStrategy({
  name: 'order-plan',
  params: z.strictObject({
    symbol: z.string(),
    period: z.enum(['M1', 'D1']),
    orders: z.array(order).max(1_000),
  }),
  feeds: ({ symbol, period }) => [{ symbol, candles: [period] }],
  create: ({ params, orders, clock }) => {
    const { symbol } = params;
    let closed = 0;
    let held = 0;
    let heldBefore = 0;
    let changedAt = 0;
    // A closed bar is reported with the next open, which may have met an exit already.
    const heldAtClose = (): number => (changedAt === clock.now() ? heldBefore : held);
    return {
      onCandle() {
        closed += 1;
        for (const { after, side, type, quantity, profit, stop, life, ...prices } of params.orders) {
          if (after !== closed) continue;
          if (type !== 'bracket') {
            const expireTime = later(clock.now(), seconds(60 * (1 + (life ?? 0))));
            const until = life === undefined ? {} : ({ timeInForce: 'GTD', expireTime } as const);
            orders.place({ symbol, side, type, quantity, ...prices, ...until });
            continue;
          }
          if (heldAtClose() !== 0) continue;
          const exit = { symbol, side: side === 'buy' ? 'sell' : 'buy', quantity } as const;
          orders.placeList({
            contingency: 'oneTriggerOneCancelOther',
            orders: [
              { symbol, side, type: 'market', quantity },
              { ...exit, price: profit },
              { ...exit, type: 'stopMarket', stopPrice: stop },
            ],
          });
        }
      },
      onPosition({ quantity }) {
        if (changedAt !== clock.now()) heldBefore = held;
        changedAt = clock.now();
        held = quantity;
      },
    };
  },
});

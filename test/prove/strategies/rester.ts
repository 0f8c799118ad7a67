import { defineStrategy, millis, z } from 'godwit/strategy';

const params = z.strictObject({
  /** How many orders are to rest on each symbol of spot, on margin, and on each contract. */
  spot: z.record(z.string(), z.int()),
  margin: z.record(z.string(), z.int()).default({}),
  futures: z.record(z.string(), z.int()).default({}),
  perSecond: z.int().default(290),
  /** After so many it begins anew, as fast as it may, for as long as it runs. */
  forever: z.boolean().default(false),
});

/** Lets very many buys rest far below the market, on many symbols and all products. */
export default defineStrategy({
  name: 'rester',
  params,
  products: ({ margin, futures }) => [
    'spot',
    ...(Object.keys(margin).length > 0 ? (['margin'] as const) : []),
    ...(Object.keys(futures).length > 0 ? (['futures'] as const) : []),
  ],
  feeds: ({ spot, margin, futures }) =>
    [...new Set([spot, margin, futures].flatMap((one) => Object.keys(one)))].map((symbol) => ({
      symbol,
      book: true,
    })),
  create({ params: asked, orders, margin, market, timers }) {
    const { spot, margin: onMargin, futures } = asked;
    const left = [
      ...Object.entries(spot).map(([symbol, count]) => ({ symbol, count, product: 'spot' as const })),
      ...Object.entries(onMargin).map(([symbol, count]) => ({ symbol, count, product: 'margin' as const })),
      ...Object.entries(futures).map(([symbol, count]) => ({ symbol, count, product: 'futures' as const })),
    ];
    const whole = left.map(({ count }) => count);
    let credit = 0;
    const turn = 50;
    const place = (): void => {
      // What could not leave is not made up for: the throttle would deny it.
      credit = Math.min(credit + (asked.perSecond * turn) / 1_000, (2 * asked.perSecond * turn) / 1_000);
      for (const one of left) {
        const { symbol, product } = one;
        const { bestBid } = market.book(symbol);
        if (bestBid === undefined || market.book(symbol).status !== 'live') continue;
        if (product === 'margin' && one.count > 0 && margin.account(symbol) === undefined) {
          if (one.count === onMargin[symbol]) margin.set(symbol, { balance: '1000000' });
          continue;
        }
        for (; one.count > 0 && credit >= 1; one.count--) {
          credit -= 1;
          const price = Math.round(bestBid * 0.97) - (one.count % 50);
          const order = { symbol, side: 'buy', quantity: 10, price } as const;
          if (product === 'spot') orders.place(order);
          else
            orders.place({
              ...order,
              product,
              ...(product === 'futures' && { marginMode: 'cross' as const }),
            });
        }
      }
      if (asked.forever && left.every(({ count }) => count === 0))
        for (const [at, one] of left.entries()) one.count = whole[at] ?? 0;
    };
    return {
      onStart: () => void timers.every(millis(turn), 'place'),
      onTimer: place,
    };
  },
});

import { barValues, defineStrategy, z } from 'godwit/strategy';

/**
 * Two exponential averages of the close, each seeded with the first close: long while the fast one is not below the
 * slow one, short otherwise. Bars that never moved are not acted on. What is held at the end is closed.
 */
export default defineStrategy({
  name: 'ema-cross',
  params: z.strictObject({
    symbol: z.string(),
    fast: z.int().min(1).default(10),
    slow: z.int().min(1).default(20),
    quantity: z.string().default('0.001'),
  }),
  feeds: ({ symbol }) => [{ symbol, candles: ['M1'] }],
  create: ({ params, orders, position, instrument }) => {
    const { symbol } = params;
    const lots = instrument(symbol).lots(params.quantity);
    const alphaFast = 2 / (params.fast + 1);
    const alphaSlow = 2 / (params.slow + 1);
    let fast = Number.NaN;
    let slow = Number.NaN;
    let count = 0;
    const goTo = (target: number): void => {
      const held = position(symbol).quantity;
      if (held === target) return;
      const side = target > held ? 'buy' : 'sell';
      if (held !== 0) orders.place({ symbol, side, quantity: Math.abs(held) });
      if (target !== 0) orders.place({ symbol, side, quantity: Math.abs(target) });
    };
    return {
      onCandle(candle) {
        const { close } = barValues(candle);
        fast = count === 0 ? close : alphaFast * close + (1 - alphaFast) * fast;
        slow = count === 0 ? close : alphaSlow * close + (1 - alphaSlow) * slow;
        count += 1;
        if (count < params.slow || (candle.max === candle.min && candle.open === candle.close)) return;
        goTo(fast >= slow ? lots : -lots);
      },
      onStop() {
        goTo(0);
      },
    };
  },
});

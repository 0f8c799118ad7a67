import { amountToNumber, defineStrategy, z } from 'godwit/strategy';

/**
 * The close against its simple average: bought when it crosses above, sold when it crosses below. A difference of zero
 * counts as the last one that was not. Every signal is noted as `buy` or `sell` with the close.
 */
export default defineStrategy({
  name: 'sma-close-cross',
  params: z.strictObject({
    symbol: z.string(),
    period: z.int().min(1).default(15),
    quantity: z.string().default('1'),
  }),
  feeds: ({ symbol }) => [{ symbol, candles: ['D1'] }],
  create: ({ params, orders, position, log }) => {
    const { symbol, quantity } = params;
    const closes: number[] = [];
    let difference = Number.NaN;
    return {
      onCandle(candle) {
        const close = amountToNumber(candle.close);
        closes.push(close);
        if (closes.length < params.period) return;
        const average = closes.slice(-params.period).reduce((sum, one) => sum + one, 0) / params.period;
        const before = difference;
        const now = close - average;
        if (now !== 0) difference = now;
        const holds = position(symbol).quantity > 0;
        if (!holds && before < 0 && now > 0) {
          log.info(`buy ${close.toFixed(2)}`);
          orders.place({ symbol, side: 'buy', quantity });
        } else if (holds && before > 0 && now < 0) {
          log.info(`sell ${close.toFixed(2)}`);
          orders.place({ symbol, side: 'sell', quantity });
        }
      },
    };
  },
});

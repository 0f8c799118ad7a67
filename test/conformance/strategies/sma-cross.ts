import { amountToNumber, defineStrategy, z } from 'godwit/strategy';

/**
 * Two simple averages of the close; where the fast one crosses the slow one, everything is turned to that side: closed,
 * then opened with as many whole units as the cash buys at the open. From `until` on it only closes.
 */
export default defineStrategy({
  name: 'sma-cross',
  params: z.strictObject({
    symbol: z.string(),
    fast: z.int().min(1).default(10),
    slow: z.int().min(1).default(30),
    /** Share of the cash that is put in. */
    share: z.number().default(0.9999999999999999),
    /** Day (YYYY-MM-DD) whose open ends it. */
    until: z.string(),
  }),
  feeds: ({ symbol }) => [{ symbol, candles: ['D1'] }],
  create: ({ params, orders, position, market, balances, instrument }) => {
    const { symbol } = params;
    const { quoteCurrency } = instrument(symbol).spec;
    const end = Date.parse(`${params.until}T00:00:00Z`) * 1_000;
    const closes: number[] = [];
    let before = { fast: Number.NaN, slow: Number.NaN };
    let wanted: 'buy' | 'sell' | undefined;
    const average = (count: number): number => {
      if (closes.length < count) return Number.NaN;
      return closes.slice(-count).reduce((sum, one) => sum + one, 0) / count;
    };
    const opened = (): number => amountToNumber(market.candles(symbol, 'D1').at(-1)?.open ?? (0n as never));
    const enter = (): void => {
      if (wanted === undefined) return;
      const cash = amountToNumber(balances.get(quoteCurrency).available);
      const units = Math.floor((params.share * cash) / opened());
      if (units > 0) orders.place({ symbol, side: wanted, quantity: String(units) });
      wanted = undefined;
    };
    const leave = (): void => {
      const { quantity } = position(symbol);
      if (quantity === 0) enter();
      else orders.place({ symbol, side: quantity > 0 ? 'sell' : 'buy', quantity: Math.abs(quantity) });
    };
    return {
      onCandle(candle) {
        closes.push(amountToNumber(candle.close));
        const now = { fast: average(params.fast), slow: average(params.slow) };
        const up = before.fast < before.slow && now.fast > now.slow;
        const down = before.fast > before.slow && now.fast < now.slow;
        before = now;
        const isLast = (market.candles(symbol, 'D1').at(-1)?.time ?? 0) >= end;
        if (!isLast && (up || down)) wanted = up ? 'buy' : 'sell';
        if (isLast || up || down) leave();
      },
      onPosition({ quantity }) {
        if (quantity === 0) enter();
      },
    };
  },
});

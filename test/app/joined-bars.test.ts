import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'joined-bars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hours = Array.from({ length: 600 }, (_, hour) => {
  const price = (at: number): number => 100 + Math.round(20 * Math.sin(at / 25) + 3 * Math.sin(at));
  const [open, close] = [price(hour), price(hour + 1)];
  return { hour, open, close, high: Math.max(open, close) + 1, low: Math.min(open, close) - 1, volume: 1 };
}).filter(({ hour }) => hour % 97 > 2);

type Hour = (typeof hours)[number];
const rows = (all: readonly Hour[]): string => {
  const time = (hour: number): string => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
  const lines = all.map(
    (one) => `${time(one.hour)},${one.open},${one.high},${one.low},${one.close},${one.volume}`,
  );
  return `${['time,open,high,low,close,volume', ...lines].join('\n')}\n`;
};
const ofFour = [...Map.groupBy(hours, ({ hour }) => Math.floor(hour / 4) * 4)].map(([hour, parts]): Hour => ({
  hour,
  open: parts[0]?.open ?? 0,
  close: parts.at(-1)?.close ?? 0,
  high: Math.max(...parts.map(({ high }) => high)),
  low: Math.min(...parts.map(({ low }) => low)),
  volume: parts.length,
}));
writeFileSync(join(folder, 'H1.csv'), rows(hours));
writeFileSync(join(folder, 'H4.csv'), rows(ofFour));
writeFileSync(
  join(folder, 'turns.ts'),
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'turns',
  params: z.strictObject({ period: z.enum(['M30', 'H4']) }),
  feeds: ({ period }) => [{ symbol: 'ABC', candles: [period] }],
  create: ({ orders, params, market }) => ({
    onCandle({ open, close, volume }) {
      const before = market.candles('ABC', params.period).length;
      const side = close > open ? 'buy' : 'sell';
      orders.place({ symbol: 'ABC', side, type: 'market', quantity: String(volume / 10n ** 24n + BigInt(before)) });
    },
  }),
});
`,
);

function backtest(data: string, period = 'H4', market = 'nextOpen'): ReturnType<typeof run> {
  const path = join(folder, 'run.yaml');
  writeFileSync(
    path,
    `name: four hours
data: [${data}.csv]
instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0' } }
fills: { model: bars, market: ${market}, account: { kind: margin } }
balances: { USD: '10000000' }
strategy: { path: turns.ts, params: { period: ${period} } }
`,
  );
  return run(['backtest', '--scenario', path, '--no-save', '--no-band', '--json']);
}

test.each(['nextOpen', 'open', 'close'])(
  'a strategy of four hours trades on hours as on bars of four hours: %s',
  async (market) => {
    const [joined, own] = [await backtest('H1', 'H4', market), await backtest('H4', 'H4', market)];
    const fillsOf = ({ out }: typeof own): readonly string[] =>
      (JSON.parse(out) as { fills: readonly { side: string; price: string; quantity: string }[] }).fills.map(
        ({ side, price, quantity }) => `${side} ${quantity} at ${price}`,
      );
    expect(fillsOf(own).length).toBeGreaterThan(100);
    // Behind a gap at its end, four hours are reported as over with the next hour: at its close that is another price.
    if (market === 'close') expect(fillsOf(joined)).toHaveLength(fillsOf(own).length);
    else expect(fillsOf(joined)).toEqual(fillsOf(own));
  },
);

test('candles that the bars neither are nor make are said before the run', async () => {
  const { code, err } = await backtest('H1', 'M30');
  expect(code).not.toBe(0);
  expect(err).toContain(
    'strategy turns asks for candles M30 of ABC: expected bars of M30, or shorter ones that make whole ones, found bars of H1',
  );
});

import { describe, expect, test } from 'vitest';
import { SourceFolder } from '../../support/source-files.ts';

const follower = `
import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'follower',
  params: z.strictObject({ symbols: z.array(z.string()) }),
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, candles: ['D1'] })),
  create: ({ orders, instrument, position }) => ({
    onCandle(candle) {
      const { symbol } = instrument(candle.instrument);
      const side = position(symbol).quantity > 0 ? 'sell' : 'buy';
      orders.place({ symbol, side, quantity: '1', type: 'market', timeInForce: 'IOC' });
    },
  }),
});
`;

function bars(start: number, step: number): string {
  const rows = Array.from({ length: 30 }, (_, day) => {
    const open = start + step * day;
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return [date, open, open + 2, open - 2, open + 1, 1_000].map(String).join(',');
  });
  return ['Date,Open,High,Low,Close,Volume', ...rows].join('\n');
}

function folder(): SourceFolder {
  const made = new SourceFolder();
  made.write('follower.ts', follower);
  made.write('aaa.csv', bars(100, 1));
  made.write('bbb.csv', bars(250, 3));
  return made;
}

const sourceOf = (symbol: string, fee: string, more = '') =>
  `{ ${more}data: [${symbol.toLowerCase()}.csv], instrument: { symbol: ${symbol}, base: ${symbol}, quote: USD, tick: "1", lot: "1", fees: { maker: "0", taker: "${fee}" } } }`;

const rest = (symbols: string) => `
fills: { model: bars }
balances: { USD: "100000" }
config: { orders: { marketOrders: true, duplicateMs: 0 } }
strategy: { path: follower.ts, params: { symbols: [${symbols}] } }
`;

describe('sources of bars', () => {
  test('each have an instrument, and equal the runs of each', async () => {
    const made = folder();
    const both = await made.run(
      `name: both\nsources: [${sourceOf('AAA', '0.001')}, ${sourceOf('BBB', '0.002')}]${rest('AAA, BBB')}`,
    );
    expect(both.problems).toEqual([]);
    const alone = async (symbol: string, fee: string) =>
      await made.run(`name: one\nsources: [${sourceOf(symbol, fee)}]${rest(symbol)}`);
    const [one, other] = [await alone('AAA', '0.001'), await alone('BBB', '0.002')];
    const keyed = (result: typeof both, symbol: string) =>
      result.fills
        .filter((fill) => fill.symbol === symbol)
        .map(({ time, side, price, quantity, fee }) => ({ time, side, price, quantity, fee }));
    expect(one.fills.length).toBeGreaterThan(20);
    expect(keyed(both, 'AAA')).toEqual(keyed(one, 'AAA'));
    expect(keyed(both, 'BBB')).toEqual(keyed(other, 'BBB'));
    const [first, second] = [keyed(both, 'AAA')[0], keyed(both, 'BBB')[0]];
    expect((first?.fee ?? 0) / (first?.price ?? 1)).toBeCloseTo(0.001, 12);
    expect((second?.fee ?? 0) / (second?.price ?? 1)).toBeCloseTo(0.002, 12);
  });

  test('are sampled by the symbol of the first source, whatever the strategy listens to first', async () => {
    const sources = `name: both\nsources: [${sourceOf('AAA', '0')}, ${sourceOf('BBB', '0')}]`;
    const { rows } = await folder().run(
      `${sources}${rest('BBB, AAA')}sample: { every: 1d, columns: [mid] }\n`,
    );
    expect(rows.slice(0, 3)).toEqual([[101], [102], [103]]);
  });

  test('have one account: a venue is refused', async () => {
    await expect(
      folder().run(`name: one\nsources: [${sourceOf('AAA', '0', 'venue: one, ')}]${rest('AAA')}`),
    ).rejects.toThrow(
      'sources.0.venue: expected none with fills: {model: bars}, because a run on bars has one account',
    );
  });
});

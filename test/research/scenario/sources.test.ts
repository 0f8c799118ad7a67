import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { SourceFolder, begin, walk } from '../../support/source-files.ts';

const quoter = `
import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'quoter',
  params: z.strictObject({ symbols: z.array(z.string()) }),
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, book: true, trades: true })),
  create: ({ params, market, orders }) => ({
    onTrade(trade, { symbol }) {
      const book = market.book(symbol);
      if (orders.openCount(symbol) > 0 || book.bestBid === undefined || book.bestAsk === undefined) return;
      const side = trade.side === 'buy' ? 'sell' : 'buy';
      orders.place({ symbol, side, quantity: '1.0', price: side === 'buy' ? book.bestBid : book.bestAsk });
    },
  }),
});
`;

const terms = (symbol: string, more = '') =>
  `{ symbol: ${symbol}, base: ${symbol.slice(0, 3)}, quote: USDT, tick: "0.1", lot: "0.1", fees: { maker: "0.001", taker: "0.002" }${more} }`;

const rest = (symbols: readonly string[], balances: string, fills = '{ model: queue }') => `
latency: { entry: 10ms, report: 10ms }
fills: ${fills}
balances: ${balances}
strategy: { path: quoter.ts, params: { symbols: [${symbols.map((one) => `"${one}"`).join(', ')}] } }
sample: { every: 1s, columns: [time, profit] }
`;

function folderOfTwo(): SourceFolder {
  const folder = new SourceFolder();
  folder.raw('aaa.gz', { symbol: 'AAAUSDT', moments: walk(1, { start: 1_000, count: 400, step: 100 }) });
  folder.raw('bbb.gz', {
    symbol: 'BBBUSDT',
    moments: walk(7, { start: 2_000, count: 300, step: 130, from: 40 }),
    latency: 25,
  });
  folder.write('quoter.ts', quoter);
  return folder;
}

const aaa = `{ data: [aaa.gz], instrument: ${terms('AAAUSDT')} }`;
const bbb = `{ data: [bbb.gz], instrument: ${terms('BBBUSDT')} }`;
const money = '{ AAA: "1000", BBB: "1000", USDT: "1000000" }';

function fillsOf(result: ScenarioResult, symbol: string) {
  return result.fills
    .filter((fill) => fill.symbol === symbol)
    .map(({ side, price, quantity, time, fee }) => ({ side, price, quantity, time, fee }));
}

function profitOf(result: ScenarioResult): number {
  return Number(result.report?.results.find(({ currency }) => currency === 'USDT')?.profit);
}

describe('sources of one run', () => {
  for (const model of ['queue', 'shadow'])
    test(`equal the runs of each, where strategies do not look across: ${model}`, async () => {
      const folder = folderOfTwo();
      const fills = `{ model: ${model} }`;
      const both = await folder.run(
        `name: both\nsources: [${aaa}, ${bbb}]${rest(['AAAUSDT', 'BBBUSDT'], money, fills)}`,
      );
      const one = await folder.run(
        `name: one\ndata: [aaa.gz]\ninstrument: ${terms('AAAUSDT')}${rest(['AAAUSDT'], '{ AAA: "1000", USDT: "1000000" }', fills)}`,
      );
      const other = await folder.run(
        `name: other\ndata: [bbb.gz]\ninstrument: ${terms('BBBUSDT')}${rest(['BBBUSDT'], '{ BBB: "1000", USDT: "1000000" }', fills)}`,
      );
      expect(both.problems).toEqual([]);
      expect(one.fills.length).toBeGreaterThan(10);
      expect(other.fills.length).toBeGreaterThan(10);
      expect(fillsOf(both, 'AAAUSDT')).toEqual(fillsOf(one, 'AAAUSDT'));
      expect(fillsOf(both, 'BBBUSDT')).toEqual(fillsOf(other, 'BBBUSDT'));
      expect(both.fills.length).toBe(one.fills.length + other.fills.length);
      expect(profitOf(both)).toBeCloseTo(profitOf(one) + profitOf(other), 9);
    });

  test('are merged by the time of receipt, and at one time in the order of the scenario', async () => {
    const folder = new SourceFolder();
    const moments = [0, 100, 200].map((at) => ({ at, bid: '100.0', ask: '100.2' }));
    folder.raw('aaa.gz', { symbol: 'AAAUSDT', moments });
    folder.raw('bbb.gz', {
      symbol: 'BBBUSDT',
      moments: [...moments, { at: 50, bid: '100.0', ask: '100.2' }].toSorted((a, b) => a.at - b.at),
    });
    folder.write('quoter.ts', quoter);
    const order = async (sources: readonly string[]): Promise<readonly string[]> => {
      const text = `name: order\nsources: [${sources.join(', ')}]${rest(['AAAUSDT', 'BBBUSDT'], money)}`;
      const { recording } = await openScenarioData(loadScenario(folder.write('order.yaml', text)));
      const seen: string[] = [];
      for await (const batch of recording.events())
        for (const event of batch)
          if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate')
            seen.push(
              `${event.exchangeTime / 1_000 - begin} ${recording.instruments.at(event.instrument).symbol}`,
            );
      return seen;
    };
    expect(await order([aaa, bbb])).toEqual([
      '0 AAAUSDT',
      '0 BBBUSDT',
      '50 BBBUSDT',
      '100 AAAUSDT',
      '100 BBBUSDT',
      '200 AAAUSDT',
      '200 BBBUSDT',
    ]);
    expect(await order([bbb, aaa])).toEqual([
      '0 BBBUSDT',
      '0 AAAUSDT',
      '50 BBBUSDT',
      '100 BBBUSDT',
      '100 AAAUSDT',
      '200 BBBUSDT',
      '200 AAAUSDT',
    ]);
  });

  test('give the same digest twice', async () => {
    const folder = folderOfTwo();
    const text = `name: both\nsources: [${aaa}, ${bbb}]${rest(['AAAUSDT', 'BBBUSDT'], money)}`;
    const [one, again] = [await folder.run(text), await folder.run(text)];
    expect(again.identity['decisions']).toBe(one.identity['decisions']);
    expect(again.rows).toEqual(one.rows);
  });
});

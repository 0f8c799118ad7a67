import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { apartFiles } from '../../support/apart-feeds.ts';
import { SourceFolder, begin, rawLines, walk } from '../../support/source-files.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

async function shipped(name: string): Promise<ScenarioResult> {
  const loaded = loadScenario(`${home}/backtest/scenarios/${name}.yaml`);
  return await runScenario({ loaded: configuredScenario(loaded, home), details: true });
}

/** What one symbol brought in quote currency, fees of quote currency included, and what is left of it. */
function ofSymbol({ fills }: ScenarioResult, symbol: string): { cash: number; position: number } {
  let [cash, position] = [0, 0];
  for (const fill of fills) {
    if (fill.symbol !== symbol) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    cash -= sign * fill.price * fill.quantity + fill.fee;
    position += sign * fill.quantity;
  }
  return { cash, position };
}

/** The middle of the last book of a file. */
function lastMid(file: string): number {
  const { bid, ask } = apartFiles()[file]?.moments.at(-1) ?? { bid: 'none', ask: 'none' };
  return (Number(bid) + Number(ask)) / 2;
}

function profitOf(result: ScenarioResult, currency = 'USDT'): number {
  return Number(result.report?.results.find((one) => one.currency === currency)?.profit);
}

describe('the shipped scenarios of several sources', () => {
  test('have the files that their generator makes', () => {
    for (const [name, file] of Object.entries(apartFiles())) {
      const packed = readFileSync(`${home}/backtest/feeds/apart/${name}`);
      expect(gunzipSync(packed).toString(), name).toBe(rawLines(file).join('\n'));
    }
  });

  test('triangle: three symbols share one account, and each round leaves no more than dust', async () => {
    const result = await shipped('triangle');
    expect(result.problems).toEqual([]);
    expect(result.fills).toHaveLength(18);
    const [eth, cross, btc] = ['ETHUSDT', 'ETHBTC', 'BTCUSDT'].map((one) => ofSymbol(result, one));
    // Each round buys 1 ETH, sells it for BTC, and sells the BTC down to the lot.
    expect((eth?.position ?? 0) + (cross?.position ?? 0)).toBeCloseTo(0, 9);
    const btcLeft = (cross?.cash ?? 0) + (btc?.position ?? 0);
    expect(Math.abs(btcLeft)).toBeLessThan(6 * 0.001);
    const gained = (eth?.cash ?? 0) + (btc?.cash ?? 0) + btcLeft * lastMid('spot-btcusdt.gz');
    expect(gained).toBeGreaterThan(0);
  });

  test('spot against perpetual: a wallet and a margin account, whose profit is one sum', async () => {
    const result = await shipped('spot-perpetual');
    const [spot, futures] = ['BTCUSDT@spot', 'BTCUSDT@futures'].map((one) => ofSymbol(result, one));
    expect(result.problems).toEqual([]);
    expect(result.fills).toHaveLength(36);
    const value =
      (spot?.cash ?? 0) +
      (futures?.cash ?? 0) +
      (spot?.position ?? 0) * lastMid('spot-btcusdt.gz') +
      (futures?.position ?? 0) * lastMid('perpetual-btcusdt.gz');
    expect(profitOf(result)).toBeCloseTo(value, 6);
    expect(result.report?.results.map(({ currency }) => currency)).toEqual(['USDT']);
    // Fees of each side are its own.
    const first = result.fills.slice(0, 2).map(({ symbol, price, fee }) => [symbol, fee / (price * 0.1)]);
    expect(first).toEqual([
      ['BTCUSDT@futures', expect.closeTo(0.0004, 9)],
      ['BTCUSDT@spot', expect.closeTo(0.0005, 9)],
    ]);
  });

  test('two venues: money of one does not pay at the other', async () => {
    const result = await shipped('two-venues');
    const [near, far] = ['BTCUSDT@near', 'BTCUSDT@far'].map((one) => ofSymbol(result, one));
    expect(result.problems).toEqual([]);
    expect(result.fills).toHaveLength(32);
    const value =
      (near?.cash ?? 0) +
      (far?.cash ?? 0) +
      (near?.position ?? 0) * lastMid('spot-btcusdt.gz') +
      (far?.position ?? 0) * lastMid('other-btcusdt.gz');
    expect(profitOf(result)).toBeCloseTo(value, 6);
  });
});

const holder = `
import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({ symbol: z.string(), quantity: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create: ({ params, orders }) => ({
    onTrade(trade, { symbol }) {
      if (trade.time / 1000 - ${begin} !== 1000) return;
      orders.place({ symbol, side: 'buy', quantity: params.quantity, type: 'market', timeInForce: 'IOC' });
    },
  }),
});
`;

const terms = `{ symbol: AAAUSDT, base: AAA, quote: USDT, tick: "0.1", lot: "0.1", fees: { maker: "0", taker: "0" } }`;

function folder(two: Partial<Parameters<SourceFolder['raw']>[1]> = {}): SourceFolder {
  const made = new SourceFolder();
  const moments = walk(3, { start: 1_000, count: 40, step: 100 });
  made.raw('one.gz', { symbol: 'AAAUSDT', moments });
  made.raw('two.gz', { symbol: 'AAAUSDT', moments: walk(5, { start: 1_000, count: 40, step: 100 }), ...two });
  made.write('holder.ts', holder);
  return made;
}

function text({
  one = `venue: one, data: [one.gz], instrument: ${terms}`,
  two = `venue: two, data: [two.gz], instrument: ${terms}`,
  balances = '{ "USDT@one": "100", "USDT@two": "100000" }',
  symbol = 'AAAUSDT@one',
  more = '',
} = {}): string {
  return `name: venues
sources: [{ ${one} }, { ${two} }]
balances: ${balances}
config: { orders: { marketOrders: true } }
strategy: { path: holder.ts, params: { symbol: "${symbol}", quantity: "5.0" } }
${more}`;
}

describe('venues of one run', () => {
  test('hold money of their own: what the other has buys nothing here', async () => {
    const poor = await folder().run(text());
    expect(poor.problems).toEqual([]);
    expect(poor.fills).toEqual([]);
    expect(poor.report?.denials).toEqual([{ code: 'FUNDS', count: 1 }]);
    const rich = await folder().run(text({ symbol: 'AAAUSDT@two' }));
    expect(rich.fills).toMatchObject([{ symbol: 'AAAUSDT@two', side: 'buy', quantity: 5 }]);
  });

  test('are needed where two sources bring one symbol', async () => {
    const same = text({
      one: `data: [one.gz], instrument: ${terms}`,
      two: `data: [two.gz], instrument: ${terms}`,
    });
    await expect(folder().run(same)).rejects.toThrow(
      'sources.1: expected another venue than that of sources.0, because both bring AAAUSDT; name each, for example venue: binance',
    );
  });

  test('are needed where a wallet and an account of contracts would share a currency', async () => {
    const perpetual = terms.replace('symbol: AAAUSDT', 'symbol: AAAUSDT, kind: perpetual');
    const mixed = text({
      one: `data: [one.gz], instrument: ${terms}`,
      two: `venue: one, data: [two.gz], instrument: ${perpetual}`,
      balances: '{}',
      symbol: 'AAAUSDT',
      more: 'fills: { model: queue }',
    });
    // Another venue, so nothing is shared.
    expect((await folder().run(mixed)).problems).toEqual([]);
    const shared = mixed
      .replace('venue: one, data: [two.gz]', 'data: [bbb.gz]')
      .replace('symbol: AAAUSDT, kind: perpetual, base: AAA', 'symbol: BBBUSDT, kind: perpetual, base: BBB');
    const made = folder();
    made.raw('bbb.gz', { symbol: 'BBBUSDT', moments: walk(9, { start: 500, count: 40, step: 100 }) });
    await expect(made.run(shared)).rejects.toThrow(
      'expected a venue of its own for BBBUSDT, because a spot wallet (of AAAUSDT) and an account of contracts do not share USDT',
    );
  });

  test('money that names no venue of the run is refused with those there are', async () => {
    await expect(folder().run(text({ balances: '{ USDT: "100" }' }))).rejects.toThrow(
      'balances.USDT: expected a currency of the data (AAA@one, USDT@one, AAA@two, USDT@two), found USDT',
    );
  });

  test('sources without any time in common end the run with a sentence', async () => {
    const later = walk(5, { start: 1_000, count: 40, step: 100, from: 10_000 });
    const result = await folder({ moments: later }).run(text());
    expect(result.complete).toBe(false);
    expect(result.problems[0]).toMatch(
      /two\.gz: expected sources that have some time in common, found AAAUSDT@two to begin at .*:30\.000Z, after AAAUSDT@one had ended at .*:23\.900Z; files that follow one another are data of one source/,
    );
  });

  test('clocks that differ are a finding of the run', async () => {
    const none = 'import: { clockShift: none }';
    const agree = await folder().run(text({ more: none }));
    expect(agree.notes.join('\n')).not.toContain('the clocks of the sources differ');
    const result = await folder({ ahead: -3_000 }).run(text({ more: none }));
    expect(result.problems).toEqual([]);
    expect(result.notes).toContain(
      'the clocks of the sources differ: the smallest latency of AAAUSDT@one is 0.005 s and of AAAUSDT@two 3.005 s; events meet the market by exchange time',
    );
  });

  test('a scenario has data or sources, and its instrument in one of them', () => {
    const made = folder();
    const load = (more: string) => () => loadScenario(made.write('wrong.yaml', more));
    expect(load(text({ more: 'data: [one.gz]' }))).toThrow('data: expected either data or sources, not both');
    expect(load(text({ more: `instrument: ${terms}` }))).toThrow(
      'instrument: expected it in each of the sources',
    );
    expect(load('name: none\nstrategy: { path: holder.ts }')).toThrow('data: expected a list of files');
    expect(load(text().replace('venue: two', 'venue: "no @ here"'))).toThrow(
      'sources.1.venue: expected a short name of letters and digits, such as binance',
    );
  });
});

describe('files of a source', () => {
  test('that prepare build the market of it alone', async () => {
    const made = folder({ moments: walk(5, { start: 1_000, count: 40, step: 100 }) });
    made.raw('before.gz', {
      symbol: 'AAAUSDT',
      moments: walk(8, { start: 900, count: 10, step: 100, from: -2_000 }),
    });
    const result = await made.run(
      text({
        two: `venue: two, data: [{ path: before.gz, role: prepare }, two.gz], instrument: ${terms}, import: { sequence: ignored }`,
        more: 'sample: { every: 1s, columns: [time, mid, { column: mid, symbol: AAAUSDT@two }] }',
      }),
    );
    expect(result.problems).toEqual([]);
    // The clock starts with the files to run.
    expect(result.rows[0]?.[0]).toBe(begin * 1_000 + 1_000_000);
  });

  test('may hold other symbols: one that is named is run alone', async () => {
    const made = new SourceFolder();
    made.write('holder.ts', holder);
    const lines = ['AAAUSDT', 'BBBUSDT'].flatMap((symbol) =>
      rawLines({ symbol, moments: walk(symbol.length, { start: 1_000, count: 40, step: 100 }) }),
    );
    made.write('mixed.txt', lines.toSorted((a, b) => (a.slice(0, 19) < b.slice(0, 19) ? -1 : 1)).join('\n'));
    const base = `data: [mixed.txt]`;
    const result = await made.run(
      text({
        one: `venue: one, ${base}, instrument: { symbol: AAAUSDT }`,
        two: `venue: two, ${base}, instrument: { symbol: BBBUSDT }`,
        symbol: 'BBBUSDT@two',
        balances: '{ "USDT@two": "100000" }',
      }),
    );
    expect(result.problems).toEqual([]);
    expect(result.fills).toMatchObject([{ symbol: 'BBBUSDT@two' }]);
  });
});

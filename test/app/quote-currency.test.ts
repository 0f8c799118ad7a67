import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BadInput } from '../../src/core/base/errors.ts';
import type { ScenarioResult } from '../../src/app/backtest/scenario-result.ts';
import { program } from '../../src/app/cli/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'quote-currency-'));

interface Said {
  readonly out: string;
  readonly error: string;
  readonly code: number;
}

async function godwit(...argv: string[]): Promise<Said> {
  const out: string[] = [];
  const error: string[] = [];
  const output = {
    data: (line: string) => void out.push(line),
    progress: (line: string) => void error.push(line),
    colour: false,
  };
  let code = 1;
  try {
    code = await program(output).run(['node', 'godwit', ...argv]);
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    error.push(thrown.message);
  }
  return { out: out.join('\n'), error: error.join('\n'), code };
}

/** Raw lines of Binance of one symbol: a book of five levels around 5000 ticks, then a trade every second. */
function rawLines(symbol: string): string {
  const start = 1_700_000_000_000;
  const side = (step: number): string =>
    Array.from({ length: 5 }, (_, i) => `["${(0.5 + step * (i + 1) * 0.0001).toFixed(4)}","500.0"]`).join();
  const line = (ms: number, message: string): string => `${ms}500 ${message}`;
  const stream = (name: string, data: string): string =>
    `{"stream":"${symbol.toLowerCase()}@${name}","data":${data}}`;
  const lines = [
    line(start, `{"lastUpdateId":1,"bids":[${side(-1)}],"asks":[${side(1)}]}`),
    line(
      start + 10,
      stream(
        'depth',
        `{"e":"depthUpdate","E":${start + 10},"s":"${symbol}","U":2,"u":2,"b":[["0.4999","400.0"]],"a":[]}`,
      ),
    ),
  ];
  for (let t = 1; t <= 60; t += 1) {
    const ms = start + t * 1_000;
    lines.push(
      line(
        ms,
        stream(
          'trade',
          `{"e":"trade","E":${ms},"T":${ms},"s":"${symbol}","t":${t},"p":"0.5001","q":"9.0","m":false}`,
        ),
      ),
    );
  }
  const path = join(folder, `${symbol}.txt`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const seller = join(folder, 'seller.ts');

async function run(symbol: string, instrument: string, balances: string): Promise<Said> {
  const file = join(folder, `${symbol}.yaml`);
  writeFileSync(
    file,
    `name: seller\ndata: [${rawLines(symbol)}]\ninstrument: { symbol: ${symbol}${instrument} }\nfills: { model: queue }\nbalances: { ${balances} }\nstrategy: { path: ${seller}, params: { symbol: ${symbol} } }\nsample: { every: 10s, columns: [fee, trades, volume, profit] }\n`,
  );
  return await godwit('backtest', '--scenario', file, '--no-band', '--no-save', '--json');
}

const resultOf = ({ out }: Said): ScenarioResult => JSON.parse(out) as ScenarioResult;

describe('a symbol and its money', () => {
  beforeAll(() => {
    writeFileSync(
      seller,
      `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'seller',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create: ({ params: { symbol }, market, orders }) => ({
    onTrade() {
      const price = market.book(symbol).bestBid;
      if (price !== undefined) orders.place({ symbol, side: 'sell', quantity: '10', price, timeInForce: 'IOC' });
    },
  }),
});
`,
    );
  });

  test.each([
    ['XRPUSDT', '', 'USDT'],
    ['XRPGBP', '', 'GBP'],
    ['XRPPLN', '', 'PLN'],
    ['1INCHBRL', '', 'BRL'],
    ['XRPXYZ', ', quote: XYZ', 'XYZ'],
    ['XRPXYZ', ', base: XRP', 'XYZ'],
  ])('a seller of nothing is never filled on %s%s', async (symbol, instrument, quote) => {
    const said = await run(symbol, instrument, `${quote}: "100000"`);
    expect(said.out).toContain('FUNDS');
    expect(resultOf(said).rows.at(-1)?.[2]).toBe(0);
  });

  test('who holds the base sells it for the quote', async () => {
    const { rows } = resultOf(await run('XRPGBP', '', 'GBP: "100000", XRP: "25"'));
    expect(Number(rows.at(-1)?.[2])).toBeGreaterThan(0);
  });

  test.each([
    [
      'is unknown',
      '',
      'name the currency with data import --quote CURRENCY, in a scenario with instrument: { quote: CURRENCY }',
    ],
    ['is its base', ', base: XYZ, quote: XYZ', 'found XYZ for both'],
  ])('a run whose quote currency %s is refused in a sentence', async (_, instrument, words) => {
    const { error, code } = await run('XRPXYZ', instrument, 'XYZ: "100000"');
    expect(error).toContain(words);
    expect(code).not.toBe(0);
  });

  test.each([
    ['raw lines', () => rawLines('XRPXYZ'), 'XRPXYZ'],
    [
      'a table of bars',
      () => {
        const path = join(folder, 'ADAQQQ.csv');
        const rows = Array.from({ length: 5 }, (_, i) => `2024-01-0${i + 1},1,2,1,2,5`);
        writeFileSync(path, ['date,open,high,low,close,volume', ...rows].join('\n'));
        return path;
      },
      'ADAQQQ',
    ],
    [
      'a table of trades',
      () => {
        const path = join(folder, 'trades.csv');
        writeFileSync(path, 'time,price,quantity,symbol\n1700000000,5,1,SOLWWW\n1700000001,5,1,SOLWWW\n');
        return path;
      },
      'SOLWWW',
    ],
    [
      'a capture of the Trading API',
      () => {
        const path = join(folder, 'capture.txt');
        const book =
          '{"ch":"orderbook/full","snapshot":{"DOTVVV":{"t":1700000000000,"s":1,"a":[["2","1"]],"b":[["1","1"]]}}}';
        writeFileSync(path, `wss://api.hitbtc.com/api/3/ws/public <-> 1700000000.5\n1700000001.5: ${book}\n`);
        return path;
      },
      'DOTVVV',
    ],
  ])(
    'every command refuses %s of an unknown quote currency, and takes it with its name',
    async (_, write, symbol) => {
      const path = write();
      const quote = symbol.slice(3);
      const out = join(folder, `${symbol}.pack`);
      for (const words of [['inspect'], ['books'], ['import', '--force', '--out', out]])
        expect((await godwit('data', ...words, path)).error, words[0]).toContain(
          `${symbol}: expected a symbol that ends`,
        );
      expect((await godwit('data', 'export', path, '--out', join(folder, 'no.csv'))).error).toContain(
        '--quote CURRENCY',
      );
      for (const words of [['inspect'], ['books'], ['import', '--force', '--out', out]])
        expect((await godwit('data', ...words, path, '--quote', quote)).code, words[0]).toBe(0);
      // What is proved does not depend on currencies.
      expect((await godwit('data', 'verify', path)).code).toBe(0);
      const again = JSON.parse((await godwit('data', 'inspect', out, '--json')).out) as object;
      expect(JSON.stringify(again)).toContain(symbol);
    },
  );

  test('a share is in dollars, and a note says so', async () => {
    const path = join(folder, 'GOOG.csv');
    const rows = Array.from({ length: 5 }, (_, i) => `2024-01-0${i + 1},1,2,1,2,5`);
    writeFileSync(path, ['date,open,high,low,close,volume', ...rows].join('\n'));
    const plain = await godwit('data', 'inspect', path);
    expect(plain.out).toContain(
      'GOOG: nothing names the quote currency, taken to be USD; --quote names another',
    );
    const said = await godwit('data', 'inspect', path, '--quote', 'EUR');
    expect(said.out).not.toContain('names the quote currency');
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Doubt } from '../../src/research/report/document/document.ts';
import { exitSentence } from '../../src/research/report/document/document.ts';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tick-doubts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

// It buys at the second book, what is left of its size in whole lots.
put(
  'holder.ts',
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({ quantity: z.string().default('50'), times: z.number().default(1) }),
  feeds: () => [{ symbol: 'ABC', book: true }],
  create: ({ params, orders, instrument }) => {
    const quantity = instrument('ABC').lots(params.quantity, 'down') * params.times;
    let books = 0;
    return {
      onBook() {
        books += 1;
        if (books !== 2 || quantity === 0) return;
        orders.place({ symbol: 'ABC', side: 'buy', quantity, price: '100', timeInForce: 'IOC' });
      },
    };
  },
});
`,
);

// It buys for so much money, if that is a lot and more.
const buyer = (name: string, money: string, symbols: string): string =>
  put(
    `${name}.ts`,
    `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: '${name}',
  params: z.strictObject({}),
  feeds: () => [${symbols}].map((symbol) => ({ symbol, book: true })),
  create: ({ orders, instrument }) => {
    let books = 0;
    return {
      onBook(book) {
        books += 1;
        const { symbol } = instrument(book.instrument);
        const quantity = instrument(symbol).lots(String(${money} / 100), 'down');
        if (quantity > 0) orders.place({ symbol, side: 'buy', quantity, price: '1', postOnly: true });
      },
    };
  },
});
`,
  );
buyer('worth', '25', `'ABC'`);
buyer('mixed', '(books === 2 ? 100 : 25)', `'ABC'`);
buyer('both', `(symbol === 'ABC' ? 100 : 90)`, `'ABC', 'XYZ'`);

/** 2020-09-13T00:00:00Z. */
const start = 1_599_955_200_000_000;

interface Market {
  /** Of a book a second, the best bid; the best ask stands one above. */
  readonly bids?: readonly number[];
  /** Second, price and size. */
  readonly trades?: readonly (readonly [number, number, number])[];
  /** When another symbol has a book, in seconds. */
  readonly other?: readonly number[];
  /** Further keys of the instrument, and lines of the scenario. */
  readonly more?: string;
  readonly lines?: readonly string[];
}

function scenario(name: string, market: Market): string {
  const { bids = [99, 99, 99, 99], trades = [], other = [], more = '', lines = [] } = market;
  const times = (second: number): string => {
    const time = start + second * 1_000_000;
    return `${time},${time}`;
  };
  const books = bids.flatMap((bid, at) => {
    const before = bids[at - 1] ?? bid;
    const left = before === bid ? [] : [`bid,${before},0`, `ask,${before + 1},0`];
    return [...left, `bid,${bid},100`, `ask,${bid + 1},100`].map(
      (level) => `some,ABC,${times(at)},${at === 0},${level}`,
    );
  });
  const others = other.flatMap((second, at) =>
    ['bid,9,1', `ask,10,${at + 1}`].map((level) => `some,XYZ,${times(second)},${at === 0},${level}`),
  );
  const head = 'exchange,symbol,timestamp,local_timestamp';
  const book = (symbol: string, rows: readonly string[]): string =>
    put(
      `some_incremental_book_L2_2020-09-13_${name}${symbol}.csv`,
      `${[`${head},is_snapshot,side,price,amount`, ...rows].join('\n')}\n`,
    );
  const printed = trades.map(
    ([second, price, size], id) => `some,ABC,${times(second)},${id},buy,${price},${size}`,
  );
  const files = [
    book('ABC', books),
    ...(others.length === 0 ? [] : [book('XYZ', others)]),
    ...(printed.length === 0
      ? []
      : [
          put(
            `some_trades_2020-09-13_${name}ABC.csv`,
            `${[`${head},id,side,price,amount`, ...printed].join('\n')}\n`,
          ),
        ]),
  ];
  const of = (symbol: string): string =>
    `{ symbol: ${symbol}, base: ${symbol}, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0' }${more} }`;
  return put(
    `${name}.yaml`,
    `${[
      `name: ${name}`,
      ...(others.length === 0
        ? [`data: [${files.join(', ')}]`, `instrument: ${of('ABC')}`]
        : [
            `sources: [${files.map((file, at) => `{ data: [${file}], instrument: ${of(at === 0 ? 'ABC' : 'XYZ')} }`).join(', ')}]`,
          ]),
      'fills: { model: queue }',
      'config: { orders: { lastTradeNeeded: false } }',
      ...lines,
      ...(lines.some((line) => line.startsWith('balances')) ? [] : [`balances: { USD: '100000' }`]),
      ...(lines.some((line) => line.startsWith('strategy')) ? [] : ['strategy: { path: holder.ts }']),
    ].join('\n')}\n`,
  );
}

interface Reported {
  readonly doubts: readonly Doubt[];
  readonly codes: readonly string[];
  readonly share: unknown;
  readonly text: string;
}

async function noted(path: string): Promise<Reported> {
  const line = ['backtest', '--scenario', path, '--no-save', '--no-band'];
  const json = await run([...line, '--json']);
  const { doubts, sections } = JSON.parse(json.out) as {
    doubts: readonly Doubt[];
    sections: readonly { readonly figures: readonly { readonly key: string }[] }[];
  };
  const share = sections.flatMap(({ figures }) => figures).find(({ key }) => key === 'execution.volumeShare');
  if (doubts.length > 0) expect(json.err.split('\n')).toContain(exitSentence(doubts));
  return { doubts, codes: doubts.map(({ code }) => code), share, text: (await run(line)).out };
}

describe('what is doubtful about a run on books and trades', () => {
  test('fills of more than was traded on their day, and the share as a figure of its own', async () => {
    const small = await noted(
      scenario('small', {
        trades: [
          [0, 100, 12],
          [3, 100, 8],
        ],
      }),
    );
    expect(small.doubts).toContainEqual({
      code: 'SIZE_DOUBTFUL',
      text: 'fills of 1 day take more than was traded on it: the most 250.00 % of it, of ABC on 2020-09-13',
    });
    expect(small.share).toMatchObject({ value: '250.00 %', number: 2.5 });
    expect(small.text).toMatch(/Largest share of volume +250\.00 %/);
    const large = await noted(scenario('large', { trades: [[0, 100, 500]] }));
    expect(large.codes).not.toContain('SIZE_DOUBTFUL');
    expect(large.share).toMatchObject({ number: 0.1 });
    const unknown = await noted(scenario('unknown', {}));
    expect(unknown.codes).not.toContain('SIZE_DOUBTFUL');
    expect(unknown.share).toMatchObject({ reason: 'no fills beside volumes of the data' });
  });

  test('equity below zero and a price that went to a tenth, of a run and of every trial', async () => {
    const path = scenario('ruin', {
      bids: [99, 99, 99, 60, 5, 5, 5],
      more: ', kind: perpetual',
      lines: [`balances: { USD: '1000' }`],
    });
    const { doubts } = await noted(path);
    const ruined = 'equity in USD is below zero on 2020-09-13: what follows has no meaning';
    const collapsed = 'the price of ABC went to a tenth or ten times against a position by 2020-09-13';
    expect(doubts).toContainEqual({ code: 'RUINED', text: ruined });
    expect(doubts).toContainEqual({ code: 'PRICE_COLLAPSED', text: collapsed });
    const sweep = put('ruin-sweep.yaml', `scenario: ${path}\nspace: { quantity: ['1', '50'] }\n`);
    const at = ['--no-resume', '--ledger', join(folder, 'ledger'), '--store', join(folder, 'store')];
    const swept = await run(['sweep', sweep, ...at, '--workers', '1', '--json']);
    const { doubts: ofTrials } = JSON.parse(swept.out) as { doubts: readonly Doubt[] };
    expect(ofTrials).toContainEqual({ code: 'RUINED', text: `in 1 of 2 trials: ${ruined}` });
    expect(ofTrials).toContainEqual({ code: 'PRICE_COLLAPSED', text: collapsed });
  });

  test('a trade at ten times the one before, and none where prices move by a third', async () => {
    const spike = scenario('spike', {
      trades: [
        [0, 100, 900],
        [1, 1_000, 1],
        [2, 100, 1],
      ],
    });
    expect((await noted(spike)).doubts).toContainEqual({
      code: 'PRICES_DOUBTFUL',
      text: '2 prices leap to twice or half of the one before, as a spike, a wick or a split, the first of ABC on 2020-09-13',
    });
    const wick = scenario('wick', {
      trades: [
        [0, 100, 900],
        [1, 49, 1],
      ],
    });
    expect((await noted(wick)).codes).toContain('PRICES_DOUBTFUL');
    const calm = scenario('calm', {
      trades: [
        [0, 100, 900],
        [1, 140, 1],
        [2, 100, 1],
      ],
    });
    expect((await noted(calm)).codes).not.toContain('PRICES_DOUBTFUL');
  });

  test('data that end while a position is held, before those of another symbol and before the clock', async () => {
    const text = 'the data of ABC end on 2020-09-13, while it was held: it is valued at its last price';
    const long = Array.from({ length: 40 }, (_, i) => i * 60);
    expect((await noted(scenario('two', { other: long }))).doubts).toContainEqual({
      code: 'DATA_ENDED_EARLY',
      text,
    });
    const clocked = (name: string, end: string): string =>
      scenario(name, { lines: [`clock: { end: '${end}' }`] });
    expect((await noted(clocked('hour', '2020-09-13T01:00:00Z'))).doubts).toContainEqual({
      code: 'DATA_ENDED_EARLY',
      text,
    });
    expect((await noted(clocked('minute', '2020-09-13T00:01:00Z'))).codes).not.toContain('DATA_ENDED_EARLY');
  });

  test('a size that is less than one lot, of which a strategy makes no order', async () => {
    const lines = (quantity: string): Market => ({
      lines: [`strategy: { path: holder.ts, params: { quantity: '${quantity}' } }`],
    });
    expect((await noted(scenario('less', lines('0.4')))).doubts).toContainEqual({
      code: 'SIZE_BELOW_LOT',
      text: 'strategy holder asked for no order: its quantity, 0.4, is less than the quantity increment of ABC, 1',
    });
    expect((await noted(scenario('more', lines('1.4')))).codes).not.toContain('SIZE_BELOW_LOT');
  });

  test('sizes that a strategy computes and rounds down to nothing, with their count, where nothing is ordered', async () => {
    const text = (strategy: string): Market => ({ lines: [`strategy: { path: ${strategy}.ts }`] });
    expect((await noted(scenario('computed', text('worth')))).doubts).toContainEqual({
      code: 'SIZE_BELOW_LOT',
      text: 'strategy worth asked for no order: 4 sizes that it computed are less than the quantity increment of ABC, 1, and rounded down to nothing: the first 0.25',
    });
    // Some sizes of nothing between orders are as usual.
    expect((await noted(scenario('mixed', text('mixed')))).codes).not.toContain('SIZE_BELOW_LOT');
    const two = scenario('silent', { other: [0, 1, 2, 3], lines: ['strategy: { path: both.ts }'] });
    expect((await noted(two)).doubts).toContainEqual({
      code: 'SIZE_BELOW_LOT',
      text: 'strategy both asked for no order of it: 4 sizes that it computed are less than the quantity increment of XYZ, 1, and rounded down to nothing: the first 0.9',
    });
  });

  test('fees that no venue has', async () => {
    const path = scenario('dear', {});
    const dear = put('dear-fees.yaml', readFileSync(path, 'utf8').replace(`taker: '0'`, `taker: '0.1'`));
    expect((await noted(dear)).doubts).toContainEqual({
      code: 'FEES_DOUBTFUL',
      text: 'no venue has a fee of 10.00 %, as ABC here',
    });
  });
});

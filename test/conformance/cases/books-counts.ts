import { readFileSync } from 'node:fs';
import type { ConformanceCase } from '../case.ts';
import type { Counts } from '../recorded.ts';
import { checkEqual, countsOf, data, openRecorded } from '../recorded.ts';

const countsFile = 'conformance/recording_message_counts.json';

interface CountCase {
  readonly recording: string;
  readonly published: Readonly<Record<string, number | string>>;
}

/** Which files a published case is about, and what of it we count in the same way. */
const countedFiles: readonly (readonly [
  prefix: string,
  files: readonly string[],
  skip: readonly string[],
])[] = [
  ['hitbtc-v2-20210405', ['hitbtc/hitbtc-v2-20210405.txt.gz'], []],
  [
    'kraken-v1-20210417',
    ['', '.trades', '.ticker'].map((part) => `books-checksum/kraken-v1-20210417${part}.txt.gz`),
    [],
  ],
  ['ftx-20210722', ['books-checksum/ftx-20210722.txt.gz'], []],
  ['coinbase-level2-20210417', ['books-other/coinbase-level2-20210417.txt.gz'], []],
  // Its authors count trades that came live.
  ['kraken-futures-20210722', ['books-other/kraken-futures-20210722.txt.gz'], ['trades']],
  ['bitmex-orderbookl2-20210722', ['books-other/bitmex-orderbookl2-20210722.txt.gz'], []],
];

function publishedCounts(prefix: string): Readonly<Record<string, number | string>> {
  const { cases: all } = JSON.parse(readFileSync(data + countsFile, 'utf8')) as {
    cases: readonly CountCase[];
  };
  const found = all.find(({ recording }) => recording.startsWith(prefix));
  if (found === undefined) throw new Error(`${countsFile}: expected ${prefix}`);
  return found.published;
}

function countCases(): readonly ConformanceCase[] {
  return countedFiles.map(([prefix, files, skip]) => ({
    name: `books: messages of ${prefix} as its authors count them`,
    needs: [countsFile, ...files],
    run: async () => {
      const counts = await countsOf(await openRecorded(files));
      for (const [what, expected] of Object.entries(publishedCounts(prefix))) {
        const found = skip.includes(what) ? counts.live : counts[what as keyof Counts];
        checkEqual(`${prefix}, ${what}`, found, expected);
      }
    },
  }));
}

/** Four sockets carried one feed: each alone has all books, together nothing is reported twice. */
const parallelSockets: ConformanceCase = {
  name: 'books: messages of hitbtc-v2-20210715 on four parallel sockets as its authors count them',
  needs: [countsFile, ...[1, 2, 3, 4].map((n) => `hitbtc/hitbtc-v2-20210715.conn${n}.txt.gz`)],
  run: async () => {
    const published = publishedCounts('hitbtc-v2-20210715');
    const sums = { ticker: 0, trades: 0, candles: 0 };
    for (const n of [1, 2, 3, 4]) {
      const counts = await countsOf(await openRecorded([`hitbtc/hitbtc-v2-20210715.conn${n}.txt.gz`]));
      sums.ticker += counts.ticker;
      sums.trades += counts.trades;
      sums.candles += counts.candles;
      // Each of the ten pairs got two snapshots; the authors count one of them.
      checkEqual(`socket ${n}, books`, counts.l2_book - 10, published['l2_book']);
    }
    for (const what of ['ticker', 'trades', 'candles'] as const)
      checkEqual(what, sums[what], published[what]);
  },
};

/** One of the sockets of a published recording whose other two are not here. */
const bequant: ConformanceCase = {
  name: 'books: book messages of bequant-v2-20210703 as its authors count them',
  needs: [countsFile, 'hitbtc/bequant-v2-20210703.conn3.txt.gz'],
  run: async () => {
    const counts = await countsOf(await openRecorded(['hitbtc/bequant-v2-20210703.conn3.txt.gz']));
    const published = String(publishedCounts('bequant-v2-20210703')['l2_book']);
    if (!published.split(' or ').includes(String(counts.l2_book))) {
      throw new Error(`expected ${published} book messages, found ${counts.l2_book}`);
    }
  },
};

export const cases: readonly ConformanceCase[] = [...countCases(), parallelSockets, bequant];

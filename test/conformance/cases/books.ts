import { readFileSync } from 'node:fs';
import type { ConformanceCase } from '../case.ts';
import { checkEqual, data, statesOf } from '../recorded.ts';

type Expected = Readonly<Record<string, unknown>>;

/** The members of an expected state that name what our books tell too. */
const compared = ['snapshots', 'updates', 'last_seq', 'bids', 'asks', 'best_bid', 'best_ask', 'book_sha256'];

function checkState(what: string, found: unknown, expected: Expected): void {
  for (const member of compared) {
    // What has no sequence of its own is counted by us.
    if (expected[member] === undefined || expected[member] === null) continue;
    checkEqual(`${what}, ${member}`, (found as Expected)[member], expected[member]);
  }
}

interface EndStates {
  readonly [group: string]: Readonly<Record<string, Readonly<Record<string, Expected>>>>;
}

const endStatesFile = 'conformance/book_end_states.json';

/** The groups of the file by how their name begins, and the folder of their recordings. */
const groups: readonly (readonly [string, string])[] = [
  ['hitbtc', 'hitbtc/'],
  ['kraken', 'books-checksum/'],
  ['okx', 'books-checksum/'],
  ['coinbase', 'books-other/'],
];

const recordings = {
  hitbtc: [
    'hitbtc-v2-20210715.conn1.txt.gz',
    'hitbtc-v2-20210715.conn2.txt.gz',
    'hitbtc-v2-20210715.conn3.txt.gz',
    'hitbtc-v2-20210715.conn4.txt.gz',
    'hitbtc-v2-20210405.txt.gz',
    'bequant-v2-20210703.conn1.txt.gz',
    'bequant-v2-20210703.conn3.txt.gz',
    'fmfw-v3-20211009.partA.txt.gz',
  ],
  kraken: ['kraken-v1-20210417.txt.gz'],
  okx: [
    'okx-v5-20220513.txt.gz',
    'okex-v5-20210722.txt.gz',
    'bitget-20220407.spot.txt.gz',
    'bitget-20220407.futures.txt.gz',
  ],
  coinbase: ['coinbase-level2-20210417.txt.gz'],
} as const;

function expectedStates(group: string): Readonly<Record<string, Readonly<Record<string, Expected>>>> {
  const all = JSON.parse(readFileSync(data + endStatesFile, 'utf8')) as EndStates;
  const key = Object.keys(all).find((name) => name.startsWith(group));
  if (key === undefined) throw new Error(`${endStatesFile}: expected a group ${group}`);
  return all[key] ?? {};
}

function endStateCases(): readonly ConformanceCase[] {
  return groups.flatMap(([group, folder]) =>
    recordings[group as keyof typeof recordings].map((file) => ({
      name: `books: end states of ${file}`,
      needs: [endStatesFile, folder + file],
      run: async () => {
        const expected = expectedStates(group)[file];
        if (expected === undefined) throw new Error(`${endStatesFile}: expected ${file}`);
        const found = await statesOf([folder + file]);
        checkEqual(`${file}, symbols`, Object.keys(found).toSorted(), Object.keys(expected).toSorted());
        for (const [symbol, state] of Object.entries(expected)) {
          checkState(`${file}, ${symbol}`, found[symbol], state);
        }
      },
    })),
  );
}

const binanceDays = [
  ['usdm_btcusdt_20240718.gz', 'usdm_btcusdt_20240719.gz'],
  ['usdm_btcusdt_20240808.gz'],
  ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'],
  ['cm_btcusd_perp_20240808.gz', 'cm_btcusd_perp_20240809.gz'],
] as const;

function binanceCases(): readonly ConformanceCase[] {
  return binanceDays.map((days) => {
    const files = days.map((day) => `binance-raw/${day}`);
    return {
      name: `books: end state of ${days.join(' + ')}`,
      needs: [endStatesFile, ...files],
      run: async () => {
        const expected = expectedStates('binance')[days.join(' + ')] as Expected | undefined;
        if (expected === undefined) throw new Error(`${endStatesFile}: expected ${days.join(' + ')}`);
        const [state] = Object.values(await statesOf(files));
        checkState(days.join(' + '), state, expected);
      },
    };
  });
}

export const cases: readonly ConformanceCase[] = [...endStateCases(), ...binanceCases()];

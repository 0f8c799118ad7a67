import type { ConformanceCase } from '../case.ts';
import { data } from '../recorded.ts';
import { compared, differenceOf } from '../replayed.ts';

// The same decisions by sockets on a recorded market and in a backtest, on recordings of many venues and formats.

interface Row {
  readonly files: readonly string[];
  /** This much of a long recording. */
  readonly seconds?: number | undefined;
  readonly fills?: 'queue';
  /** In microseconds, where it is not 15 ms. */
  readonly latency?: number;
}

const withRest = (name: string): Row => ({ files: [`${name}.ws.txt.gz`, `${name}.rest.txt.gz`] });
const one = (file: string, more: Omit<Row, 'files'> = {}): Row => ({ files: [file], ...more });

const kraken = 'books-checksum/kraken-v1-20210417';

const rows: readonly Row[] = [
  one('hitbtc/hitbtc-v2-20210405.txt.gz'),
  one('hitbtc/hitbtc-v2-20210405.txt.gz', { fills: 'queue' }),
  one('hitbtc/hitbtc-v2-20210405.txt.gz', { latency: 250_000 }),
  one('hitbtc/hitbtc-v2-20210715.conn1.txt.gz'),
  one('hitbtc/hitbtc-v2-20210715.conn2.txt.gz'),
  one('hitbtc/hitbtc-v2-20210715.conn3.txt.gz'),
  one('hitbtc/hitbtc-v2-20210715.conn4.txt.gz'),
  one('hitbtc/bequant-v2-20210703.conn1.txt.gz'),
  one('hitbtc/bequant-v2-20210703.conn3.txt.gz', { fills: 'queue' }),
  one('hitbtc/fmfw-v3-20211009.partA.txt.gz'),
  { files: [`${kraken}.txt.gz`, `${kraken}.trades.txt.gz`] },
  one('books-checksum/okx-v5-20220513.txt.gz'),
  one('books-checksum/okex-v5-20210722.txt.gz'),
  one('books-checksum/ftx-20210722.txt.gz'),
  one('books-checksum/ftx-tr-20220429.txt.gz'),
  one('books-checksum/ftx-tr-20220429.txt.gz', { fills: 'queue', latency: 0 }),
  one('books-checksum/bitget-20220407.spot.txt.gz'),
  one('books-checksum/bitget-20220407.futures.txt.gz'),
  one('books-other/coinbase-level2-20210417.txt.gz'),
  one('books-other/bitmex-orderbookl2-20210722.txt.gz'),
  one('books-other/kraken-futures-20210722.txt.gz'),
  withRest('books-other/bitstamp-diff-20220105'),
  withRest('books-other/binance-futures-20210722'),
  withRest('books-other/binance-spot-20211012'),
  one('binance-raw/usdm_btcusdt_20240718.gz'),
  one('binance-raw/usdm_btcusdt_20240808.gz', { seconds: 60 }),
  one('binance-raw/spot_btcusdt_20240808.gz', { seconds: 60 }),
  one('binance-raw/spot_btcusdt_20240808.gz', { seconds: 60, fills: 'queue' }),
  one('binance-raw/cm_btcusd_perp_20240808.gz', { seconds: 60 }),
  one('binance-raw/hyperliquid_btcusd_20250126.gz'),
  one('formats/bybit/2024-12-01_XRPUSDT_ob500.data.zip'),
  one('formats/databento/es-mbp1-20240702.dbn.zst'),
  one('l3/bitstamp-l3-20150501.log.xz', { seconds: 600 }),
];

/** Rows whose market goes on by itself, five times as fast as recorded; a part of a long one. */
const speed = 5;
const measuredRows: readonly Row[] = rows
  .filter(({ fills, latency }) => fills === undefined && latency === undefined)
  .map(({ files, seconds = 60 }) => ({ files, seconds: Math.min(seconds, 120) }));

function caseOf({ files, seconds, latency = 15_000, ...row }: Row, isMeasured: boolean): ConformanceCase {
  const fills = row.fills ?? 'fifo';
  const part = seconds === undefined ? '' : `, ${seconds} s`;
  const how = isMeasured ? `${speed} times as fast, the latency measured` : `${latency / 1_000} ms`;
  return {
    name: `replay ${files[0]}${part}: by sockets as in a backtest, ${fills}, ${how}`,
    needs: files,
    run: async () => {
      const paths = files.map((name) => data + name);
      const taken = isMeasured ? ({ latency: 'measured', speed } as const) : { latency };
      const comparison = await compared({ files: paths, seconds, fills, ...taken });
      const different = differenceOf(comparison);
      if (different !== undefined) throw new Error(different);
      const { symbol, orders, byReplay, latencies } = comparison;
      if (byReplay.length === 0) throw new Error(`${symbol}: expected executions, found none`);
      const makers = byReplay.filter(({ taker }) => !taker).length;
      const middle = latencies.toSorted((a, b) => a - b)[latencies.length >> 1];
      const took = middle === undefined ? '' : `, median ${(middle / 1_000).toFixed(1)} ms`;
      return `${symbol} ${orders} orders${took}, ${byReplay.length} executions (${makers} resting), 0 different`;
    },
  };
}

export const cases: readonly ConformanceCase[] = [
  ...rows.map((row) => caseOf(row, false)),
  ...measuredRows.map((row) => caseOf(row, true)),
];

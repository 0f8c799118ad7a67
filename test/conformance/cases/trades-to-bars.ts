import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { CandlePeriod } from '../../../src/core/model/market.ts';
import { State } from '../../../src/core/state/state.ts';
import type { ConformanceCase } from '../case.ts';
import { same } from '../scenarios/compare.ts';
import { data, published } from '../scenarios/run-scenario.ts';

interface Published {
  readonly inputs: readonly [string];
  readonly expected: readonly { readonly interval: string; readonly file: string; readonly bars: number }[];
}

const trades = 'trades/freqtrade_XRP_ETH-trades.json.gz';
const periods: Readonly<Record<string, CandlePeriod>> = { '1m': 'M1', '5m': 'M5' };

export const cases: readonly ConformanceCase[] = Object.keys(periods).map((interval) => ({
  name: `freqtrade: trades to bars of ${interval}`,
  needs: [trades, 'conformance/trades_to_bars.json', `bars/freqtrade_XRP_ETH-${interval}.csv.gz`],
  run: () => check(interval),
}));

/** The state builds the candles, as it does live and in a backtest, from the trades the importer reads. */
async function check(interval: string): Promise<void> {
  const { inputs, expected } = published('trades_to_bars.json') as Published;
  const wanted = expected.find((one) => one.interval === interval);
  const period = periods[interval];
  if (wanted === undefined || period === undefined)
    throw new Error(`there is nothing published of ${interval}`);
  const recording = await openData(fileURLToPath(new URL(inputs[0], data)));
  const { instruments } = recording;
  const state = new State({ instruments, options: { candlePeriods: [period], candlesMax: 100_000 } });
  for await (const batch of recording.events()) for (const event of batch) state.apply(event);
  const found = state.candles(0 as InstrumentId, period).map(({ time, open, max, min, close, volume }) => {
    return [String(time / 1_000), ...[open, max, min, close, volume].map(formatAmount)];
  });
  const rows = tableOf(wanted.file);
  same('bars', found.length, wanted.bars);
  same('rows of the file', rows.length, wanted.bars);
  rows.forEach((row, at) => same(`bar ${at}`, found[at], row));
}

/** Rows of time in milliseconds, open, high, low, close, volume; numbers without needless zeros. */
function tableOf(path: string): readonly (readonly string[])[] {
  const text = gunzipSync(readFileSync(new URL(path, data))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [time = '', ...numbers] = line.trim().split(',');
      return [time, ...numbers.map((one) => formatAmount(parseAmount(plain(one))))];
    });
}

/** A number of a table of doubles as a plain decimal. */
function plain(text: string): string {
  return /e/i.test(text) ? Number(text).toFixed(12) : text;
}

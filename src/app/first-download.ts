import { join, relative } from 'node:path';
import { amountToNumber } from '../core/base/amount.ts';
import type { Clock, Micros } from '../core/base/clock.ts';
import { micros, microsPerSecond } from '../core/base/clock.ts';
import { BadInput } from '../core/base/errors.ts';
import { SystemClock } from '../core/base/system-clock.ts';
import type { Candle } from '../core/model/market.ts';
import { openData } from '../data/open/market-data.ts';
import { downloadSources } from './download/catalog.ts';
import { downloadData } from './download/command.ts';
import type { CandleData } from './new-candle-files.ts';
import type { Output } from './process/output.ts';

/** Data that a project begins with, as a person names them. */
export interface FirstDownload {
  readonly venue: string;
  /** `undefined`: one that every such place has. */
  readonly symbol: string | undefined;
  readonly period: string;
  /** `undefined`: the last thirty days. */
  readonly start: Micros | undefined;
  readonly end: Micros | undefined;
  readonly address: string | undefined;
}

const dayMicros = 86_400 * microsPerSecond;
const days = 30;

/** Downloads candles into the project in `directory`. Resolves to what is known of them, and the exit code of the download. Rejects with `BadInput`, `NotFound`. */
export async function downloadFirst(
  wanted: FirstDownload,
  directory: string,
  output: Output,
  clock: Clock = new SystemClock(),
): Promise<{ readonly data: CandleData; readonly code: number }> {
  const { venue, period, address } = wanted;
  const isArchive = downloadSources.find(({ name }) => name === venue)?.type === 'archive';
  const symbol = wanted.symbol ?? (isArchive ? 'BTCUSDT' : 'ETHBTC');
  const today = clock.now() - (clock.now() % dayMicros);
  // The archive has yesterday's file some hours after midnight.
  const end = wanted.end ?? (isArchive ? micros(today - dayMicros) : clock.now());
  const start = wanted.start ?? micros(end - (end % dayMicros) - days * dayMicros);
  const folder = `data/${venue}/${symbol}/klines-${period}`;
  const path = relative('', join(directory, folder));
  const code = await downloadData({
    venue,
    symbol,
    kind: 'klines',
    period,
    start,
    end,
    address,
    rate: undefined,
    clock,
    out: path,
    json: false,
    isTried: false,
    output: {
      data: (line) => output.progress(line),
      progress: (line) => output.progress(line),
      colour: output.colour,
      watched: output.watched === true,
    },
  });
  return { data: await dataIn({ path, folder, symbol }), code };
}

interface CandleFolder extends Pick<CandleData, 'folder' | 'symbol'> {
  readonly path: string;
}

async function dataIn({ path, folder, symbol }: CandleFolder): Promise<CandleData> {
  const recording = await openData(path, { partial: true });
  const spec = recording.instruments.all[0]?.spec;
  let first: Candle | undefined;
  for await (const batch of recording.events()) {
    first ??= batch.flatMap((event) => (event.kind === 'candles' ? event.candles : []))[0];
    if (first !== undefined) break;
  }
  if (first === undefined || spec === undefined)
    throw new BadInput(`${folder}: expected candles, found none`);
  const price = amountToNumber(first.close);
  // A tenth of the account, in a round number of the base currency: prices below 1 are those of coins in coins.
  const balance = price < 1 ? 1 : 10_000;
  const digits = Math.floor(Math.log10(balance / 10 / price));
  const step = Number(spec.quantityIncrement);
  const quantity = Math.max(10 ** digits, step);
  return {
    symbol,
    period: first.period,
    folder,
    baseCurrency: spec.baseCurrency,
    quoteCurrency: spec.quoteCurrency,
    balance: String(balance),
    quantity: quantity === step ? spec.quantityIncrement : quantity.toFixed(Math.max(0, -digits)),
  };
}

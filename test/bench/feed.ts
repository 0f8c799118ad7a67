import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { packOfBytes } from '../../src/data/pack/event.ts';
import { PackWriter } from '../../src/data/pack/writer.ts';
import '../support/registered-venues.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import type { Event } from '../../src/core/model/event.ts';

const folder = new URL('../../../shared/data/binance-raw/', import.meta.url);
const rounds = 15;

export interface FeedFigures {
  readonly name: string;
  /** Raw file to events, in millions of level changes a second. */
  readonly readMillions: number;
  readonly packMillions: number;
  /** Pack to events. */
  readonly unpackMillions: number;
  readonly bytesPerLevel: number;
}

/** How fast Binance raw files and packs made of them are read; empty when the recordings are absent. */
export async function benchFeed(): Promise<readonly FeedFigures[]> {
  if (!existsSync(fileURLToPath(folder))) return [];
  const figures: FeedFigures[] = [];
  for (const tickers of [false, true]) {
    for (const codec of ['none', 'zstd'] as const) {
      figures.push(await measure('usdm_btcusdt_20240808.gz', tickers, codec));
      figures.push(await measure('cm_btcusd_perp_20240808.gz', tickers, codec));
    }
  }
  return figures;
}

async function measure(file: string, tickers: boolean, codec: 'none' | 'zstd'): Promise<FeedFigures> {
  const clock = new SystemClock();
  const recording = await openRecording(fileURLToPath(new URL(file, folder)), { tickers });
  const events: Event[] = [];
  const startRead = clock.uptime();
  for await (const batch of recording.events()) for (const event of batch) events.push(event);
  const readMicros = clock.uptime() - startRead;
  const levels = events.reduce(
    (total, event) => total + ('levels' in event ? (event.end - event.start) / 3 : 0),
    0,
  );
  const parts: Uint8Array[] = [];
  const startPack = clock.uptime();
  const instruments = recording.instruments.all.map(({ spec }) => spec);
  const writer = new PackWriter((bytes) => parts.push(Buffer.from(bytes)), { instruments, codec });
  for (const event of events) writer.add(event);
  writer.finish();
  const packMicros = clock.uptime() - startPack;
  const pack = packOfBytes(Buffer.concat(parts));
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = clock.uptime();
    let read = 0;
    for (const batch of pack.batches()) read += batch.length;
    if (read !== events.length) throw new Error('the pack lost events');
    times.push(clock.uptime() - start);
  }
  times.sort((a, b) => a - b);
  return {
    name: `${file}, ${tickers ? 'with' : 'without'} tickers, ${codec}`,
    readMillions: levels / readMicros,
    packMillions: levels / packMicros,
    unpackMillions: levels / (times[Math.floor(rounds / 2)] as number),
    bytesPerLevel: writer.length / levels,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const figure of await benchFeed()) {
    process.stdout.write(
      `${figure.name}: read ${figure.readMillions.toFixed(2)}, pack ${figure.packMillions.toFixed(1)}, unpack ${figure.unpackMillions.toFixed(1)} M level changes/s, ${figure.bytesPerLevel.toFixed(2)} bytes a level change\n`,
    );
  }
}

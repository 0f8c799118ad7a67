import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packRecording } from '../../../src/app/data/import-command.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { PackWriter } from '../../../src/data/pack/writer.ts';
import '../../support/registered-venues.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Event, MarketEvent } from '../../../src/core/model/event.ts';
import type { InstrumentId, InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../../src/core/model/level-buffer.ts';
import type { Side } from '../../../src/core/model/order.ts';
import { benchSpec } from './book-frames.ts';

const folder = new URL('../../../../shared/data/binance-raw/', import.meta.url);
const recordings = {
  'usdm.pack': ['usdm_btcusdt_20240808.gz'],
  'coinm.pack': ['cm_btcusd_perp_20240808.gz', 'cm_btcusd_perp_20240809.gz'],
} as const;

/** The packs that the corridor runs on. */
export interface PackedTicks {
  readonly paths: readonly string[];
  /** What they are made of. */
  readonly source: string;
}

/** Packs the recorded ticks into `directory`; a seeded synthetic feed when the recordings are not there. */
export async function packTicks(directory: string): Promise<PackedTicks> {
  const paths: string[] = [];
  for (const [name, files] of Object.entries(recordings)) {
    const inputs = files.map((file) => fileURLToPath(new URL(file, folder)));
    if (!inputs.every((path) => existsSync(path))) return packSynthetic(directory);
    const recording = await openRecording(inputs, { tickers: false });
    const path = join(directory, name);
    await packRecording(recording, path);
    paths.push(path);
  }
  return { paths, source: 'recorded ticks (Binance BTCUSDT and BTCUSD futures, August 2024)' };
}

function writePack(path: string, instruments: readonly InstrumentSpec[], events: readonly Event[]): void {
  const parts: Uint8Array[] = [];
  const writer = new PackWriter((bytes) => parts.push(Buffer.from(bytes)), { instruments, codec: 'zstd' });
  for (const event of events) writer.add(event);
  writer.finish();
  writeFileSync(path, Buffer.concat(parts));
}

const messages = 200_000;
const depth = 1_000;

/**
 * One symbol: 4.6 level changes a message, 31 % deletes, distance from the touch exponential with mean 12 ticks, 3 %
 * anywhere in the depth, two trades in five messages.
 */
function packSynthetic(directory: string): PackedTicks {
  const random = new Random('synthetic ticks');
  const buffer = new LevelBuffer();
  const instrument = 0 as InstrumentId;
  const events: MarketEvent[] = [];
  let middle = 60_000;
  for (let i = 0; i < messages; i++) {
    const exchangeTime = (1_700_000_000_000_000 + i * 10_000) as Micros;
    const times = { exchangeTime, receiveTime: (exchangeTime + 2_000) as Micros };
    buffer.beginMessage();
    const count = i === 0 ? 2 * depth : random.between(1, 8);
    for (let n = 0; n < count; n++) {
      const side = i === 0 ? ((n & 1) as 0 | 1) : random.chance(0.5) ? 0 : 1;
      const near = random.chance(0.03) ? random.between(0, depth) : Math.floor(random.exponential(12));
      const away = 2 + (i === 0 ? n >> 1 : near);
      const lots = i > 0 && random.chance(0.31) ? 0 : random.between(1, 50_000);
      buffer.push(side, side === 0 ? middle - away : middle + away, lots);
    }
    const { chunk: levels, start, end } = buffer;
    const kind = i === 0 ? 'bookSnapshot' : 'bookUpdate';
    events.push({ kind, instrument, sequence: i, levels, start, end, ...times });
    if (random.chance(0.4)) events.push(tradeOf(random, middle, i, times));
    if (random.chance(0.01)) middle += random.between(-1, 1);
  }
  const path = join(directory, 'synthetic.pack');
  writePack(path, [benchSpec], events);
  return { paths: [path], source: 'synthetic ticks (the recordings are not there)' };
}

function tradeOf(
  random: Random,
  middle: number,
  number: number,
  times: { exchangeTime: Micros; receiveTime: Micros },
): MarketEvent {
  const side: Side = random.chance(0.5) ? 'buy' : 'sell';
  const price = (side === 'buy' ? middle + 2 : middle - 2) as Ticks;
  const trade = {
    tradeId: String(number),
    price,
    quantity: random.between(1, 5_000) as Lots,
    side,
    time: times.exchangeTime,
  };
  return { kind: 'trades', instrument: 0 as InstrumentId, snapshot: false, trades: [trade], ...times };
}

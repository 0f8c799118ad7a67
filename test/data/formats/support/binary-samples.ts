import { readFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { segmentsOf } from '../../../../src/data/frames/log.ts';
import { recorderOptions } from '../../../../src/data/recording/options.ts';
import { writePackFile } from '../../../../src/data/pack/file.ts';
import { hitbtcChannels } from '../../../../src/venues/hitbtc/market-data/channels.ts';
import { Recorder } from '../../../../src/data/frames/recorder.ts';
import { pairIn } from '../../../../src/core/model/pair.ts';
import { specOf } from '../../../../src/data/formats/symbol-survey.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { SampleRow } from './sample.ts';
import { scratchPath } from './tables.ts';

/** A small file of a format that is no text. */
export interface BinarySample {
  readonly format: string;
  /** What is at the end of its name. */
  readonly end: string;
  /** The file; a price that is no number stands for one that cannot be. */
  bytes(rows: readonly SampleRow[]): Promise<Uint8Array>;
}

const start = 1_672_531_200;
const recordBytes = 48;
const headBytes = 8 + 2 + 16 + 24 + 8 + 3 + 47 + 4 + 16;

/** DBN of version 1, schema trades: a head without symbols, then a record a row. */
async function databento(rows: readonly SampleRow[]): Promise<Uint8Array> {
  const head = Buffer.alloc(headBytes);
  head.write('DBN\u0001', 0, 'latin1');
  head.writeUInt32LE(headBytes - 8, 4);
  head.write('TEST', 8, 'latin1');
  head.writeUInt16LE(4, 24);
  const records = rows.map(({ second, symbol, price }) => {
    const record = Buffer.alloc(recordBytes);
    const time = BigInt(start + second) * 1_000_000_000n;
    record[0] = recordBytes / 4;
    record.writeUInt32LE(symbol === 'BTCUSDT' ? 7 : 8, 4);
    record.writeBigUInt64LE(time, 8);
    const units = BigInt(Math.round(Number(price) * 100)) * 10_000_000n;
    record.writeBigInt64LE(units, 16);
    record.writeUInt32LE(2, 24);
    record.write('TB', 28, 'latin1');
    record.writeBigUInt64LE(time, 32);
    return record;
  });
  return Buffer.concat([head, ...records]);
}

async function parquet(rows: readonly SampleRow[]): Promise<Uint8Array> {
  const column = (name: string, data: string[]) => ({ name, data, type: 'STRING' as const });
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        column(
          'time',
          rows.map(({ second }) => String(start + second)),
        ),
        column(
          'symbol',
          rows.map(({ symbol }) => symbol),
        ),
        column(
          'price',
          rows.map(({ price }) => price),
        ),
        column(
          'quantity',
          rows.map(() => '2'),
        ),
      ],
    }),
  );
}

function tradeOf({ second, symbol, price }: SampleRow, index: number): Event {
  const time = ((start + second) * 1e6) as Micros;
  const instrument = (symbol === 'BTCUSDT' ? 0 : 1) as never;
  const ticks = Math.round(Number(price) * 100) as never;
  const one = { tradeId: String(index + 1), price: ticks, quantity: 2 as never, side: 'buy' as const, time };
  return {
    kind: 'trades',
    instrument,
    snapshot: false,
    trades: [one],
    exchangeTime: time,
    receiveTime: time,
  };
}

const specs = ['BTCUSDT', 'ETHUSDT'].map((symbol) =>
  specOf(symbol, pairIn(symbol), { tick: '0.01', increment: '1' }),
);
let files = 0;

/** A pack of one block. */
async function pack(rows: readonly SampleRow[]): Promise<Uint8Array> {
  const path = scratchPath(`binary-${(files += 1)}.pack`);
  const events = rows.map(tradeOf);
  await writePackFile(path, [events], {
    instruments: specs,
    codec: 'none',
    notes: [],
    grade: 'A',
  });
  return readFileSync(path);
}

async function frames(rows: readonly SampleRow[]): Promise<Uint8Array> {
  const folder = scratchPath(`binary-${(files += 1)}`);
  const recorder = new Recorder({
    channels: hitbtcChannels,
    folder,
    options: recorderOptions.parse({ blockBytes: 256, codec: 'none' }),
    instruments: specs,
    clock: new VirtualClock((start * 1e6) as Micros),
    onHalt: (error) => {
      throw error;
    },
  });
  for (const [index, { second, symbol, price: p }] of rows.entries()) {
    const receiveTime = ((start + second) * 1e6) as Micros;
    const body = {
      ch: 'trades',
      update: { [symbol]: [{ t: (start + second) * 1_000, i: index + 1, p, q: '2', s: 'buy' }] },
    };
    recorder.accept({
      channel: 'v3/public',
      direction: 'in',
      receiveTime,
      bytes: Buffer.from(JSON.stringify(body)),
    });
  }
  await recorder.close();
  return readFileSync(segmentsOf(folder)[0] ?? '');
}

export const binarySamples: readonly BinarySample[] = [
  { format: 'databento', end: '.dbn', bytes: databento },
  { format: 'parquet', end: '.parquet', bytes: parquet },
  { format: 'event-pack', end: '.pack', bytes: pack },
  { format: 'frame-log', end: '.frames', bytes: frames },
];

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { BlockCodec } from '../../../src/data/recording/block-file.ts';
import { foldBookStates } from '../../../src/data/recording/book-states.ts';
import { ByteReader } from '../../../src/data/recording/byte-reader.ts';
import { ByteWriter, isBase } from '../../../src/data/recording/byte-writer.ts';
import { openPack, packOfBytes } from '../../../src/data/pack/event.ts';
import { writePackFile } from '../../../src/data/pack/file.ts';
import { PackWriter } from '../../../src/data/pack/writer.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { collect, newFolder, plain, specOf } from './support/frames.ts';
import { randomEvents } from './support/random-events.ts';
import type { EndStates } from './support/shared-recordings.ts';
import { recordingsPresent, sharedJson, sharedPath } from './support/shared-recordings.ts';

const specs = [specOf('ETHBTC'), specOf('EOSUSD'), specOf('XRPUSD')];

function packed(events: readonly Event[], codec: BlockCodec, instruments = specs): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PackWriter((bytes) => parts.push(Buffer.from(bytes)), { instruments, codec });
  for (const event of events) writer.add(event);
  writer.finish();
  return Buffer.concat(parts);
}

describe('the numbers of our files', () => {
  test('levels are the bytes of their single numbers, and come back', () => {
    const random = new Random('levels');
    const numbers = Array.from({ length: 2_000 }, () =>
      Math.floor(random.float() * 2 ** random.between(0, 53)),
    );
    const levels = Float64Array.from(
      [...numbers, 0, 2 ** 30, 2 ** 31, 2 ** 51 - 1, 2 ** 51, 1e16, 0, 1].flatMap((number, i) => [
        1,
        number,
        numbers[i] ?? number,
      ]),
    );
    const writer = new ByteWriter(1);
    const last = writer.levels(levels, 0, levels.length, 77);
    const single = new ByteWriter();
    let base = 77;
    for (let i = 0; i < levels.length; i += 3) {
      const price = levels[i + 1] as number;
      single.delta(price, base);
      single.varint(levels[i + 2] as number);
      if (isBase(price)) base = price;
    }
    expect(last).toBe(base);
    expect(Buffer.compare(writer.take(), single.take())).toBe(0);
    const read = new Float64Array(levels.length);
    new ByteReader(writer.take()).levels(1, levels.length / 3, 77, read, 0);
    expect(read).toEqual(levels);
    for (const size of [-1, 0.5, Number.NaN]) {
      expect(() => writer.levels(Float64Array.of(0, 1, size), 0, 3, 0)).toThrow('whole number');
    }
  });

  test('come back as they were written, at every length and sign', () => {
    const random = new Random('varints');
    const writer = new ByteWriter(1);
    const numbers = Array.from({ length: 3_000 }, () =>
      Math.floor(random.float() * 2 ** random.between(0, 53)),
    );
    numbers.push(
      0,
      1,
      127,
      128,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32,
      2 ** 51,
      2 ** 53 - 1,
      1e16,
      99_999_999_999_999_000,
    );
    for (const number of numbers) {
      writer.varint(number);
      writer.delta(number, 12_345);
      writer.delta(-number, 77);
    }
    const reader = new ByteReader(writer.take());
    for (const number of numbers) {
      expect(reader.varint()).toBe(number);
      expect(reader.delta(12_345)).toBe(number);
      expect(reader.delta(77) + number).toBe(0);
    }
    expect(reader.left).toBe(0);
  });

  test('that are cut short are refused, never invented', () => {
    for (const bytes of [[], [0x80], [0xff, 0xff], [0, 1, 2]]) {
      expect(() => new ByteReader(Uint8Array.from(bytes)).delta(0)).toThrow('expected more bytes');
    }
    expect(() => new ByteReader(Uint8Array.from([9, 1])).bytes()).toThrow('expected more bytes');
    expect(() => new ByteWriter().varint(-1)).toThrow('whole number');
    expect(() => new ByteWriter().varint(0.5)).toThrow('whole number');
  });
});

describe.each(['none', 'zstd'] as const)('an event pack (%s)', (codec) => {
  test('gives back the events it was given, of every kind and over many blocks', () => {
    const seed = `pack ${process.env['GODWIT_SEED'] ?? '1'}`;
    process.stderr.write(`event pack: seed ${JSON.stringify(seed)}\n`);
    const events = randomEvents(new Random(seed), 25_000, 3);
    const pack = packOfBytes(packed(events, codec));
    const read = [...pack.batches()].flat();
    expect(read.length).toBe(events.length);
    for (const [index, event] of read.entries()) expect(plain(event)).toEqual(plain(events[index] as Event));
    expect(pack.ending?.kind).toBe('complete');
    expect(pack.index().length).toBeGreaterThan(1);
    expect(pack.header).toMatchObject({ version: 1, codec, grade: 'A', instruments: specs });
  });

  test('gives back what contracts showed of themselves, with and without a rate', () => {
    const head = { kind: 'contractInfo', instrument: 1 as InstrumentId, receiveTime: 20 as Micros } as const;
    const prices = { markPrice: parseAmount('10.015'), indexPrice: parseAmount('10') };
    const events: Event[] = [
      {
        ...head,
        ...prices,
        fundingRate: parseAmount('-0.000123456789012345'),
        nextFundingAt: 28_800_000_000 as Micros,
        lastFundingRate: parseAmount('0'),
        openInterest: parseAmount('12.5'),
        exchangeTime: 10 as Micros,
      },
      {
        ...head,
        ...prices,
        fundingRate: undefined,
        nextFundingAt: undefined,
        lastFundingRate: undefined,
        openInterest: undefined,
        exchangeTime: 11 as Micros,
      },
    ];
    expect([...packOfBytes(packed(events, codec)).batches()].flat()).toEqual(events);
  });

  test('has blocks that are read alone, in any order', () => {
    const pack = packOfBytes(packed(randomEvents(new Random('blocks'), 30_000, 2), codec));
    const batches = [...pack.batches()];
    const index = pack.index();
    expect(index.map((entry) => entry.messages)).toEqual(batches.map((batch) => batch.length));
    for (let number = index.length - 1; number >= 0; number--) {
      const entry = index[number];
      if (entry === undefined) continue;
      expect(entry.firstReceiveTime).toBe(batches[number]?.[0]?.receiveTime);
      expect(pack.block(number, entry).map(plain)).toEqual(batches[number]?.map(plain));
    }
  });

  test('gives the same events in batches of any size', () => {
    const pack = packOfBytes(packed(randomEvents(new Random('slices'), 20_000, 2), codec));
    const whole = [...pack.batches()].flat().map(plain);
    for (const messagesMax of [1, 7, 256, 100_000]) {
      const batches = [...pack.batches(messagesMax)];
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(messagesMax);
      expect(batches.flat().map(plain)).toEqual(whole);
      expect(pack.ending?.kind).toBe('complete');
    }
  });

  test('with any one bit changed says so or has lost its tail, and gives no other event', () => {
    const whole = packed(randomEvents(new Random('flips'), 30, 3), codec);
    // The last 16 bytes only lead to the index; a reader from front to back does not need them.
    for (let at = 0; at < whole.length - 16; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      let finding: string | undefined;
      try {
        const pack = packOfBytes(bytes, 'flipped');
        expect([...pack.batches()]).toHaveLength(pack.ending?.offset === whole.length - 16 ? 1 : 0);
        finding = pack.ending?.kind;
      } catch (error) {
        finding = (error as Error).message;
        expect(finding).toContain('flipped: ');
      }
      expect([at, finding]).not.toEqual([at, 'complete']);
    }
  });

  test('cut anywhere keeps its whole blocks and reports how it ends', () => {
    const events = randomEvents(new Random('cuts'), 40, 3);
    const whole = packed(events, codec);
    const headLength = 16 + Buffer.from(whole).readUInt32LE(8);
    for (let length = headLength; length < whole.length; length += 7) {
      const pack = packOfBytes(whole.subarray(0, length), 'cut');
      const read = [...pack.batches()].flat().length;
      expect([0, 40]).toContain(read);
      expect(pack.ending?.kind === 'complete' ? read : 40).toBe(40);
    }
  });
});

describe('a pack file', () => {
  test('appears only when it is whole', async () => {
    const path = join(newFolder(), 'a.pack');
    const failing = (function* (): Generator<Event[]> {
      yield randomEvents(new Random('whole'), 10, 1);
      throw new Error('the source broke');
    })();
    await expect(writePackFile(path, failing, { instruments: specs, codec: 'zstd' })).rejects.toThrow(
      'broke',
    );
    expect([existsSync(path), existsSync(`${path}.unfinished`)]).toEqual([false, false]);
    const events = randomEvents(new Random('whole'), 100, 1);
    const written = await writePackFile(path, [events], {
      instruments: specs,
      codec: 'zstd',
      grade: 'B',
      notes: ['n'],
    });
    expect(written).toEqual({ bytes: readFileSync(path).length, events: 100 });
    const recording = await openRecording(path);
    expect([recording.format, recording.grade, recording.notes]).toEqual(['event-pack', 'B', ['n']]);
    expect((await collect(recording.events())).map(plain)).toEqual(events.map(plain));
  });

  test('of another version, kind or with an unknown instrument is refused with its path', async () => {
    const path = join(newFolder(), 'bad.pack');
    writeFileSync(path, 'GODWITP1 and nothing more');
    expect(() => openPack(path)).toThrow(`${path}: expected an undamaged header`);
    const pack = packOfBytes(
      packed(randomEvents(new Random('few'), 50, 3), 'none', [specOf('ETHBTC')]),
      'few',
    );
    expect(() => [...pack.batches()]).toThrow(/few: block 0: expected one of 1 instruments/);
  });

  test('refuses events that are no facts of the market, as a bug', () => {
    const event = {
      kind: 'sessionUp',
      session: 'market',
      exchangeTime: 0,
      receiveTime: 0,
    } as unknown as Event;
    expect(() => packed([event], 'none')).toThrow('a pack holds marketData of the market');
  });
});

describe.skipIf(!recordingsPresent)('recordings as packs', () => {
  const states = recordingsPresent ? (sharedJson('conformance/book_end_states.json') as EndStates) : {};

  test.each([
    'fmfw-v3-20211009.partA.txt.gz',
    'hitbtc-v2-20210405.txt.gz',
    'bequant-v2-20210703.conn3.txt.gz',
  ])('%s gives the same events and ends in the same books', async (file) => {
    const recording = await openRecording(sharedPath(`hitbtc/${file}`));
    const events = await collect(recording.events());
    const instruments = recording.instruments.all.map(({ spec }) => spec);
    const pack = packOfBytes(packed(events, 'zstd', instruments));
    const read = [...pack.batches()].flat();
    expect(read.map(plain)).toEqual(events.map(plain));
    const folded = await foldBookStates(pack.instruments, pack.batches());
    expect(JSON.parse(JSON.stringify(folded))).toEqual(states['hitbtc']?.[file]);
  });

  test('two days of futures take at most 4.5 bytes a level change', async () => {
    const paths = ['usdm_btcusdt_20240718.gz', 'usdm_btcusdt_20240719.gz'].map((name) =>
      sharedPath(`binance-raw/${name}`),
    );
    const recording = await openRecording(paths, { tickers: false });
    const events = await collect(recording.events());
    const levels = events.reduce(
      (total, event) => total + ('levels' in event ? (event.end - event.start) / 3 : 0),
      0,
    );
    const instruments = recording.instruments.all.map(({ spec }) => spec);
    for (const codec of ['none', 'zstd'] as const) {
      const bytes = packed(events, codec, instruments);
      const pack = packOfBytes(bytes);
      expect([...pack.batches()].flat().map(plain)).toEqual(events.map(plain));
      expect(bytes.length / levels).toBeLessThan(codec === 'zstd' ? 3.5 : 4.5);
    }
  });
});

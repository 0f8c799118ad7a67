import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { Ending } from '../../../src/data/recording/block-reader.ts';
import { readFrameLog, readFrameLogHeader, segmentsOf } from '../../../src/data/frames/log.ts';
import { recorderOptions } from '../../../src/data/recording/options.ts';
import type { RecorderHalted, OpenSegment } from '../../../src/data/frames/recorder.ts';
import { Recorder } from '../../../src/data/frames/recorder.ts';
import { foldBookStates } from '../../../src/data/recording/book-states.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import { hitbtcChannels } from '../../../src/venues/hitbtc/market-data/channels.ts';
import { collect, frameOf, newFolder, specOf } from './support/frames.ts';
import type { EndStates } from './support/shared-recordings.ts';
import { recordingsPresent, sharedJson, sharedPath } from './support/shared-recordings.ts';

const start = 1_700_000_000_123_456 as Micros;

function recorderIn(folder: string, options: object = {}, openSegment?: OpenSegment) {
  const clock = new VirtualClock(start);
  const halts: RecorderHalted[] = [];
  const recorder = new Recorder({
    channels: hitbtcChannels,
    folder,
    options: recorderOptions.parse(options),
    instruments: [specOf('ETHBTC')],
    clock,
    onHalt: (error) => halts.push(error),
    ...(openSegment === undefined ? {} : { openSegment }),
  });
  return { recorder, clock, halts };
}

function randomFrames(seed: string, count: number): readonly Frame[] {
  const random = new Random(seed);
  let time = start as number;
  return Array.from({ length: count }, () => {
    time += random.between(-5, 2_000);
    const body = { a: random.between(0, 9), b: `${random.float()}`.repeat(random.between(0, 6)) };
    return frameOf(
      body,
      time,
      random.pick(hitbtcChannels),
      random.pick(['in', 'out', 'open', 'close'] as const),
    );
  });
}

const shown = (frames: readonly Frame[]) =>
  frames.map((frame) => ({ ...frame, bytes: Buffer.from(frame.bytes).toString() }));

async function record(folder: string, frames: readonly Frame[], options: object = {}): Promise<void> {
  const { recorder } = recorderIn(folder, options);
  for (const frame of frames) expect(recorder.accept(frame)).toBe(true);
  await recorder.close();
}

describe('a frame log', () => {
  test.each(['zstd', 'none'])('gives back what was recorded, segment after segment (%s)', async (codec) => {
    const folder = newFolder();
    const frames = randomFrames('round trip', 800);
    await record(folder, frames, { codec, blockBytes: 4_096, segmentBytes: 5_000 });
    const endings: string[] = [];
    const read = await collect(readFrameLog(folder, { onEnding: (_path, { kind }) => endings.push(kind) }));
    expect(shown(read)).toEqual(shown(frames));
    const segments = segmentsOf(folder);
    expect(segments.length).toBeGreaterThan(2);
    expect(endings).toEqual(segments.map(() => 'complete'));
    expect(readFrameLogHeader(segments[1] as string)).toMatchObject({
      version: 1,
      codec,
      runStart: start,
      segment: 2,
      instruments: [{ symbol: 'ETHBTC' }],
    });
  });

  test.each([
    ['0.001', '0.01', { tickSize: '0.001', orderTick: '0.01' }],
    ['0.01', '0.001', { tickSize: '0.001' }],
    ['0.002', '0.005', { tickSize: '0.001', orderTick: '0.005' }],
    ['0.01', '0.010', { tickSize: '0.010' }],
  ])('of two runs on ticks of %s and %s is read in steps of both', async (first, second, expected) => {
    const folder = newFolder();
    for (const [at, tickSize] of [first, second].entries()) {
      const recorder = new Recorder({
        channels: hitbtcChannels,
        folder,
        options: recorderOptions.parse({}),
        instruments: [{ ...specOf('ETHBTC'), tickSize }],
        clock: new VirtualClock((start + at * 1_000_000) as Micros),
        onHalt: () => {},
      });
      recorder.accept(frameOf({ at }, start + at * 1_000_000));
      await recorder.close();
    }
    const { instruments, notes } = await openRecording([folder]);
    const { tickSize, orderTick } = instruments.get('ETHBTC').spec;
    expect({ tickSize, ...(orderTick === undefined ? {} : { orderTick }) }).toEqual(expected);
    expect(notes).toHaveLength(first === '0.01' && second === '0.010' ? 0 : 1);
  });

  test('begins a new segment after the time it was given', async () => {
    const folder = newFolder();
    const { recorder, clock } = recorderIn(folder, { segmentMinutes: 10 });
    for (let i = 0; i < 3; i++) {
      recorder.accept(frameOf({ i }, start + i));
      await recorder.flush();
      clock.advance(millis(6 * 60_000));
    }
    await recorder.close();
    expect(segmentsOf(folder)).toHaveLength(2);
    expect(recorder.counters).toMatchObject({ frames: 3, segments: 2, blocks: 3 });
  });

  test('writes what it holds when the flush time is over, without being asked', async () => {
    const folder = newFolder();
    const { recorder, clock } = recorderIn(folder, { flushMs: 500 });
    recorder.accept(frameOf({ i: 1 }, start));
    clock.advance(millis(499));
    expect(recorder.counters.blocks).toBe(0);
    clock.advance(millis(1));
    await recorder.flush();
    expect(recorder.counters.blocks).toBe(1);
    expect(recorder.pendingBytes).toBe(0);
    expect(await collect(readFrameLog(folder))).toHaveLength(1);
    await recorder.close();
  });

  test('cut anywhere in its last block keeps every earlier block and reports the torn tail', async () => {
    const folder = newFolder();
    const { recorder } = recorderIn(folder, { codec: 'none' });
    for (const frames of [randomFrames('one', 5), randomFrames('two', 5)]) {
      for (const frame of frames) recorder.accept(frame);
      await recorder.flush();
    }
    const [segment = ''] = segmentsOf(folder);
    const unfinished = readFileSync(segment);
    for (const frame of randomFrames('three', 3)) recorder.accept(frame);
    await recorder.flush();
    const longer = readFileSync(segment);
    await recorder.close();
    const cutPath = join(newFolder(), 'cut.frames');
    for (let length = unfinished.length; length <= longer.length; length++) {
      writeFileSync(cutPath, longer.subarray(0, length));
      const endings: Ending[] = [];
      const read = await collect(
        readFrameLog(cutPath, { onEnding: (_path, ending) => endings.push(ending) }),
      );
      const lostBytes = length === longer.length ? 0 : length - unfinished.length;
      expect([length, read.length, endings[0]?.kind, endings[0]?.lostBytes]).toEqual([
        length,
        length === longer.length ? 13 : 10,
        lostBytes === 0 ? 'unfinished' : 'torn',
        lostBytes,
      ]);
    }
    writeFileSync(cutPath, Buffer.concat([unfinished, Buffer.alloc(70_000)]));
    const endings: Ending[] = [];
    expect(
      await collect(readFrameLog(cutPath, { onEnding: (_path, ending) => endings.push(ending) })),
    ).toHaveLength(10);
    expect(endings).toMatchObject([{ kind: 'torn', lostBytes: 70_000 }]);
  });

  test('with any one bit changed says so, or the tail that is gone; never another frame', async () => {
    const folder = newFolder();
    const frames = randomFrames('flips', 6);
    await record(folder, frames, { codec: 'none', blockBytes: 300 });
    const [segment = ''] = segmentsOf(folder);
    const whole = readFileSync(segment);
    const flipPath = join(newFolder(), 'flipped.frames');
    const known = shown(frames);
    let received = 0;
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      writeFileSync(flipPath, bytes);
      const read: Frame[] = [];
      let finding = '';
      try {
        for await (const batch of readFrameLog(flipPath, {
          onEnding: (_path, ending) => (finding = ending.kind),
        })) {
          read.push(...batch);
        }
      } catch (error) {
        finding = (error as Error).message;
        expect(finding).toContain(flipPath);
      }
      expect(shown(read)).toEqual(known.slice(0, read.length));
      if (finding !== 'complete') received += 1;
    }
    expect(received).toBe(whole.length);
  });

  test('cuts the credentials of a login out before anything reaches the disk', async () => {
    const folder = newFolder();
    const secret = 'S3CR3T-0123456789abcdef';
    const logins = [
      { method: 'login', params: { type: 'HS256', api_key: secret, timestamp: 1, signature: secret }, id: 1 },
      { method: 'login', params: { algo: 'BASIC', pKey: secret, sKey: secret }, id: 2 },
      { method: 'login', params: { type: 'BASIC', api_key: secret, secret_key: secret, extra: secret } },
      { method: 'other', params: { nested: [{ Authorization: secret }] } },
    ];
    const texts = [...logins.map((login) => JSON.stringify(login)), `{"method":"login", broken ${secret}`];
    const frames = texts.map((text) => frameOf(text, start, 'v3/trading', 'out'));
    await record(folder, frames, { codec: 'none' });
    const [name = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, name)).includes(secret)).toBe(false);
    const [first] = shown(await collect(readFrameLog(folder)));
    expect(JSON.parse(first?.bytes ?? '')).toEqual({
      method: 'login',
      params: {
        type: 'HS256',
        api_key: '[redacted]',
        timestamp: '[redacted]',
        signature: '[redacted]',
      },
      id: 1,
    });
  });

  test('of an unknown version or another kind of file is refused with its path', async () => {
    const path = join(newFolder(), 'x.frames');
    writeFileSync(path, 'something else entirely');
    await expect(collect(readFrameLog(path))).rejects.toThrow(
      `${path}: expected a file that begins with GODWITF1`,
    );
    const empty = newFolder();
    expect(() => segmentsOf(empty)).toThrow(`${empty}: expected a folder with .frames files`);
  });
});

describe('the recorder', () => {
  test('halts loudly when the disk is too slow, keeping what it took', async () => {
    let release = (): void => undefined;
    const written: Uint8Array[] = [];
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow: OpenSegment = async () => {
      await gate;
      return {
        write: async (bytes) => void written.push(bytes),
        sync: async () => undefined,
        close: async () => undefined,
      };
    };
    const { recorder, halts } = recorderIn(
      'slow',
      { codec: 'none', blockBytes: 256, bufferBytesMax: 2_000 },
      slow,
    );
    const body = { text: 'y'.repeat(200) };
    let taken = 0;
    while (recorder.accept(frameOf(body, start)) && taken < 100) taken += 1;
    expect(taken).toBeGreaterThan(4);
    expect(taken).toBeLessThan(12);
    expect(halts).toHaveLength(1);
    expect(halts[0]?.code).toBe('GW_RECORDER_HALTED');
    expect(recorder.accept(frameOf(body, start))).toBe(false);
    expect(halts).toHaveLength(1);
    release();
    await recorder.close();
    expect(recorder.pendingBytes).toBe(0);
    const path = join(newFolder(), 'a.frames');
    writeFileSync(path, Buffer.concat(written));
    expect(await collect(readFrameLog(path))).toHaveLength(taken);
  });

  test('halts loudly when the disk fails, and appends nothing behind the broken place', async () => {
    let writes = 0;
    const failing: OpenSegment = async () => ({
      write: async () => {
        writes += 1;
        if (writes === 3) throw new Error('no space left on device');
      },
      sync: async () => undefined,
      close: async () => undefined,
    });
    const { recorder, halts } = recorderIn('full', {}, failing);
    for (let i = 0; i < 3; i++) {
      recorder.accept(frameOf({ i }, start));
      await recorder.flush();
    }
    expect(halts.map((halt) => halt.message)).toEqual([
      'recording to full stopped: a segment could not be written: no space left on device',
    ]);
    await recorder.close();
    expect(writes).toBe(3);
  });

  test('never writes over a file that is there', async () => {
    const folder = newFolder();
    await record(folder, randomFrames('first', 1));
    const { recorder, halts } = recorderIn(folder);
    recorder.accept(frameOf({}, start));
    await recorder.close();
    expect(halts[0]?.message).toContain('EEXIST');
  });

  test('makes missing folders', async () => {
    const folder = join(newFolder(), 'a', 'b');
    await record(folder, randomFrames('deep', 2));
    expect(await collect(readFrameLog(folder))).toHaveLength(2);
    mkdirSync(join(folder, 'other'));
    expect(await collect(readFrameLog(folder))).toHaveLength(2);
  });
});

describe.skipIf(!recordingsPresent)('a capture recorded anew', () => {
  test.each(['fmfw-v3-20211009.partA.txt.gz', 'hitbtc-v2-20210405.txt.gz'])(
    '%s ends in the same books when replayed from the frame log',
    async (file) => {
      const capture = await openRecording(sharedPath(`hitbtc/${file}`));
      const folder = newFolder();
      const clock = new VirtualClock(start);
      const recorder = new Recorder({
        channels: hitbtcChannels,
        folder,
        options: recorderOptions.parse({ segmentBytes: 60_000 }),
        instruments: capture.instruments.all.map(({ spec }) => spec),
        clock,
        onHalt: (error) => expect.fail(error.message),
      });
      for (const frame of await collect(capture.frames?.() ?? [])) recorder.accept(frame);
      await recorder.close();
      const log = await openRecording(folder);
      const folded = await foldBookStates(log.instruments, log.events());
      const states = sharedJson('conformance/book_end_states.json') as EndStates;
      expect(JSON.parse(JSON.stringify(folded))).toEqual(states['hitbtc']?.[file]);
      expect([log.format, log.findings]).toEqual(['frame-log', []]);
    },
  );
});

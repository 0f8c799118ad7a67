import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { segmentsOf } from '../../../src/data/frames/log.ts';
import { recorderOptions } from '../../../src/data/recording/options.ts';
import { hitbtcChannels } from '../../../src/venues/hitbtc/market-data/channels.ts';
import { Recorder } from '../../../src/data/frames/recorder.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import { bookFrame, collect, newFolder, specOf } from '../recording/support/frames.ts';

function fileWith(text: string): string {
  const path = join(newFolder(), 'file');
  writeFileSync(path, text);
  return path;
}

async function log(folder: string, startMicros: number, frames: readonly Frame[]): Promise<void> {
  const recorder = new Recorder({
    channels: hitbtcChannels,
    folder,
    options: recorderOptions.parse({}),
    instruments: [specOf('ETHBTC')],
    clock: new VirtualClock(startMicros as Micros),
    onHalt: (error) => expect.fail(error.message),
  });
  for (const frame of frames) recorder.accept(frame);
  await recorder.close();
}

describe('opening a recording', () => {
  test.each([
    ['an empty file', '', 'found an empty file'],
    ['a text of another kind', 'time,price\n1,2\n', 'found a file that begins with "time,price"'],
    ['JSON', '{"a":1}', 'found a file that begins with'],
    ['no text at all', '\u0001\u202e\u009b1m', 'found a file that begins with the bytes 01e280aec29b316d'],
  ])('refuses %s in one sentence with path, finding and expectation', async (_what, text, finding) => {
    const path = fileWith(text);
    const error = await openRecording(path).then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error?.name).toBe('BadInput');
    expect(error?.message).toContain(`${path}: expected a text capture, a Binance raw file`);
    expect(error?.message).toContain(finding);
    expect(error?.message).not.toContain('\n');
  });

  test('refuses what is not there, nothing at all, and a mixture of formats', async () => {
    const absent = join(newFolder(), 'absent');
    await expect(openRecording(absent)).rejects.toThrow(`expected a readable file at ${absent}`);
    await expect(openRecording([])).rejects.toThrow('expected the path of a recording');
    const capture = fileWith('wss://h/api/2/ws/public <-> 1\n');
    const binance = fileWith('1721347020984480942 {"stream":"btcusdt@depth@0ms"}\n');
    await expect(openRecording([capture, binance])).rejects.toThrow(
      `${binance}: expected the same format as ${capture} (capture-text), found binance-raw`,
    );
  });

  test('a folder of frame logs of two runs makes the books stale between them', async () => {
    const folder = newFolder();
    const levels = { bid: [['0.1', '1']] } as const;
    await log(folder, 1_000_000_000_000_000, [bookFrame('snapshotOrderbook', 5, levels)]);
    await log(folder, 1_000_000_100_000_000, [
      bookFrame('updateOrderbook', 6, levels),
      bookFrame('snapshotOrderbook', 7, levels),
    ]);
    expect(segmentsOf(folder)).toHaveLength(2);
    const recording = await openRecording(folder);
    const events = await collect(recording.events());
    expect(events.map((event) => event.kind)).toEqual(['bookSnapshot', 'bookStale', 'bookSnapshot']);
    expect(recording.findings).toEqual([`${folder}: 1 updates without a base dropped`]);
    expect(recording.counters).toMatchObject({ snapshots: 2, waiting: 1 });
    expect(await collect(recording.events())).toHaveLength(3);
    expect(await collect(recording.frames?.() ?? [])).toHaveLength(3);
  });

  test('reports a torn tail of a frame log among its findings', async () => {
    const folder = newFolder();
    await log(folder, 1_000_000_000_000_000, [bookFrame('snapshotOrderbook', 5, {})]);
    const [segment = ''] = segmentsOf(folder);
    // The end block has 40 bytes: five more are of the only block of frames.
    truncateSync(segment, statSync(segment).size - 40 - 5);
    const recording = await openRecording(segment);
    expect(await collect(recording.events())).toEqual([]);
    expect(recording.findings[0]).toMatch(/torn tail, \d+ bytes lost$/);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GradedReading } from '../../../src/app/backtest/grade.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { keptMeasures, measuresIn } from '../../../src/data/grade/measures.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { gradeOf } from '../../data/formats/support/grade-of.ts';
import { hasShared, shared } from '../../data/formats/support/tables.ts';
import { run } from '../cli/support/run.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'packed-grade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const minute = 60;
/** No grade is like it. */
const fail = { letter: 'none' };

beforeAll(async () => {
  const bars = Array.from({ length: 600 }, (_, i) => i)
    .filter((i) => i % 50 !== 7)
    .map((i) => `${1_672_531_200 + i * minute},100.25,${i === 300 ? 5_000 : 101},99.25,100.5,${i % 9}`);
  writeFileSync(at('bars.csv'), ['time,open,high,low,close,volume', ...bars, ''].join('\n'));
  const trades = Array.from({ length: 500 }, (_, i) => i).map(
    (i) => `${i % 100 < 90 ? i : i - 30},${1_672_531_200_000 + i * 500},100.5,0.1,buy`,
  );
  writeFileSync(at('trades.csv'), ['id,timestamp,price,amount,side', ...trades, ''].join('\n'));
  for (const [name, source] of [
    ['books', join(home, 'backtest/feeds/sample')],
    ['bars', at('bars.csv')],
    ['trades', at('trades.csv')],
  ] as const)
    expect(await run(['data', 'import', source, '--out', at(`${name}.pack`)])).toMatchObject({ code: 0 });
});

/** A recording whose pack holds no measures. */
async function unmeasured(name: string): Promise<Recording> {
  const { measures: _measures, ...recording } = await openData(at(name));
  return recording;
}

async function read(recording: Recording, batchesMax = Number.POSITIVE_INFINITY): Promise<number> {
  let batches = 0;
  let events = 0;
  for await (const batch of recording.events(() => Number.POSITIVE_INFINITY)) {
    events += batch.length;
    batches += 1;
    if (batches === batchesMax) break;
  }
  return events;
}

describe.each(['books.pack', 'bars.pack', 'trades.pack'])('the grade of %s', (name) => {
  test('is that of its events, to the last digit', async () => {
    const recording = await openData(at(name));
    expect(await gradeOf(recording)).toMatchObject(measuresIn(recording.measures) ?? fail);
  });

  test.each([
    ['the whole run', Number.POSITIVE_INFINITY, true],
    ['a run that has read one batch of its clock', 1, true],
    ['a run that was cut behind its second batch', 2, false],
    ['a run that was cut before it read', 0, false],
  ])('is the same with and without measures: %s', async (_, batches, isWhole) => {
    const [kept, plain] = [await openData(at(name)), await unmeasured(name)].map(
      (recording) => new GradedReading(recording, undefined),
    );
    for (const reading of [kept, plain])
      if (reading !== undefined && batches > 0) await read(reading.recording, batches);
    expect(await kept?.grade(isWhole)).toEqual(await plain?.grade(isWhole));
  });

  test('is the same with and without measures where the clock ends within the data', async () => {
    const recording = await openData(at(name));
    const { firstTime = 0, lastTime = 0 } = measuresIn(recording.measures) ?? {};
    expect(lastTime).toBeGreaterThan(firstTime);
    const until = (firstTime + lastTime) / 2;
    for (const end of [until, lastTime, lastTime - 1]) {
      const labels = [];
      for (const one of [await openData(at(name)), await unmeasured(name)]) {
        const reading = new GradedReading(one, end);
        await read(reading.recording);
        labels.push(await reading.grade(true));
      }
      expect(labels[0]).toEqual(labels[1]);
    }
  });
});

test('measures of a pack are taken, and its events are not measured again', async () => {
  const recording = await openData(at('books.pack'));
  const measures = { ...measuresIn(recording.measures), events: 0 };
  const reading = new GradedReading({ ...recording, measures: keptMeasures(measures as never) }, undefined);
  expect(await read(reading.recording)).toBeGreaterThan(0);
  expect(await reading.grade(true)).toMatchObject({ letter: 'D', reasons: ['there are no events'] });
});

test('of a pack that was cut, and of several packs, no measures are taken', async () => {
  const bytes = readFileSync(at('books.pack'));
  writeFileSync(at('torn.pack'), bytes.subarray(0, bytes.length - 1));
  expect((await openData(at('torn.pack'))).measures).toBeUndefined();
  writeFileSync(at('again.pack'), bytes);
  const both = await openData([at('books.pack'), at('again.pack')]);
  expect([both.paths.length, both.measures]).toEqual([2, undefined]);
});

test.skipIf(!hasShared)('a pack of any venue holds the measures of its events', async () => {
  for (const [number, name] of [
    'binance-raw/usdm_btcusdt_20240718.gz',
    'books-checksum/kraken-v1-20210417.txt.gz',
    'bars/freqtrade_UNITTEST_BTC-1m.json.gz',
    'hitbtc/fmfw-v3-20211009.partA.txt.gz',
    'l3/cme-es-mbo-20240508.dbn.zst',
  ].entries()) {
    const out = at(`shared-${number}.pack`);
    const said = await run(['data', 'import', shared(name), '--out', out]);
    expect(said).toMatchObject({ code: 0 });
    const recording = await openData(out);
    expect([name, await gradeOf(recording)]).toMatchObject([name, measuresIn(recording.measures) ?? fail]);
  }
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FilesOverlap } from '../../../src/data/recording/file-order.ts';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { GradeCollector } from '../../../src/data/grade/grade.ts';
import { formats } from '../../../src/data/open/formats.ts';
import { describeFormats } from '../../../src/data/open/market-data.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { PartialRecording } from '../../../src/data/formats/partial-recording.ts';
import type { BinarySample } from './support/binary-samples.ts';
import { binarySamples } from './support/binary-samples.ts';
import type { SampleRow } from './support/sample.ts';
import { textOf, textSamples, wholeRows } from './support/samples.ts';
import { scratchPath } from './support/tables.ts';

interface Kept {
  readonly events: number;
  readonly symbols: number;
  readonly letter: string;
  readonly reasons: string;
  readonly isPartial: boolean;
}

/** What an import keeps of data. Throws what it refuses. */
async function keptOf(paths: string | readonly string[], options: OpenOptions = {}): Promise<Kept> {
  const recording = new PartialRecording(await openData(paths, { ...options, partial: true }));
  const grades = new GradeCollector(recording.instruments);
  let events = 0;
  for await (const batch of recording.events()) {
    events += batch.length;
    for (const event of batch) grades.add(event);
  }
  const { letter, reasons } = grades.grade(recording);
  const symbols = recording.instruments.all.length;
  return { events, symbols, letter, reasons: reasons.join('; '), isPartial: recording.isPartial };
}

const isSeries = (name: string): boolean =>
  formats.some((format) => format.name === name && format.series !== undefined);

let folders = 0;

/** Writes a file under its name in a folder of its own. */
function put(name: string, content: string | Uint8Array): string {
  const folder = scratchPath(`damage-${(folders += 1)}`);
  mkdirSync(folder);
  writeFileSync(`${folder}/${name}`, content);
  return `${folder}/${name}`;
}

const changed = (change: Partial<SampleRow>): readonly SampleRow[] =>
  wholeRows.map((row, index) => (index === 3 ? { ...row, ...change } : row));
const later = (seconds: number): readonly SampleRow[] =>
  wholeRows.map((row) => ({ ...row, second: row.second + seconds }));
const lost = { letter: 'C', isPartial: true };

test('every known format has a sample', () => {
  const sampled = new Set([...textSamples, ...binarySamples].map(({ format }) => format));
  const known = describeFormats().map(({ name }) => name);
  // One document: it is whole, or nothing. What feather keeps is tried in its own test, on files of pandas; series in theirs.
  expect(known.filter((name) => !sampled.has(name) && !isSeries(name))).toEqual([
    'coinbase-rest-l2',
    // Their own tests cut them.
    'jesse-candles',
    'hftbacktest',
    'feather',
    'trades-json',
    'bars-json',
    // One reader with gate-trades.
    'kraken-trades',
    'okx-trades',
  ]);
});

const named = textSamples.map((sample) => [`${sample.format} (${sample.name})`, sample] as const);

describe.each(named)('%s', (_name, sample) => {
  const write = (text: string): string => put(sample.name, text);
  const isOwn = sample.format === 'capture-text';
  const ofRows = async (rows: readonly SampleRow[]): Promise<Kept> =>
    await keptOf(write(textOf(sample, rows)));

  test('whole it is whole, with the ends of lines and the mark of other editors, too', async () => {
    const text = textOf(sample, wholeRows);
    const whole = await keptOf(write(text));
    expect(whole).toMatchObject({ letter: 'B', isPartial: false });
    expect(whole.events).toBeGreaterThanOrEqual(6);
    expect(await keptOf(write(text.replaceAll('\n', '\r\n')))).toMatchObject({
      ...whole,
      reasons: expect.anything(),
    });
    expect(await keptOf(write(`\uFEFF${text}`))).toMatchObject({ ...whole, reasons: expect.anything() });
  });

  test('empty, or of another format, it is refused with its name', async () => {
    await expect(keptOf(write(''))).rejects.toThrow(
      `${sample.name}: expected recorded data, found an empty file`,
    );
    const poem = write('Shall I compare thee\nto a day\n');
    await expect(keptOf(poem, { format: sample.format })).rejects.toThrow(
      /: (row \d+: )?expected [^\n]*, found /,
    );
    await expect(keptOf(poem)).rejects.toThrow(
      /: expected one of the formats [^\n]*, found a file that begins/,
    );
  });

  test('cut, what comes before is kept and marked', async () => {
    const text = textOf(sample, wholeRows);
    const row = sample.row(wholeRows[3] as SampleRow, 3);
    const cut = await keptOf(write(text.slice(0, text.indexOf(row) + Math.floor(row.length / 2))));
    expect(cut).toMatchObject({ letter: 'C', isPartial: !isOwn });
    expect(cut.events).toBeGreaterThan(0);
    expect(cut.reasons).toMatch(
      isOwn ? /1 malformed frames/ : /^partial: stopped at \S+: .*expected .*found /,
    );
    const packed = gzipSync(text);
    const torn = await keptOf(put(`${sample.name}.gz`, packed.subarray(0, packed.length - 30)));
    expect(torn).toMatchObject({
      ...lost,
      reasons: expect.stringMatching(/expected a whole (packed|gzip) file/),
    });
  });

  test.each([
    ['a line that is none', { 3: 'rubbish' }, {}],
    ['no number', {}, { price: 'NaN' }],
    ['a price below 0', {}, { price: '-104.25' }],
    ['a number beyond all', {}, { price: `1${'0'.repeat(40)}.25` }],
  ])('%s ends it there: file and line are named', async (what, texts, change) => {
    const kept = await keptOf(write(textOf(sample, changed(change), texts)));
    // Our own handler goes on behind a message it cannot read, and counts it; a line that is none ends the file.
    const isCounted = isOwn && what !== 'a line that is none';
    expect(kept).toMatchObject({ letter: 'C', isPartial: !isCounted });
    expect(kept.reasons).toMatch(
      isCounted ? /1 malformed frames/ : /^partial: stopped at \S+(:|: row )\d+: expected /,
    );
  });

  test('a price of 0 is never imported without a mark', async () => {
    const { letter, reasons } = await ofRows(changed({ price: '0.00' }));
    if (sample.name.includes('quote')) expect(letter).toBe('B');
    else {
      expect(letter).toMatch(/[CD]/);
      expect(reasons).toMatch(/partial|malformed|with a price of 0/);
    }
  });

  test('rows out of order are put in order or end it, and the grade says so', async () => {
    const { reasons } = await ofRows(changed({ second: -10 }));
    expect(reasons).toMatch(
      /older than|out of order|sorted|partial: .*(in the order of time|milliseconds of a day)/,
    );
  });

  if (sample.namesSymbol)
    test('rows of two symbols are two instruments', async () => {
      expect(await ofRows(changed({ symbol: 'ETHUSDT' }))).toMatchObject({ symbols: 2, isPartial: false });
    });

  // These two tell their instruments themselves, and take no tick.
  if (!isOwn && sample.format !== 'binance-raw')
    test('a price off the tick that was given is reported', async () => {
      const path = write(textOf(sample, changed({ price: '104.30' })));
      const kept = await keptOf(path, { tick: '0.25' });
      expect(kept.letter).toMatch(/[CD]/);
      expect(kept.reasons).toMatch(/partial: .*tick 0\.25.*found|1 bar with a price off the tick 0\.25/);
    });

  test('two files of one time are refused or reported once; files that follow one another are not', async () => {
    const one = write(textOf(sample, wholeRows));
    const follower = await keptOf([one, write(textOf(sample, later(6)))]);
    expect(follower.isPartial).toBe(false);
    const overlap = keptOf([one, write(textOf(sample, later(3)))]);
    if (
      isOwn ||
      /bars|klines|candles|ohlcvt|download|minute_trade|freqtrade-trades|binance-trades|gate-trades/.test(
        _name,
      )
    ) {
      expect((await overlap).events).toBeLessThan(12);
    } else {
      await expect(overlap).rejects.toThrow(FilesOverlap);
      await expect(overlap).rejects.toThrow(one);
      await expect(overlap).rejects.toThrow(/20(23|12)-.*Z/);
    }
    await expect(keptOf([one, one])).rejects.toThrow(`${one}: expected each file once, found it twice`);
  });
});

describe.each(binarySamples.map((sample) => [sample.format, sample] as const))('%s', (format, sample) => {
  const write = async (rows: readonly SampleRow[]): Promise<string> =>
    put(`sample${sample.end}`, await sample.bytes(rows));

  test('whole it is whole; empty and of another format it is refused with its name', async () => {
    expect(await keptOf(await write(wholeRows))).toMatchObject({ events: 6, isPartial: false });
    const empty = put(`empty${sample.end}`, '');
    await expect(keptOf(empty)).rejects.toThrow(`${empty}: expected recorded data, found an empty file`);
    const poem = put(`poem${sample.end}`, 'Shall I compare thee\n');
    await expect(keptOf(poem, { format })).rejects.toThrow(/poem\.\w+: expected [^\n]*, found/);
  });

  test('cut, what comes before is kept and marked, or nothing can be', async () => {
    const whole = await sample.bytes(wholeRows);
    const kept = keptOf(put(`cut${sample.end}`, whole.subarray(0, cutOf[format])));
    if (format === 'parquet') await expect(kept).rejects.toThrow(/expected a whole Parquet file/);
    else expect(await kept).toMatchObject({ ...lost, reasons: expect.stringMatching(/partial|torn tail/) });
    const stub = keptOf(put(`stub${sample.end}`, whole.subarray(0, 20)));
    await expect(stub).rejects.toThrow(/stub\.\w+: expected [^\n]*found/);
  });

  if (format === 'databento')
    test('a price that is none is never imported without a mark', async () => {
      for (const price of ['-104.25', '0', '900000000'])
        expect(await keptOf(await write(changed({ price })))).toMatchObject({ events: 3, ...lost });
      expect(await keptOf(await write(changed({ price: '104.30' })), { tick: '0.25' })).toMatchObject({
        events: 3,
        ...lost,
      });
    });

  test('rows of two symbols, and rows out of order', async () => {
    expect(await keptOf(await write(changed({ symbol: 'ETHUSDT' })))).toMatchObject({
      symbols: 2,
      events: 6,
    });
    expect((await keptOf(await write(changed({ second: -10 })))).reasons).toMatch(
      /older than|sorted|captured before/,
    );
  });

  test('two files of one time are refused', async () => {
    const one = await write(wholeRows);
    await expect(keptOf([one, await write(later(3))])).rejects.toThrow(FilesOverlap);
    expect((await keptOf([one, await write(later(6))])).isPartial).toBe(false);
  });
});

/** Where each is cut: behind its first events. */
const cutOf: Readonly<Record<BinarySample['format'], number>> = {
  databento: -60,
  parquet: -10,
  'event-pack': -30,
  'frame-log': -60,
};

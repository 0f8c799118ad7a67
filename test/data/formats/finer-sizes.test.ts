import { describe, expect, test } from 'vitest';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { pairIn } from '../../../src/core/model/pair.ts';
import { specOf } from '../../../src/data/formats/symbol-survey.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { openIgnoringSequence } from '../../../src/research/scenario/ignored-sequence.ts';
import { eventsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';
import { gradeOf } from './support/grade-of.ts';
import { millis, start } from './support/sample.ts';

const folder = newFolder();
let files = 0;
const write = (lines: readonly string[]): string => writeLines(folder, `${(files += 1)}.txt`, lines);

type Level = readonly [price: string, size: string];

/** Raw lines of Binance: a whole book, a difference, a trade of dust and one of more. */
function raw(dust: readonly Level[]): string {
  const line = (second: number, message: unknown): string =>
    `${millis(second)}000000 ${JSON.stringify(message)}`;
  const trade = (t: number, q: string): unknown => ({
    stream: 'abusdt@trade',
    data: { e: 'trade', E: millis(2), T: millis(2), s: 'ABUSDT', t, p: '100.10', q, m: true },
  });
  return write([
    line(0, { lastUpdateId: 1, bids: [['100.10', '1.000']], asks: [['100.30', '2.000']] }),
    line(1, {
      stream: 'abusdt@depth',
      data: { e: 'depthUpdate', E: millis(1), s: 'ABUSDT', U: 2, u: 2, b: dust, a: [] },
    }),
    line(2, trade(1, '0.0004')),
    line(2, trade(2, '0.5009')),
  ]);
}

const instruments = [specOf('ABUSDT', pairIn('ABUSDT'), { tick: '0.10', increment: '0.001' })];
const dust: readonly Level[] = [
  ['100.00', '0.0004'],
  ['99.90', '1.2349'],
  ['99.80', '3.000'],
];

const ways: Readonly<Record<string, (path: string) => Promise<Recording>>> = {
  'read by their sequence': async (path) => await openData(path, { instruments }),
  'without regard to the sequence': async (path) => await openIgnoringSequence([path], { instruments }),
};

describe.each(Object.keys(ways))('raw lines of Binance, %s', (way) => {
  const open = ways[way] as (path: string) => Promise<Recording>;

  test('with sizes finer than the lot that was given are rounded down, and counted', async () => {
    const recording = await open(raw(dust));
    const events = await eventsOf(recording);
    expect(levelsOf(events[1], recording)).toEqual([
      'b 100.00 x 0.000',
      'b 99.90 x 1.234',
      'b 99.80 x 3.000',
    ]);
    expect(
      events.flatMap((event) =>
        event.kind === 'trades' ? event.trades.map((one) => [one.tradeId, one.quantity]) : [],
      ),
    ).toEqual([['2', 500]]);
    expect(recording.findings.at(-1)).toMatch(
      /^4 of [67] sizes are finer than the increment, and were rounded down$/,
    );
    expect((await gradeOf(recording)).reasons[0]).toBe(recording.findings.at(-1));
  });

  test('with a size that is no number are refused', async () => {
    expect(await wordsOfFailure(open(raw([['100.00', '1e-5']])).then(eventsOf))).toMatch(
      /:2: expected ABUSDT on tick 0\.10 and increment 0\.001, found "100\.00[ ,]1e-5"/,
    );
  });
});

describe('other formats', () => {
  const kraken = (size: string): string =>
    write([
      `wss://ws.kraken.com <-> ${start}.1`,
      `${start}.2: [1,{"as":[["0.30","5.0","${start}.1"]],"bs":[["0.20","7.0","${start}.1"]]},"book-10","A/B"]`,
      `${start}.3: [1,{"b":[["0.10","${size}","${start}.2"]],"c":"1"},"book-10","A/B"]`,
    ]);

  test('of captures are rounded too, and the checksums of that book no longer compared', async () => {
    const recording = await openData(kraken('2.55'), { increment: '0.1' });
    const events = await eventsOf(recording);
    expect(levelsOf(events[1], recording)).toEqual(['b 0.10 x 2.5']);
    expect(recording.findings).toEqual(['1 of 3 sizes are finer than the increment, and were rounded down']);
    expect(recording.proof).toBeUndefined();
    const whole = await openData(kraken('2.5'), { increment: '0.1' });
    await eventsOf(whole);
    expect(whole.proof).toEqual({ checked: 1, correct: 0 });
  });

  test('of tables of trades are rounded, those of less than one step left out', async () => {
    const options: OpenOptions = { increment: '0.01' };
    const path = writeLines(folder, 'AB.csv', [
      'time,price,quantity',
      `${start},1.5,0.019`,
      `${start + 1},1.5,0.004`,
      `${start + 2},1.5,3`,
    ]);
    const recording = await openData(path, options);
    const sizes = (await eventsOf(recording)).flatMap((event) =>
      event.kind === 'trades' ? event.trades.map(({ quantity }) => quantity) : [],
    );
    expect(sizes).toEqual([1, 300]);
    expect(recording.findings).toEqual([
      '1 trade of no quantity, left out',
      '2 of 3 sizes are finer than the increment, and were rounded down',
    ]);
  });

  test('a few in many thousands are a small fault, one in a hundred makes results doubtful', async () => {
    const rows = (dusty: number): string =>
      writeLines(folder, `many-${dusty}.csv`, [
        'time,price,quantity',
        ...Array.from({ length: 2_000 }, (_, i) => `${start + i},1.5,${i < dusty ? '1.005' : '1.01'}`),
      ]);
    const letters = [];
    for (const dusty of [1, 20, 200])
      letters.push((await gradeOf(await openData(rows(dusty), { increment: '0.01' }))).letter);
    expect(letters).toEqual(['B', 'C', 'D']);
  });
});

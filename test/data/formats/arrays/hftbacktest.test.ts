import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PartialRecording } from '../../../../src/data/formats/partial-recording.ts';
import { openData } from '../../../../src/data/open/market-data.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure } from '../support/files.ts';
import type { HftSampleRow } from '../support/npz.ts';
import { hftArray, hftColumns, hftFlags, npyOf, npzOf } from '../support/npz.ts';

const folder = newFolder();
const start = 1_704_067_200_000_000;
const { exchange, local, buy, sell } = hftFlags;
const both = exchange + local;

function put(name: string, array: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.npz') ? npzOf(array) : array);
  return path;
}

async function read(paths: string | readonly string[]) {
  const recording = await openData(paths);
  const events = await eventsOf(recording);
  return {
    recording,
    events,
    kinds: kindsOf(events),
    levels: events.map((event) => levelsOf(event, recording)),
  };
}

/** A row some milliseconds after the start, which arrives a millisecond later. */
const row = (flags: number, at: number, px: number, qty: number): HftSampleRow => [
  flags,
  start + at * 1_000,
  start + (at + 1) * 1_000,
  px,
  qty,
];

const whole: readonly HftSampleRow[] = [
  row(3 + buy + both, 0, 99.8, 0),
  row(4 + buy + both, 0, 99.9, 2),
  row(4 + buy + both, 0, 99.8, 3.5),
  row(3 + sell + both, 0, 100.1, 0),
  row(4 + sell + both, 0, 100, 1),
  row(4 + sell + both, 0, 100.1, 4),
];

describe('an array of hftbacktest', () => {
  test('becomes books and trades in the order of arrival: rows of the exchange alone have their twin', async () => {
    const { recording, events, kinds, levels } = await read(
      put(
        'btcusdt_20240101.npz',
        hftArray([
          ...whole,
          row(1 + buy + exchange, 5, 99.9, 0),
          row(2 + sell + both, 3, 99.9, 0.25),
          row(1 + buy + local, 5, 99.9, 0),
          row(1 + sell + local, 5, 100, 2.5),
          row(103 + local, 6, 99.9, 1),
        ]),
      ),
    );
    expect([recording.format, recording.instruments.all[0]?.symbol, kinds]).toEqual([
      'hftbacktest',
      'BTCUSDT',
      'bookSnapshot trades bookUpdate',
    ]);
    expect(levels).toEqual([
      ['b 99.9 x 2.00', 'b 99.8 x 3.50', 'a 100.0 x 1.00', 'a 100.1 x 4.00'],
      [],
      ['b 99.9 x 0.00', 'a 100.0 x 2.50'],
    ]);
    expect(events[1]).toMatchObject({
      exchangeTime: start + 3_000,
      receiveTime: start + 4_000,
      trades: [{ side: 'sell', price: 999, quantity: 25 }],
    });
    expect(recording.findings).toEqual(['1 times events of a kind of the user are left out']);
  });

  test('clears levels up to a price, of one side or of both, and a whole book keeps what lies behind it', async () => {
    const { levels } = await read(
      put(
        'ethusdt.npy',
        hftArray([
          ...whole,
          row(3 + buy + both, 2, 99.9, 0),
          row(3 + both, 4, 0, 0),
          row(1 + buy + both, 5, 99, 1),
          row(3 + buy + both, 6, 99.5, 0),
          row(4 + buy + both, 6, 99.5, 2),
        ]),
      ),
    );
    expect(levels.slice(1)).toEqual([
      ['b 99.9 x 0.0'],
      ['b 99.8 x 0.0', 'a 100.0 x 0.0', 'a 100.1 x 0.0'],
      ['b 99.0 x 1.0'],
      ['b 99.0 x 1.0', 'b 99.5 x 2.0'],
    ]);
  });

  test('may begin with a snapshot file, whose rows have no times', async () => {
    const snapshot = put(
      'btcusdt_20231231_eod.npz',
      hftArray([
        [4 + buy + both, 0, 0, 99.9, 2],
        [4 + sell + both, 0, 0, 100, 1],
      ]),
    );
    const data = put('btcusdt_20240102.npz', hftArray([row(1 + buy + both, 5, 99.9, 3)]));
    const { kinds, events } = await read([snapshot, data]);
    expect([kinds, events[0]?.receiveTime]).toEqual(['bookSnapshot bookUpdate', start + 6_000]);
    expect(await wordsOfFailure(openData(snapshot))).toBe(
      `${snapshot}: expected rows with times, found none; give a snapshot file with the data that it begins`,
    );
    const { recording } = await read(data);
    expect(recording.findings).toEqual([
      '1 times the rows of a first time are taken for a whole book, because none comes soon: levels that stood before are missing',
    ]);
  });

  test('of version 1 has six columns, in microseconds, and times of -1 where a row is not valid', async () => {
    const at = (flags: number, side: number, px: number, qty: number, offset = 0) => [
      flags,
      start + offset,
      start + offset + 900,
      side,
      px,
      qty,
    ];
    const { kinds, levels, events } = await read(
      put(
        'btcusdt_20230101.npz',
        hftColumns([
          at(4, 1, 99.9, 2),
          at(4, -1, 100, 1),
          [1, start + 9, -1, 1, 99.9, 7],
          at(2, 1, 100, 0.5, 3_000),
        ]),
      ),
    );
    expect([kinds, levels[0]]).toEqual(['bookSnapshot trades', ['b 99.9 x 2.0', 'a 100.0 x 1.0']]);
    expect(events[1]).toMatchObject({ receiveTime: start + 3_900, trades: [{ side: 'buy' }] });
  });
});

describe('an array that is none of hftbacktest is refused in one sentence', () => {
  test.each([
    [
      'of another type',
      hftArray(whole, { px: '<f4' }),
      /\.npz: expected the fields ev <u8, .*, found ev <u8, .*px <f4/,
    ],
    [
      'of big endian',
      hftArray(whole, { ev: '>u8' }),
      /\.npz: expected fields of numbers such as <f8, found ">u8"/,
    ],
    [
      'of other columns',
      npyOf("'<f8'", '2, 3', Buffer.alloc(48)),
      /\.npz: expected six columns of <f8 .*found 3 of <f8/,
    ],
    [
      'of whole numbers',
      npyOf("'<i8'", '1, 6', Buffer.alloc(48)),
      /\.npz: expected six columns of <f8 .*found 6 of <i8/,
    ],
    [
      'by columns',
      npyOf("'<f8'", '1, 6', Buffer.alloc(48), 'True'),
      /\.npz: expected an array stored row by row, .*numpy\.ascontiguousarray/,
    ],
    [
      'of single orders',
      hftArray([row(10 + buy + both, 0, 1, 1)]),
      /\.npz: row 1: expected levels and trades, found an event of a single order \(10\)/,
    ],
    [
      'of a size below 0',
      hftArray([...whole, row(1 + buy + both, 3, 99, -1)]),
      /\.npz:7: expected a price or a quantity .*found -1/,
    ],
    ['without its head', hftArray(whole).subarray(0, 9), /\.npz: expected the head of an array of numpy/],
  ])('%s', async (what, array, words) => {
    expect(await wordsOfFailure(openData(put(`${what.replaceAll(' ', '')}usdt.npz`, array)))).toMatch(words);
  });

  test('cut short, what comes before is kept and marked', async () => {
    const rows = [...whole, ...[5, 6, 7].map((at) => row(1 + buy + both, at, 99, at))];
    const array = hftArray(rows);
    const cut = put('btcusdt_cut.npz', array.subarray(0, array.length - 70));
    const recording = new PartialRecording(await openData(cut, { partial: true }));
    expect(kindsOf(await eventsOf(recording))).toBe('bookSnapshot');
    expect(recording.findings[0]).toBe(
      `partial: stopped at ${cut}: row 8: expected 9 rows as its head tells, found the end`,
    );
  });
});

import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, written } from './support/tables.ts';

interface Mapping {
  readonly symbol: string;
  readonly ids: readonly number[];
}

interface Order {
  readonly id: number;
  readonly second: number;
  readonly order: number;
  readonly price: number;
}

/** A file of DBN version 3 with bids of one lot. */
function dbn(mappings: readonly Mapping[], orders: readonly Order[]): Buffer {
  const text = (value: string, length: number) => Buffer.from(value.padEnd(length, '\0'), 'latin1');
  const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const mapped = mappings.flatMap(({ symbol, ids }) => [
    text(symbol, 71),
    uint32(ids.length),
    ...ids.flatMap((id) => [uint32(20_240_508), uint32(20_240_509), text(String(id), 71)]),
  ]);
  const body = Buffer.concat([
    text('TEST', 16),
    Buffer.alloc(2 + 24 + 3),
    Buffer.from(Uint16Array.of(71).buffer),
    Buffer.alloc(53 + 4 + 12),
    uint32(mappings.length),
    ...mapped,
  ]);
  return Buffer.concat([text('DBN\u0003', 4), uint32(body.length), body, ...orders.map(recordOf)]);
}

function recordOf({ id, second, order, price }: Order): Buffer {
  const record = Buffer.alloc(56);
  const nanos = 1_715_126_400_000_000_000n + BigInt(second) * 1_000_000_000n;
  record.writeUInt8(14, 0);
  record.writeUInt8(160, 1);
  record.writeUInt32LE(id, 4);
  record.writeBigUInt64LE(nanos, 8);
  record.writeBigUInt64LE(BigInt(order), 16);
  record.writeBigInt64LE(BigInt(price) * 1_000_000_000n, 24);
  record.writeUInt32LE(1, 32);
  record.writeUInt8(128, 36);
  record.write('AB', 38, 'latin1');
  record.writeBigUInt64LE(nanos, 40);
  return record;
}

describe('instrument ids of Databento', () => {
  test('are those of their own file: venues number anew each day', async () => {
    const paths = [
      written('day-1.dbn', dbn([{ symbol: 'AAA', ids: [7] }], [{ id: 7, second: 0, order: 1, price: 100 }])),
      written('day-2.dbn', dbn([{ symbol: 'BBB', ids: [7] }], [{ id: 7, second: 9, order: 1, price: 50 }])),
    ];
    const recording = await openData(paths);
    expect(recording.instruments.all.map(({ symbol }) => symbol)).toEqual(['AAA', 'BBB']);
    const told = (await eventsOf(recording)).map((event) =>
      'instrument' in event ? recording.instruments.at(event.instrument).symbol : undefined,
    );
    expect(told).toEqual(['AAA', 'BBB']);
  });

  test('of a continuous symbol follow one another, with a book and a note of their own', async () => {
    const roll = [{ symbol: 'ES.c.0', ids: [7, 8] }];
    const orders = [
      { id: 7, second: 0, order: 1, price: 100 },
      { id: 8, second: 1, order: 2, price: 120 },
      { id: 8, second: 2, order: 3, price: 110 },
    ];
    const recording = await openData(written('roll.dbn', dbn(roll, orders)));
    expect(recording.notes).toContain(
      'ES.c.0 is of the instruments 7, 8, one behind the other: where one ends, prices may jump',
    );
    const events = await eventsOf(recording);
    expect(events.map(({ kind }) => kind)).toEqual(['bookSnapshot', 'bookSnapshot', 'bookUpdate']);
    expect(recording.findings).toEqual(['2 orders rest at the end']);
    const mixed = await openData(
      written('mixed.dbn', dbn(roll, [...orders, { id: 7, second: 3, order: 4, price: 100 }])),
    );
    await expect(eventsOf(mixed)).rejects.toThrow(
      /mixed\.dbn: expected the instruments of ES\.c\.0 one behind the other, found 7 again/,
    );
  });

  test('that stand for two symbols in one file are refused', async () => {
    const path = written(
      'two.dbn',
      dbn(
        [
          { symbol: 'AAA', ids: [7] },
          { symbol: 'BBB', ids: [7] },
        ],
        [{ id: 7, second: 0, order: 1, price: 100 }],
      ),
    );
    await expect(openData(path)).rejects.toThrow(
      /two\.dbn: expected one symbol for instrument 7, found AAA and BBB on other days/,
    );
  });
});

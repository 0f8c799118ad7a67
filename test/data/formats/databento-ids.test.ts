import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { dbn } from './support/dbn.ts';
import { eventsOf, written } from './support/tables.ts';

describe('instrument ids of Databento', () => {
  test('are those of their own file: venues number anew each day', async () => {
    const paths = [
      written('day-1.dbn', dbn([{ symbol: 'AAA', ids: [7] }], [{ id: 7, second: 0, order: 1, price: 100 }])),
      written('day-2.dbn', dbn([{ symbol: 'BBB', ids: [7] }], [{ id: 7, second: 9, order: 1, price: 50 }])),
    ];
    const recording = await openData(paths);
    expect(recording.instruments.all.map(({ symbol }) => symbol)).toEqual(['AAA', 'BBB']);
    const received = (await eventsOf(recording)).map((event) =>
      'instrument' in event ? recording.instruments.at(event.instrument).symbol : undefined,
    );
    expect(received).toEqual(['AAA', 'BBB']);
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

import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { PartialRecording } from '../../../src/data/formats/partial-recording.ts';
import { eventsOf, written } from './support/tables.ts';

const header = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
const time = '1700000000000000';
const row = (change: Partial<Record<'exchange' | 'time' | 'snapshot', string>> = {}): string =>
  `${change.exchange ?? 'x'},ABUSDT,${change.time ?? time},1700000001000000,${change.snapshot ?? 'false'},bid,99.5,5`;

async function kindsOf(rows: readonly string[]): Promise<readonly string[]> {
  const path = written('tardis.csv', `${[header, row({ snapshot: 'true' }), ...rows].join('\n')}\n`);
  return (await eventsOf(await openData(path))).map(({ kind }) => kind);
}

describe('rows of Tardis', () => {
  test('say true and false in any case, as tables that were written again do', async () => {
    const path = written(
      'again.csv',
      `${[header, row({ snapshot: 'True' }), row({ snapshot: 'False' })].join('\n')}\n`,
    );
    const events = await eventsOf(await openData(path));
    expect(events.map(({ kind }) => kind)).toEqual(['bookSnapshot', 'bookUpdate']);
  });

  test.each([
    [{ exchange: 'y' }, /tardis\.csv:3: expected rows of one exchange, x, found "y,ABUSDT/],
    [{ time: '0' }, /tardis\.csv:3: expected a timestamp in microseconds, found "x,ABUSDT,0,/],
    [{ time: '' }, /tardis\.csv:3: expected a timestamp in microseconds, found "x,ABUSDT,,/],
    [{ snapshot: '1' }, /tardis\.csv:3: expected is_snapshot to be true or false, found/],
  ])('are refused with %j', async (change, sentence) => {
    await expect(kindsOf([row(change)])).rejects.toThrow(sentence);
    expect(await kindsOf([row()])).toEqual(['bookSnapshot', 'bookUpdate']);
  });
});

test('quotes of Tardis alone, without tickers, are refused with the settings that leave them out', async () => {
  const quotes = 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount';
  const path = written('quotes.csv', `${quotes}\nx,ABUSDT,${time},${time},5,99.5,99,4\n`);
  expect((await eventsOf(await openData(path))).map(({ kind }) => kind)).toEqual(['ticker']);
  await expect(openData(path, { tickers: false }).then(eventsOf)).rejects.toThrow(
    /quotes\.csv: expected books or trades, found tickers alone, .* import: \{ tickers: true \} in a scenario/,
  );
});

test.each(['NaN', '-5.5', '0x10'])(
  'a quote of Tardis at %s ends what is kept, and is reported',
  async (price) => {
    const quotes = 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount';
    const rows = ['99.5', price, '99.5'].map((ask) => `x,ABUSDT,${time},${time},5,${ask},99,4`);
    const path = written('some-quotes.csv', `${[quotes, ...rows].join('\n')}\n`);
    const recording = new PartialRecording(await openData(path, { partial: true }));
    expect(await eventsOf(recording)).toHaveLength(1);
    expect(recording.findings[0]).toMatch(
      new RegExp(`some-quotes\\.csv:3: expected the price to be a plain decimal, found "${price}"$`),
    );
  },
);

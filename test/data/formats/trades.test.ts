import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, hasShared, shared, written } from './support/tables.ts';

describe.skipIf(!hasShared)('recorded trades', () => {
  test('every trade of freqtrade is read, and its ids follow one another', async () => {
    const recording = await openData(shared('trades/freqtrade_XRP_ETH-trades.json.gz'));
    const trades = (await eventsOf(recording)).flatMap((event) =>
      event.kind === 'trades' ? event.trades : [],
    );
    expect(trades).toHaveLength(12_477);
    expect(recording.findings).toEqual([]);
    expect(trades[0]).toEqual({
      tradeId: '13519807',
      price: 141_342,
      quantity: 23,
      side: 'sell',
      time: 1_570_752_011_620_000,
    });
  });
});

function opened(text: string, columns?: Record<string, string>) {
  return openData(written('trades.csv', text), {
    format: 'trades-csv',
    ...(columns === undefined ? {} : { columns }),
  });
}

async function tradesOf(recording: Awaited<ReturnType<typeof openData>>) {
  return (await eventsOf(recording)).flatMap((event) => (event.kind === 'trades' ? event.trades : []));
}

describe('any table of trades', () => {
  test("Binance's archives are distinguished by their columns: trades, aggregate trades, with a header and without", async () => {
    const files = {
      'BTCUSDT-trades-2023-03-10.csv': '1,20362.21000000,0.00100000,20.36,1678406400000,True,True\n',
      'BTCUSDT-aggTrades-2023-03-10.csv': '1,20362.21,0.001,5,6,1678406400000000,true,true\n',
      'BTCUSDT-aggTrades-2023-03-11.csv':
        'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n1,20362.21,0.001,5,6,1678406400000,true\n',
      'BTCUSDT-aggTrades-2020-01-07.csv': '1,20362.21,0.001,5000000000,5000000001,1678406400000,true\n',
      'BTCUSDT-trades-2025-03-10.csv': '1,20362.21,0.00100000,20.36,1678406400000000,True,True\n',
      'BTCUSDT-trades-2020-01-07.csv': '1,20362.21,0.001,20.36,1678406400000,true\n',
      'BTCUSDT-trades-2023-03-11.csv':
        'id,price,qty,quote_qty,time,is_buyer_maker\n1,20362.21,0.001,20.36,1678406400000,true\n',
    };
    for (const [name, text] of Object.entries(files)) {
      const recording = await openData(written(name, text));
      expect([name, recording.format, recording.instruments.all[0]?.symbol]).toEqual([
        name,
        'binance-trades',
        'BTCUSDT',
      ]);
      expect(await tradesOf(recording)).toEqual([
        { tradeId: '1', price: 2_036_221, quantity: 1, side: 'sell', time: 1_678_406_400_000_000 },
      ]);
    }
  });

  test('sides come from the column, from the maker, or from the moves of the price', async () => {
    const bySide = await opened('time,price,size,side\n1672531200,5,1,Buy\n1672531201,4,1,S\n');
    expect((await tradesOf(bySide)).map(({ side }) => side)).toEqual(['buy', 'sell']);
    const byMove = await opened(
      'time,price,size\n1672531200,5,1\n1672531201,4,1\n1672531202,4,1\n1672531203,6,1\n',
    );
    expect((await tradesOf(byMove)).map(({ side }) => side)).toEqual(['buy', 'sell', 'sell', 'buy']);
    expect(byMove.notes.at(-1)).toBe(
      'the source has no sides; they are inferred from the moves of the price',
    );
  });

  test('tables of orders and of levels are no trades, although they have the columns', async () => {
    const head = 'ts_recv,ts_event,rtype,instrument_id,action,side,price,size,symbol';
    const row = (action: string, side: string, price: string) =>
      `1672531200000000000,1672531200000000000,0,118,${action},${side},${price},3,ESM4`;
    const of = async (...rows: readonly string[]) => await opened(`${[head, ...rows].join('\n')}\n`);
    const first = row('T', 'B', '5.250000000');
    const received = await tradesOf(await of(first, row('T', 'N', '5.000000000')));
    expect(received.map(({ side }) => side)).toEqual(['buy', 'sell']);
    await expect(of(first, row('A', 'B', '5.000000000'))).rejects.toThrow(
      /:3: expected a table of trades; .* single orders .*, found the action "A"/,
    );
    await expect(opened('time,side,price,amount\n1672531200,bid,5,1\n1672531201,bid,5,0\n')).rejects.toThrow(
      /:3: expected a table of trades; .*, found a bid of size 0/,
    );
  });

  test('nothing of a table of levels is kept as trades, however far down it shows', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => `${1_672_531_200 + i},bid,5,${i === 450 ? 0 : 1}`);
    const path = written('levels.csv', `time,side,price,amount\n${rows.join('\n')}\n`);
    await expect(openData(path, { format: 'trades-csv', partial: true })).rejects.toThrow(
      /levels\.csv:452: expected a table of trades; .*, found a bid of size 0/,
    );
  });

  test('symbols that are left out are reported; what is for bars alone is refused', async () => {
    const path = written(
      'symbols.csv',
      'time,symbol,price,quantity,side\n1704067200000,A,1,1,buy\n1704067201000,B,1,1,sell\n',
    );
    expect((await openData(path, { symbol: 'A' })).notes).toContain(
      'rows of B are left out: only A is wanted',
    );
    await expect(openData(path, { stamp: 'close' })).rejects.toThrow(
      'expected no stamp with data of the format trades-csv: it is for tables of bars',
    );
    await expect(openData('backtest/feeds/sample', { period: '1m' })).rejects.toThrow(
      'expected no period with data of the format frame-log: it is for tables of bars',
    );
  });

  test('rows out of order are sorted, repeated ids left out, gaps between ids counted', async () => {
    const recording = await opened(
      'id,time,price,size\n2,1672531201,5,1\n1,1672531200,4,1\n2,1672531202,5,1\n9,1672531203,5,1\n',
    );
    expect((await tradesOf(recording)).map(({ tradeId }) => tradeId)).toEqual(['1', '2', '9']);
    expect(recording.findings).toEqual([
      '1 trade before the one above it, sorted',
      '1 trade repeated, left out',
      '1 gap between trade ids',
    ]);
  });

  test('quantities longer than a count holds are rounded to a grid that fits', async () => {
    const recording = await opened('time,price,size\n1672531200,5,1.000000000000000001\n1672531201,5,2\n');
    expect(recording.instruments.all[0]?.spec.quantityIncrement).toBe('0.00000000000001');
    expect((await tradesOf(recording)).map(({ quantity }) => quantity)).toEqual([1e14, 2e14]);
  });

  test.each([
    [
      'a price that is none',
      '1672531200,x,1',
      /trades\.csv:2: expected the price to be a number above 0, found "x"/,
    ],
    [
      'a negative quantity',
      '1672531200,1,-1',
      /trades\.csv:2: expected the quantity to be a number not below 0/,
    ],
    ['a time that is none', 'now,1,1', /trades\.csv:2: expected the time as .* found "now"/],
    ['too few columns', '1672531200,1', /trades\.csv:2: expected the quantity in column 2/],
    ['nothing', '', /trades\.csv: expected rows with trades, found none/],
  ])('%s is one sentence with file, line and expectation', async (_, rows, message) => {
    await expect(opened(`time,price,size\n${rows}\n`)).rejects.toThrow(message);
  });
});

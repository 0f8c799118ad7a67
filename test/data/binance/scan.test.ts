import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BinanceReader } from '../../../src/data/binance/raw.ts';
import { BinanceScanner } from '../../../src/data/binance/scan.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../../src/core/model/level-buffer.ts';

const instruments = new Instruments(
  [
    ['BTCUSDT', '0.10', '0.001'],
    ['BTCUSD_PERP', '0.1', '1'],
  ].map(([symbol = '', tickSize = '', quantityIncrement = '']) => ({
    symbol,
    type: 'spot' as const,
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    feeCurrency: 'USDT',
    tickSize,
    quantityIncrement,
    takeRate: '0.0005',
    makeRate: '0.0002',
    status: 'working' as const,
    marginTrading: false,
  })),
);

const stamp = '1723161255030314667 ';
const depth = (inner: string): string => `{"stream":"btcusdt@depth@0ms","data":{"e":"depthUpdate",${inner}}}`;
const usual = depth(
  '"E":1723161256299,"T":1723161256298,"s":"BTCUSDT","U":10,"u":12,"pu":9,"b":[["58710.20","0.014"],["1.0","0.000"]],"a":[]',
);

function kindOf(json: string, tickers = true): string {
  return new BinanceScanner(instruments, new LevelBuffer(), tickers).scan(
    Buffer.from(stamp + json, 'latin1'),
    stamp.length,
  );
}

/** What a reader makes of lines, levels written out; an error as its words. */
function received(lines: readonly string[], reading: 'bytes' | 'json'): readonly unknown[] {
  const all: unknown[] = [];
  const publish = (event: Event): void => {
    if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') all.push(event);
    else all.push({ ...event, levels: [...event.levels.subarray(event.start, event.end)], start: 0, end: 0 });
  };
  const reader = new BinanceReader({ instruments, publish, reading });
  reader.startFile('file', 0);
  for (const [index, line] of lines.entries()) {
    try {
      reader.accept(Buffer.from(line, 'latin1'), index + 1);
    } catch (error) {
      all.push(error instanceof Error ? error.message : error);
    }
  }
  return all;
}

describe('the byte scanner of Binance lines', () => {
  test.each([
    ['depth of USD-M', usual, 'depth'],
    [
      'depth of spot, without T and pu',
      depth('"E":1723161255208,"s":"BTCUSDT","U":1,"u":2,"b":[],"a":[["61837.60","1.000"]]'),
      'depth',
    ],
    [
      'depth of COIN-M, with the pair',
      depth('"E":1,"T":1,"s":"BTCUSD_PERP","ps":"BTCUSD","U":1,"u":2,"pu":0,"b":[],"a":[]'),
      'depth',
    ],
    [
      'a trade',
      '{"stream":"btcusdt@trade","data":{"e":"trade","E":5,"T":4,"s":"BTCUSDT","t":7,"p":"61800.30","q":"0.006","X":"MARKET","m":false}}',
      'trade',
    ],
    [
      'a book ticker of spot',
      '{"stream":"btcusdt@bookTicker","data":{"u":5,"s":"BTCUSDT","b":"1.10","B":"3.000","a":"1.20","A":"1.000"}}',
      'top',
    ],
    [
      'a trade that is no execution of the book',
      '{"stream":"btcusdt@trade","data":{"e":"trade","E":5,"T":4,"s":"BTCUSDT","t":7,"p":"0","q":"0","X":"NA","m":false}}',
      'none',
    ],
    ['a depth with a space', usual.replace(',"T"', ', "T"'), 'none'],
    ['a depth with members in another order', depth('"s":"BTCUSDT","E":1,"U":1,"u":2,"b":[],"a":[]'), 'none'],
    ['an unknown symbol', usual.replace('BTCUSDT', 'ETHUSDT'), 'none'],
    ['a price off the grid', usual.replace('58710.20', '58710.25'), 'none'],
    ['a negative size', usual.replace('"0.014"', '"-0.014"'), 'none'],
    ['a price in an exponent', usual.replace('58710.20', '5e4'), 'none'],
    ['a number of sixteen digits', usual.replace('"u":12', '"u":1234567890123456'), 'none'],
    ['a line that is cut short', usual.slice(0, -3), 'none'],
    ['a depth with something behind', `${usual} `, 'none'],
    ['a REST reply', '{"lastUpdateId":1,"bids":[],"asks":[]}', 'none'],
  ])('%s', (_what, json, kind) => {
    expect(kindOf(json)).toBe(kind);
  });

  test('passes over book tickers that are not wanted without reading them', () => {
    expect(kindOf('{"stream":"btcusdt@bookTicker","data":{"whatever":1}}', false)).toBe('skipped');
  });

  test.each([
    ['a depth', usual],
    [
      'a trade',
      '{"stream":"btcusdt@trade","data":{"e":"trade","E":5,"T":4,"s":"BTCUSDT","t":7,"p":"61800.30","q":"0.006","X":"MARKET","m":false}}',
    ],
    [
      'a book ticker',
      '{"stream":"btcusdt@bookTicker","data":{"e":"bookTicker","u":5,"s":"BTCUSDT","b":"1.10","B":"3.000","a":"1.20","A":"1.000","T":3,"E":4}}',
    ],
    [
      'a book ticker of COIN-M',
      '{"stream":"b@bookTicker","data":{"u":5,"e":"bookTicker","s":"BTCUSD_PERP","ps":"BTCUSD","b":"1.1","B":"3","a":"1.2","A":"1","T":3,"E":4}}',
    ],
  ])('tells what JSON tells, whatever is changed in %s', (_what, line) => {
    const snapshot = '{"lastUpdateId":9,"E":1,"T":1,"symbol":"BTCUSDT","bids":[["1.00","1.000"]],"asks":[]}';
    fc.assert(
      fc.property(
        fc.nat(line.length - 1),
        fc.constantFrom('', '0', '9', '"', ',', '.', '[', ']', '{', '}', '-', ' ', 'e', '\\'),
        (at, put) => {
          const changed = line.slice(0, at) + put + line.slice(at + 1);
          const lines = [snapshot, changed, line].map((json) => stamp + json);
          expect(received(lines, 'bytes')).toEqual(received(lines, 'json'));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

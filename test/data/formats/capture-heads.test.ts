import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatNameOf, openData } from '../../../src/data/open/market-data.ts';
import { okxChecksum } from '../../../src/data/formats/checksums.ts';
import { captureSamples } from './support/capture-samples.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';
import { start } from './support/sample.ts';

const folder = newFolder();
const configuration = 'configuration: {"l2_book":["BTC-USDT"],"trades":["BTC-USDT"]}';

describe.each(captureSamples)('a capture of $format', (sample) => {
  const rows = [0, 1].map((second, index) =>
    sample.row({ second, symbol: 'ABUSDT', price: `100.${second}5` }, index),
  );

  test('is known and read behind a line of its configuration', async () => {
    const path = writeLines(folder, sample.name, [configuration, ...sample.head, ...rows]);
    expect(await formatNameOf(path)).toBe(sample.format);
    expect(kindsOf(await eventsOf(await openData(path)))).toBe('trades trades');
  });
});

describe('a list of symbols alone', () => {
  const venues = {
    'kraken-v1': 'https://api.kraken.com/0/public/AssetPairs',
    'okx-v5': 'https://www.okx.com/api/v5/public/instruments?instType=SPOT',
    'bitget-v1': 'https://api.bitget.com/api/spot/v1/public/products',
    'coinbase-level2': 'https://api.pro.coinbase.com/products',
    'bitstamp-diff': 'https://www.bitstamp.net/api/v2/trading-pairs-info/',
    'binance-capture': 'https://api.binance.com/api/v3/exchangeInfo',
    deribit: 'https://www.deribit.com/api/v2/public/get_instruments?currency=BTC',
    'bitmex-l2': 'https://www.bitmex.com/api/v1/instrument/active',
    ftx: 'https://ftx.com/api/markets',
  };

  test.each(Object.entries(venues))('of %s says what it is', async (format, url) => {
    const path = writeLines(folder, `${format}-symbols.txt`, [
      `${url} -> 1618678195.7: [{"symbol":"AB"}]`,
      configuration,
    ]);
    expect(await formatNameOf(path)).toBe(format);
    expect(await wordsOfFailure(openData(path))).toBe(
      `${path}: expected messages that name a symbol, found replies to ${url} alone, such as a list of symbols; give the capture of the socket`,
    );
  });

  test('of our own API says what it is', async () => {
    const list =
      '[{"id":"AB","baseCurrency":"A","quoteCurrency":"B","quantityIncrement":"1","tickSize":"0.1","takeLiquidityRate":"0.002","provideLiquidityRate":"0.001","feeCurrency":"B"}]';
    const path = writeLines(folder, 'own.symbols.txt', [
      `https://api.hitbtc.com/api/2/public/symbol -> 1618678195.7: ${list}`,
    ]);
    expect(await wordsOfFailure(openData(path))).toMatch(
      /own\.symbols\.txt: expected messages of a socket, found a list of 1 symbols alone; give the capture/,
    );
  });
});

describe('a capture of OKEx v3', () => {
  const head = ['wss://real.okex.com:8443/ws/v3 <-> 1618678195.9'];
  const time = '2021-04-17T16:49:55.900Z';
  const book = (action: string, bids: readonly (readonly string[])[], checksum: number) => ({
    table: 'spot/depth_l2_tbt',
    action,
    data: [{ instrument_id: 'AB-USDT', bids, asks: [['2.5', '1', '0', '1']], timestamp: time, checksum }],
  });
  const trade = {
    table: 'spot/trade',
    data: [
      { instrument_id: 'AB-USDT', trade_id: '7', price: '2.4', size: '3', side: 'sell', timestamp: time },
    ],
  };

  /** As Python prints bytes. */
  const printed = (message: unknown): string => {
    const bytes = [...deflateRawSync(Buffer.from(JSON.stringify(message)))].map((byte) => {
      if (byte === 0x5c) return '\\\\';
      if (byte === 0x0a) return '\\n';
      if (byte === 0x0d) return '\\r';
      if (byte === 0x09) return '\\t';
      if (byte === 0x27) return "\\'";
      const isShown = byte >= 0x20 && byte < 0x7f;
      return isShown ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
    });
    return `${start}.5: b'${bytes.join('')}'`;
  };
  const sum = (bids: readonly (readonly [string, string])[]): number => okxChecksum.sum(bids, [['2.5', '1']]);

  test('is read from deflated frames as from plain ones, and its checksums prove it', async () => {
    const messages = [
      { event: 'subscribe', channel: 'spot/trade:AB-USDT' },
      book('partial', [['2.4', '5', '0', '1']], sum([['2.4', '5']])),
      book('update', [['2.4', '9', '0', '1']], sum([['2.4', '9']])),
      trade,
    ];
    const plain = messages.map((message) => `${start}.5: ${JSON.stringify(message)}`);
    for (const [name, lines] of [
      ['deflated', messages.map(printed)],
      ['plain', plain],
    ] as const) {
      const recording = await openData(writeLines(folder, `${name}.txt`, [...head, ...lines]));
      expect(recording.format).toBe('okex-v3');
      const events = await eventsOf(recording);
      expect(kindsOf(events)).toBe('bookSnapshot bookUpdate trades');
      expect(levelsOf(events[1], recording)).toEqual(['b 2.4 x 9', 'a 2.5 x 1']);
      expect(recording.proof).toEqual({ checked: 2, correct: 2 });
    }
  });

  test('names what a frame is that cannot be inflated', async () => {
    const path = writeLines(folder, 'broken.txt', [...head, printed(trade), `${start}.6: b'\\xff\\xff'`]);
    expect(await wordsOfFailure(openData(path))).toMatch(
      /broken\.txt:3: expected a deflated frame of OKEx v3, found "b'\\\\xff/,
    );
  });
});

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moneys, pairIn, pairOf, quotedIn } from '../../../src/core/model/pair.ts';

describe('the currencies of a symbol', () => {
  test.each([
    ['BTCUSDT', 'BTC', 'USDT'],
    ['XRPGBP', 'XRP', 'GBP'],
    ['XRPBRL', 'XRP', 'BRL'],
    ['BTCUZS', 'BTC', 'UZS'],
    ['BTCFDUSD', 'BTC', 'FDUSD'],
    ['BTCRLUSD', 'BTC', 'RLUSD'],
    ['1INCHUSDT', '1INCH', 'USDT'],
    ['1000SHIBUSDC', '1000SHIB', 'USDC'],
    ['BTCUSD1', 'BTC', 'USD1'],
    ['XBTUSD', 'XBT', 'USD'],
    ['USDTUSD', 'USDT', 'USD'],
    ['EURUSDT', 'EUR', 'USDT'],
    ['USDTRY', 'USD', 'TRY'],
    ['TUSDT', 'T', 'USDT'],
    ['IDTRY', 'ID', 'TRY'],
    ['btcgbp', 'BTC', 'GBP'],
    ['XRP/GBP', 'XRP', 'GBP'],
    ['XRP-GBP', 'XRP', 'GBP'],
    ['XRP_GBP', 'XRP', 'GBP'],
    ['A/B', 'A', 'B'],
    ['ABC-XYZ', 'ABC', 'XYZ'],
    ['BTC-USDT-SWAP', 'BTC', 'USDT'],
    ['BTC-USD-220527', 'BTC', 'USD'],
    ['BTC_USDC-PERPETUAL', 'BTC', 'USDC'],
    ['BTCUSD_PERP', 'BTC', 'USD'],
    ['ETHUSDT-PERP', 'ETH', 'USDT'],
    ['BTCUSDT_240927', 'BTC', 'USDT'],
    ['ETHUSDT.P', 'ETH', 'USDT'],
    ['BTC/USDT:USDT', 'BTC', 'USDT'],
    ['PI_XBTUSD', 'XBT', 'USD'],
    ['FI_ETHUSD_210730', 'ETH', 'USD'],
  ])('%s is %s in %s', (symbol, base, quote) => {
    expect(pairOf(symbol)).toEqual({ base, quote });
  });

  test.each([
    'XRPXYZ',
    'GBP',
    'GBP/GBP',
    'GBP-GBP',
    'BTC-PERP',
    'MKR-1231',
    'ES-U21',
    'BRK-B',
    '',
    '/',
    'USD',
  ])('of %j are not known, and no symbol is its own money', (symbol) => {
    expect(pairOf(symbol)).toBeUndefined();
    expect(() => pairIn(symbol)).toThrow(/expected a symbol that ends with a known quote currency.*--quote/);
  });

  test.each([
    ['XRPXYZ', 'XYZ', 'XRP', 'XYZ'],
    ['XRPXYZ', 'xyz', 'XRP', 'XYZ'],
    ['SHIBUSD', 'USD', 'SHIB', 'USD'],
    ['ABC-PERP', 'USD', 'ABC', 'USD'],
    ['GOOG', 'EUR', 'GOOG', 'EUR'],
    ['CETH', 'USD', 'CETH', 'USD'],
    ['XRP-XYZ-SWAP', 'XYZ', 'XRP', 'XYZ'],
    // Of several symbols, those that tell theirs keep it.
    ['BTCUSDT', 'XYZ', 'BTC', 'USDT'],
  ])('%s with %s said is %s in %s', (symbol, said, base, quote) => {
    expect(pairOf(symbol, said)).toEqual({ base, quote });
  });

  test('a symbol is not its own money when that is said', () => {
    expect(() => pairIn('XYZ', 'XYZ')).toThrow('found XYZ alone');
  });

  test('a venue that quotes in one currency names none', () => {
    expect(['MKR-PERP', 'BTC-1231', 'BTC/TRY'].map(quotedIn('USD'))).toEqual([
      { base: 'MKR', quote: 'USD' },
      { base: 'BTC-1231', quote: 'USD' },
      { base: 'BTC', quote: 'TRY' },
    ]);
  });
});

test('quote currencies are listed once: no other line of the sources names three of them', () => {
  const codes = new Set(moneys);
  const src = new URL('../../../src/', import.meta.url).pathname;
  const lists = globSync('**/*.ts', { cwd: src }).filter((file) =>
    readFileSync(`${src}${file}`, 'utf8')
      .split('\n')
      .some(
        (line) =>
          new Set(
            line
              .toUpperCase()
              .match(/[A-Z\d]{3,5}/g)
              ?.filter((word) => codes.has(word)),
          ).size > 2,
      ),
  );
  expect(lists).toEqual(['core/model/pair.ts']);
});

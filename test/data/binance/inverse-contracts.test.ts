import { describe, expect, test } from 'vitest';
import { inverseNotes } from '../../../src/data/binance/inverse-contracts.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentSpec } from '../../../src/core/model/instrument.ts';
import { specOf } from '../../../src/data/formats/symbol-survey.ts';

function spec(symbol: string, tick: string): InstrumentSpec {
  return specOf(symbol, { base: symbol, quote: 'USD' }, { tick, increment: '1' });
}

describe('inverse contracts', () => {
  test.each([
    ['binance-raw', 'BTCUSD_PERP', 'BTCUSDT'],
    ['binance-capture', 'ETHUSD_240927', 'BTCUSDT_240927'],
    ['bitmex-l2', 'XBTUSD', 'XBT_USDT'],
    ['bybit-ob', 'BTCUSD', 'XRPUSDT'],
    ['deribit', 'BTC-PERPETUAL', 'ETH-30JUL21-2800-C'],
    ['deribit', 'ETH-24SEP21', 'SOL_USDC-PERPETUAL'],
    ['kraken-futures', 'PI_XBTUSD', 'PF_XBTUSD'],
    ['okx-v5', 'UNI-USD-SWAP', 'XMR-USDT'],
    ['okx-v5', 'BTC-USD-220527', 'BTC-USD-210924-66000-C'],
    ['tardis-csv', 'XBTUSD', 'BTCUSDT'],
  ])('of %s are named: %s, and not %s', (format, inverse, other) => {
    const contract = spec(inverse, '0.5');
    const [note, ...more] = inverseNotes(format, new Instruments([contract, spec(other, '0.1')]));
    expect(more).toEqual([]);
    expect(note).toMatch(/inverse contracts, settled in the coin/);
    expect(note?.startsWith(`${inverse}:`)).toBe(true);
    expect(inverseNotes(format, new Instruments([{ ...contract, inverse: true }]))).toEqual([]);
  });

  test.each([
    ['okx-v5', 'XMR-USDT-SWAP'],
    ['bitmex-l2', 'ETHUSD'],
    ['bitmex-l2', 'ADAU21'],
  ])('of %s whose sizes count contracts are named: %s', (format, symbol) => {
    const known = { ...spec(symbol, '0.1'), contractSize: '0.01' };
    expect(inverseNotes(format, new Instruments([spec(symbol, '0.1')]))).toEqual([
      expect.stringMatching(`^${symbol}: sizes count contracts, not coins`),
    ]);
    expect(inverseNotes(format, new Instruments([known]))).toEqual([]);
  });

  test('of a spot venue there are none, and many are counted', () => {
    expect(inverseNotes('kraken-v1', new Instruments([spec('XBTUSD', '0.1')]))).toEqual([]);
    const many = Array.from({ length: 6 }, (_, i) => spec(`PI_${i}USD`, '0.1'));
    expect(inverseNotes('kraken-futures', new Instruments(many))[0]).toMatch(
      /^PI_0USD, PI_1USD, PI_2USD, PI_3USD and 2 more:/,
    );
  });
});

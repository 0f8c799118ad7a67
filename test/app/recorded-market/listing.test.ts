import { expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { apiCodeOf, recordedListing } from '../../../src/app/recorded-market/listing.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { spotSpec } from '../../../src/research/scenario/index.ts';
import { exchangeOptions } from '../../../src/exchange/server/options.ts';

const spec = spotSpec({ symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', tick: '0.01', lot: '0.001' });

test('names of other venues become codes of the API', () => {
  const codes = ['BTCUSDT', 'XBT/USD', 'btc-usdt', 'PI_XBTUSD', 'BTC-USD-210924-66000-C', 'R'].map(apiCodeOf);
  expect(codes).toEqual(['BTCUSDT', 'XBTUSD', 'BTCUSDT', 'PI_XBTUSD', 'BTCUSD21092466000C', 'XR']);
});

test('an exchange lists what a recording holds, and accounts begin with the money of a backtest', () => {
  const perpetual = { ...spec, symbol: 'eth/usdt', baseCurrency: 'eth', type: 'futures' as const };
  const config = configSchema.parse({ backtest: { balances: { eth: '5', USDT: '70' } } });
  const options = exchangeOptions.parse(recordedListing(new Instruments([spec, perpetual]), config));
  expect(options.symbols.map(({ symbol, baseCurrency }) => [symbol, baseCurrency])).toEqual([
    ['BTCUSDT', 'BTC'],
    ['ETHUSDT', 'ETH'],
  ]);
  expect(options.currencies.map(({ code }) => code)).toEqual(['BTC', 'USDT', 'ETH']);
  const [demo, , three] = options.accounts;
  expect(demo?.balances).toEqual({ ETH: '5', USDT: '70' });
  expect(three?.balances).toEqual({});
  expect([options.flow.enabled, options.futures.contracts]).toEqual([false, []]);
});

test('two names of one code are refused', () => {
  const instruments = new Instruments([spec, { ...spec, symbol: 'btc/usdt' }]);
  expect(() => recordedListing(instruments, configSchema.parse({}))).toThrow(
    'expected symbols that differ in letters and digits, found BTCUSDT and btc/usdt: import one of them alone',
  );
});

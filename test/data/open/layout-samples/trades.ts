import { gzipSync } from 'node:zlib';
import { featherFile } from '../../formats/support/feather-files.ts';
import type { LayoutSample } from './sample.ts';

/** A sample of each layout of trades, by its name in docs/import.md. */
export const tradeSamples: Readonly<Record<string, LayoutSample>> = {
  'Freqtrade trades, feather': {
    content: featherFile('trades'),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z buy 42000.1 x 0.0125',
    count: 2,
  },
  'Freqtrade trades, JSON': {
    content:
      '[[1704067200123,"1",null,"buy",0.00098,12.5,0.01225],[1704067201000,"2",null,"sell",0.00097,2.0,0.00194]]',
    pack: gzipSync,
    symbol: 'XRPETH XRP/ETH',
    first: '2024-01-01T00:00:00.123Z buy 0.00098 x 12.5',
    count: 2,
  },
  'Binance trades': {
    content:
      '3351397000,42000.10,0.0125,525.00125,1704067200123,False,True\n3351397001,42000.20,1,42000.2,1704067201000,True,True\n',
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z buy 42000.1 x 0.0125',
    count: 2,
  },
  'Binance aggregate trades': {
    content:
      '2854103000,42000.10,0.0125,3351397000,3351397001,1704067200123,False,True\n2854103001,42000.20,1,3351397002,3351397002,1704067201000,True,True\n',
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z buy 42000.1 x 0.0125',
    count: 2,
  },
};

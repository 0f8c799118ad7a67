import { featherFile } from '../../formats/support/feather-files.ts';
import type { LayoutSample } from './sample.ts';

/** A sample of each layout of bars, by its name in docs/import.md. */
export const barSamples: Readonly<Record<string, LayoutSample>> = {
  'Binance klines': {
    content: [
      '1704067200000,42000.10,42010.20,41990.00,42005.50,12.5,1704067259999,525000.25,321,6.2,260400.1,0',
      '1704067260000,42005.50,42020.00,42000.00,42015.00,3.25,1704067319999,136500.75,100,1.2,50400.1,0',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Kraken OHLCVT': {
    content:
      '1704067200,42000.1,42010.2,41990.0,42005.5,12.5,321\n1704153600,42005.5,42020.0,42000.0,42015.0,3.25,100\n',
    symbol: 'XBTUSD XBT/USD',
    first: 'D1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Freqtrade candles, JSON': {
    content:
      '[[1704067200000,0.00098,0.00099,0.00097,0.000985,1500.5],[1704067260000,0.000985,0.00099,0.00098,0.00098,20.0]]',
    symbol: 'XRPETH XRP/ETH',
    first: 'M1 2024-01-01T00:00:00.000Z 0.00098 0.00099 0.00097 0.000985 1500.5',
    count: 2,
  },
  'Freqtrade candles, feather': {
    content: featherFile('candles'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M5 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 3,
  },
  'Freqtrade candles of futures, feather': {
    content: featherFile('futures'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M5 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 3,
  },
  CryptoDataDownload: {
    content: [
      'https://www.CryptoDataDownload.com',
      'Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount',
      '1704070800000,2024-01-01 01:00:00,BTCUSDT,42005.5,42020,42000,42015,3.25,136500.75,100',
      '1704067200000,2024-01-01 00:00:00,BTCUSDT,42000.1,42010.2,41990,42005.5,12.5,525000.25,321',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  TradingView: {
    content:
      'time,open,high,low,close,Volume\n1704067200,42000.1,42010.2,41990,42005.5,12.5\n1704070800,42005.5,42020,42000,42015,3.25\n',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
};

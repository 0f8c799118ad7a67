import { gzipSync } from 'node:zlib';
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
  'Binance klines with a header': {
    content: [
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      '1704067200000,42000.10,42010.20,41990.00,42005.50,12.5,1704067259999,525000.25,321,6.2,260400.1,0',
      '1704067260000,42005.50,42020.00,42000.00,42015.00,3.25,1704067319999,136500.75,100,1.2,50400.1,0',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'MetaTrader 4': {
    content: [
      '2024.01.02,00:05,1.10425,1.10430,1.10400,1.10410,120',
      '2024.01.02,00:10,1.10410,1.10440,1.10405,1.10435,98',
      '2024.01.02,00:15,1.10435,1.10450,1.10430,1.10440,77',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'M5 2024-01-02T00:05:00.000Z 1.10425 1.1043 1.104 1.1041 120',
    count: 3,
  },
  'MetaTrader 5': {
    content: [
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      '2024.01.02\t00:05:00\t1.10425\t1.10430\t1.10400\t1.10410\t120\t0\t5',
      '2024.01.02\t00:10:00\t1.10410\t1.10440\t1.10405\t1.10435\t98\t0\t5',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'M5 2024-01-02T00:05:00.000Z 1.10425 1.1043 1.104 1.1041 120',
    count: 2,
  },
  'MetaTrader 5, Date and Time': {
    content: [
      'Date,Time,Open,High,Low,Close,Volume',
      '2024.01.02,00:05,1.10425,1.10430,1.10400,1.10410,120',
      '2024.01.02,00:10,1.10410,1.10440,1.10405,1.10435,98',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'M5 2024-01-02T00:05:00.000Z 1.10425 1.1043 1.104 1.1041 120',
    count: 2,
  },
  'Dukascopy, Gmt time': {
    content: [
      'Gmt time,Open,High,Low,Close,Volume',
      '01.01.2024 22:00:00.000,1.10427,1.1043,1.10427,1.10429,5.4',
      '01.01.2024 22:01:00.000,1.10429,1.1043,1.10427,1.10428,15.4',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'M1 2024-01-01T22:00:00.000Z 1.10427 1.1043 1.10427 1.10429 5.4',
    count: 2,
  },
  'Dukascopy, Local time': {
    content: [
      'Local time,Open,High,Low,Close,Volume',
      '01.01.2024 23:00:00.000 GMT+0100,1.10427,1.1043,1.10427,1.10429,5.4',
      '02.01.2024 00:00:00.000 GMT+0100,1.10429,1.1043,1.10427,1.10428,15.4',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'H1 2024-01-01T22:00:00.000Z 1.10427 1.1043 1.10427 1.10429 5.4',
    count: 2,
  },
  'dukascopy-node': {
    content: [
      'timestamp,open,high,low,close,volume',
      '1704146400000,1.10427,1.1043,1.10427,1.10429,5.4',
      '1704146460000,1.10429,1.1043,1.10427,1.10428,15.4',
      '',
    ].join('\n'),
    symbol: 'eurusd EUR/USD',
    first: 'M1 2024-01-01T22:00:00.000Z 1.10427 1.1043 1.10427 1.10429 5.4',
    count: 2,
  },
  'yfinance, one ticker': {
    content: [
      'Price,Close,High,Low,Open,Volume',
      'Ticker,AAPL,AAPL,AAPL,AAPL,AAPL',
      'Date,,,,,',
      '2024-01-02,184.73,187.52,182.99,186.24,82488700',
      '2024-01-03,183.35,184.97,182.53,183.32,58414500',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 186.24 187.52 182.99 184.73 82488700',
    count: 2,
  },
  'yfinance, several tickers': {
    content: [
      'Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume',
      'Ticker,AAPL,MSFT,AAPL,MSFT,AAPL,MSFT,AAPL,MSFT,AAPL,MSFT',
      'Date,,,,,,,,,,',
      '2024-01-02,184.73,367.1,187.52,372.5,182.99,363.0,186.24,370.5,82488700,25258600',
      '2024-01-03,183.35,367.2,184.97,370.5,182.53,365.0,183.32,366.0,58414500,23083500',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD, MSFT MSFT/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 186.24 187.52 182.99 184.73 82488700',
    count: 4,
  },
  'yfinance before 0.2.51, and Yahoo': {
    content: [
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2024-01-02,187.15,188.44,183.89,185.64,184.73,82488700',
      '2024-01-03,184.22,185.88,183.43,184.25,183.35,58414500',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'yfinance, Ticker.history': {
    content: [
      'Datetime,Open,High,Low,Close,Volume,Dividends,Stock Splits',
      '2024-01-02 09:30:00-05:00,187.15,188.44,183.89,185.64,82488700,0.0,0.0',
      '2024-01-02 10:30:00-05:00,184.22,185.88,183.43,184.25,58414500,0.0,0.0',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD',
    first: 'H1 2024-01-02T14:30:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'Stooq, one symbol': {
    content: [
      'Date,Open,High,Low,Close,Volume',
      '2024-01-02,187.15,188.44,183.89,185.64,82488700',
      '2024-01-03,184.22,185.88,183.43,184.25,58414500',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'Stooq, database': {
    content: [
      '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
      'AAPL.US,D,20240102,000000,187.15,188.44,183.89,185.64,82488700,0',
      'AAPL.US,D,20240103,000000,184.22,185.88,183.43,184.25,58414500,0',
      '',
    ].join('\n'),
    symbol: 'AAPL.US AAPL.US/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'Bitfinex candles, CSV': {
    content: [
      '1704067200000,42000.1,42005.5,42010.2,41990,12.5',
      '1704070800000,42005.5,42015,42020,42000,3.25',
      '1704074400000,42015,42005,42025,42001,3',
      '',
    ].join('\n'),
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 3,
  },
  'Coinbase candles, CSV': {
    content: [
      '1704070800,42000,42020,42005.5,42015,3.25',
      '1704067200,41990,42010.2,42000.1,42005.5,12.5',
      '',
    ].join('\n'),
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Gate.io candles': {
    content: [
      '1704067200,12.5,42005.5,42010.2,41990,42000.1',
      '1704070800,3.25,42015,42020,42000,42005.5',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
    pack: gzipSync,
  },
  'Jesse candles, CSV': {
    content: [
      '1704067200000,42000.1,42005.5,42010.2,41990,12.5',
      '1704067260000,42005.5,42015,42020,42000,3.25',
      '1704067320000,42015,42005,42025,42001,3',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 3,
  },
  'Jesse database, CSV': {
    content: [
      'id,timestamp,open,close,high,low,volume,exchange,symbol,timeframe',
      'a,1704067200000,42000.1,42005.5,42010.2,41990,12.5,Binance Spot,BTC-USDT,1m',
      'b,1704067260000,42005.5,42015,42020,42000,3.25,Binance Spot,BTC-USDT,1m',
      '',
    ].join('\n'),
    symbol: 'BTC-USDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'German Excel': {
    content: [
      'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen',
      '02.01.2024;42.000,10;42.010,20;41.990,00;42.005,50;12,5',
      '03.01.2024;42.005,50;42.020,00;42.000,00;42.015,00;3,25',
      '',
    ].join('\n'),
    symbol: 'BTCEUR BTC/EUR',
    first: 'D1 2024-01-02T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Bybit kline, CSV': {
    content: [
      'start_at,open,high,low,close,volume,turnover',
      '1704067200,42000.1,42010.2,41990,42005.5,12.5,525000.25',
      '1704070800,42005.5,42020,42000,42015,3.25,136500.75',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'OKX candles, CSV': {
    content: [
      'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm',
      'BTC-USDT,42000.1,42010.2,41990,42005.5,12.5,12.5,525000.25,1704067200000,1',
      'BTC-USDT,42005.5,42020,42000,42015,3.25,3.25,136500.75,1704070800000,1',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'HistData, generic ASCII': {
    content: [
      '20240101 170000;1.104270;1.104290;1.104250;1.104290;0',
      '20240101 170100;1.104290;1.104300;1.104270;1.104280;0',
      '',
    ].join('\n'),
    symbol: 'EURUSD EUR/USD',
    first: 'M1 2024-01-01T17:00:00.000Z 1.10427 1.10429 1.10425 1.10429 0',
    count: 2,
  },
  'backtesting.py and pandas': {
    content: [
      ',Open,High,Low,Close,Volume',
      '2004-08-19,100.0,104.06,95.96,100.34,22351900',
      '2004-08-20,101.01,109.08,100.5,108.31,11428600',
      '',
    ].join('\n'),
    symbol: 'GOOG GOOG/USD',
    first: 'D1 2004-08-19T00:00:00.000Z 100 104.06 95.96 100.34 22351900',
    count: 2,
  },
  'ccxt and pandas': {
    content: [
      ',timestamp,open,high,low,close,volume',
      '0,1704067200000,42000.1,42010.2,41990,42005.5,12.5',
      '1,1704070800000,42005.5,42020,42000,42015,3.25',
      '',
    ].join('\n'),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  backtrader: {
    content: [
      'Date,Open,High,Low,Close,Volume,OpenInterest',
      '2006-01-02,3578.73,3605.95,3578.73,3604.33,0,0',
      '2006-01-03,3604.08,3638.42,3601.84,3614.34,0,0',
      '',
    ].join('\n'),
    symbol: 'SX5E SX5E/USD',
    first: 'D1 2006-01-02T00:00:00.000Z 3578.73 3605.95 3578.73 3604.33 0',
    count: 2,
    options: { symbol: 'SX5E' },
  },
  "Kaggle's Bitcoin Historical Data": {
    content: [
      'Timestamp,Open,High,Low,Close,Volume',
      '1325412060.0,4.58,4.58,4.58,4.58,0.0',
      '1325412120.0,4.58,4.58,4.58,4.58,0.0',
      '',
    ].join('\n'),
    symbol: 'btcusd BTC/USD',
    first: 'M1 2012-01-01T10:01:00.000Z 4.58 4.58 4.58 4.58 0',
    count: 2,
  },
  "Kaggle's Bitcoin Historical Data before 2021": {
    content: [
      'Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price',
      '1417417980,300.0,300.0,300.0,300.0,0.01,3.0,300.0',
      '1417418040,NaN,NaN,NaN,NaN,NaN,NaN,NaN',
      '1417418100,300.0,300.0,300.0,300.0,0.01,3.0,300.0',
      '1417418160,301.0,301.0,301.0,301.0,0.02,6.02,301.0',
      '',
    ].join('\n'),
    symbol: 'BTCUSD BTC/USD',
    first: 'M1 2014-12-01T07:13:00.000Z 300 300 300 300 0.01',
    count: 3,
    options: { skip: 'empty' },
  },
  'Alpha Vantage, CSV': {
    content: [
      'timestamp,open,high,low,close,volume',
      '2024-01-03,184.22,185.88,183.43,184.25,58414500',
      '2024-01-02,187.15,188.44,183.89,185.64,82488700',
      '',
    ].join('\n'),
    symbol: 'IBM IBM/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  Tiingo: {
    content: [
      'date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor',
      '2024-01-02,185.64,188.44,183.89,187.15,82488700,184.73,187.5,183,186.2,82488700,0.0,1.0',
      '2024-01-03,184.25,185.88,183.43,184.22,58414500,183.35,185,182.5,183.3,58414500,0.0,1.0',
      '',
    ].join('\n'),
    symbol: 'AAPL AAPL/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'Bitfinex candles, JSON': {
    content:
      '[[1704074400000,42015,42005,42025,42001,3],[1704070800000,42005.5,42015,42020,42000,3.25],[1704067200000,42000.1,42005.5,42010.2,41990,12.5]]',
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 3,
  },
  'Coinbase candles, JSON': {
    content: '[[1704070800,42000,42020,42005.5,42015,3.25],[1704067200,41990,42010.2,42000.1,42005.5,12.5]]',
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Gate.io candles, REST': {
    content:
      '[["1704067200","525000.2","42005.5","42010.2","41990","42000.1","12.5","true"],["1704070800","136500.7","42015","42020","42000","42005.5","3.25","true"]]',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Binance klines, REST': {
    content:
      '[[1704067200000,"42000.1","42010.2","41990.0","42005.5","12.5",1704070799999,"525000.25",321,"6.2","260400.1","0"],[1704070800000,"42005.5","42020.0","42000.0","42015.0","3.25",1704074399999,"136500.75",100,"1.2","50400.1","0"]]',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Kraken OHLC, REST': {
    content:
      '{"error":[],"result":{"XXBTZUSD":[[1704067200,"42000.1","42010.2","41990.0","42005.5","42001.0","12.5",321],[1704070800,"42005.5","42020.0","42000.0","42015.0","42002.0","3.25",100]],"last":1704067200}}',
    symbol: 'XBTUSD XBT/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'OKX candles, REST': {
    content:
      '{"code":"0","msg":"","data":[["1704070800000","42005.5","42020","42000","42015","3.25","136500.75","136500.75","1"],["1704067200000","42000.1","42010.2","41990","42005.5","12.5","525000.25","525000.25","1"]]}',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Bybit kline, REST': {
    content:
      '{"retCode":0,"retMsg":"OK","result":{"symbol":"BTCUSDT","category":"spot","list":[["1704070800000","42005.5","42020","42000","42015","3.25","136500.75"],["1704067200000","42000.1","42010.2","41990","42005.5","12.5","525000.25"]]}}',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'KuCoin candles, REST': {
    content:
      '{"code":"200000","data":[["1704070800","42005.5","42015","42020","42000","3.25","136500.75"],["1704067200","42000.1","42005.5","42010.2","41990","12.5","525000.25"]]}',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Coinbase Advanced candles, REST': {
    content:
      '{"candles":[{"start":"1704070800","low":"42000","high":"42020","open":"42005.5","close":"42015","volume":"3.25"},{"start":"1704067200","low":"41990","high":"42010.2","open":"42000.1","close":"42005.5","volume":"12.5"}]}',
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Bitstamp OHLC, REST': {
    content:
      '{"data":{"pair":"BTC/USD","ohlc":[{"timestamp":"1704067200","open":"42000.1","high":"42010.2","low":"41990","close":"42005.5","volume":"12.5"},{"timestamp":"1704070800","open":"42005.5","high":"42020","low":"42000","close":"42015","volume":"3.25"}]}}',
    symbol: 'BTC/USD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'HTX kline, REST': {
    content:
      '{"ch":"market.btcusdt.kline.60min","status":"ok","data":[{"id":1704070800,"open":42005.5,"close":42015,"low":42000,"high":42020,"amount":3.25,"vol":136500.75,"count":100},{"id":1704067200,"open":42000.1,"close":42005.5,"low":41990,"high":42010.2,"amount":12.5,"vol":525000.25,"count":321}]}',
    symbol: 'btcusdt BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Polygon aggregates, REST': {
    content:
      '{"ticker":"X:BTCUSD","queryCount":2,"resultsCount":2,"adjusted":true,"results":[{"v":12.5,"vw":42001,"o":42000.1,"c":42005.5,"h":42010.2,"l":41990,"t":1704067200000,"n":321},{"v":3.25,"vw":42002,"o":42005.5,"c":42015,"h":42020,"l":42000,"t":1704153600000,"n":100}],"status":"OK"}',
    symbol: 'BTCUSD BTC/USD',
    first: 'D1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Alpha Vantage, JSON': {
    content:
      '{"Meta Data":{"1. Information":"Daily Prices","2. Symbol":"IBM","5. Time Zone":"US/Eastern"},"Time Series (Daily)":{"2024-01-03":{"1. open":"184.22","2. high":"185.88","3. low":"183.43","4. close":"184.25","5. volume":"58414500"},"2024-01-02":{"1. open":"187.15","2. high":"188.44","3. low":"183.89","4. close":"185.64","5. volume":"82488700"}}}',
    symbol: 'IBM IBM/USD',
    first: 'D1 2024-01-02T00:00:00.000Z 187.15 188.44 183.89 185.64 82488700',
    count: 2,
  },
  'Alpaca bars, REST': {
    content:
      '{"bars":{"BTC/USD":[{"t":"2024-01-01T00:00:00Z","o":42000.1,"h":42010.2,"l":41990,"c":42005.5,"v":12.5,"n":321,"vw":42001},{"t":"2024-01-01T01:00:00Z","o":42005.5,"h":42020,"l":42000,"c":42015,"v":3.25,"n":100,"vw":42002}]},"next_page_token":null}',
    symbol: 'BTC/USD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'pandas, JSON': {
    content:
      '[{"date":1704067200000,"open":42000.1,"high":42010.2,"low":41990,"close":42005.5,"volume":12.5},{"date":1704070800000,"open":42005.5,"high":42020,"low":42000,"close":42015,"volume":3.25}]',
    symbol: 'BTCUSDT BTC/USDT',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Deribit and TradingView charts, REST': {
    content:
      '{"jsonrpc":"2.0","result":{"volume":[12.5,3.25],"ticks":[1704067200000,1704070800000],"status":"ok","open":[42000.1,42005.5],"low":[41990,42000],"high":[42010.2,42020],"cost":[525000.25,136500.75],"close":[42005.5,42015]}}',
    symbol: 'BTCUSD BTC/USD',
    first: 'H1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'Jesse candles, numpy': {
    content: npyOf([
      [1_704_067_200_000, 42_000.1, 42_005.5, 42_010.2, 41_990, 12.5],
      [1_704_067_260_000, 42_005.5, 42_015, 42_020, 42_000, 3.25],
    ]),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
};

/** An array of doubles as numpy saves it, version 1. */
function npyOf(rows: readonly (readonly number[])[]): Buffer {
  const shape = `(${rows.length}, ${rows[0]?.length ?? 0})`;
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117, ' ').concat('\n');
  const head = Buffer.concat([
    Buffer.from('934e554d50590100', 'hex'),
    Buffer.from([text.length, 0]),
    Buffer.from(text),
  ]);
  return Buffer.concat([head, Buffer.from(new Float64Array(rows.flat()).buffer)]);
}

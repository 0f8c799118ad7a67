import type { LayoutSample } from './sample.ts';

/** A table of the lines, ended. */
const lines = (...rows: readonly string[]): string => [...rows, ''].join('\n');

/** A sample of each layout of a venue, by its name in docs/import.md. */
export const venueSamples: Readonly<Record<string, LayoutSample>> = {
  'Binance trades, futures': {
    content: lines(
      'id,price,qty,quote_qty,time,is_buyer_maker',
      '4350000,42000.10,0.012,504.0012,1704067200123,false',
      '4350001,42000.00,1.5,63000.0,1704067201000,true',
    ),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z buy 42000.1 x 0.012',
    count: 2,
  },
  'Binance aggregate trades, futures': {
    content: lines(
      '11500000,7900.10,0.012,18100000,18100001,1578355200123,true',
      '11500001,7900.20,1,18100002,18100002,1578355201000,false',
    ),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2020-01-07T00:00:00.123Z sell 7900.1 x 0.012',
    count: 2,
  },
  'Binance bookTicker': {
    content: lines(
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      '3820000000,42000.10,1.5,42000.20,2.25,1704067200123,1704067200128',
      '3820000009,42000.00,1.5,42000.20,2.25,1704067200200,1704067200204',
    ),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'bookSnapshot',
    count: 2,
  },
  'Binance fundingRate': {
    content: lines(
      'calc_time,funding_interval_hours,last_funding_rate',
      '1704067200000,8,0.00037000',
      '1704096000002,8,-0.00002000',
    ),
    symbol: 'BTCUSDT',
    first: '2024-01-01T00:00:00.000Z 8 0.00037',
    count: 2,
  },
  'Binance metrics': {
    content: lines(
      'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio',
      '2024-01-01 00:05:00,BTCUSDT,74000.5,3108000000.25,1.25,1.12,1.31,0.97',
    ),
    symbol: 'BTCUSDT',
    first: '2024-01-01T00:05:00.000Z 74000.5 3108000000.25 1.25 1.12 1.31 0.97',
    count: 1,
  },
  'Binance bookDepth': {
    content: lines('timestamp,percentage,depth,notional', '2024-01-01 00:00:05,-5,100.5,4000000.0'),
    symbol: 'BTCUSDT',
    first: '2024-01-01T00:00:05.000Z -5 100.5 4000000',
    count: 1,
  },
  'Binance premiumIndexKlines': {
    content: lines(
      '1704067200000,0.00012,0.00015,-0.00003,0.00001,0,1704067259999,0,12,0,0,0',
      '1704067260000,0.00001,0.00002,0.00001,0.00002,0,1704067319999,0,12,0,0,0',
    ),
    symbol: 'BTCUSDT',
    first: '2024-01-01T00:00:00.000Z 0.00012 0.00015 -0.00003 0.00001',
    count: 2,
  },
  'Binance liquidationSnapshot': {
    content: lines(
      'time,side,order_type,time_in_force,original_quantity,price,average_price,order_status,last_fill_quantity,accumulated_fill_quantity',
      '1687656471926,BUY,LIMIT,IOC,7,30741.3,30631.6,FILLED,6,7',
    ),
    symbol: 'BTCUSD',
    first: '2023-06-25T01:27:51.926Z 7 30741.3 30631.6 6 7',
    count: 1,
  },
};

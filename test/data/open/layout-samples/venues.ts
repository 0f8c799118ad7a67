import { hftArray, hftColumns, hftFlags, npzOf } from '../../formats/support/npz.ts';
import { catalogFile } from '../../formats/support/nautilus.ts';
import type { LayoutSample } from './sample.ts';

/** A table of the lines, ended. */
const lines = (...rows: readonly string[]): string => [...rows, ''].join('\n');

const catalogMetadata = { instrument_id: 'BTCUSDT.BINANCE', price_precision: '1', size_precision: '3' };

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
  'Binance aggregate trades, REST': {
    content:
      '[{"a":1,"p":"42000.10","q":"0.5","f":1,"l":1,"T":1704067200123,"m":true,"M":true},{"a":2,"p":"42000.2","q":"1","f":2,"l":2,"T":1704067201000,"m":false,"M":true}]',
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'Kraken trades': {
    content: lines('1704067200,42000.10000,0.05000000', '1704067201,42000.00000,1.50000000'),
    symbol: 'XBTUSD XBT/USD',
    first: '2024-01-01T00:00:00.000Z buy 42000.1 x 0.05',
    count: 2,
  },
  'Kraken trades, REST': {
    content:
      '{"error":[],"result":{"XXBTZUSD":[["42000.10000","0.5",1704067200.1237369,"s","m","",1],["42000.2","1",1704067201.5,"b","l","",2]],"last":"1704067201500000000"}}',
    symbol: 'XBTUSD XBT/USD',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'OKX trades': {
    content: lines(
      'instrument_name,trade_id,side,price,size,created_time',
      'BTC-USDT,10,sell,42000.1,0.5,1704067200123',
      'BTC-USDT,11,buy,42000.2,1,1704067201000',
    ),
    symbol: 'BTC-USDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'OKX trades, two languages': {
    content: Buffer.from(
      'trade_id/\xb4\xe9\xba\xcfid,side/\xbd\xbb,size/\xca\xfd,price/\xbc\xdb,created_time/\xb3\xc9\n10,sell,0.5,42000.1,1704067200123\n',
      'latin1',
    ),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 1,
  },
  'OKX trades without a header': {
    content: lines('10,SELL,0.5,42000.1,1704067200123', '11,buy,1,42000.2,1704067201000'),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'OKX trades, REST': {
    content:
      '{"code":"0","msg":"","data":[{"instId":"BTC-USDT","side":"sell","sz":"0.5","px":"42000.1","tradeId":"7","ts":"1704067200123"}]}',
    symbol: 'BTC-USDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 1,
  },
  'Deribit trades, REST': {
    content: JSON.stringify({
      jsonrpc: '2.0',
      result: {
        trades: [
          {
            trade_seq: 2,
            trade_id: '90',
            timestamp: 1704067201000,
            price: 42000.5,
            instrument_name: 'BTC-PERPETUAL',
            direction: 'buy',
            amount: 50,
          },
          {
            trade_seq: 1,
            trade_id: '70',
            timestamp: 1704067200123,
            price: 42000,
            instrument_name: 'BTC-PERPETUAL',
            direction: 'sell',
            amount: 10,
          },
        ],
        has_more: true,
      },
    }),
    symbol: 'BTC-PERPETUAL BTC/USD',
    first: '2024-01-01T00:00:00.123Z sell 42000.0 x 10',
    count: 2,
  },
  'Deribit trades': {
    content: lines(
      'trade_seq,trade_id,timestamp,tick_direction,price,mark_price,instrument_name,index_price,direction,amount',
      '1,70,1704067200123,0,42000.5,42000.1,BTC-PERPETUAL,42000.2,sell,10.0',
    ),
    symbol: 'BTC-PERPETUAL BTC/USD',
    first: '2024-01-01T00:00:00.123Z sell 42000.5 x 10',
    count: 1,
  },
  'Polygon trades': {
    content: lines(
      'ticker,conditions,correction,exchange,id,participant_timestamp,price,sequence_number,sip_timestamp,size,tape,trf_id,trf_timestamp',
      'MSFT,"12,37",0,11,1,1704204000123025984,376.16,1550,1704204000123381329,55.000000,3,0,0',
      'MSFT,,0,12,1,1704204001000025984,376.15,1553,1704204001000381329,5.000000,3,0,0',
    ),
    symbol: 'MSFT MSFT/USD',
    first: '2024-01-02T14:00:00.123Z buy 376.16 x 55',
    count: 2,
  },
  'Polygon quotes': {
    content: lines(
      'ticker,ask_exchange,ask_price,ask_size,bid_exchange,bid_price,bid_size,conditions,indicators,participant_timestamp,sequence_number,sip_timestamp,tape,trf_timestamp',
      'MSFT,8,376.2,1,11,376.1,3,"1,81",,1704204000123025984,7,1704204000123381329,3,0',
    ),
    symbol: 'MSFT MSFT/USD',
    first: 'bookSnapshot',
    count: 1,
  },
  'Polygon minute aggregates': {
    content: lines(
      'ticker,volume,open,close,high,low,window_start,transactions',
      'AAPL,4930,200.29,200.5,200.63,200.29,1704204000000000000,129',
      'AAPL,1815,200.39,200.34,200.61,200.34,1704204060000000000,57',
    ),
    symbol: 'AAPL AAPL/USD',
    first: 'M1 2024-01-02T14:00:00.000Z 200.29 200.63 200.29 200.5 4930',
    count: 2,
  },
  'Gate.io deals': {
    content: lines('1704067200.123456,215782675,42000.1,0.5,1', '1704067201.5,215782676,42000.2,1,2'),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'Gate.io trades of futures': {
    content: lines('1704067200.123456,215782675,42000.1,-500', '1704067201.5,215782676,42000.2,1'),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 500',
    count: 2,
  },
  'Coinbase trades, REST': {
    content:
      '[{"trade_id":2,"side":"sell","size":"1","price":"42000.20","time":"2024-01-01T00:00:01Z"},{"trade_id":1,"side":"buy","size":"0.5","price":"42000.10","time":"2024-01-01T00:00:00.123456Z"}]',
    symbol: 'BTCUSD BTC/USD',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'Bitfinex trades, REST': {
    content: '[[2,1704067201000,1,42000.2],[1,1704067200123,-0.5,42000.1]]',
    symbol: 'BTCUSD BTC/USD',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'Dukascopy ticks': {
    content: lines(
      'Gmt time,Ask,Bid,AskVolume,BidVolume',
      '01.01.2024 22:00:12.652,1.13729,1.13699,2.25,1.13',
      '01.01.2024 22:00:12.885,1.13733,1.1370200000000001,2.25,1.13',
    ),
    symbol: 'EURUSD EUR/USD',
    first: 'bookSnapshot',
    count: 2,
  },
  'hftbacktest 2': {
    content: hftArray([
      [4 + hftFlags.buy + hftFlags.local, 1_704_067_200_000_000, 1_704_067_200_001_000, 42_000.1, 0.5],
      [4 + hftFlags.sell + hftFlags.local, 1_704_067_200_000_000, 1_704_067_200_001_000, 42_000.2, 2],
      [2 + hftFlags.sell + hftFlags.local, 1_704_067_201_000_000, 1_704_067_201_001_000, 42_000.1, 0.1],
    ]),
    pack: (content) => npzOf(content as Uint8Array),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'bookSnapshot',
    count: 2,
  },
  'hftbacktest 1': {
    content: hftColumns([
      [4, 1_672_531_200_000_000, 1_672_531_200_001_000, 1, 16_500.1, 0.5],
      [4, 1_672_531_200_000_000, 1_672_531_200_001_000, -1, 16_500.2, 2],
    ]),
    pack: (content) => npzOf(content as Uint8Array),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'bookSnapshot',
    count: 1,
  },
  'NautilusTrader bars': {
    content: catalogFile({
      form: 'bytes16',
      columns: {
        open: ['42000.1', '42005.5'],
        high: ['42010.2', '42020'],
        low: ['41990', '42000'],
        close: ['42005.5', '42015'],
        volume: ['12.5', '3.25'],
        ts_event: [1_704_067_260_000_000_000n, 1_704_067_320_000_000_000n],
        ts_init: [1_704_067_260_000_000_000n, 1_704_067_320_000_000_000n],
      },
      counts: ['open', 'high', 'low', 'close', 'volume'],
      metadata: {
        bar_type: 'BTCUSDT.BINANCE-1-MINUTE-LAST-EXTERNAL',
        price_precision: '1',
        size_precision: '2',
      },
    }),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'M1 2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    count: 2,
  },
  'NautilusTrader trades': {
    content: catalogFile({
      form: 'bytes8',
      columns: {
        price: ['42000.1', '42000.2'],
        size: ['0.5', '1'],
        aggressor_side: [2, 1],
        trade_id: ['7', '8'],
        ts_event: [1_704_067_200_123_000_000n, 1_704_067_201_000_000_000n],
        ts_init: [1_704_067_200_125_000_000n, 1_704_067_201_001_000_000n],
      },
      counts: ['price', 'size'],
      metadata: catalogMetadata,
    }),
    symbol: 'BTCUSDT BTC/USDT',
    first: '2024-01-01T00:00:00.123Z sell 42000.1 x 0.5',
    count: 2,
  },
  'NautilusTrader quotes': {
    content: catalogFile({
      form: 'int64',
      columns: {
        bid_price: ['42000.1'],
        ask_price: ['42000.2'],
        bid_size: ['0.5'],
        ask_size: ['2'],
        ts_event: [1_704_067_200_123_000_000n],
        ts_init: [1_704_067_200_125_000_000n],
      },
      counts: ['bid_price', 'ask_price', 'bid_size', 'ask_size'],
      metadata: catalogMetadata,
    }),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'bookSnapshot',
    count: 1,
  },
  'NautilusTrader changes of a book': {
    content: catalogFile({
      form: 'bytes16',
      columns: {
        action: [4, 1, 1, 2],
        side: [0, 1, 2, 2],
        price: ['0', '42000.1', '42000.2', '42000.2'],
        size: ['0', '0.5', '2', '2.5'],
        order_id: [0, 0, 0, 0],
        flags: [32, 32, 160, 128],
        sequence: [1, 1, 1, 2],
        ts_event: [1, 1, 1, 2].map((second) => BigInt(1_704_067_200 + second) * 1_000_000_000n),
        ts_init: [1, 1, 1, 2].map((second) => BigInt(1_704_067_200 + second) * 1_000_000_000n),
      },
      counts: ['price', 'size'],
      metadata: catalogMetadata,
    }),
    symbol: 'BTCUSDT BTC/USDT',
    first: 'bookSnapshot',
    count: 2,
  },
};

import type { FileLayout } from './layout.ts';

/** Layouts of trades, quotes and series of venues. A test opens a sample of each: `test/data/open/layout-samples/venues.ts`. */
export const venueLayouts: readonly FileLayout[] = [
  {
    name: 'Binance trades, futures',
    format: 'binance-trades',
    file: 'BTCUSDT-trades-2024-01-01.csv',
    begins: 'id,price,qty,quote_qty,time,is_buyer_maker',
    writtenBy: 'data.binance.vision, USD-M; COIN-M has base_qty; no header before 2022',
  },
  {
    name: 'Binance aggregate trades, futures',
    format: 'binance-trades',
    file: 'BTCUSDT-aggTrades-2020-01-07.csv',
    begins: '11500000,7900.10,0.012,18100000,18100001,1578355200123,true',
    writtenBy: 'data.binance.vision, futures before 2022; a header since',
  },
  {
    name: 'Binance bookTicker',
    format: 'binance-book-ticker',
    file: 'BTCUSDT-bookTicker-2024-01-01.csv',
    begins: 'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
    writtenBy: 'data.binance.vision, futures, May 2023 to April 2024',
  },
  {
    name: 'Binance fundingRate',
    format: 'binance-funding',
    file: 'BTCUSDT-fundingRate-2024-01.csv',
    begins: 'calc_time,funding_interval_hours,last_funding_rate',
    writtenBy: 'data.binance.vision, futures, monthly',
  },
  {
    name: 'Binance metrics',
    format: 'binance-metrics',
    file: 'BTCUSDT-metrics-2024-01-01.csv',
    begins:
      'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio',
    writtenBy: 'data.binance.vision, futures, daily',
  },
  {
    name: 'Binance bookDepth',
    format: 'binance-book-depth',
    file: 'BTCUSDT-bookDepth-2024-01-01.csv',
    begins: 'timestamp,percentage,depth,notional',
    writtenBy: 'data.binance.vision, futures, daily',
  },
  {
    name: 'Binance premiumIndexKlines',
    format: 'binance-premium-index',
    file: 'BTCUSDT-1m-2024-01-01.csv',
    begins: '1704067200000,0.00012,0.00015,-0.00003,0.00001,0,1704067259999,0,12,0,0,0',
    writtenBy: 'data.binance.vision, futures; a header since 2022',
  },
  {
    name: 'Binance liquidationSnapshot',
    format: 'binance-liquidations',
    file: 'BTCUSD_PERP-liquidationSnapshot-2023-06-25.csv',
    begins:
      'time,side,order_type,time_in_force,original_quantity,price,average_price,order_status,last_fill_quantity,accumulated_fill_quantity',
    writtenBy: 'data.binance.vision, COIN-M, June 2023 to October 2024',
  },
  {
    name: 'Binance aggregate trades, REST',
    format: 'trades-json',
    file: 'BTCUSDT.json',
    begins: '[{"a":26129,"p":"42000.10","q":"0.5","f":27781,"l":27781,"T":1704067200123,"m":true,"M":true},',
    writtenBy: 'GET /api/v3/aggTrades; /api/v3/trades has time, qty and isBuyerMaker',
  },
  {
    name: 'Kraken trades',
    format: 'kraken-trades',
    file: 'XBTUSD.csv',
    begins: '1704067200,42000.10000,0.05000000',
    writtenBy: "Kraken's downloads of time and sales",
  },
  {
    name: 'Kraken trades, REST',
    format: 'trades-json',
    file: 'trades.json',
    begins:
      '{"error":[],"result":{"XXBTZUSD":[["42000.10000","0.34507674",1704067200.1237369,"b","m","",61044952],',
    writtenBy: 'GET /0/public/Trades',
  },
  {
    name: 'OKX trades',
    format: 'trades-csv',
    file: 'BTC-USDT-trades-2025-01-01.csv',
    begins: 'instrument_name,trade_id,side,price,size,created_time',
    writtenBy: "OKX's historical data since 2024; sizes of swaps and futures count contracts",
  },
  {
    name: 'OKX trades, two languages',
    format: 'trades-csv',
    file: 'BTC-USDT-trades-2023-01-01.csv',
    begins: 'trade_id/撮合id,side/交易方向,size/数量,price/价格,created_time/成交时间',
    writtenBy: "OKX's historical data, 2022 and 2023, in GBK",
  },
  {
    name: 'OKX trades without a header',
    format: 'okx-trades',
    file: 'BTC-USDT-trades-2021-09-01.csv',
    begins: '10,buy,0.5,42000.10,1630454400123',
    writtenBy: "OKX's historical data before 2022",
  },
  {
    name: 'OKX trades, REST',
    format: 'trades-json',
    file: 'okx.json',
    begins:
      '{"code":"0","msg":"","data":[{"instId":"BTC-USDT","side":"sell","sz":"0.5","px":"42000.1","tradeId":"242720720","ts":"1704067200123"},',
    writtenBy: 'GET /api/v5/market/trades and history-trades',
  },
  {
    name: 'Deribit trades, REST',
    format: 'trades-json',
    file: 'deribit.json',
    begins:
      '{"jsonrpc":"2.0","result":{"trades":[{"trade_seq":2,"trade_id":"48079289","timestamp":1704067201000,"price":42000.5,"instrument_name":"BTC-PERPETUAL","direction":"buy","amount":50},',
    writtenBy: 'public/get_last_trades_by_instrument and kin; amounts of inverse contracts are dollars',
  },
  {
    name: 'Deribit trades',
    format: 'trades-csv',
    file: 'deribit.csv',
    begins:
      'trade_seq,trade_id,timestamp,tick_direction,price,mark_price,instrument_name,index_price,direction,amount',
    writtenBy: 'the same reply as a table, such as of pandas',
  },
  {
    name: 'Polygon trades',
    format: 'polygon-trades',
    file: '2024-01-02.csv',
    begins:
      'ticker,conditions,correction,exchange,id,participant_timestamp,price,sequence_number,sip_timestamp,size,tape,trf_id,trf_timestamp',
    writtenBy: 'Polygon (Massive) flat files, trades_v1; all tickers of a day, --symbol reads one',
  },
  {
    name: 'Polygon quotes',
    format: 'books-csv',
    file: '2024-01-02.csv',
    begins:
      'ticker,ask_exchange,ask_price,ask_size,bid_exchange,bid_price,bid_size,conditions,indicators,participant_timestamp,sequence_number,sip_timestamp,tape,trf_timestamp',
    writtenBy: 'Polygon (Massive) flat files, quotes_v1; a book of one level a row',
  },
  {
    name: 'Polygon minute aggregates',
    format: 'bars-csv',
    file: '2024-01-02.csv',
    begins: 'ticker,volume,open,close,high,low,window_start,transactions',
    writtenBy: 'Polygon (Massive) flat files, minute_aggs_v1 and day_aggs_v1',
  },
  {
    name: 'Gate.io deals',
    format: 'gate-trades',
    file: 'BTC_USDT-202401.csv',
    begins: '1704067200.123456,215782675,42000.1,0.5,2',
    writtenBy: "Gate.io's historical quotation data, spot; side 1 is a seller",
  },
  {
    name: 'Gate.io trades of futures',
    format: 'gate-trades',
    file: 'BTC_USDT-202401.csv',
    begins: '1704067200.123456,215782675,42000.1,-500',
    writtenBy: "Gate.io's historical quotation data, futures; sizes count contracts, below 0 of a seller",
  },
  {
    name: 'Coinbase trades, REST',
    format: 'trades-json',
    file: 'BTC-USD.json',
    begins:
      '[{"trade_id":86326522,"side":"sell","size":"0.5","price":"42000.10","time":"2024-01-01T00:00:00.123456Z"},',
    writtenBy: 'GET /products/BTC-USD/trades, whose side is the maker’s',
  },
  {
    name: 'Bitfinex trades, REST',
    format: 'trades-json',
    file: 'tBTCUSD.json',
    begins: '[[401597395,1704067200123,0.5,42000.1],',
    writtenBy: 'GET /v2/trades/tBTCUSD/hist',
  },
  {
    name: 'Dukascopy ticks',
    format: 'books-csv',
    file: 'EURUSD_Ticks_01.01.2024-01.01.2024.csv',
    begins: 'Gmt time,Ask,Bid,AskVolume,BidVolume',
    writtenBy: "JForex and Dukascopy's historical data export; a book of one level a row",
  },
  {
    name: 'hftbacktest 2',
    format: 'hftbacktest',
    file: 'btcusdt_20240101.npz',
    begins: 'ev <u8, exch_ts <i8, local_ts <i8, px <f8, qty <f8, order_id <u8, ival <i8, fval <f8',
    writtenBy:
      'hftbacktest 2.0 and newer, the array data; .npy too; a snapshot file is given before the data',
  },
  {
    name: 'hftbacktest 1',
    format: 'hftbacktest',
    file: 'btcusdt_20230101.npz',
    begins: 'six columns of <f8: event, exch_timestamp, local_timestamp, side, price, qty',
    writtenBy: 'hftbacktest before 2.0',
  },
  {
    name: 'NautilusTrader bars',
    format: 'parquet',
    file: 'BTCUSDT.BINANCE-1-MINUTE-LAST-EXTERNAL.parquet',
    begins: 'open, high, low, close, volume, ts_event, ts_init',
    writtenBy:
      'ParquetDataCatalog, data/bar; a bar is known at ts_init; counts of 8 or 16 bytes or whole numbers',
  },
  {
    name: 'NautilusTrader trades',
    format: 'parquet',
    file: 'BTCUSDT.BINANCE.parquet',
    begins: 'price, size, aggressor_side, trade_id, ts_event, ts_init',
    writtenBy: 'ParquetDataCatalog, data/trade_tick',
  },
  {
    name: 'NautilusTrader quotes',
    format: 'parquet',
    file: 'BTCUSDT.BINANCE.parquet',
    begins: 'bid_price, ask_price, bid_size, ask_size, ts_event, ts_init',
    writtenBy: 'ParquetDataCatalog, data/quote_tick, and order_book_depths with ten levels',
  },
  {
    name: 'NautilusTrader changes of a book',
    format: 'parquet',
    file: 'BTCUSDT.BINANCE.parquet',
    begins: 'action, side, price, size, order_id, flags, sequence, ts_event, ts_init',
    writtenBy: 'ParquetDataCatalog, data/order_book_deltas, levels and no single orders',
  },
];

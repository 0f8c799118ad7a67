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
];

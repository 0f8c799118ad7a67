import type { FileLayout } from './layout.ts';

/** Layouts of tables of bars. A test opens a sample of each: `test/data/open/layout-samples/bars.ts`. */
export const barLayouts: readonly FileLayout[] = [
  {
    name: 'Binance klines',
    format: 'binance-klines',
    file: 'BTCUSDT-1m-2023-03-10.csv',
    begins:
      '1678406400000,20362.21,20367.78,20349.99,20359.90,381.04,1678406459999,7757640.5,9083,191.7,3903990.5,0',
    writtenBy: 'data.binance.vision, spot; microseconds since 2025',
  },
  {
    name: 'Kraken OHLCVT',
    format: 'kraken-ohlcvt',
    file: 'XBTUSD_1440.csv',
    begins: '1381104000,122.0,123.61,122.0,123.61,0.1,1',
    writtenBy: "Kraken's downloads of historical data",
  },
  {
    name: 'Freqtrade candles, JSON',
    format: 'freqtrade-bars',
    file: 'XRP_ETH-1m.json',
    begins: '[[1570752000000,0.00098,0.00099,0.00097,0.00098,1500.5],',
    writtenBy: 'freqtrade download-data --data-format-ohlcv json and jsongz',
  },
  {
    name: 'Freqtrade candles, feather',
    format: 'feather',
    file: 'BTC_USDT-5m.feather',
    begins: 'date,open,high,low,close,volume',
    writtenBy:
      'freqtrade download-data since 2023.3, lz4; any Arrow IPC file of such columns, lz4, zstd or not packed',
  },
  {
    name: 'Freqtrade candles of futures, feather',
    format: 'feather',
    file: 'BTC_USDT_USDT-1h-futures.feather',
    begins: 'date,open,high,low,close,volume',
    writtenBy: 'freqtrade download-data --trading-mode futures',
  },
  {
    name: 'CryptoDataDownload',
    format: 'cryptodatadownload',
    file: 'Binance_BTCUSDT_1h.csv',
    begins: 'https://www.CryptoDataDownload.com',
    writtenBy:
      'www.cryptodatadownload.com; the header is the second line: Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount',
  },
  {
    name: 'TradingView',
    format: 'bars-csv',
    file: 'BINANCE_BTCUSDT, 60.csv',
    begins: 'time,open,high,low,close,Volume',
    writtenBy: 'TradingView, "Export chart data", UNIX or ISO time',
  },
];

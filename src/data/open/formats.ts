import { binanceBookTicker, binanceDepth, booksCsv } from '../formats/books/index.ts';
import { bitstampLog, databento, lobster } from '../formats/orders/index.ts';
import {
  bybitOrderBook,
  coinbaseRest,
  hyperliquidRaw,
  tardis,
  binanceCapture,
  bitgetCapture,
  bitmexCapture,
  bitstampCapture,
  coinbaseCapture,
  deribitCapture,
  ftxCapture,
  krakenCapture,
  krakenFuturesCapture,
  okexV3Capture,
  okxCapture,
} from '../formats/captures/index.ts';
import {
  barsCsv,
  binanceKlines,
  cryptoDataDownload,
  freqtradeBars,
  krakenOhlcvt,
  apiCandles,
  binanceTrades,
  freqtradeTrades,
  tradesCsv,
} from '../formats/tables/index.ts';
import { feather } from '../formats/feather/index.ts';
import { lean } from '../formats/lean/lean.ts';
import { venueSeries } from '../formats/series/index.ts';
import { parquet } from '../formats/parquet/index.ts';
import type { Format } from '../formats/index.ts';

/** The formats of other people's data, in the order they are asked. One line per format. */
export const formats: readonly Format[] = [
  krakenCapture,
  okexV3Capture,
  okxCapture,
  bitgetCapture,
  ftxCapture,
  coinbaseCapture,
  bitstampCapture,
  binanceCapture,
  deribitCapture,
  bitmexCapture,
  krakenFuturesCapture,
  tardis,
  bybitOrderBook,
  hyperliquidRaw,
  bitstampLog,
  coinbaseRest,
  databento,
  parquet,
  feather,
  lobster,
  lean,
  ...venueSeries,
  apiCandles,
  binanceKlines,
  krakenOhlcvt,
  cryptoDataDownload,
  freqtradeBars,
  freqtradeTrades,
  binanceTrades,
  binanceDepth,
  binanceBookTicker,
  booksCsv,
  barsCsv,
  tradesCsv,
];

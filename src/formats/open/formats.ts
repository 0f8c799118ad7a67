import { bitstampLog } from '../orders/bitstamp-l3.ts';
import { bybitOrderBook } from '../captures/bybit-ob.ts';
import { coinbaseRest } from '../captures/coinbase-rest.ts';
import { hyperliquidRaw } from '../captures/hyperliquid-raw.ts';
import { tardis } from '../captures/tardis.ts';
import { binanceCapture } from '../captures/binance-capture.ts';
import { bitgetCapture } from '../captures/bitget-capture.ts';
import { bitmexCapture } from '../captures/bitmex-capture.ts';
import { bitstampCapture } from '../captures/bitstamp-capture.ts';
import { coinbaseCapture } from '../captures/coinbase-capture.ts';
import { deribitCapture } from '../captures/deribit-capture.ts';
import {
  barsCsv,
  binanceKlines,
  cryptoDataDownload,
  freqtradeBars,
  krakenOhlcvt,
} from '../tables/bars-formats.ts';
import { apiCandles } from '../tables/api-candles.ts';
import { databento } from '../orders/databento.ts';
import { lean } from '../lean/lean.ts';
import { lobster } from '../orders/lobster.ts';
import { parquet } from '../parquet/parquet.ts';
import { binanceTrades, freqtradeTrades, tradesCsv } from '../tables/trades-formats.ts';
import type { Format } from '../format.ts';
import { ftxCapture } from '../captures/ftx-capture.ts';
import { krakenCapture } from '../captures/kraken-capture.ts';
import { krakenFuturesCapture } from '../captures/kraken-futures-capture.ts';
import { okxCapture } from '../captures/okx-capture.ts';

/** The formats of other people's data, in the order they are asked. One line per format. */
export const formats: readonly Format[] = [
  krakenCapture,
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
  lobster,
  lean,
  apiCandles,
  binanceKlines,
  krakenOhlcvt,
  cryptoDataDownload,
  freqtradeBars,
  freqtradeTrades,
  binanceTrades,
  barsCsv,
  tradesCsv,
];

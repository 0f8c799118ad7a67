import { binanceDepth, booksCsv } from '../formats/books/formats.ts';
import { bitstampLog } from '../formats/orders/bitstamp.ts';
import { bybitOrderBook } from '../formats/captures/bybit-ob.ts';
import { coinbaseRest } from '../formats/captures/coinbase-rest.ts';
import { hyperliquidRaw } from '../formats/captures/hyperliquid-raw.ts';
import { tardis } from '../formats/captures/tardis.ts';
import { binanceCapture } from '../formats/captures/binance.ts';
import { bitgetCapture } from '../formats/captures/bitget.ts';
import { bitmexCapture } from '../formats/captures/bitmex.ts';
import { bitstampCapture } from '../formats/captures/bitstamp.ts';
import { coinbaseCapture } from '../formats/captures/coinbase.ts';
import { deribitCapture } from '../formats/captures/deribit.ts';
import {
  barsCsv,
  binanceKlines,
  cryptoDataDownload,
  freqtradeBars,
  krakenOhlcvt,
} from '../formats/tables/bars-formats.ts';
import { apiCandles } from '../formats/tables/api-candles.ts';
import { databento } from '../formats/orders/databento.ts';
import { lean } from '../formats/lean/lean.ts';
import { lobster } from '../formats/orders/lobster.ts';
import { parquet } from '../formats/parquet/parquet.ts';
import { binanceTrades, freqtradeTrades, tradesCsv } from '../formats/tables/trades-formats.ts';
import type { Format } from '../formats/format.ts';
import { ftxCapture } from '../formats/captures/ftx.ts';
import { krakenCapture } from '../formats/captures/kraken.ts';
import { krakenFuturesCapture } from '../formats/captures/kraken-futures.ts';
import { okexV3Capture } from '../formats/captures/okex-v3.ts';
import { okxCapture } from '../formats/captures/okx.ts';

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
  lobster,
  lean,
  apiCandles,
  binanceKlines,
  krakenOhlcvt,
  cryptoDataDownload,
  freqtradeBars,
  freqtradeTrades,
  binanceTrades,
  binanceDepth,
  booksCsv,
  barsCsv,
  tradesCsv,
];

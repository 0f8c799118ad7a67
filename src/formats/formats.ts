import { bitstampLog } from './bitstamp-l3.ts';
import { bybitOrderBook } from './bybit-ob.ts';
import { coinbaseRest } from './coinbase-rest.ts';
import { hyperliquidRaw } from './hyperliquid-raw.ts';
import { tardis } from './tardis.ts';
import { binanceCapture } from './binance-capture.ts';
import { bitgetCapture } from './bitget-capture.ts';
import { bitmexCapture } from './bitmex-capture.ts';
import { bitstampCapture } from './bitstamp-capture.ts';
import { coinbaseCapture } from './coinbase-capture.ts';
import { deribitCapture } from './deribit-capture.ts';
import { barsCsv, binanceKlines, cryptoDataDownload, freqtradeBars, krakenOhlcvt } from './bars-formats.ts';
import { databento } from './databento.ts';
import { lean } from './lean.ts';
import { lobster } from './lobster.ts';
import { parquet } from './parquet.ts';
import { binanceTrades, freqtradeTrades, tradesCsv } from './trades-formats.ts';
import type { Format } from './format.ts';
import { ftxCapture } from './ftx-capture.ts';
import { krakenCapture } from './kraken-capture.ts';
import { krakenFuturesCapture } from './kraken-futures-capture.ts';
import { okxCapture } from './okx-capture.ts';

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
  binanceKlines,
  krakenOhlcvt,
  cryptoDataDownload,
  freqtradeBars,
  freqtradeTrades,
  binanceTrades,
  barsCsv,
  tradesCsv,
];

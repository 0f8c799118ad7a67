/** Formats of captures, one reader each. */
export { binanceCapture } from './binance.ts';
export { bitgetCapture } from './bitget.ts';
export { bitmexCapture } from './bitmex.ts';
export { bitstampCapture } from './bitstamp.ts';
export { bybitOrderBook } from './bybit-ob.ts';
export { coinbaseRest } from './coinbase-rest.ts';
export { coinbaseCapture } from './coinbase.ts';
export { deribitCapture } from './deribit.ts';
export { ftxCapture } from './ftx.ts';
export { hyperliquidRaw } from './hyperliquid-raw.ts';
export { krakenFuturesCapture } from './kraken-futures.ts';
export { krakenCapture } from './kraken.ts';
export { okexV3Capture } from './okex-v3.ts';
export { okxCapture } from './okx.ts';
export { tardisHeader } from './tardis-rows.ts';
export { tardis } from './tardis.ts';

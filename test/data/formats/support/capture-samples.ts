import type { Sample, SampleRow } from './sample.ts';
import { iso, millis, start } from './sample.ts';

/** A text capture of a venue's socket; `message` is what it received. */
function capture(
  format: string,
  url: string,
  message: (row: SampleRow, index: number) => unknown,
  head: readonly string[] = [],
): Sample {
  return {
    format,
    name: `${format}.txt`,
    head: [`${url} <-> ${start - 1}.5`, ...head],
    row: (row, index) => `${start + row.second}.5: ${JSON.stringify(message(row, index))}`,
    namesSymbol: true,
  };
}

/** A capture of each venue. */
export const captureSamples: readonly Sample[] = [
  capture('capture-text', 'wss://api.hitbtc.com/api/3/ws/public', ({ second, symbol, price: p }, index) => ({
    ch: 'trades',
    update: { [symbol]: [{ t: millis(second), i: index + 1, p, q: '2', s: 'buy' }] },
  })),
  capture('kraken-v1', 'wss://ws.kraken.com', ({ second, symbol, price }) => [
    1,
    [[price, '2.0', String(start + second), 'b', 'l', '']],
    'trade',
    symbol,
  ]),
  capture('okx-v5', 'wss://ws.okx.com:8443/ws/v5/public', ({ second, symbol: instId, price: px }, index) => ({
    arg: { channel: 'trades', instId },
    data: [{ instId, tradeId: String(index + 1), px, sz: '2', side: 'buy', ts: String(millis(second)) }],
  })),
  capture('okex-v3', 'wss://real.okex.com:8443/ws/v3', ({ second, symbol, price }, index) => ({
    table: 'spot/trade',
    data: [
      {
        instrument_id: symbol,
        trade_id: String(index + 1),
        price,
        size: '2',
        side: 'buy',
        timestamp: iso(second),
      },
    ],
  })),
  capture('bitget-v1', 'wss://ws.bitget.com/spot/v1/stream', ({ second, symbol: instId, price }) => ({
    action: 'update',
    arg: { instType: 'sp', channel: 'trade', instId },
    data: [[String(millis(second)), price, '2', 'buy']],
  })),
  capture('ftx', 'wss://ftx.com/ws/', ({ second, symbol: market, price }, index) => ({
    channel: 'trades',
    market,
    type: 'update',
    data: [{ id: index + 1, price, size: 2, side: 'buy', time: iso(second) }],
  })),
  capture('coinbase-level2', 'wss://ws-feed.pro.coinbase.com', ({ second, symbol, price }, index) => ({
    type: 'match',
    trade_id: index + 1,
    side: 'buy',
    size: '2',
    price,
    product_id: symbol,
    time: iso(second),
  })),
  capture('bitstamp-diff', 'wss://ws.bitstamp.net/', ({ second, symbol, price }, index) => ({
    channel: `live_trades_${symbol}`,
    event: 'trade',
    data: {
      id: index + 1,
      price_str: price,
      amount_str: '2',
      type: 0,
      microtimestamp: String(millis(second) * 1_000),
    },
  })),
  capture(
    'binance-capture',
    'wss://stream.binance.com:9443/stream',
    ({ second, symbol: s, price: p }, t) => ({
      data: { e: 'trade', E: millis(second), T: millis(second), s, t, p, q: '2', m: true },
    }),
  ),
  capture('deribit', 'wss://www.deribit.com/ws/api/v2', ({ second, symbol, price }, index) => ({
    method: 'subscription',
    params: {
      channel: `trades.${symbol}.raw`,
      data: [
        {
          instrument_name: symbol,
          trade_id: String(index),
          price,
          amount: 2,
          direction: 'buy',
          timestamp: millis(second),
        },
      ],
    },
  })),
  capture('bitmex-l2', 'wss://www.bitmex.com/realtime', ({ second, symbol, price }, index) => ({
    table: 'trade',
    action: 'insert',
    data: [{ timestamp: iso(second), symbol, side: 'Buy', size: 2, price, trdMatchID: `t${index}` }],
  })),
  capture('kraken-futures', 'wss://futures.kraken.com/ws/v1', ({ second, symbol, price }, index) => ({
    feed: 'trade',
    product_id: symbol,
    side: 'buy',
    uid: `t${index}`,
    time: millis(second),
    qty: 2,
    price,
  })),
];

import { captureSamples } from './capture-samples.ts';
import type { Sample, SampleRow } from './sample.ts';
import { millis, start } from './sample.ts';

const minute = (second: number): number => start + second * 60;

type Form = Partial<Sample> & Pick<Sample, 'format' | 'name' | 'row'>;
const table = (form: Form): Sample => ({ head: [], namesSymbol: false, ...form });

const lines: readonly Sample[] = [
  table({
    format: 'binance-raw',
    name: 'binance-raw.txt',
    row: ({ second, symbol: s, price: p }, t) =>
      `${millis(second)}000000 ${JSON.stringify({ stream: 'x@trade', data: { e: 'trade', E: millis(second), T: millis(second), s, t: t + 1, p, q: '2.000', X: 'MARKET', m: true } })}`,
    namesSymbol: true,
  }),
  table({
    format: 'bybit-ob',
    name: 'bybit.data',
    row: ({ second, symbol: s, price }, u) =>
      JSON.stringify({
        topic: `orderbook.500.${s}`,
        type: u === 0 ? 'snapshot' : 'delta',
        ts: millis(second),
        data: { s, b: [[price, '2']], a: [['900.00', '2']], u: u + 7 },
      }),
    namesSymbol: true,
  }),
  table({
    format: 'hyperliquid-raw',
    name: 'hyperliquid.txt',
    row: ({ second, symbol: coin, price: px }, tid) =>
      `${millis(second)}000000 ${JSON.stringify({ channel: 'trades', data: [{ coin, side: 'B', px, sz: '2', time: millis(second), tid }] })}`,
    namesSymbol: true,
  }),
  table({
    format: 'bitstamp-l3',
    name: 'orders.log',
    row: ({ second, price }, id) =>
      `${millis(second)} order_created ${JSON.stringify({ price, amount: '2', datetime: String(start + second), id, order_type: 0 })}`,
  }),
  table({
    format: 'lobster',
    name: 'AAPL_2012-12-21_34200000_37800000_message_50.csv',
    row: ({ second, price }, id) => `${34_200 + second}.5,1,${id + 1},2,${Math.round(Number(price) * 1e4)},1`,
  }),
];

const tables: readonly Sample[] = [
  table({
    format: 'tardis-csv',
    name: 'tardis.csv',
    head: ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount'],
    row: ({ second, symbol, price }, id) =>
      `x,${symbol},${millis(second)}000,${millis(second)}001,${id},sell,${price},2`,
    namesSymbol: true,
  }),
  table({
    format: 'lean',
    name: '20230101_btcusd_minute_trade.csv',
    row: ({ second, price }) => `${second * 60_000},${price},${price},${price},${price},2`,
  }),
  table({
    format: 'lean',
    name: '20230101_btcusd_minute_quote.csv',
    row: ({ second, price: p }) => `${second * 60_000},${p},${p},${p},${p},2,900,900,900,900,2`,
  }),
  table({
    format: 'binance-klines',
    name: 'BTCUSDT-1m-2023-01-01.csv',
    row: ({ second, price: p }) =>
      `${minute(second)}000,${p},${p},${p},${p},2,${minute(second)}999,200,3,1,100,0`,
  }),
  table({
    format: 'kraken-ohlcvt',
    name: 'XBTUSD_1.csv',
    row: ({ second, price: p }) => `${minute(second)},${p},${p},${p},${p},2,3`,
  }),
  table({
    format: 'cryptodatadownload',
    name: 'Coinbase_BTCUSD_1m.csv',
    head: [
      'https://www.CryptoDataDownload.com',
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
    ],
    row: ({ second, symbol, price: p }) =>
      `${minute(second)},${new Date(minute(second) * 1_000).toISOString().slice(0, 19).replace('T', ' ')},${symbol},${p},${p},${p},${p},2,200`,
    namesSymbol: true,
  }),
  table({
    format: 'freqtrade-bars',
    name: 'XRP_ETH-1m.json',
    head: ['['],
    row: ({ second, price: p }) => `[${minute(second)}000,${p},${p},${p},${p},2]`,
    join: [',\n', '\n]'],
  }),
  table({
    format: 'api-candles',
    name: 'BTCUSDT-M1.json',
    head: ['['],
    row: ({ second, price: p }) =>
      `{"timestamp":"${new Date(minute(second) * 1_000).toISOString()}","open":"${p}","close":"${p}","min":"${p}","max":"${p}","volume":"2","volume_quote":"200"}`,
    join: [',\n', '\n]'],
  }),
  table({
    format: 'freqtrade-trades',
    name: 'XRP_ETH-trades.json',
    head: ['['],
    row: ({ second, price }, id) => `[${millis(second)},"${id + 1}",null,"buy",${price},2,200]`,
    join: [',\n', '\n]'],
  }),
  table({
    format: 'binance-trades',
    name: 'BTCUSDT-trades-2023-01-01.csv',
    row: ({ second, price }, id) => `${id + 1},${price},2,200,${millis(second)},true,true`,
  }),
  table({
    format: 'binance-book-ticker',
    name: 'BTCUSDT-bookTicker-2023-01-01.csv',
    row: ({ second, price }, id) => `${id + 1},${price},2,900.00,3,${millis(second)},${millis(second)}`,
  }),
  table({
    format: 'gate-trades',
    name: 'BTC_USDT-202301.csv',
    row: ({ second, price }, id) => `${start + second}.25,${id + 1},${price},2,1`,
  }),
  table({
    format: 'polygon-trades',
    name: '2023-01-01.csv',
    head: [
      'ticker,conditions,correction,exchange,id,participant_timestamp,price,sequence_number,sip_timestamp,size,tape,trf_id,trf_timestamp',
    ],
    row: ({ second, symbol, price }, id) =>
      `${symbol},,0,11,1,${millis(second)}000000,${price},${id + 1},${millis(second)}000000,2,3,0,0`,
    namesSymbol: true,
  }),
  table({
    format: 'binance-depth',
    name: 'BTCUSDT_T_DEPTH_2023-01-01_depth_update.csv',
    head: ['symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty,pu'],
    row: ({ second, symbol, price }, id) =>
      `${symbol},${millis(second)},${id + 1},${id + 1},b,${id === 0 ? 'snap' : 'set'},${price},2,${id}`,
    namesSymbol: true,
  }),
  table({
    format: 'books-csv',
    name: 'books.csv',
    head: ['time,symbol,bid_0_price,bid_0_size,ask_0_price,ask_0_size'],
    row: ({ second, symbol, price }) => `${start + second},${symbol},${price},2,900.25,2`,
    namesSymbol: true,
  }),
  table({
    format: 'bars-csv',
    name: 'bars.csv',
    head: ['time,symbol,open,high,low,close,volume'],
    row: ({ second, symbol, price: p }) => `${minute(second)},${symbol},${p},${p},${p},${p},2`,
    namesSymbol: true,
  }),
  table({
    format: 'trades-csv',
    name: 'trades.csv',
    head: ['time,symbol,price,quantity'],
    row: ({ second, symbol, price }) => `${start + second},${symbol},${price},2`,
    namesSymbol: true,
  }),
];

/** A sample of every format whose files are text. */
export const textSamples: readonly Sample[] = [...captureSamples, ...lines, ...tables];

/** Six rows in the order of time. */
export const wholeRows: readonly SampleRow[] = [0, 1, 2, 3, 4, 5].map((second) => ({
  second,
  symbol: 'BTCUSDT',
  price: `${101 + second}.25`,
}));

/** The text of a sample, `texts` instead of those rows they have the number of. */
export function textOf(
  sample: Sample,
  rows: readonly SampleRow[],
  texts: Readonly<Record<number, string>> = {},
): string {
  const [between, end] = sample.join ?? ['\n', '\n'];
  const body = rows.map((row, index) => texts[index] ?? sample.row(row, index)).join(between);
  return `${sample.head.map((line) => `${line}\n`).join('')}${body}${end}`;
}

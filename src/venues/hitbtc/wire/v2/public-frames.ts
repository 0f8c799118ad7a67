import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import type { Candle, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { candlePeriods } from '../../../../core/model/market.ts';
import { amountField, idField, issueText, nameField, optionalAmountField } from '../fields.ts';
import { sequenceField, sideField, timeField } from '../fields.ts';
import { parseFrame } from '../json.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded, malformed } from '../market-sink.ts';
import { isBeyondTicks, offGrid, readPrice, readSize } from '../plain.ts';
import { decodePublicReply } from '../socket-reply.ts';

const level = z.object({ price: z.string(), size: z.string() });
const bookParams = z.object({
  ask: z.array(level),
  bid: z.array(level),
  sequence: sequenceField,
  timestamp: timeField,
});
const tradesParams = z.object({
  data: z.array(
    z.object({
      id: idField,
      price: z.string(),
      quantity: z.string(),
      side: sideField,
      timestamp: timeField,
    }),
  ),
});
const candlesParams = z.object({
  data: z.array(
    z.object({
      timestamp: timeField,
      open: amountField,
      close: amountField,
      min: amountField,
      max: amountField,
      volume: amountField,
      volumeQuote: amountField,
    }),
  ),
  period: z.enum(candlePeriods),
});
const bestField = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);
const tickerParams = z.object({
  ask: bestField,
  bid: bestField,
  last: optionalAmountField,
  open: optionalAmountField,
  low: optionalAmountField,
  high: optionalAmountField,
  volume: optionalAmountField,
  volumeQuote: optionalAmountField,
  timestamp: timeField,
});
const notification = z.object({ method: z.string(), params: z.looseObject({ symbol: nameField }) });

/** Where decoded params go, and what the method said of them. */
interface Target {
  readonly buffer: LevelBuffer;
  readonly sink: MarketSink;
  readonly snapshot: boolean;
}
type Decode = (instrument: Instrument, params: unknown, target: Target) => DecodeResult;

/** The notifications of the v2 market data socket. Source: API v2, "Socket methods"; v2-gaps, section 5. */
const decoders: ReadonlyMap<string, { readonly snapshot: boolean; readonly decode: Decode }> = new Map([
  ['snapshotOrderbook', { snapshot: true, decode: decodeBook }],
  ['updateOrderbook', { snapshot: false, decode: decodeBook }],
  ['snapshotTrades', { snapshot: true, decode: decodeTrades }],
  ['updateTrades', { snapshot: false, decode: decodeTrades }],
  ['snapshotCandles', { snapshot: true, decode: decodeCandles }],
  ['updateCandles', { snapshot: false, decode: decodeCandles }],
  ['ticker', { snapshot: false, decode: decodeTicker }],
]);

/**
 * Reads one frame of the v2 market data socket, strictly. Symbols that are not among `instruments` are passed
 * over. Never throws on input. Source: API v2, "Socket methods"; v2-gaps, section 5.
 */
export function decodeV2Public(
  bytes: Uint8Array,
  instruments: Instruments,
  buffer: LevelBuffer,
  sink: MarketSink,
): DecodeResult {
  let frame: unknown;
  try {
    frame = parseFrame(bytes);
  } catch (error) {
    if (error instanceof BadInput) return malformed(error.message);
    throw error;
  }
  if (typeof frame === 'object' && frame !== null && !Object.hasOwn(frame, 'method')) {
    return decodePublicReply(frame, sink);
  }
  const read = notification.safeParse(frame);
  if (!read.success) return malformed(`v2 public frame: ${issueText(read.error)}`);
  const { method, params } = read.data;
  const row = decoders.get(method);
  if (row === undefined) {
    return malformed(`v2 public frame: unknown method ${JSON.stringify(method.slice(0, 60))}`);
  }
  const instrument = instruments.find(params.symbol);
  if (instrument === undefined) return decoded;
  return row.decode(instrument, params, { buffer, sink, snapshot: row.snapshot });
}

function decodeBook(instrument: Instrument, params: unknown, target: Target): DecodeResult {
  const read = bookParams.safeParse(params);
  if (!read.success) return refused('order book', instrument, read.error);
  const { buffer } = target;
  const sides = [
    [1, read.data.ask],
    [0, read.data.bid],
  ] as const;
  buffer.begin();
  for (const [side, levels] of sides) {
    for (const row of levels) {
      const price = readPrice(instrument, row.price);
      const size = readSize(instrument, row.size);
      if (side === 1 && size >= 0 && !(price > 0) && isBeyondTicks(instrument, row.price)) continue;
      if (!(price > 0 && size >= 0)) {
        buffer.abandon();
        return offGrid('order book', instrument, `${row.price} ${row.size}`);
      }
      buffer.push(side, price, size);
    }
  }
  target.sink.book(instrument, target.snapshot, read.data.timestamp, read.data.sequence);
  return decoded;
}

function decodeTrades(instrument: Instrument, params: unknown, target: Target): DecodeResult {
  const read = tradesParams.safeParse(params);
  if (!read.success) return refused('trades', instrument, read.error);
  const trades: MarketTrade[] = [];
  for (const row of read.data.data) {
    const price = readPrice(instrument, row.price);
    const quantity = readSize(instrument, row.quantity);
    if (!(price > 0 && quantity > 0)) return offGrid('trades', instrument, `${row.price} ${row.quantity}`);
    trades.push({ tradeId: row.id, price, quantity, side: row.side, time: row.timestamp });
  }
  target.sink.trades(instrument, target.snapshot, trades);
  return decoded;
}

function decodeCandles(instrument: Instrument, params: unknown, target: Target): DecodeResult {
  const read = candlesParams.safeParse(params);
  if (!read.success) return refused('candles', instrument, read.error);
  const { period } = read.data;
  const candles = read.data.data.map((row): Candle => ({
    instrument: instrument.id,
    period,
    time: row.timestamp,
    open: row.open,
    close: row.close,
    min: row.min,
    max: row.max,
    volume: row.volume,
    volumeQuote: row.volumeQuote,
  }));
  target.sink.candles(instrument, target.snapshot, candles);
  return decoded;
}

function decodeTicker(instrument: Instrument, params: unknown, target: Target): DecodeResult {
  const read = tickerParams.safeParse(params);
  if (!read.success) return refused('ticker', instrument, read.error);
  const row = read.data;
  const ticker: Ticker = {
    instrument: instrument.id,
    time: row.timestamp,
    bid: row.bid === undefined ? undefined : readPrice(instrument, row.bid),
    bidQuantity: undefined,
    ask: row.ask === undefined ? undefined : readPrice(instrument, row.ask),
    askQuantity: undefined,
    last: row.last,
    open: row.open,
    high: row.high,
    low: row.low,
    volume: row.volume,
    volumeQuote: row.volumeQuote,
  };
  if (Number.isNaN(ticker.bid) || Number.isNaN(ticker.ask)) {
    return offGrid('ticker', instrument, `${row.bid} ${row.ask}`);
  }
  target.sink.ticker(instrument, ticker);
  return decoded;
}

function refused(name: string, instrument: Instrument, error: z.ZodError): DecodeResult {
  return malformed(`${name} of ${instrument.symbol}: ${issueText(error)}`, instrument.symbol);
}

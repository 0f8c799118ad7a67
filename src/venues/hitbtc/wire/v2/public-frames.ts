import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import { issueText, nameField } from '../fields.ts';
import { parseFrame } from '../json.ts';
import type { PayloadTarget } from '../resources/market-payloads.ts';
import { passBook, passCandles, passTicker, passTrades } from '../resources/market-payloads.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded, malformed } from '../market-sink.ts';
import { bookNotice } from '../resources/book.ts';
import { candlesNotice, ticker, tradesNotice } from '../resources/market.ts';
import { decodePublicReply } from '../socket-reply.ts';

const notification = z.object({ method: z.string(), params: z.looseObject({ symbol: nameField }) });

/** Reads the params of a method, which errors call `what`, and passes them to the target. Throws `BadInput`. */
type Decode = (instrument: Instrument, what: string, params: unknown, target: PayloadTarget) => DecodeResult;

const readBook: Decode = (instrument, what, params, target) =>
  passBook(instrument, bookNotice.v2.decodeAs(what, params), target);
const readTrades: Decode = (instrument, what, params, target) =>
  passTrades(instrument, tradesNotice.v2.decodeAs(what, params).data, target);
const readCandles: Decode = (instrument, what, params, target) => {
  const { period, data } = candlesNotice.v2.decodeAs(what, params);
  return passCandles(instrument, period, data, target);
};
const readTicker: Decode = (instrument, what, params, target) =>
  passTicker(instrument, ticker.v2.decodeAs(what, params), target);

/** The notifications of the v2 market data socket. Source: API v2, "Socket methods"; v2-gaps, section 5. */
const methods: ReadonlyMap<
  string,
  { readonly name: string; readonly snapshot: boolean; readonly read: Decode }
> = new Map([
  ['snapshotOrderbook', { name: 'order book', snapshot: true, read: readBook }],
  ['updateOrderbook', { name: 'order book', snapshot: false, read: readBook }],
  ['snapshotTrades', { name: 'trades', snapshot: true, read: readTrades }],
  ['updateTrades', { name: 'trades', snapshot: false, read: readTrades }],
  ['snapshotCandles', { name: 'candles', snapshot: true, read: readCandles }],
  ['updateCandles', { name: 'candles', snapshot: false, read: readCandles }],
  ['ticker', { name: 'ticker', snapshot: false, read: readTicker }],
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
  let symbol: string | undefined;
  try {
    const frame = parseFrame(bytes);
    if (typeof frame === 'object' && frame !== null && !Object.hasOwn(frame, 'method')) {
      return decodePublicReply(frame, sink);
    }
    const read = notification.safeParse(frame);
    if (!read.success) return malformed(`v2 public frame: ${issueText(read.error)}`);
    const { method, params } = read.data;
    const row = methods.get(method);
    if (row === undefined) {
      return malformed(`v2 public frame: unknown method ${JSON.stringify(method.slice(0, 60))}`);
    }
    const instrument = instruments.find(params.symbol);
    if (instrument === undefined) return decoded;
    ({ symbol } = instrument);
    const { name, snapshot } = row;
    return row.read(instrument, `${name} of ${symbol}`, params, { name, buffer, sink, snapshot });
  } catch (error) {
    if (error instanceof BadInput) return malformed(error.message, symbol);
    throw error;
  }
}

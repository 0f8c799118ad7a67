import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import { issueText } from '../fields.ts';
import { parseFrame } from '../json.ts';
import type { PayloadTarget } from '../resources/market-payloads.ts';
import { passBook, passCandles, passContract, passTicker, passTrades } from '../resources/market-payloads.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded, malformed } from '../market-sink.ts';
import { bookNotice } from '../resources/book.ts';
import { futuresGlance } from '../resources/futures.ts';
import { candle, priceRate, priceTicker, publicTrade, ticker, topOfBook } from '../resources/market.ts';
import { decodePublicReply } from '../socket-reply.ts';
import type { V3Channel } from './channels.ts';
import { findV3Channel, v3FrameKinds } from './channels.ts';

/** Payloads by symbol (or currency). */
const keyed = z.record(z.string(), z.unknown());
const notification = z.object({
  ch: z.string(),
  snapshot: keyed.optional(),
  update: keyed.optional(),
  data: keyed.optional(),
});

/**
 * Reads one frame of the v3 public socket, strictly: this is the truth the byte scanner is measured against.
 *
 * Symbols that are not among `instruments` are passed over. A fault in one symbol leaves the others of a batch
 * as they are. Channels without an event yet (top, partial books, price tickers and rates) are checked
 * and go no further. Never throws on input. Source: v3-gaps, section 1.
 */
export function decodeV3Public(
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
  if (typeof frame === 'object' && frame !== null && !Object.hasOwn(frame, 'ch'))
    return decodePublicReply(frame, sink);
  const read = notification.safeParse(frame);
  if (!read.success) return malformed(`v3 public frame: ${issueText(read.error)}`);
  const channel = findV3Channel(read.data.ch);
  if (channel === undefined)
    return malformed(`v3 public frame: unknown channel ${JSON.stringify(read.data.ch.slice(0, 60))}`);
  const kinds = v3FrameKinds(channel).filter((kind) => read.data[kind] !== undefined);
  const kind = kinds[0];
  const present = (['snapshot', 'update', 'data'] as const).filter((one) => read.data[one] !== undefined);
  if (kind === undefined || present.length !== 1) {
    return malformed(
      `v3 public frame on ${channel.name}: expected exactly one of ${v3FrameKinds(channel).join(', ')}`,
    );
  }
  const target: PayloadTarget = { name: channel.name, buffer, sink, snapshot: kind === 'snapshot' };
  let result = decoded;
  for (const [key, payload] of Object.entries(read.data[kind] ?? {})) {
    const one = decodePayload(channel, { key, payload, instruments }, target);
    if (result.ok) result = one;
  }
  return result;
}

interface Keyed {
  readonly key: string;
  readonly payload: unknown;
  readonly instruments: Instruments;
}

/** Reads what a frame says of one symbol (or currency) and passes it to the sink, where there is an event for it. */
function decodePayload(
  channel: V3Channel,
  { key, payload, instruments }: Keyed,
  target: PayloadTarget,
): DecodeResult {
  const what = `${channel.name} of ${key.slice(0, 40)}`;
  try {
    if (channel.kind === 'priceRate') return checked(priceRate.channel.decodeAs(what, payload));
    const instrument = instruments.find(key);
    if (instrument === undefined) return decoded;
    switch (channel.kind) {
      case 'book':
        return passBook(instrument, bookNotice.channel.decodeAs(what, payload), target);
      case 'trades':
        return passTrades(instrument, publicTrade.channel.decodeListAs(what, payload), target);
      case 'ticker':
        return passTicker(instrument, ticker.channel.decodeAs(what, payload), target);
      case 'candles':
        return passCandles(instrument, channel.period, candle.channel.decodeListAs(what, payload), target);
      case 'convertedCandles':
        return checked(candle.channel.decodeListAs(what, payload));
      case 'partialBook':
        return checked(bookNotice.channel.decodeAs(what, payload));
      case 'top':
        return checked(topOfBook.channel.decodeAs(what, payload));
      case 'priceTicker':
        return checked(priceTicker.channel.decodeAs(what, payload));
      case 'futuresInfo':
        return passContract(instrument, futuresGlance.channel.decodeAs(what, payload), target);
    }
  } catch (error) {
    if (error instanceof BadInput) return malformed(error.message, key);
    throw error;
  }
}

/** Nothing more is done with what could be read. */
function checked(_row: object): DecodeResult {
  return decoded;
}

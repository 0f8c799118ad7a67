import type { Micros } from '../../../core/base/clock.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { ContractInfo } from '../../../core/model/event.ts';
import type { Candle, MarketTrade, Ticker } from '../../../core/model/market.ts';
import type { WireError } from './errors.ts';

/** Where decoders put what a public frame says, in the order it says it. Implemented by the market-data handler. */
export interface MarketSink {
  /** Levels stand in the buffer's current chunk from `buffer.start` to `buffer.end`. */
  book(instrument: Instrument, snapshot: boolean, exchangeTime: Micros, sequence: number): void;
  /** Oldest first, as the venue sends them. */
  trades(instrument: Instrument, snapshot: boolean, trades: readonly MarketTrade[]): void;
  ticker(instrument: Instrument, ticker: Ticker): void;
  candles(instrument: Instrument, snapshot: boolean, candles: readonly Candle[]): void;
  /** Takes what a contract shows of itself. */
  contract(instrument: Instrument, info: Omit<ContractInfo, 'kind' | 'instrument' | 'receiveTime'>): void;
  /** Reply to a request (subscription list, result, error), with the echoed id. */
  reply(reply: SocketReply): void;
}

/** The answer to a request on a public socket. Exactly one of `result` and `error` is there. */
export interface SocketReply {
  readonly id: SocketId | undefined;
  readonly result: unknown;
  readonly error: WireError | undefined;
  /** The channel a v3 subscription answer names. */
  readonly channel: string | undefined;
  /** Every symbol now active on that channel of this connection. Source: v3-gaps, section 1.1. */
  readonly subscriptions: readonly string[] | undefined;
}

/** Echoed exactly as it came, JSON type and digits included. Source: v3-gaps, section 1.1. */
export type SocketId = string | number | bigint;

/** `ok: false`: the frame is malformed; `symbol` is set when the fault can be pinned to one. */
export type DecodeResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly symbol: string | undefined };

/** The one value of a frame that was understood. */
export const decoded: DecodeResult = { ok: true };

/** A malformed frame: one sentence, and the symbol it concerns if that is known. */
export function malformed(why: string, symbol?: string): DecodeResult {
  return { ok: false, why, symbol };
}

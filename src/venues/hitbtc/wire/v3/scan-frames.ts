import type { Instruments } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded } from '../market-sink.ts';
import { decodeV3Public } from './public-frames.ts';
import { scanV3Book } from './scan-book.ts';
import { scanV3Ticker } from './scan-ticker.ts';
import { scanV3Trades } from './scan-trades.ts';
import { symbolTableOf } from '../../../../core/model/symbol-table.ts';

/** Where the channel name begins in `{"ch":"`, and a second letter that distinguishes trades from tickers. */
const channelAt = 7;

/**
 * Reads the bytes of a v3 public frame without JSON: `orderbook/full`, `trades`, `ticker/1s`, `ticker/3s`.
 *
 * Answers false, without a call of the sink, on whatever it does not recognise byte for byte: other channels,
 * unknown symbols, members in another order, whitespace, escapes, exponents, off-grid values. The strict path is
 * the truth and reads those. Fast twin of `public-frames.ts`: row `frames-4-ring`, 29 times as fast. Source: v3-gaps, section 1.
 */
export function scanV3Public(
  bytes: Uint8Array,
  instruments: Instruments,
  buffer: LevelBuffer,
  sink: MarketSink,
): boolean {
  if (bytes.length < 40) return false;
  switch (bytes[channelAt]) {
    case 0x6f:
      return scanV3Book(bytes, symbolTableOf(instruments), buffer, sink);
    case 0x74:
      return bytes[channelAt + 1] === 0x72
        ? scanV3Trades(bytes, symbolTableOf(instruments), sink)
        : scanV3Ticker(bytes, symbolTableOf(instruments), sink);
    default:
      return false;
  }
}

/** Reads a v3 public frame: by the scanner, else by the strict path. Never throws on input. */
export function readV3Public(
  bytes: Uint8Array,
  instruments: Instruments,
  buffer: LevelBuffer,
  sink: MarketSink,
): DecodeResult {
  return scanV3Public(bytes, instruments, buffer, sink)
    ? decoded
    : decodeV3Public(bytes, instruments, buffer, sink);
}

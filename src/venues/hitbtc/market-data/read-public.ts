import type { Channel } from '../../../core/model/frame.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../core/model/level-buffer.ts';
import type { DecodeResult, MarketSink } from '../wire/market-sink.ts';
import { decodeV2Public } from '../wire/v2/public-frames.ts';
import { readV3Public } from '../wire/v3/scan-frames.ts';

/** Reads one public frame into `sink`; levels go to `buffer`. */
export type PublicReader = (
  bytes: Uint8Array,
  instruments: Instruments,
  buffer: LevelBuffer,
  sink: MarketSink,
) => DecodeResult;

const readers: ReadonlyMap<Channel, PublicReader> = new Map([
  ['v3/public', readV3Public],
  ['v2/public', decodeV2Public],
  ['v2/all', decodeV2Public],
]);

/** The reader of a channel's market frames, or `undefined` when the channel carries none. */
export function publicReaderOf(channel: Channel): PublicReader | undefined {
  return readers.get(channel);
}

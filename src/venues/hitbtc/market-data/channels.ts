import type { Channel } from '../../../core/model/frame.ts';
import { runChannel } from '../../../core/model/frame.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../core/model/level-buffer.ts';
import type { DecodeResult, MarketSink } from '../wire/index.ts';
import { decodeV2Public } from '../wire/v2/public-frames.ts';
import { readV3Public } from '../wire/v3/scan-frames.ts';

/** The channels of recorded frames. The order is part of the file format: it is written into every frame log. */
export const hitbtcChannels: readonly Channel[] = [
  'v3/public',
  'v3/trading',
  'v3/wallet',
  'v2/public',
  'v2/trading',
  'v2/account',
  'v2/all',
  'v3/rest',
  'v2/rest',
  runChannel,
];

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

/** Socket addresses of the API by their path. */
const channelOfPath: ReadonlyMap<string, Channel> = new Map([
  ['/api/2/ws', 'v2/all'],
  ['/api/2/ws/public', 'v2/public'],
  ['/api/2/ws/trading', 'v2/trading'],
  ['/api/2/ws/account', 'v2/account'],
  ['/api/3/ws/public', 'v3/public'],
  ['/api/3/ws/trading', 'v3/trading'],
  ['/api/3/ws/wallet', 'v3/wallet'],
]);

/** The channel of a socket or REST address by its path. */
export function channelOf(path: string): Channel | undefined {
  const channel = channelOfPath.get(path);
  if (channel !== undefined) return channel;
  if (path.startsWith('/api/2/')) return 'v2/rest';
  return path.startsWith('/api/3/') ? 'v3/rest' : undefined;
}

import type { Micros } from '../base/clock.ts';

/** Which stream of the API a frame belongs to. */
export const channels = [
  'v3/public',
  'v3/trading',
  'v3/wallet',
  'v2/public',
  'v2/trading',
  'v2/account',
  'v2/all',
  'v3/rest',
  'v2/rest',
  // No stream of the venue: what else decided the course of a run, so that it can be replayed.
  'run',
] as const;
export type Channel = (typeof channels)[number];

/** `in`: from the venue. `out`: from us (credentials are cut out before a frame is kept). */
export type Direction = 'in' | 'out' | 'open' | 'close';

/** One message as it crossed a socket, before anybody looked inside. */
export interface Frame {
  readonly channel: Channel;
  readonly direction: Direction;
  /** Wall time at which it reached (or left) us. */
  readonly receiveTime: Micros;
  /** UTF-8 text; for `open` the address, for `close` the reason. */
  readonly bytes: Uint8Array;
}

import type { Micros } from '../base/clock.ts';

/** Which stream of a venue a frame belongs to, by the venue's name for it, or `runChannel`. */
export type Channel = string;

/** The channel of what else decides a run besides the venue's frames, so that it can be replayed. */
export const runChannel = 'run';

/** `in`: from the venue. `out`: from us (credentials are cut out before a frame is kept). */
export type Direction = 'in' | 'out' | 'open' | 'close';

/** One message as it crossed a socket, before it is decoded. */
export interface Frame {
  readonly channel: Channel;
  readonly direction: Direction;
  /** Wall time at which it reached (or left) us. */
  readonly receiveTime: Micros;
  /** UTF-8 text; for `open` the address, for `close` the reason. */
  readonly bytes: Uint8Array;
}

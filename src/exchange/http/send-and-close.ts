import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';

/** So long a client may take to read its last answer. */
const linger = seconds(0.5);

/**
 * Sends the last bytes of a connection and lets go of it: a client that keeps its own half open holds nothing here. What
 * it still sends is read until then, since a connection closed over unread bytes is reset, and the answer with it.
 */
export function sendAndClose(socket: Duplex, text: string, clock: Clock): void {
  const forget = clock.after(linger, () => socket.destroy());
  socket.once('close', forget);
  socket.resume();
  socket.end(text);
}

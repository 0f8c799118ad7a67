import type { Duplex } from 'node:stream';

/** Sends the last bytes of a connection and lets go of it: a client that keeps its own half open holds nothing here. */
export function lastWord(socket: Duplex, text: string): void {
  socket.end(text, () => socket.destroy());
}

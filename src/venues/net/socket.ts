import type { Micros } from '../../core/base/clock.ts';

/** When bytes came in: by wall time and by the monotonic clock. */
export interface ReceiveTimes {
  readonly now: Micros;
  readonly uptime: Micros;
}

/** The callbacks of a socket. Calls come in order; none after `Socket.close`. */
export interface SocketListener {
  /** Connected (again). Messages may be sent from here on. */
  opened(): void;
  /** One message. The bytes belong to the listener. `arrival`, where the socket knows it: else it is now. */
  received(bytes: Uint8Array, arrival?: ReceiveTimes): void;
  /** The connection is gone, or could not be made; a new one is on its way. */
  closed(why: string): void;
}

/** A text socket that connects again by itself. Implemented over `ws`; tests of sessions may use another. */
export interface Socket {
  /** Whether messages can be sent. */
  readonly isOpen: boolean;
  /** When it connects next, by `uptime`; `undefined` while it is connected or connects. */
  readonly connectsAt: Micros | undefined;
  /** Starts connecting. */
  open(): void;
  /** Hands `text` to the connection. False when it is not open or its backlog is full: nothing was sent. */
  send(text: string): boolean;
  /** Cuts the connection, so that a fresh one is made. Does nothing when none is open or under way. */
  cut(why: string): void;
  /** Ends for good. Resolves when the connection is gone. */
  close(): Promise<void>;
}

/** Makes the socket of a session. */
export type OpenSocket = (url: string, listener: SocketListener) => Socket;

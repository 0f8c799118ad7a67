import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { frameSize, writeFrameHeader } from './frame-bytes.ts';

const pingEvery = seconds(30);
const silenceMax = seconds(60);

/** What a connection speaks: one per location. */
export interface Session {
  onText(text: string): void;
  onClose(): void;
}

interface ConnectionDeps {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly address: string;
  readonly clock: Clock;
  readonly outbox: WriteQueue;
  readonly bufferedBytesMax: number;
}

/**
 * One open socket. Text goes out as frames gathered per turn of the loop; a protocol ping leaves every 30 s, a
 * client silent for 60 s is closed with 4002, one that does not read is cut off. Source: v3-gaps, section 1.7.
 */
export class Connection implements Flushable {
  readonly address: string;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #clock: Clock;
  readonly #outbox: WriteQueue;
  readonly #bufferedBytesMax: number;
  #pending: (string | Buffer)[] = [];
  #pendingBytes = 0;
  #open = true;
  #aliveAt = 0;
  #cancelPing: Cancel = () => {};

  constructor(setup: ConnectionDeps) {
    this.address = setup.address;
    this.#ws = setup.ws;
    this.#socket = setup.socket;
    this.#clock = setup.clock;
    this.#outbox = setup.outbox;
    this.#bufferedBytesMax = setup.bufferedBytesMax;
    this.#aliveAt = setup.clock.uptime();
  }

  get open(): boolean {
    return this.#open;
  }

  /** Joins the socket to what speaks on it. */
  serve(session: Session): void {
    this.#ws.on('message', (data: Buffer) => session.onText(data.toString('utf8')));
    this.#ws.on('pong', () => {
      this.#aliveAt = this.#clock.uptime();
    });
    // Every error is followed by a close, which is handled.
    this.#ws.on('error', () => {});
    this.#ws.on('close', () => {
      this.#end();
      session.onClose();
    });
    this.#schedulePing();
  }

  /** Sends one text message. */
  send(text: string): void {
    // An upper bound of the bytes; the exact size is taken at the flush.
    this.#queue(text, text.length * 3);
  }

  /** Sends a whole frame made by `textFrameOf`, which may be shared by many connections. */
  sendFrame(frame: Buffer): void {
    this.#queue(frame, frame.length);
  }

  /** Sends what waits, then a close frame. */
  close(code: number, reason: string): void {
    if (!this.#open) return;
    this.flush();
    this.#end();
    this.#ws.close(code, reason);
  }

  /** Cuts the connection without a word. */
  terminate(): void {
    this.#end();
    this.#ws.terminate();
  }

  flush(): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (!this.#open || this.#socket.destroyed || !this.#socket.writable) return;
    this.#socket.write(joined(pending));
    if (this.#socket.writableLength > this.#bufferedBytesMax) this.terminate();
  }

  #queue(message: string | Buffer, bytes: number): void {
    if (!this.#open) return;
    if (this.#pending.length === 0) this.#outbox.add(this);
    this.#pending.push(message);
    this.#pendingBytes += bytes;
    if (this.#pendingBytes > 262_144) {
      this.flush();
    }
  }

  #schedulePing(): void {
    this.#cancelPing = this.#clock.after(pingEvery, () => {
      if (!this.#open) return;
      if (this.#clock.uptime() - this.#aliveAt >= silenceMax) {
        this.close(4002, 'Ping pong timeout.');
        return;
      }
      this.#ws.ping();
      this.#schedulePing();
    });
  }

  #end(): void {
    this.#open = false;
    this.#cancelPing();
  }
}

/** All messages as frames in one buffer. */
function joined(messages: readonly (string | Buffer)[]): Buffer {
  const only = messages[0];
  if (messages.length === 1 && only instanceof Buffer) return only;
  const sizes = messages.map((message) =>
    typeof message === 'string' ? Buffer.byteLength(message) : message.length,
  );
  let total = 0;
  messages.forEach((message, index) => {
    const size = sizes[index] as number;
    total += typeof message === 'string' ? frameSize(size) : size;
  });
  const buffer = Buffer.allocUnsafe(total);
  let at = 0;
  messages.forEach((message, index) => {
    const size = sizes[index] as number;
    if (typeof message === 'string') {
      at = writeFrameHeader(buffer, at, size);
      buffer.write(message, at, 'utf8');
    } else {
      message.copy(buffer, at);
    }
    at += size;
  });
  return buffer;
}

/** What an outbox flushes: a connection with bytes waiting. */
export interface Flushable {
  flush(): void;
}

/**
 * Gathers what is sent during one turn of the loop, so that a connection costs one write per turn however many
 * frames it was sent. A write costs more than everything before it.
 */
export class WriteQueue {
  #waiting: Flushable[] = [];
  #spare: Flushable[] = [];
  #due = false;

  add(connection: Flushable): void {
    this.#waiting.push(connection);
    if (this.#due) return;
    this.#due = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#due = false;
    const waiting = this.#waiting;
    this.#waiting = this.#spare;
    for (const connection of waiting) connection.flush();
    waiting.length = 0;
    this.#spare = waiting;
  };
}

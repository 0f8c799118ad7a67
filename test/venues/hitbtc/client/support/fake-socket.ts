import type { OpenSocket, Socket, SocketListener } from '../../../../../src/venues/net/socket.ts';

/** A socket in memory, opened, fed and closed by hand. */
export class FakeSocket implements Socket {
  readonly url: string;
  readonly #listener: SocketListener;
  readonly sent: string[] = [];
  readonly cuts: string[] = [];
  isOpen = false;
  connectsAt: undefined;
  wanted = false;

  constructor(url: string, listener: SocketListener) {
    this.url = url;
    this.#listener = listener;
  }

  open(): void {
    this.wanted = true;
  }

  send(text: string): boolean {
    if (!this.isOpen) return false;
    this.sent.push(text);
    return true;
  }

  cut(why: string): void {
    this.cuts.push(why);
  }

  close(): Promise<void> {
    this.isOpen = false;
    return Promise.resolve();
  }

  connect(): void {
    this.isOpen = true;
    this.#listener.opened();
  }

  lose(why: string): void {
    this.isOpen = false;
    this.#listener.closed(why);
  }

  receive(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.#listener.received(Buffer.from(text, 'utf8'));
  }

  /** What was sent since the last call, parsed. */
  take(): readonly Sent[] {
    return this.sent.splice(0).map((text) => JSON.parse(text) as Sent);
  }
}

export interface Sent {
  readonly method: string;
  readonly ch?: string;
  readonly id: string | number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An opener that keeps the last socket it made. */
export function fakeOpener(): { readonly openSocket: OpenSocket; last(): FakeSocket } {
  let socket: FakeSocket | undefined;
  return {
    openSocket: (url, listener) => {
      socket = new FakeSocket(url, listener);
      return socket;
    },
    last: () => {
      if (socket === undefined) throw new Error('no socket was opened');
      return socket;
    },
  };
}

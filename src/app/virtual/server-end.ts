import { EventEmitter } from 'node:events';
import { TextFrames } from '../../venues/net/text-frames.ts';
import type { Connection } from '../../exchange/sockets/index.ts';

/** The other end of a link, as the exchange's end calls it. */
export interface ServerPeer {
  fromServer(text: string): void;
  pingFromServer(): void;
  closedByServer(code: number, reason: string): void;
}

/** The exchange's end: what `Connection` knows of `ws` and of the stream below it. */
export class ServerEnd extends EventEmitter {
  over = false;
  connection: Connection | undefined;
  readonly stream: {
    destroyed: boolean;
    readonly writable: true;
    readonly writableLength: 0;
    write(bytes: Buffer): boolean;
  };
  readonly #link: ServerPeer;

  constructor(link: ServerPeer) {
    super();
    this.#link = link;
    const frames = new TextFrames(
      {
        text: (payload) => link.fromServer(payload.toString('utf8')),
        // Frames above 64 KiB: ten bytes of head.
        other: (bytes) => link.fromServer(bytes.subarray(10).toString('utf8')),
      },
      16_777_216,
    );
    this.stream = {
      destroyed: false,
      writable: true,
      writableLength: 0,
      write: (bytes) => {
        if (!this.over) frames.takeChunk(bytes);
        return true;
      },
    };
  }

  ping(): void {
    if (!this.over) this.#link.pingFromServer();
  }

  close(code: number, reason: string): void {
    if (this.over) return;
    this.#link.closedByServer(code, reason);
    this.ended(code);
  }

  terminate(): void {
    if (this.over) return;
    this.#link.closedByServer(1006, '');
    this.ended(1006);
  }

  /** The other end is gone, or this one hung up. */
  ended(code: number): void {
    if (this.over) return;
    this.over = true;
    this.stream.destroyed = true;
    this.emit('close', code, Buffer.alloc(0));
  }
}

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../core/base/clock.ts';
import { hostName } from '../../core/base/host-name.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Bucket, Faults, RateLimiter } from '../base/index.ts';
import type { Session } from './connection.ts';
import { Connection, WriteQueue } from './connection.ts';
import { sendAndClose } from '../http/index.ts';
import type { LimitOptions } from './options.ts';

/** The protocol served at a path. */
export interface Location {
  readonly path: string;
  /** How often an address may connect here; undefined where nothing limits it. */
  readonly bucket: Bucket | undefined;
  open(connection: Connection): Session;
}

interface SocketsDeps {
  readonly clock: Clock;
  readonly limits: LimitOptions;
  readonly throttle: RateLimiter;
  readonly faults: Faults;
  readonly locations: readonly Location[];
  readonly log: Logger;
  /** Names and addresses by which it may be asked, without ports; any when left out. */
  readonly names?: ReadonlySet<string> | undefined;
}

/** Takes the upgrades of an HTTP server, and keeps the open sockets. Source: v3-gaps, section 1.7. */
export class Sockets {
  readonly #setup: SocketsDeps;
  readonly #locations: ReadonlyMap<string, Location>;
  readonly #ws: WebSocketServer;
  readonly #outbox = new WriteQueue();
  readonly #connections = new Set<Connection>();
  readonly #perAddress = new Map<string, number>();

  constructor(setup: SocketsDeps) {
    this.#setup = setup;
    this.#locations = new Map(setup.locations.map((location) => [location.path, location]));
    this.#ws = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: setup.limits.messageBytesMax,
      clientTracking: false,
    });
  }

  get size(): number {
    return this.#connections.size;
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head);
    });
  }

  /** Closes every socket; 1006 cuts instead. */
  closeAll(code: number, reason: string): void {
    for (const connection of this.#connections) {
      if (code === 1006) connection.terminate();
      else connection.close(code, reason);
    }
  }

  /** Closes the sockets politely and cuts those that remain. */
  end(): void {
    this.closeAll(1001, 'Server shutdown.');
    for (const connection of this.#connections) connection.terminate();
    this.#ws.close();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (request.url ?? '/').split('?', 1)[0]?.replace(/(?<!\/)\/+$/, '') ?? '';
    const location = this.#locations.get(path);
    if (location === undefined) return refuse(socket, '404 Not Found', this.#setup.clock);
    const address = request.socket.remoteAddress ?? 'unknown';
    const { limits, throttle, faults, names } = this.#setup;
    if (names?.has(hostName(request.headers.host ?? '')) === false)
      return refuse(socket, '421 Misdirected Request', this.#setup.clock);
    if (faults.isDown) return refuse(socket, '503 Service Unavailable', this.#setup.clock);
    const open = this.#perAddress.get(address) ?? 0;
    const { bucket } = location;
    if (
      open >= limits.connectionsPerAddress ||
      (bucket !== undefined && !throttle.admit(address, bucket.name, bucket.limit))
    ) {
      return refuse(socket, '429 Too Many Requests', this.#setup.clock);
    }
    this.#perAddress.set(address, open + 1);
    let counted = true;
    socket.once('close', () => {
      if (counted) this.#release(address);
      counted = false;
    });
    this.#ws.handleUpgrade(request, socket, head, (ws) => {
      const connection = new Connection({
        ws,
        socket,
        address,
        clock: this.#setup.clock,
        outbox: this.#outbox,
        bufferedBytesMax: limits.bufferedBytesMax,
      });
      this.#connections.add(connection);
      const session = location.open(connection);
      connection.serve({
        onText: (text) => this.#answer(connection, session, text),
        onClose: () => {
          this.#connections.delete(connection);
          session.onClose();
        },
      });
      this.#setup.log.debug({ path, address }, 'socket opened');
    });
  }

  /** A bug ends the connection it met, as it ends a request over HTTP, and not the exchange. */
  #answer(connection: Connection, session: Session, text: string): void {
    try {
      session.onText(text);
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#setup.log.error({ address: connection.address, error: why }, 'a message failed');
      connection.close(1011, 'Internal error');
    }
  }

  #release(address: string): void {
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }
}

function refuse(socket: Duplex, status: string, clock: Clock): void {
  sendAndClose(socket, `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, clock);
}

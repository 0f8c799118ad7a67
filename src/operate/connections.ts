import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Socket = IncomingMessage['socket'];

/** Connections on which no request had the right token: supervisors, pages that load, and everything else that reaches the port. */
const withoutTokenMax = 1_000;
/** Places for those with a token beside these: 200 readers of live state, and as many that ask. */
const withTokenMax = 400;

interface Connection {
  readonly socket: Socket;
  hasToken: boolean;
  /** Requests that are not answered in full. */
  open: number;
}

/**
 * Bounds the connections of a server, so that no number of them keeps away who has the token. Each is accepted: only its first request
 * tells what it wants. Where there are too many without a token, that which has asked nothing for longest is closed. One with the
 * token is closed for none but a newer one with the token.
 */
export class Connections {
  /** Connections by peer; the one that asked last stands last. */
  readonly #all = new Map<string, Connection>();
  #withToken = 0;

  /** `server` has no limit of its own. Of one with TLS a connection counts before its handshake. */
  constructor(server: Pick<Server, 'on'>) {
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** A request came. To be called once for each. */
  asked({ socket }: IncomingMessage, reply: ServerResponse): void {
    const key = peerOf(socket);
    const connection = this.#all.get(key);
    if (connection === undefined) return;
    this.#all.delete(key);
    this.#all.set(key, connection);
    connection.open += 1;
    reply.once('close', () => {
      connection.open -= 1;
    });
  }

  /** The request had the right token. */
  trust({ socket }: IncomingMessage): void {
    const connection = this.#all.get(peerOf(socket));
    if (connection === undefined || connection.hasToken) return;
    connection.hasToken = true;
    this.#withToken += 1;
    if (this.#withToken <= withTokenMax) return;
    const isOlder = (one: Connection): boolean => one.hasToken && one !== connection;
    if (!this.#closeOldest((one) => isOlder(one) && one.open === 0)) this.#closeOldest(isOlder);
  }

  #accept(socket: Socket): void {
    const key = peerOf(socket);
    const connection = { socket, hasToken: false, open: 0 };
    this.#all.set(key, connection);
    socket.once('close', () => {
      if (this.#all.get(key) === connection) this.#forget(key, connection);
    });
    if (this.#all.size - this.#withToken > withoutTokenMax) this.#closeOldest((one) => !one.hasToken);
  }

  #closeOldest(may: (one: Connection) => boolean): boolean {
    for (const [key, one] of this.#all) {
      if (!may(one)) continue;
      this.#forget(key, one);
      one.socket.destroy();
      return true;
    }
    return false;
  }

  #forget(key: string, { hasToken }: Connection): void {
    this.#all.delete(key);
    if (hasToken) this.#withToken -= 1;
  }
}

/** Both ends of a connection: the same of a socket and of the TLS socket on it. */
function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

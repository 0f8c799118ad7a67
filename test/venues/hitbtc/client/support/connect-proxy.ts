import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';

/** An HTTP proxy that knows CONNECT and nothing else, on loopback. */
export class ConnectProxy {
  /** What tunnels were asked for, such as `127.0.0.1:4711`. */
  readonly asked: string[] = [];
  /** With which `Proxy-Authorization`. */
  readonly authorizations: (string | undefined)[] = [];
  /** What it answers instead of connecting. */
  refuses: number | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#keep(socket));
    server.on('connect', ({ url = '', headers }, client) => {
      this.asked.push(url);
      this.authorizations.push(headers['proxy-authorization']);
      client.on('error', () => {});
      if (this.refuses !== undefined) {
        client.end(`HTTP/1.1 ${this.refuses} No\r\n\r\n`);
        return;
      }
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port), hostname);
      this.#keep(target);
      target.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
      target.on('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client);
        client.pipe(target);
      });
    });
  }

  static async start(): Promise<ConnectProxy> {
    const server = createServer((_request, response) => response.writeHead(501).end());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new ConnectProxy(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
  }
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** Stands between the daemon and the exchange's sockets, passes everything on, and can say things of its own. */
export class SocketProxy {
  readonly #server: WebSocketServer;
  readonly #clients = new Set<{ readonly path: string; readonly socket: WebSocket }>();
  #isCut = false;

  private constructor(server: WebSocketServer, target: string) {
    this.#server = server;
    server.on('connection', (socket, request) => this.#join(socket, target, request.url ?? '/'));
  }

  static async start(target: string): Promise<SocketProxy> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new SocketProxy(server, target);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Says `text` to every client connected to a path, as if the exchange had. */
  say(path: string, text: string): void {
    for (const client of this.#clients) if (client.path.endsWith(path)) client.socket.send(text);
  }

  /** Ends every connection, and takes no other one until `mend`. */
  cut(): void {
    this.#isCut = true;
    this.#end();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.#end();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #end(): void {
    for (const { socket } of this.#clients) socket.terminate();
  }

  #join(socket: WebSocket, target: string, path: string): void {
    if (this.#isCut) {
      socket.terminate();
      return;
    }
    const client = { path, socket };
    this.#clients.add(client);
    const venue = new WebSocket(target + path);
    const early: string[] = [];
    venue.on('open', () => {
      for (const text of early.splice(0)) venue.send(text);
    });
    socket.on('message', (bytes: Buffer) => {
      if (venue.readyState === WebSocket.OPEN) venue.send(bytes.toString());
      else early.push(bytes.toString());
    });
    venue.on('message', (bytes: Buffer) => socket.send(bytes.toString()));
    venue.on('close', () => socket.close());
    venue.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#clients.delete(client);
      venue.close();
    });
    socket.on('error', () => {});
  }
}

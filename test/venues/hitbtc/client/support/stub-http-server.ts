import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

/** What a test answers to a request; it may also say nothing, or cut the socket. */
export type Handler = (seen: Seen, response: ServerResponse) => void;

/** A small HTTP server on loopback that answers as set and keeps what it saw. */
export class StubHttpServer {
  readonly seen: Seen[] = [];
  handler: Handler = (_seen, response) => answer(response, 200, {});
  readonly #server = createServer((request, response) => this.#take(request, response));
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];

  private constructor() {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<StubHttpServer> {
    const server = new StubHttpServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get server() {
    return this.#server;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when `count` requests were seen. */
  async until(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const seen: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        socket: request.socket,
      };
      this.seen.push(seen);
      this.handler(seen, response);
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

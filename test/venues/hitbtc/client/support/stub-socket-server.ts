import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

/** One connection as the server sees it. */
export interface Guest {
  readonly path: string;
  readonly ws: WebSocket;
  readonly tcp: Socket;
  readonly texts: string[];
  /** Reads from the network since the upgrade. */
  reads: number;
}

/** A socket server on loopback that keeps what it received. Answers are the test's business. */
export class StubSocketServer {
  readonly guests: Guest[] = [];
  onText: (guest: Guest, text: string) => void = () => {};
  /** False: upgrades hang without an answer. */
  accepts = true;
  readonly #http: Server;
  readonly #own: boolean;
  readonly #ws: WebSocketServer;
  readonly #waiting: (() => void)[] = [];
  readonly #hanging: Socket[] = [];

  private constructor(server: Server | undefined, autoPong: boolean) {
    this.#own = server === undefined;
    this.#http = server ?? createServer();
    this.#ws = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong });
    this.#http.on('upgrade', (request, socket: Socket, head: Buffer) => {
      if (!this.accepts) {
        this.#hanging.push(socket);
        return;
      }
      this.#ws.handleUpgrade(request, socket, head, (ws) => this.#welcome(ws, socket, request.url ?? ''));
    });
  }

  static async start(http?: Server, autoPong = true): Promise<StubSocketServer> {
    const server = new StubSocketServer(http, autoPong);
    if (http === undefined)
      await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Resolves once `check` holds, looked at whenever something happens here. */
  async until(check: () => boolean): Promise<void> {
    while (!check()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    for (const { ws } of this.guests) ws.terminate();
    for (const socket of this.#hanging) socket.destroy();
    this.#ws.close();
    if (this.#own) await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  #welcome(ws: WebSocket, tcp: Socket, path: string): void {
    const guest: Guest = { path, ws, tcp, texts: [], reads: 0 };
    this.guests.push(guest);
    tcp.on('data', () => {
      guest.reads += 1;
    });
    ws.on('error', () => {});
    ws.on('close', () => this.#wake());
    ws.on('message', (bytes: Buffer) => {
      const text = bytes.toString('utf8');
      guest.texts.push(text);
      this.onText(guest, text);
      this.#wake();
    });
    ws.on('ping', () => this.#wake());
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

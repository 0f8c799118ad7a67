import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

type Listed = Record<string, Record<string, unknown>>;

/** Stands before the REST of an exchange and changes what it lists of its symbols. */
export class ListProxy {
  /** What is listed of each symbol; `undefined` leaves it as it is. */
  change: (symbol: string, listed: Record<string, unknown>) => Record<string, unknown> = (_symbol, one) =>
    one;
  readonly #server = createServer((asked, answer) => {
    const { method, url = '/', headers } = asked;
    const isList = url.startsWith('/api/3/public/symbol');
    const passed = send(new URL(url, this.#target), { method, headers }, (reply) => {
      if (!isList || reply.statusCode !== 200) {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
        return;
      }
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => {
        const listed = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Listed;
        const changed = Object.fromEntries(
          Object.entries(listed).map(([symbol, one]) => [symbol, this.change(symbol, one)]),
        );
        const body = JSON.stringify(changed);
        const { 'content-length': _length, ...kept } = reply.headers;
        answer.writeHead(200, { ...kept, 'content-length': Buffer.byteLength(body) });
        answer.end(body);
      });
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
  }

  static async start(target: string): Promise<ListProxy> {
    const proxy = new ListProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

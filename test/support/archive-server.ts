import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { zipSync } from 'fflate';

/** How the server answers once, in the place of a file. */
export interface ArchiveFault {
  readonly status?: number;
  readonly retryAfter?: string;
  /** The connection is cut behind so many bytes of the file. */
  readonly cutAfter?: number;
}

/** A request that came: its path, from which byte on, and when. */
export interface ArchiveRequest {
  readonly path: string;
  readonly from: number;
  readonly time: number;
}

/** A server with the layout of data.binance.vision: zips of CSV files, and a `.CHECKSUM` file beside each. */
export class ArchiveServer {
  readonly requests: ArchiveRequest[] = [];
  readonly #files = new Map<string, Uint8Array>();
  readonly #faults = new Map<string, ArchiveFault[]>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Adds `NAME.zip` with `NAME.csv` in it, and its checksum, below a folder such as `spot/daily/klines/BTCUSDT/1m`. */
  put(folder: string, name: string, csv: string): void {
    const zip = zipSync({ [`${name}.csv`]: Buffer.from(csv) });
    this.putBytes(`/data/${folder}/${name}.zip`, zip);
  }

  /** Adds any bytes as a file, and their checksum. */
  putBytes(path: string, bytes: Uint8Array): void {
    this.#files.set(path, bytes);
    const sum = createHash('sha256').update(bytes).digest('hex');
    this.putText(`${path}.CHECKSUM`, `${sum}  ${path.split('/').at(-1)}\n`);
  }

  putText(path: string, text: string): void {
    this.#files.set(path, Buffer.from(text));
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#files.delete(`${path}.CHECKSUM`);
  }

  /** The next requests whose path holds `part` are answered so, one after the other. */
  fail(part: string, ...faults: readonly ArchiveFault[]): void {
    this.#faults.set(part, [...faults]);
  }

  /** Paths that were asked for since the last call, without checksums. */
  takeFiles(): readonly string[] {
    return this.requests
      .splice(0)
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('.CHECKSUM'));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    this.requests.push({ path, from, time: performance.now() });
    const fault = [...this.#faults]
      .find(([part, left]) => path.includes(part) && left.length > 0)?.[1]
      .shift();
    if (fault?.status !== undefined) {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      response.writeHead(fault.status).end('refused');
      return;
    }
    const bytes = this.#files.get(path);
    if (bytes === undefined) {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      return;
    }
    if (from > 0 && from >= bytes.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = bytes.subarray(from);
    response.setHeader('content-length', rest.length);
    if (from > 0) response.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
    response.writeHead(from > 0 ? 206 : 200);
    if (fault?.cutAfter === undefined) response.end(rest);
    else response.write(rest.subarray(0, fault.cutAfter), () => response.destroy());
  }
}

/** A day as milliseconds. */
const dayMs = 86_400_000;

/** Klines of one day, every `stepMs`, as spot writes them; times in microseconds from 2025 on. */
export function klinesOf(day: string, stepMs: number, count = dayMs / stepMs): string {
  const start = Date.parse(day);
  const unit = start >= Date.parse('2025-01-01') ? 1_000 : 1;
  const rows = Array.from({ length: count }, (_, at) => {
    const [open, close] = [walk(start / stepMs + at), walk(start / stepMs + at + 1)];
    const [high, low] = [Math.max(open, close) + 0.5, Math.min(open, close) - 0.5];
    const begin = start + at * stepMs;
    const times = [begin * unit, (begin + stepMs) * unit - 1];
    const prices = [open, high, low, close].map((price) => price.toFixed(8));
    return `${times[0]},${prices.join(',')},12.34567000,${times[1]},1250.00000000,42,6.00000000,600.00000000,0`;
  });
  return `${rows.join('\n')}\n`;
}

/** Trades of one day, as spot writes them, every `stepMs`; `decimals` of prices. */
export function tradesOf(day: string, stepMs: number, decimals = 2): string {
  const start = Date.parse(day);
  const unit = start >= Date.parse('2025-01-01') ? 1_000 : 1;
  const rows = Array.from({ length: dayMs / stepMs }, (_, at) => {
    const price = (walk(at) + (decimals > 2 && at === 3 ? 0.001 : 0)).toFixed(decimals);
    const id = Math.floor(start / stepMs) + at;
    return `${id},${price}000000,0.50000000,50.00000000,${(start + at * stepMs) * unit},${at % 2 === 0 ? 'True' : 'False'},True`;
  });
  return `${rows.join('\n')}\n`;
}

/** A price that goes up and down around 100 in steps of 0.01. */
function walk(at: number): number {
  return Math.round((100 + 8 * Math.sin(at / 30) + 3 * Math.sin(at / 7)) * 100) / 100;
}

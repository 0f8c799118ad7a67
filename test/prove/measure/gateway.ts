import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { KeyFile } from '../../../src/app/gateway/key-file.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { pause } from '../../../src/core/base/pause.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { quantile } from '../../bench/support/print.ts';
import { freePort } from '../../support/free-port.ts';
import type { Figure } from '../row.ts';
import { DaemonProcess, LoadedExchange } from '../support/daemon-process.ts';
import { symbolOf } from '../support/loaded-exchange.ts';
import { loadText } from '../support/machine.ts';
import { DiskProbe } from './wire.ts';

const clock = new SystemClock();
const seed = 8;
/** 200 orders a second. */
const everyMs = 5;
const readers = 50;
/** Changes of both books in a second, and updates of each at most. */
const flow = { flowPerSecond: 2_000, bookMs: 1 };
/** An order without an answer for so long is late. */
const lateMs = 1_000;

interface Key {
  readonly key: string;
  readonly secret: string;
}

/** A client of the trading socket that places orders at a steady pace, and cancels each once it is answered. */
class Pacer {
  readonly tookMs: number[] = [];
  refused = 0;
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, { readonly at: bigint; readonly id: string | undefined }>();
  #count = 0;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data: Buffer) => this.#take(data.toString()));
  }

  static async open(url: string, { key, secret }: Key): Promise<Pacer> {
    const ws = new WebSocket(`${url}/api/3/ws/trading`, { perMessageDeflate: false });
    await once(ws, 'open');
    const params = { type: 'BASIC', api_key: key, secret_key: secret };
    ws.send(JSON.stringify({ method: 'login', params, id: 0 }));
    await once(ws, 'message');
    return new Pacer(ws);
  }

  /** Places orders for so long; resolves when the last was answered, or a second later. */
  async pace(forMs: number, price: string): Promise<void> {
    const begun = performance.now();
    for (let at = 0; at * everyMs < forMs; at++) {
      const wait = begun + at * everyMs - performance.now();
      if (wait > 0) await pause(clock, millis(wait));
      this.#place(price);
    }
    await pause(clock, millis(lateMs));
  }

  get unanswered(): number {
    return this.#waiting.size;
  }

  close(): void {
    this.#ws.close();
  }

  #place(price: string): void {
    this.#count += 1;
    const id = `pace-${process.pid}-${String(this.#count).padStart(6, '0')}`;
    this.#waiting.set(this.#count, { at: process.hrtime.bigint(), id });
    const params = { client_order_id: id, symbol: symbolOf(0), side: 'buy', quantity: '1', price };
    this.#ws.send(JSON.stringify({ method: 'spot_new_order', params, id: this.#count }));
  }

  #take(text: string): void {
    const { id, error } = JSON.parse(text) as { readonly id?: number; readonly error?: object };
    const asked = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || asked === undefined) return;
    this.#waiting.delete(id);
    if (asked.id === undefined) return;
    if (error === undefined) this.tookMs.push(Number(process.hrtime.bigint() - asked.at) / 1e6);
    else this.refused += 1;
    this.#count += 1;
    this.#waiting.set(this.#count, { at: 0n, id: undefined });
    const params = { client_order_id: asked.id };
    this.#ws.send(JSON.stringify({ method: 'spot_cancel_order', params, id: this.#count }));
  }
}

/** Sockets that read both books; counts the messages. */
class Readers {
  messages = 0;
  readonly #open: WebSocket[] = [];

  async open(url: string, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const ws = new WebSocket(`${url}/api/3/ws/public`, { perMessageDeflate: false });
      this.#open.push(ws);
      await once(ws, 'open');
      ws.on('message', () => (this.messages += 1));
      const params = { symbols: [symbolOf(0), symbolOf(1)] };
      ws.send(JSON.stringify({ method: 'subscribe', ch: 'orderbook/full', params, id: 1 }));
      // The documents bound how many connect in a second.
      await pause(clock, millis(110));
    }
  }

  get left(): number {
    return this.#open.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  close(): void {
    for (const ws of this.#open) ws.terminate();
  }
}

/**
 * Orders by socket straight to an exchange and through a gateway to it, in turns, with the sync of the disk beside it; then through the
 * gateway while fifty sockets read books that change as often as they can.
 */
export async function gatewayFigures(forSeconds: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const directory = join(folder, 'run');
  mkdirSync(directory);
  let exchange: LoadedExchange | undefined;
  let daemon: DaemonProcess | undefined;
  const pacers: Pacer[] = [];
  const books = new Readers();
  try {
    exchange = await LoadedExchange.start({ seed, symbols: 2, levels: 50, own: [], ...flow });
    const { account } = exchange;
    const port = await freePort();
    const keys = new KeyFile(join(folder, 'keys.json'));
    const { apiKey, secret } = keys.make('pacer', 0);
    daemon = new DaemonProcess({
      account,
      directory,
      command: 'gateway',
      config: {
        gateway: { port, keys: keys.path },
        programs: [
          { name: 'pacer', symbols: [symbolOf(0), symbolOf(1)], limits: { messagesPerSecondMax: 250 } },
        ],
        orders: { duplicateMs: 0, lastTradeNeeded: false, executions: { max: 1_000 } },
        log: { level: 'warn' },
      },
    });
    await daemon.ready();
    const { KEY: key = '', SECRET: ownSecret = '' } = account.environment;
    const own = await Pacer.open(account.ws, { key, secret: ownSecret });
    const through = await Pacer.open(`ws://127.0.0.1:${port}`, { key: apiKey, secret: secret.reveal() });
    pacers.push(own, through);
    const price = await farPrice(account.rest);
    const probe = new DiskProbe(folder);
    // Code gets compiled.
    await through.pace(5_000, price);
    through.tookMs.length = 0;
    for (let turn = 0; turn < 3; turn++) {
      await own.pace((forSeconds * 1_000) / 3, price);
      await through.pace((forSeconds * 1_000) / 3, price);
      for (let at = 0; at < 100; at++) probe.sync();
    }
    probe.close();
    const alone = through.tookMs.splice(0);
    await books.open(`ws://127.0.0.1:${port}`, readers);
    const before = books.messages;
    const begun = performance.now();
    await through.pace(forSeconds * 1_000, price);
    const rate = Math.round(((books.messages - before) * 1_000) / (performance.now() - begun));
    return figuresOf({ direct: own.tookMs, alone, disk: probe.tookMs, beside: through.tookMs }, [
      figure('messages to 50 sockets', rate, 'messages a second', { atLeast: 2_000 }),
      figure('sockets left', books.left, `of ${readers}`, { atLeast: readers }),
      figure('orders refused', own.refused + through.refused, 'orders', { atMost: 0 }),
      figure('orders without an answer', own.unanswered + through.unanswered, 'orders', { atMost: 0 }),
    ]);
  } finally {
    for (const pacer of pacers) pacer.close();
    books.close();
    daemon?.cli.kill();
    exchange?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A price below the best bid, by which an order rests within the collar. */
async function farPrice(rest: string): Promise<string> {
  const answer = await fetch(`${rest}/api/3/public/orderbook/${symbolOf(0)}?depth=1`);
  const { bid } = (await answer.json()) as { readonly bid: readonly (readonly [string, string])[] };
  const best = bid[0]?.[0] ?? '0';
  return (Number(best) * 0.97).toFixed(best.split('.')[1]?.length ?? 0);
}

function figure(name: string, value: number, unit: string, limit?: Figure['limit']): Figure {
  return { name, value, unit, seed, ...(limit !== undefined && { limit }) };
}

function figuresOf(
  took: Readonly<Record<'direct' | 'alone' | 'disk' | 'beside', readonly number[]>>,
  others: readonly Figure[],
): readonly Figure[] {
  const note = loadText();
  const rounded = (value: number): number => Number(value.toFixed(3));
  const of = (part: number, name: string, atMost: number): readonly Figure[] => {
    const [direct, alone, disk] = [took.direct, took.alone, took.disk].map((all) => quantile(all, part));
    const added = (alone ?? 0) - (direct ?? 0) - (disk ?? 0);
    return [
      { ...figure(`straight ${name}`, rounded(direct ?? 0), 'ms'), note },
      { ...figure(`through the gateway ${name}`, rounded(alone ?? 0), 'ms'), note },
      { ...figure(`disk sync ${name}`, rounded(disk ?? 0), 'ms'), note },
      { ...figure(`added beyond the disk ${name}`, rounded(added), 'ms', { atMost }), note },
      { ...figure(`beside 50 readers ${name}`, rounded(quantile(took.beside, part)), 'ms'), note },
    ];
  };
  return [
    ...of(0.5, 'p50', 0.15),
    ...of(0.99, 'p99', 2),
    figure('orders measured', took.alone.length, 'orders', { atLeast: 1_000 }),
    ...others,
  ];
}

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { millis } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { FrameReader, textFrame } from './frames.ts';

const clock = new SystemClock();

/** From the daemon to the exchange, or back. */
export type Direction = 'up' | 'down';

/** A text frame, or a piece of HTTP, on its way. */
export interface Passing {
  readonly direction: Direction;
  /** Path of the connection: that of the upgrade, or of its first request. */
  readonly path: string;
  readonly text: string;
  /** How many pieces went before it in this direction. */
  readonly before: number;
}

/** What becomes of it. `cut` resets the connection instead; texts go in its place, each in a frame of its own. */
export type Verdict = 'pass' | 'drop' | 'cut' | readonly string[];

/** How bytes go on in one direction. */
export interface Road {
  /** Nothing goes on; what comes waits. */
  readonly isShut?: boolean;
  /** Nothing goes on, and what comes is lost. */
  readonly isVoid?: boolean;
  /** Every piece waits between these, in order. */
  readonly delayMs?: readonly [number, number];
  readonly sliceBytes?: number;
  /** What comes within that time goes on as one piece. */
  readonly mergeMs?: number;
  readonly bytesPerSecond?: number;
}

export type Welcome = 'pass' | 'refuse' | 'swallow';

/** How many of the last pieces are remembered. */
const keptMax = 200_000;

/** A TCP proxy between a daemon and an exchange. It passes bytes on as they are, until a test has it do otherwise. */
export class TcpProxy {
  /** What becomes of new connections. */
  welcome: Welcome = 'pass';
  /** What becomes of texts; also asked for by HTTP. */
  rule: (passing: Passing) => Verdict = () => 'pass';
  roads: Readonly<Record<Direction, Road>> = { up: {}, down: {} };
  /** Which connections the roads hold for. */
  on: (path: string) => boolean = () => true;
  /** Paths of connections that were tried, and when; of those refused, too. */
  readonly tries: { readonly path: string; readonly atMs: number }[] = [];
  /** What the daemon sent, and when. */
  readonly sent: { readonly text: string; readonly path: string; readonly atMs: number }[] = [];
  /** What came back of refusals for a limit. */
  limited = 0;
  readonly #server: Server;
  readonly #target: number;
  readonly #links = new Set<Link>();

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (client) => this.#join(client));
  }

  static async start(target: string): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, Number(new URL(target).port));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that stand, on paths that fit. */
  links(fits: (path: string) => boolean = () => true): readonly Link[] {
    return [...this.#links].filter(({ path }) => fits(path));
  }

  /** Age of the oldest bytes that wait for the daemon. */
  get backlogMs(): number {
    return Math.max(0, ...[...this.#links].map((link) => link.down.waitingMs));
  }

  /** Resets every connection. */
  cut(fits?: (path: string) => boolean): void {
    for (const link of this.links(fits)) link.cut();
  }

  /** Everything passes again, what waited first. */
  pass(): void {
    this.welcome = 'pass';
    this.rule = () => 'pass';
    this.on = () => true;
    this.roads = { up: {}, down: {} };
    for (const link of this.#links) link.go();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const link of this.#links) link.cut();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const link = new Link(this, client, this.#target, this.welcome);
    this.#links.add(link);
    client.on('close', () => this.#links.delete(link));
  }

  /** @internal */
  note(passing: Passing): void {
    if (passing.direction === 'up') {
      this.sent.push({ text: passing.text, path: passing.path, atMs: Date.now() });
      if (this.sent.length > keptMax) this.sent.splice(0, keptMax / 2);
    } else if (/^HTTP\/1\.1 429|"code":429\b/.test(passing.text)) this.limited += 1;
  }
}

/** One connection of the daemon, and ours to the exchange. */
export class Link {
  path = '';
  readonly up: Pipe;
  readonly down: Pipe;
  readonly #proxy: TcpProxy;
  readonly #client: Socket;
  readonly #venue: Socket;
  #isSocket = false;
  readonly #readers = { up: new FrameReader(), down: new FrameReader() };
  readonly #counts = { up: 0, down: 0 };
  #welcome: Welcome;

  constructor(proxy: TcpProxy, client: Socket, target: number, welcome: Welcome) {
    this.#proxy = proxy;
    this.#client = client;
    this.#welcome = welcome;
    this.#venue = connect({ host: '127.0.0.1', port: target, noDelay: true });
    client.setNoDelay(true);
    const road = (direction: Direction) => (): Road => (proxy.on(this.path) ? proxy.roads[direction] : {});
    this.up = new Pipe(this.#venue, road('up'));
    this.down = new Pipe(client, road('down'));
    client.on('data', (bytes: Buffer) => this.#came('up', bytes));
    this.#venue.on('data', (bytes: Buffer) => this.#came('down', bytes));
    for (const [one, other] of [
      [client, this.#venue],
      [this.#venue, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
      one.on('end', () => other.end());
    }
  }

  /** A reset, as both sides see it. */
  cut(): void {
    this.#client.resetAndDestroy();
    this.#venue.resetAndDestroy();
  }

  /** Says `text` to the daemon in a frame, as if the exchange had. */
  say(text: string): void {
    this.down.push(textFrame(text, false));
  }

  /** Bytes of ours to the daemon. */
  sayBytes(bytes: Buffer): void {
    this.down.push(bytes);
  }

  go(): void {
    this.up.go();
    this.down.go();
  }

  #came(direction: Direction, bytes: Buffer): void {
    if (direction === 'up' && this.path === '') {
      this.path = /^[A-Z]+ (\S+)/.exec(bytes.toString('latin1', 0, 300))?.[1] ?? '?';
      this.#proxy.tries.push({ path: this.path, atMs: Date.now() });
      if (this.#welcome === 'refuse') {
        this.cut();
        return;
      }
    }
    if (this.#welcome === 'swallow') return;
    if (!this.#isSocket || isHead(bytes)) {
      this.#judge(direction, bytes, bytes.toString('latin1'));
      if (direction === 'down' && bytes.toString('latin1', 0, 12) === 'HTTP/1.1 101') {
        this.#isSocket = true;
        const end = bytes.indexOf('\r\n\r\n');
        // Frames that came with the answer to the upgrade were passed with it.
        if (end >= 0 && end + 4 < bytes.length) this.#readers.down.read(bytes.subarray(end + 4));
      }
      return;
    }
    for (const { raw, text } of this.#readers[direction].read(bytes)) {
      if (text === undefined) this.#pipe(direction).push(raw);
      else this.#judge(direction, raw, text);
    }
  }

  #judge(direction: Direction, raw: Buffer, text: string): void {
    const before = this.#counts[direction];
    this.#counts[direction] += 1;
    const passing: Passing = { direction, path: this.path, text, before };
    this.#proxy.note(passing);
    const verdict = this.#proxy.rule(passing);
    if (verdict === 'drop') return;
    if (verdict === 'cut') this.cut();
    else if (verdict === 'pass') this.#pipe(direction).push(raw);
    else
      for (const one of verdict)
        this.#pipe(direction).push(this.#isSocket ? textFrame(one, direction === 'up') : Buffer.from(one));
  }

  #pipe(direction: Direction): Pipe {
    return direction === 'up' ? this.up : this.down;
  }
}

function isHead(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 9) === 'HTTP/1.1 ';
}

/** One direction of a connection: bytes in their order, by the rules of its road. */
class Pipe {
  readonly #to: Socket;
  readonly #road: () => Road;
  #waiting: { readonly bytes: Buffer; readonly atMs: number; readonly dueMs: number }[] = [];
  #isDue = false;

  constructor(to: Socket, road: () => Road) {
    this.#to = to;
    this.#road = road;
  }

  get waitingMs(): number {
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : Date.now() - oldest.atMs;
  }

  push(bytes: Buffer): void {
    const { isVoid = false, delayMs } = this.#road();
    if (isVoid) return;
    const atMs = Date.now();
    const [low, high] = delayMs ?? [0, 0];
    const dueMs = Math.max(atMs + low + ((atMs * 7919) % (high - low + 1)), this.#waiting.at(-1)?.dueMs ?? 0);
    this.#waiting.push({ bytes, atMs, dueMs });
    this.go();
  }

  /** Sends what may go. */
  go(): void {
    if (this.#isDue) return;
    const { isShut = false, sliceBytes, mergeMs, bytesPerSecond, delayMs } = this.#road();
    if (isShut) return;
    if (mergeMs !== undefined) return this.#later(mergeMs, () => this.#write(this.#waiting.splice(0)));
    if (bytesPerSecond !== undefined) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      return this.#later((next.bytes.length * 1_000) / bytesPerSecond, () => {
        this.#write(this.#waiting.splice(0, 1));
        this.go();
      });
    }
    if (delayMs !== undefined) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      return this.#later(Math.max(0, next.dueMs - Date.now()), () => {
        this.#write(this.#waiting.splice(0, 1));
        this.go();
      });
    }
    this.#write(this.#waiting.splice(0), sliceBytes);
  }

  #later(afterMs: number, send: () => void): void {
    this.#isDue = true;
    clock.after(millis(Math.max(1, Math.round(afterMs))), () => {
      this.#isDue = false;
      send();
    });
  }

  #write(pieces: readonly { readonly bytes: Buffer }[], sliceBytes?: number): void {
    if (pieces.length === 0 || this.#to.destroyed) return;
    const bytes = Buffer.concat(pieces.map((one) => one.bytes));
    if (sliceBytes === undefined) {
      this.#to.write(bytes);
      return;
    }
    for (let at = 0; at < bytes.length; at += sliceBytes) this.#to.write(bytes.subarray(at, at + sliceBytes));
  }
}

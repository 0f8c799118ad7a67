import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { ApiKey } from '../../../src/exchange/base/accounts.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';
import type { ExchangeOptionsInput } from '../../../src/exchange/server/options.ts';
import { exchangeOptions } from '../../../src/exchange/server/options.ts';

// Raw clients that share no code with the server: what crosses the wire is what the tests see.

export type Json = ReturnType<typeof JSON.parse>;

/** The accounts of the demo, with nothing to trade contracts with: a test pays in what it reckons with. */
const accounts = exchangeOptions.parse({}).accounts.map((account) => ({ ...account, derivatives: {} }));

/** An exchange on a virtual clock, quiet unless set otherwise. */
export interface Bench {
  readonly server: ExchangeServer;
  readonly clock: VirtualClock;
  /** The keys of an account, in the order of the options. */
  key(account: string, index?: number): ApiKey;
  /** Moves the clock by milliseconds. */
  pass(ms: number): void;
  close(): Promise<void>;
}

export async function openBench(options: ExchangeOptionsInput = {}): Promise<Bench> {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const server = await ExchangeServer.start({
    options: { flow: { enabled: false }, accounts, ...options },
    clock,
    random: new Random('bench'),
  });
  return {
    server,
    clock,
    key: (account, index = 0) => server.accounts.get(account).keys[index] as ApiKey,
    pass: (ms) => clock.advance((ms * 1_000) as never),
    close: () => server.close(),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

export interface Ask {
  readonly key?: ApiKey;
  readonly basic?: boolean;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: number;
  readonly windowMs?: number;
}

/** One REST request. With a key it is signed by HS256, or sent as Basic. */
export async function rest(bench: Bench, line: string, ask: Ask = {}): Promise<Answer> {
  const [method, path] = line.split(' ') as [Dispatcher.HttpMethod, string];
  const headers: Record<string, string> = { ...ask.headers };
  let body = ask.text ?? '';
  if (ask.form !== undefined) {
    body = new URLSearchParams(ask.form).toString();
    headers['content-type'] = 'application/x-www-form-urlencoded';
  } else if (ask.json !== undefined) {
    body = JSON.stringify(ask.json);
    headers['content-type'] = 'application/json';
  }
  if (ask.type !== undefined) headers['content-type'] = ask.type;
  if (ask.key !== undefined)
    headers['authorization'] = authorization(bench, ask.key, { method, path, body, ask });
  const answer = await request(bench.server.restUrl + path, {
    method,
    headers,
    ...(body !== '' && { body }),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function authorization(
  bench: Bench,
  key: ApiKey,
  { method, path, body, ask }: { method: string; path: string; body: string; ask: Ask },
): string {
  const secret = key.secret.reveal();
  if (ask.basic === true) return `Basic ${Buffer.from(`${key.apiKey}:${secret}`).toString('base64')}`;
  const timestamp = String(ask.at ?? Math.floor(bench.clock.now() / 1_000));
  const window = ask.windowMs === undefined ? '' : String(ask.windowMs);
  const signature = createHmac('sha256', secret)
    .update(method + path + body + timestamp + window)
    .digest('hex');
  const parts = [key.apiKey, signature, timestamp, ...(window === '' ? [] : [window])];
  return `HS256 ${Buffer.from(parts.join(':')).toString('base64')}`;
}

/** A socket that keeps what it hears, and waits for what is to come. */
export class RawSocket {
  readonly ws: WebSocket;
  readonly received: Json[] = [];
  readonly texts: string[] = [];
  #waiting: (() => void)[] = [];
  #read = 0;
  closed: { code: number; reason: string } | undefined;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data: Buffer) => {
      this.texts.push(data.toString());
      this.received.push(JSON.parse(data.toString()));
      this.#wake();
    });
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    ws.on('error', () => {});
  }

  static async open(
    bench: { readonly server: { readonly wsUrl: string } },
    path: string,
    options: { readonly autoPong?: boolean; readonly localAddress?: string } = {},
  ): Promise<RawSocket> {
    const ws = new WebSocket(bench.server.wsUrl + path, { perMessageDeflate: false, ...options });
    const socket = new RawSocket(ws);
    await new Promise<void>((resolve, reject) => {
      ws.once('open', () => resolve());
      ws.once('error', reject);
    });
    return socket;
  }

  say(message: object | string): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Says it and waits for the reply with its id. */
  async ask(message: { id: string | number; [member: string]: unknown }): Promise<Json> {
    this.say(message);
    return this.until((received) => received.id === message.id);
  }

  /** The next message after the ones already returned that fits. */
  async until(fits: (received: Json) => boolean): Promise<Json> {
    for (;;) {
      while (this.#read < this.received.length) {
        const message = this.received[this.#read++];
        if (fits(message)) return message;
      }
      if (this.closed !== undefined) throw new Error(`the socket closed: ${JSON.stringify(this.closed)}`);
      await this.#news();
    }
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) await this.#news();
    return this.closed;
  }

  /** Resolves when everything sent so far has been answered: requests are executed in order. */
  async settle(): Promise<void> {
    const id = `settle-${this.texts.length}-${Math.abs(this.#read)}`;
    this.say({ method: 'no such method', id });
    const from = this.#read;
    await this.until((received) => received.id === id);
    this.#read = from;
  }

  async login(key: Pick<ApiKey, 'apiKey' | 'secret'>, id: string | number = 'login'): Promise<Json> {
    return this.ask({
      method: 'login',
      params: { type: 'BASIC', api_key: key.apiKey, secret_key: key.secret.reveal() },
      id,
    });
  }

  async loginV2({ apiKey, secret }: ApiKey): Promise<Json> {
    return this.ask({
      method: 'login',
      params: { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() },
      id: 'login',
    });
  }

  close(): void {
    this.ws.close();
  }

  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

let count = 0;

/** A client order id that was not used before. */
export function newId(): string {
  return `test-order-${String(++count).padStart(6, '0')}`;
}

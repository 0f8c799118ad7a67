import { zero } from '../../../src/core/base/amount.ts';
import { millis } from '../../../src/core/base/clock.ts';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import type { Ticks, Lots } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Side } from '../../../src/core/model/order.ts';
import type { ExchangeOptionsInput } from '../../../src/exchange/server/options.ts';
import { RawSocket } from '../../exchange/support/raw-client.ts';
import type { Bench } from '../../exchange/support/raw-client.ts';
import { Stage, until } from '../support.ts';

const spot = (base: string, quote: string, tickSize: string, increment: string) => ({
  symbol: `${base}${quote}`,
  baseCurrency: base,
  quoteCurrency: quote,
  tickSize,
  quantityIncrement: increment,
});
const margin = { marginTrading: true, maxInitialLeverage: '10.00' };
const perpetual = (underlying: string, tickSize: string) => ({
  symbol: `${underlying}USDT_PERP`,
  underlying,
  quoteCurrency: 'USDT',
  tickSize,
  quantityIncrement: '0.001',
});
const balances = { USDT: '10000000', BTC: '100', ETH: '1000', XRP: '100000', LTC: '1000' };
const all = ['R1', 'R2', 'R3', 'R4'] as const;

/** A quiet exchange: no orders but those of the suite, no limits of requests, everything there is to be refused. */
export const quietExchange: ExchangeOptionsInput = {
  flow: { enabled: false },
  limits: { enabled: false },
  publish: { bookMs: 5, balanceBatchMs: 20 },
  futures: { sampleMs: 100, contracts: [perpetual('BTC', '0.01'), perpetual('XRP', '0.0001')] },
  orders: { perSymbolMax: 40, fatFingerFraction: 3 },
  symbols: [
    { ...spot('BTC', 'USDT', '0.01', '0.00001'), ...margin },
    { ...spot('ETH', 'USDT', '0.01', '0.0001'), ...margin },
    spot('ETH', 'BTC', '0.000001', '0.0001'),
    { ...spot('LTC', 'USDT', '0.001', '0.001'), status: 'suspended' },
    spot('XRP', 'USDT', '0.01', '0.1'),
  ],
  currencies: [
    { code: 'BTC', fullName: 'Bitcoin', price: '60000' },
    { code: 'ETH', fullName: 'Ethereum', price: '3000' },
    { code: 'LTC', fullName: 'Litecoin', price: '80' },
    { code: 'XRP', fullName: 'XRP', price: '0.5', transferPrecision: '0.000001' },
    { code: 'USDT', fullName: 'Tether', stable: true, price: '1', transferPrecision: '0.000001' },
    { code: 'EUR', fullName: 'Euro', crypto: false, price: '1.08' },
  ],
  accounts: [
    { name: 'demo', keys: [{ rights: [...all] }, { rights: [] }], balances },
    { name: 'demo-two', keys: [{}], balances },
    { name: 'sub-one', keys: [{}], balances: { USDT: '10000', BTC: '1' }, subAccount: { parent: 'demo' } },
    { name: 'sub-two', keys: [{}], balances: { USDT: '10' }, subAccount: { parent: 'demo' } },
    { name: 'sub-off', keys: [{}], subAccount: { parent: 'demo', status: 'disable' } },
    { name: 'sub-cold', keys: [{}], subAccount: { parent: 'demo', status: 'frozen' } },
  ],
  wallet: {
    acceptMs: [0, 1],
    processMs: [5, 10],
    dailyLimits: { BTC: '5' },
    whiteList: [
      { account: 'demo', currency: 'BTC', network: 'BTC', address: 'bc1qsomebodywhomweknow', name: 'friend' },
    ],
    airdrops: [
      { account: 'demo', currency: 'USDT', amount: '5', description: 'a gift' },
      { account: 'demo', currency: 'USDT', amount: '6', description: 'another' },
    ],
    locks: [{ account: 'demo', currency: 'LTC', amount: '1', forMs: 3_600_000, description: 'for an hour' }],
    deposits: [
      { account: 'demo', currency: 'BTC', amount: '10' },
      { account: 'demo', currency: 'USDT', amount: '100000' },
      { account: 'demo', currency: 'XRP', amount: '1000' },
      { account: 'demo', currency: 'LTC', amount: '2' },
      { account: 'sub-one', currency: 'USDT', amount: '1000' },
    ],
  },
};

/** Reads are asked once: what the venue refuses is to be seen. */
const once = { options: { rest: { readAttempts: 1 }, socket: { retryMs: 5, attemptsPerMinute: 60 } } };

export const middles = {
  BTCUSDT: 60_000,
  ETHUSDT: 3_000,
  ETHBTC: 0.05,
  BTCUSDT_PERP: 60_000,
  XRPUSDT_PERP: 0.5,
};

export type SocketKind = 'marketV3' | 'tradingV3' | 'walletV3' | 'publicV2' | 'tradingV2' | 'accountV2';
export type SocketOf<Kind extends SocketKind> = ReturnType<GodwitClient['sockets'][Kind]>;

/** The exchange of one test file, its clients, and a market maker inside it. */
export class Talk {
  readonly stage: Stage;
  /** All rights. */
  readonly us: GodwitClient;
  readonly they: GodwitClient;
  readonly sub: GodwitClient;
  readonly keyless: GodwitClient;
  readonly rightless: GodwitClient;
  readonly frozen: GodwitClient;
  /** What cases leave for others. */
  readonly notes = new Map<string, string>();
  readonly #sockets = new Map<GodwitClient, Map<SocketKind, SocketOf<SocketKind>>>();
  readonly #maker: AccountId;
  readonly #open: { close(): unknown }[] = [];
  #number = 0;

  private constructor(stage: Stage) {
    this.stage = stage;
    this.us = stage.client(once);
    this.they = stage.client(once, 'demo-two');
    this.sub = stage.client(once, 'sub-one');
    this.rightless = stage.client(once, 'demo', 1);
    this.frozen = stage.client(once, 'sub-cold');
    this.keyless = stage.client({ ...once, credentials: { apiKey: 'nobody-knows-it', secret: 'wrong' } });
    this.#maker = stage.server.accounts.open('maker').id;
    for (const currency of ['USDT', 'BTC', 'ETH', 'XRP', 'LTC']) {
      const change = parseAmount('1000000000');
      stage.server.core.handle({ kind: 'adjustBalance', account: this.#maker, currency, change });
    }
  }

  /** Starts it, with a price, quotes on both sides and a trade in every working symbol but XRPUSDT. */
  static async start(): Promise<Talk> {
    const talk = new Talk(await Stage.start(quietExchange));
    for (const [symbol, middle] of Object.entries(middles)) {
      talk.quote(symbol, 'sell', middle, 0.1);
      talk.quote(symbol, 'buy', middle, 0.1);
      talk.quote(symbol, 'sell', middle * 1.001, 50);
      talk.quote(symbol, 'buy', middle * 0.999, 50);
    }
    return talk;
  }

  /** The maker places a limit order: one that crosses is a trade. */
  quote(symbol: string, side: Side, price: number, quantity: number): void {
    const { core, instruments } = this.stage.server;
    const instrument = instruments.get(symbol);
    const steps = (value: number, step: string) => Math.round(value / Number(step));
    core.handle({
      kind: 'place',
      account: this.#maker,
      takeMarkup: zero,
      makeMarkup: zero,
      request: {
        clientOrderId: this.id() as ClientOrderId,
        instrument: instrument.id,
        side,
        type: 'limit',
        timeInForce: 'GTC',
        quantity: steps(quantity, instrument.spec.quantityIncrement) as Lots,
        price: steps(price, instrument.spec.tickSize) as Ticks,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
    });
  }

  /** A client order id that was not used before. */
  id(): string {
    this.#number += 1;
    return `round-trip-${String(this.#number).padStart(6, '0')}`;
  }

  /** Another client of ours. */
  fresh(): GodwitClient {
    return this.stage.client(once);
  }

  /** What `run` says of a socket: ours stays open, one of a client kept for it too, any other is closed again. */
  async on<Kind extends SocketKind, Value>(
    client: GodwitClient,
    kind: Kind,
    run: (socket: SocketOf<Kind>) => Promise<Value>,
  ): Promise<Value> {
    const known = this.#sockets.get(client);
    if (known === undefined && client !== this.us) {
      const socket = client.sockets[kind]() as SocketOf<Kind>;
      try {
        return await run(socket);
      } finally {
        await socket.close();
      }
    }
    return run((await this.open(client, kind)) as SocketOf<Kind>);
  }

  /** Opens a socket that stays open, ready. */
  async open(client: GodwitClient, kind: SocketKind): Promise<SocketOf<SocketKind>> {
    let own = this.#sockets.get(client);
    if (own === undefined) this.#sockets.set(client, (own = new Map()));
    let socket = own.get(kind);
    if (socket === undefined) own.set(kind, (socket = client.sockets[kind]()));
    await socket.socket.ready();
    return socket;
  }

  until(check: () => boolean): Promise<void> {
    return until(this.stage.clock, check);
  }

  async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.stage.clock.after(millis(ms), resolve));
  }

  /** The code that a request is refused with that the typed client would not send: all rights, or no credentials. */
  async raw(line: string, body?: object, authorization = this.#basic()): Promise<number> {
    const [method = '', path = ''] = line.split(' ');
    const answer = await fetch(this.stage.server.restUrl + path, {
      method,
      headers: {
        ...(authorization !== '' && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as { readonly error?: { readonly code?: number } };
    return json.error?.code ?? answer.status;
  }

  /** The same on a socket, logged in or not. */
  async rawSocket(place: string, message: object, login = true): Promise<number> {
    const socket = await RawSocket.open(this.stage as unknown as Bench, place);
    try {
      if (login && !place.endsWith('/public')) await this.#login(socket, place);
      const answer = (await socket.ask({ ...message, id: 'raw' })) as {
        readonly error?: { readonly code: number };
      };
      return answer.error?.code ?? 0;
    } finally {
      socket.close();
    }
  }

  /** The code of a login that came when the venue takes no more. */
  async limitedLogin(place: string): Promise<number> {
    this.stage.server.faults.answer429(1);
    return this.rawSocket(place, { method: 'login', params: {} }, false);
  }

  /** Keeps something that is to be closed at the end. */
  keep<Opened extends { close(): unknown }>(opened: Opened): Opened {
    this.#open.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const opened of this.#open) await opened.close();
    await this.stage.close();
  }

  async #login(socket: RawSocket, place: string): Promise<void> {
    const key = this.stage.server.accounts.get('demo').keys[0];
    if (key === undefined) return;
    if (place.startsWith('/api/3')) await socket.login(key);
    else {
      const params = { algo: 'BASIC', pKey: key.apiKey, sKey: key.secret.reveal() };
      await socket.ask({ method: 'login', params, id: 'login' });
    }
  }

  #basic(): string {
    const key = this.stage.server.accounts.get('demo').keys[0];
    const pair = `${key?.apiKey ?? ''}:${key?.secret.reveal() ?? ''}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  }
}

import type { Clock } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { expectationOf } from '../../core/base/expectation.ts';
import type { Logger } from '../../core/base/logger.ts';
import { silentLogger } from '../../core/base/logger.ts';
import type { Random } from '../../core/base/random.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { MarketData } from '../../core/model/market-event.ts';
import type { WalletTransaction } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Accounts, Core } from '../base/index.ts';
import { Faults, RateLimiter } from '../base/index.ts';
import type { RestBinding } from '../http/index.ts';
import { Http } from '../http/index.ts';
import type { TroubledExchange } from '../chaos/index.ts';
import type { ExchangeOptionsInput } from './options.ts';
import { exchangeOptions } from './options.ts';
import { Publisher, Sockets } from '../sockets/index.ts';
import { restApi } from './routes.ts';
import { socketLocations } from './locations.ts';
import type { Location } from '../sockets/index.ts';
// By their files: through the faces the declarations of the package would lead to types of Node.
import type { IncomingDeposit } from '../wallet/deposits.ts';
import type { WalletService } from '../wallet/wallet.ts';
import type { FuturesMarket } from '../futures/market.ts';
import type { OpenOutsideMarket, World } from './world.ts';
import { makeWorld, troubledExchange } from './world.ts';

export interface ExchangeServerSetup {
  /** `{}` gives a complete exchange with demo accounts and a living market. */
  readonly options: ExchangeOptionsInput;
  readonly clock: Clock;
  /** Clock of the machine, where `clock` is another: connections are kept by it, and signatures may be of its time. */
  readonly wall?: Clock | undefined;
  readonly random: Random;
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** What the root of the address says the version is. */
  readonly version?: string;
  readonly log?: Logger;
  /** @internal Market that orders meet in place of each other alone, such as a recorded one. */
  readonly market?: OpenOutsideMarket | undefined;
  /** @internal Routes beside the API. */
  readonly bindings?: readonly RestBinding[] | undefined;
}

/**
 * An exchange in a box: REST and sockets of the API on one port, over the matching core.
 *
 * `core` serves participants inside the process: `accounts.open(name)`, then `core.handle(command)`.
 */
export class ExchangeServer {
  /** Root of REST paths, such as `http://127.0.0.1:4711`: paths begin with `/api/3` or `/api/2`. */
  readonly restUrl: string;
  /** Root of socket paths, such as `ws://127.0.0.1:4711`. */
  readonly wsUrl: string;
  readonly accounts: Accounts;
  readonly instruments: Instruments;
  readonly core: Core;
  /** Switchable misbehaviour. */
  readonly faults: Faults;
  /** @internal */
  readonly troubled: TroubledExchange;
  /** @internal */
  readonly publisher: Publisher;
  readonly #world: World;
  readonly #http: Http;
  readonly #sockets: Sockets;
  #closed = false;

  private constructor(parts: {
    world: World;
    http: Http;
    sockets: Sockets;
    publisher: Publisher;
    faults: Faults;
    address: string;
  }) {
    this.#world = parts.world;
    this.#http = parts.http;
    this.#sockets = parts.sockets;
    this.publisher = parts.publisher;
    this.faults = parts.faults;
    this.troubled = troubledExchange(parts.world, parts.faults);
    this.accounts = parts.world.accounts;
    this.core = parts.world.core;
    this.instruments = parts.world.core.instruments;
    this.restUrl = `http://${parts.address}`;
    this.wsUrl = `ws://${parts.address}`;
  }

  /** Starts it and resolves once it listens. Throws `BadInput` when the options are not as described or it cannot listen. */
  static async start(setup: ExchangeServerSetup): Promise<ExchangeServer> {
    const { wall, random, host = '127.0.0.1', log = silentLogger, market } = setup;
    const read = exchangeOptions.safeParse(setup.options);
    if (!read.success) {
      const issue = read.error.issues[0];
      throw new BadInput(
        `exchange option ${issue?.path.join('.') ?? ''}: ${expectationOf(issue?.message ?? 'not as described')}`,
      );
    }
    const options = read.data;
    let sockets: Sockets | undefined;
    const faults = new Faults(setup.clock, (code, reason) => sockets?.closeAll(code, reason));
    const { clock } = faults;
    const world = makeWorld(options, clock, random, market);
    world.reports.misreportBy(faults);
    const publisher = new Publisher({ core: world.core, clock, faults, options: options.publish });
    const throttle = new RateLimiter(clock, options.limits.enabled);
    const shared = { world, publisher, throttle, faults, options, clock, wall };
    const locations = socketLocations(shared);
    sockets = new Sockets({
      clock: wall ?? clock,
      limits: options.limits,
      throttle,
      faults,
      locations,
      log,
    });
    const api = restApi(shared);
    const roots = rootBindings(setup.version, api.bindings, locations);
    const bindings = [...roots, ...(setup.bindings ?? []), ...api.bindings];
    const http = new Http({ clock, wall, random, faults, log, ...api, bindings });
    sockets.attach(http.server);
    const port = await http.listen(host, setup.port ?? 0);
    world.flow?.start();
    world.futures.start();
    world.expiries.start();
    world.interest.start();
    publisher.start();
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    log.info(
      { address, symbols: options.symbols.length, accounts: options.accounts.length },
      'exchange open',
    );
    return new ExchangeServer({ world, http, sockets, publisher, faults, address });
  }

  /** Has a deposit come in from a network; it is credited once it has its confirmations. */
  deposit(incoming: IncomingDeposit): WalletTransaction {
    return this.#world.wallet.deposits.receive(incoming);
  }

  /** The wallets, for participants inside the process. */
  get wallet(): WalletService {
    return this.#world.wallet;
  }

  /** The contracts, for participants inside the process. */
  get futures(): FuturesMarket {
    return this.#world.futures;
  }

  /** @internal Shows an event of the recorded market that orders meet, at its time. */
  observe(event: MarketData): void {
    this.publisher.observe(event);
  }

  /** How many sockets are open. */
  get socketCount(): number {
    return this.#sockets.size;
  }

  /** Ends every connection and timer. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#world.flow?.stop();
    this.#world.futures.stop();
    this.#world.expiries.stop();
    this.#world.interest.stop();
    this.#world.wallet.stop();
    this.#world.buyCrypto.stop();
    this.publisher.stop();
    this.#sockets.end();
    await this.#http.close();
  }
}

/** The answer at the root of the address: name, version, and the paths where the API is served. */
function rootBindings(
  version: string | undefined,
  bindings: readonly RestBinding[],
  locations: readonly Location[],
): readonly RestBinding[] {
  const roots = [...new Set(bindings.map(({ path }) => path.split('/').slice(0, 3).join('/')))];
  const text = JSON.stringify({
    name: 'Godwit, an exchange in a box',
    ...(version !== undefined && { version }),
    rest: roots,
    try: bindings.find(({ path }) => path.endsWith('/public/symbol'))?.path,
    sockets: locations.map(({ path }) => path),
  });
  return ['/', ...roots].map((path) => ({
    method: 'GET',
    path,
    answer: () => ({ status: 200, text, reason: undefined }),
  }));
}

import type { Clock } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Random } from '../../core/base/random.ts';
import type { CommandBudgets } from '../../core/gate/index.ts';
import type { ProgramHost } from '../../core/strategy/framework.ts';
import type { ExchangeAccount, Faults } from '../../exchange/base/index.ts';
import { RateLimiter } from '../../exchange/base/index.ts';
import type { HttpBounds } from '../../exchange/http/index.ts';
import { Http, serveRoutes } from '../../exchange/http/index.ts';
import type { RpcSession } from '../../exchange/sockets/index.ts';
import { Sockets } from '../../exchange/sockets/index.ts';
import { limitOptions } from '../../exchange/sockets/options.ts';
import { addressName, checkReach, loopbackNames, readTls } from '../../operate/index.ts';
import type { Config } from '../config/schema.ts';
import type { ServedPrograms } from '../run/programs.ts';
import { ProgramDesk } from './desk.ts';
import { ProgramKeys } from './key-ring.ts';
import { MarketDesk } from './market-desk.ts';
import type { PublicRelay } from './public-relay.ts';
import { gatewayRoutes } from './rest.ts';
import type { SharedBudgets } from './shared-budgets.ts';
import { tradingLocations } from './trading-locations.ts';
import type { Upstream } from './upstream.ts';
import { UsedSignatures } from './used-signatures.ts';

export interface GatewayDeps {
  readonly config: Pick<Config, 'programs' | 'gateway'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Way to the venue's own reads; without one nothing is passed on. */
  readonly upstream: Upstream | undefined;
  /** Way to market data by socket that the daemon does not follow; without one there is none. */
  readonly relay: PublicRelay | undefined;
  /** Switches of what programs are to meet; nothing of it reaches the venue. */
  readonly faults: Faults;
  /** Limits that both of them count in. */
  readonly budgets: SharedBudgets;
}

/** The names by which it is asked, so that no page of a browser comes by another; as many connections as a hundred programs hold. */
function boundsOf({ host, names }: Config['gateway']): HttpBounds {
  const known = [...loopbackNames, addressName(host), ...names.map(addressName)];
  return { names: new Set(known), connectionsMax: 500, idleMs: 60_000 };
}

/** Certificate and key; `undefined` where programs come from this machine alone, and none is set. */
function tlsOf(gateway: Config['gateway']): ReturnType<typeof readTls> | undefined {
  try {
    checkReach('gateway', gateway);
    return gateway.tls && readTls('gateway', gateway.tls);
  } catch (error) {
    if (error instanceof BadInput) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

/**
 * The face of the embedded exchange in front of a daemon: the same routes, checks of signatures, limits and error bodies. It answers 503
 * until a run has begun, and outlives the runs of its process.
 */
export class GatewayServer implements ServedPrograms {
  /** Root of REST paths, such as `http://127.0.0.1:4711`, or `https://…`. */
  readonly restUrl: string;
  /** Root of socket paths, such as `ws://127.0.0.1:4711`, or `wss://…`. */
  readonly wsUrl: string;
  readonly #desks: ReadonlyMap<string, ProgramDesk>;
  readonly #keys: ProgramKeys;
  readonly #http: Http;
  readonly #sockets: Sockets;
  readonly #upstream: Upstream | undefined;
  readonly #market: MarketDesk;
  readonly #budgets: SharedBudgets;

  private constructor(parts: {
    readonly desks: ReadonlyMap<string, ProgramDesk>;
    readonly keys: ProgramKeys;
    readonly http: Http;
    readonly sockets: Sockets;
    readonly upstream: Upstream | undefined;
    readonly market: MarketDesk;
    readonly budgets: SharedBudgets;
    /** Such as `://127.0.0.1:4711`, or `s://…` with TLS. */
    readonly address: string;
  }) {
    this.#desks = parts.desks;
    this.#keys = parts.keys;
    this.#http = parts.http;
    this.#sockets = parts.sockets;
    this.#upstream = parts.upstream;
    this.#market = parts.market;
    this.#budgets = parts.budgets;
    this.restUrl = `http${parts.address}`;
    this.wsUrl = `ws${parts.address}`;
  }

  /** Starts it and resolves once it listens. Throws `ConfigError` for an unusable file of keys, and when it cannot listen. */
  static async start({
    config,
    clock,
    random,
    log,
    upstream,
    relay,
    budgets,
    faults,
  }: GatewayDeps): Promise<GatewayServer> {
    const { host, port, answerMs } = config.gateway;
    const tls = tlsOf(config.gateway);
    const bounds = boundsOf(config.gateway);
    const desks = new Map(
      config.programs.map(({ name, onSilence }) => [
        name,
        new ProgramDesk({ program: name, clock, answerMs, onSilence }),
      ]),
    );
    const sessions = new Set<RpcSession>();
    const onEnd = (account: ExchangeAccount): void => {
      for (const one of sessions)
        if (one.account === account) one.connection.close(4_001, 'The key has ended.');
    };
    const onRequest = ({ name }: ExchangeAccount): void => deskOf(desks, name).silence?.noteRequest();
    const keys = new ProgramKeys({ config, clock, log, onRequest, onEnd });
    const signatures = new UsedSignatures();
    const throttle = new RateLimiter(clock, true);
    const desk = (program: string): ProgramDesk => deskOf(desks, program);
    const limits = limitOptions.parse({});
    const market = new MarketDesk({ clock, throttle, limits, faults, relay });
    const routes = gatewayRoutes({ desk, upstream, signatures, market });
    const http = new Http({
      bounds,
      tls,
      clock,
      random: random.fork('gateway'),
      faults,
      log,
      ...serveRoutes(routes, { accounts: keys, access: keys, throttle, faults }),
    });
    const sockets = new Sockets({
      clock,
      limits,
      throttle,
      faults,
      names: bounds.names,
      locations: [
        ...tradingLocations({ desk, keys, sessions, signatures, throttle, faults, clock, log, relay }),
        ...market.locations(),
      ],
      log,
    });
    sockets.attach(http.server);
    const listening = await listenAt(http, host, port);
    keys.start();
    const address = `${tls === undefined ? '' : 's'}://${addressName(host)}:${listening}`;
    return new GatewayServer({ desks, keys, http, sockets, upstream, market, budgets, address });
  }

  /** Names of programs that have a key. */
  get keyed(): readonly string[] {
    return this.#keys.names;
  }

  /** Closes every socket of a program. */
  closeSockets(code: number, reason: string): void {
    this.#sockets.closeAll(code, reason);
  }

  beginRun(budgets: CommandBudgets): void {
    this.#budgets.beginRun(budgets);
  }

  opened(host: ProgramHost): void {
    deskOf(this.#desks, host.name).open(host);
    this.#market.opened(host);
  }

  async close(): Promise<void> {
    this.#keys.stop();
    for (const desk of this.#desks.values()) desk.silence?.stop();
    this.#market.close();
    this.#sockets.end();
    await this.#http.close();
    await this.#upstream?.close();
  }
}

async function listenAt(http: Http, host: string, port: number): Promise<number> {
  try {
    return await http.listen(host, port);
  } catch (cause) {
    if (!(cause instanceof BadInput)) throw cause;
    throw new ConfigError(
      `gateway.port: expected a port that is free, found ${port} taken; 0 takes a free one`,
      {
        cause,
      },
    );
  }
}

function deskOf(desks: ReadonlyMap<string, ProgramDesk>, program: string): ProgramDesk {
  const desk = desks.get(program);
  if (desk === undefined) throw new Error(`there is no desk of the program ${program}`);
  return desk;
}

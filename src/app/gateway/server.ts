import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Random } from '../../core/base/random.ts';
import type { ProgramPort, ProgramHost } from '../../core/strategy/framework.ts';
import { Faults, RateLimiter } from '../../exchange/base/index.ts';
import { Http, serveRoutes } from '../../exchange/http/index.ts';
import type { Config } from '../config/schema.ts';
import { ProgramDesk } from './desk.ts';
import { ProgramKeys } from './key-ring.ts';
import { gatewayRoutes } from './rest.ts';
import type { Upstream } from './upstream.ts';

export interface GatewayDeps {
  readonly config: Pick<Config, 'programs' | 'gateway'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly upstream: Upstream | undefined;
}

/**
 * The face of the embedded exchange in front of a daemon: the same routes, checks of signatures, limits and error bodies. It answers 503
 * until a run has begun, and outlives the runs of its process.
 */
export class GatewayServer implements ProgramPort {
  /** Root of REST paths, such as `http://127.0.0.1:4711`. */
  readonly restUrl: string;
  readonly #desks: ReadonlyMap<string, ProgramDesk>;
  readonly #keys: ProgramKeys;
  readonly #http: Http;
  readonly #upstream: Upstream | undefined;

  private constructor(parts: {
    readonly desks: ReadonlyMap<string, ProgramDesk>;
    readonly keys: ProgramKeys;
    readonly http: Http;
    readonly upstream: Upstream | undefined;
    readonly address: string;
  }) {
    this.#desks = parts.desks;
    this.#keys = parts.keys;
    this.#http = parts.http;
    this.#upstream = parts.upstream;
    this.restUrl = `http://${parts.address}`;
  }

  /** Starts it and resolves once it listens. Throws `ConfigError` for an unusable file of keys, `BadInput` when it cannot listen. */
  static async start({ config, clock, random, log, upstream }: GatewayDeps): Promise<GatewayServer> {
    const { host, port, answerMs } = config.gateway;
    const desks = new Map(
      config.programs.map(({ name }) => [name, new ProgramDesk({ program: name, clock, answerMs })]),
    );
    const keys = new ProgramKeys({ config, clock, log, onEnd: () => {} });
    const faults = new Faults(clock, () => {});
    const throttle = new RateLimiter(clock, true);
    const routes = gatewayRoutes({ desk: (program) => deskOf(desks, program), upstream });
    const http = new Http({
      clock,
      random: random.fork('gateway'),
      faults,
      log,
      ...serveRoutes(routes, { accounts: keys, access: keys, throttle, faults }),
    });
    const listening = await http.listen(host, port);
    keys.start();
    const address = `${host.includes(':') ? `[${host}]` : host}:${listening}`;
    return new GatewayServer({ desks, keys, http, upstream, address });
  }

  /** Names of programs that have a key. */
  get keyed(): readonly string[] {
    return this.#keys.names;
  }

  opened(host: ProgramHost): void {
    deskOf(this.#desks, host.name).open(host);
  }

  async close(): Promise<void> {
    this.#keys.stop();
    await this.#http.close();
    await this.#upstream?.close();
  }
}

function deskOf(desks: ReadonlyMap<string, ProgramDesk>, program: string): ProgramDesk {
  const desk = desks.get(program);
  if (desk === undefined) throw new Error(`there is no desk of the program ${program}`);
  return desk;
}

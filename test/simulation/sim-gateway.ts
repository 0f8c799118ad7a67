import type { Clock } from '../../src/core/base/clock.ts';
import { Secret } from '../../src/core/base/secret.ts';
import type { ProgramHost } from '../../src/core/strategy/program-host.ts';
import { ProgramDesk } from '../../src/app/gateway/desk.ts';
import { MarketDesk } from '../../src/app/gateway/market-desk.ts';
import { gatewayRoutes } from '../../src/app/gateway/rest.ts';
import { UsedSignatures } from '../../src/app/gateway/used-signatures.ts';
import type { ApiKey, ExchangeAccount } from '../../src/exchange/base/accounts.ts';
import { Faults } from '../../src/exchange/base/faults.ts';
import { RateLimiter } from '../../src/exchange/base/rate-limits.ts';
import { serveRoutes } from '../../src/exchange/http/rest-api.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import { limitOptions } from '../../src/exchange/sockets/options.ts';
import { fail } from '../../src/core/base/assert.ts';
import type { ProgramRole } from './program-roles.ts';
import { RestServer } from '../../src/app/virtual/sim-http.ts';

/** A request of a program. */
export interface ProgramRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/3/`. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string>> | undefined;
}

/** The gateway of one process without its network: the routes that the real one serves, for programs of the simulation. */
export class SimGateway {
  readonly #desks: ReadonlyMap<string, ProgramDesk>;
  readonly #market: MarketDesk;
  readonly #http: RestServer;

  constructor(clock: Clock, programs: readonly ProgramRole[]) {
    this.#desks = new Map(
      programs.map(({ name }) => [
        name,
        new ProgramDesk({ program: name, clock, answerMs: 10_000, onSilence: 'keep' }),
      ]),
    );
    const throttle = new RateLimiter(clock, true);
    const faults = new Faults(clock, () => {});
    this.#market = new MarketDesk({
      clock,
      throttle,
      faults,
      limits: limitOptions.parse({}),
      relay: undefined,
    });
    const routes = gatewayRoutes({
      desk: (name) => this.#desks.get(name) ?? fail('no program of that name', { name }),
      signatures: new UsedSignatures(),
      upstream: undefined,
      market: this.#market,
    });
    const keys = new Map(programs.map(({ name }, at) => [name, keyOf(name, at)]));
    const accounts = {
      keyOf: (apiKey: string) => keys.get(apiKey),
      secretOf: (apiKey: string) => keys.get(apiKey)?.secret,
    };
    const access = { admit: () => undefined };
    const served = serveRoutes(routes, { accounts, access, throttle, faults });
    this.#http = new RestServer({ ...served, clock, faults });
  }

  /** Serves a program by its host: at the start of a process, and whenever it is started anew. */
  opened(host: ProgramHost): void {
    (this.#desks.get(host.name) ?? fail('no program of that name', { name: host.name })).open(host);
    this.#market.opened(host);
  }

  /** Asks as a program; `reply` is called once, or never where the process ends before. */
  ask(program: string, { method, path, form }: ProgramRequest, reply: (answer: HttpAnswer) => void): void {
    const authorization = `Basic ${Buffer.from(`${program}:${secretOf(program)}`).toString('base64')}`;
    this.#http.take(
      {
        method,
        path: `/api/3/${path}`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: form === undefined ? '' : new URLSearchParams(form).toString(),
      },
      reply,
    );
  }
}

function secretOf(program: string): string {
  return `secret-of-${program}`;
}

/** The name of a program is its key. */
function keyOf(name: string, at: number): ApiKey {
  const keys: ApiKey[] = [];
  const account: ExchangeAccount = { id: at as AccountId, name, internal: false, keys };
  const key = {
    apiKey: name,
    secret: new Secret(secretOf(name)),
    rights: new Set(['R1', 'R2'] as const),
    account,
  };
  keys.push(key);
  return key;
}

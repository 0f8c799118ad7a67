// The package export `godwit/exchange`: the embedded exchange inside any test.
import type { Clock } from '../core/base/clock.ts';
import { BadInput } from '../core/base/errors.ts';
import type { Logger } from '../core/base/logger.ts';
import { Random } from '../core/base/random.ts';
import { SystemClock } from '../core/base/system-clock.ts';
import type { Faults, KeyRight } from './base/index.ts';
import type { TroubleName, TroubleTerms } from './chaos/index.ts';
import { beginTrouble } from './chaos/index.ts';
import type { ExchangeOptionsInput } from './server/index.ts';
import { ExchangeServer } from './server/index.ts';

export { VirtualClock } from '../core/base/virtual-clock.ts';
export { ExchangeServer } from './server/index.ts';
export type { Faults, KeyRight } from './base/index.ts';
export type { TroubleName, TroubleTerms } from './chaos/index.ts';
export type { ExchangeOptionsInput } from './server/index.ts';

/** How the exchange starts: its options (`symbols`, `accounts` with their keys, `flow`, …) and where it listens. */
export interface StartExchange extends ExchangeOptionsInput {
  /** A free one when left out. */
  readonly port?: number;
  /** This machine only when left out. */
  readonly host?: string;
  /** Seed of keys, secrets and the market: the same seed gives the same. 1 when left out. */
  readonly seed?: number;
  /** That of the machine when left out. */
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Version that the root of the address tells. */
  readonly version?: string;
}

/** A key of an account of the running exchange, in plain text. */
export interface ExchangeKey {
  readonly account: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly rights: readonly KeyRight[];
}

export interface RunningExchange {
  /** Root of REST paths, such as `http://127.0.0.1:4711`: paths begin with `/api/3` or `/api/2`. */
  readonly restUrl: string;
  /** Root of socket paths, such as `ws://127.0.0.1:4711`. */
  readonly wsUrl: string;
  /** Every key of every account, in the order of the options. */
  readonly keys: readonly ExchangeKey[];
  /** Has the exchange misbehave on demand. */
  readonly faults: Faults;
  /** Begins a trouble by its name (`docs/chaos.md`), as hard as it comes where `terms` do not say; what it returns ends it. */
  trouble(name: TroubleName, terms?: Partial<TroubleTerms>): () => void;
  /** For deposits, symbol statuses and orders from inside the process. */
  readonly server: ExchangeServer;
  /** The first key of an account. Throws `BadInput` when the account does not exist or has none. */
  keyOf(account: string): ExchangeKey;
  /** Ends every connection, timer and the listener: nothing keeps the process alive afterwards. */
  stop(): Promise<void>;
}

/** Starts the embedded exchange. Throws `BadInput` when an option is not as described or the port is taken. */
export async function startExchange(setup: StartExchange = {}): Promise<RunningExchange> {
  const { port = 0, host, seed = 1, clock = new SystemClock(), log, version, ...options } = setup;
  const server = await ExchangeServer.start({
    options,
    clock,
    random: new Random(seed).fork('exchange'),
    port,
    ...(host === undefined ? {} : { host }),
    ...(log === undefined ? {} : { log }),
    ...(version === undefined ? {} : { version }),
  });
  return running(server);
}

/** @internal A started server, as who starts it is given it. */
export function running(server: ExchangeServer): RunningExchange {
  const keys = server.accounts.all.flatMap(({ name, keys: own }) =>
    own.map(({ apiKey, secret, rights }) => ({
      account: name,
      apiKey,
      secretKey: secret.reveal(),
      rights: [...rights],
    })),
  );
  return {
    restUrl: server.restUrl,
    wsUrl: server.wsUrl,
    keys,
    faults: server.faults,
    trouble: (name, terms) => beginTrouble(name, server.troubled, terms),
    server,
    keyOf: (account) => {
      const { name } = server.accounts.get(account);
      const key = keys.find((one) => one.account === name);
      if (key === undefined) throw new BadInput(`the account ${JSON.stringify(account)} has no key`);
      return key;
    },
    stop: () => server.close(),
  };
}

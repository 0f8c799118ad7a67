import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Faults, RateLimiter } from '../../exchange/base/index.ts';
import { bucketOfMethod, bucketOfSocket } from '../../exchange/base/index.ts';
import type { Connection, Location, RpcDialect, RpcMethod, Session } from '../../exchange/sockets/index.ts';
import { RpcSession, v2Dialect, v2Login, v3Login } from '../../exchange/sockets/index.ts';
import { readSocketRequest, unsupportedMethod, wireError } from '../../venues/hitbtc/wire/index.ts';
import { v2Locations, v2PublicMethods } from '../../venues/hitbtc/wire/v2/index.ts';
import type { ProgramDesk } from './desk.ts';
import type { ProgramKeys } from './key-ring.ts';
import type { PublicRelay } from './public-relay.ts';
import { v2GatewayMethods } from './socket-v2.ts';
import { gatewayMethods } from './socket.ts';
import type { UsedSignatures } from './used-signatures.ts';

export interface TradingLocationsDeps {
  readonly desk: (program: string) => ProgramDesk;
  readonly keys: ProgramKeys;
  /** Every open session, so that it ends with its key. */
  readonly sessions: Set<RpcSession>;
  readonly signatures: UsedSignatures;
  readonly throttle: RateLimiter;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Logger;
  /** Way to the market data of the venue; without one the combined socket of version 2 has none. */
  readonly relay: PublicRelay | undefined;
}

const v3Path = '/api/3/ws/trading';
const v2Path = '/api/2/ws/trading';
const combinedPath = '/api/2/ws';

/** Trading sockets of both versions, and that of version 2 which has market data, too. Source: v3-gaps, section 2; v2-gaps, section 4. */
export function tradingLocations(deps: TradingLocationsDeps): readonly Location[] {
  const { keys, throttle, clock, signatures, relay } = deps;
  const access = { accounts: keys, access: keys, throttle, clock };
  const buckets = { account: bucketOfMethod(v3Path, 'login'), address: undefined };
  const login = (method: RpcMethod): [string, RpcMethod] => [
    'login',
    joining(deps, signatures.loginOnce(method)),
  ];
  const v3: RpcDialect = {
    jsonrpc: true,
    methods: new Map([login(v3Login(access, buckets)), ...gatewayMethods(deps)]),
    unsupported: unsupportedMethod,
    loginRequired: wireError(1_002),
    bucketOf: (method) => bucketOfMethod(v3Path, method),
  };
  const v2Methods = new Map([login(v2Login(access)), ...v2GatewayMethods(deps)]);
  const atTrading = [...v2Methods].filter(([name]) => Object.hasOwn(v2Locations[v2Path].methods, name));
  const combined = v2Dialect(v2Methods);
  return [
    location(v3Path, (connection) => session(deps, connection, v3)),
    location(v2Path, (connection) => session(deps, connection, v2Dialect(new Map(atTrading)))),
    location(combinedPath, (connection) => {
      const trading = session(deps, connection, combined);
      return relay === undefined ? trading : new CombinedSession({ connection, trading, relay });
    }),
  ];
}

function location(path: string, open: Location['open']): Location {
  return { path, bucket: bucketOfSocket(path), open };
}

function session(deps: TradingLocationsDeps, connection: Connection, dialect: RpcDialect): Session {
  const { keys, sessions, throttle, faults, log } = deps;
  const opened: RpcSession = new RpcSession({
    connection,
    dialect,
    throttle,
    faults,
    messageBucket: undefined,
    admit: (account) => keys.admit(account),
    onClose: () => void sessions.delete(opened),
    onBroken: (error) => log.error({ error: String(error) }, 'a message failed'),
  });
  sessions.add(opened);
  return opened;
}

/** A login after which the program is there, until the socket ends. */
function joining({ desk }: TradingLocationsDeps, login: RpcMethod): RpcMethod {
  return {
    ...login,
    after: ({ session: joined }) => {
      const { silence } = desk(joined.account?.name ?? '');
      // A second login ends the first: the program must not be gone in between.
      if (silence !== undefined) joined.atEnd('silence', silence.join());
    },
  };
}

interface CombinedSessionDeps {
  readonly connection: Connection;
  readonly trading: Session;
  readonly relay: PublicRelay;
}

/** The combined socket of version 2: market data come by a connection to the venue, which is opened for the first request of them. */
class CombinedSession implements Session {
  readonly #setup: CombinedSessionDeps;
  #market: Session | undefined;

  constructor(setup: CombinedSessionDeps) {
    this.#setup = setup;
  }

  onText(text: string): void {
    const { connection, trading, relay } = this.#setup;
    const read = readSocketRequest(text);
    if (!read.ok || !Object.hasOwn(v2PublicMethods, read.request.method)) return trading.onText(text);
    this.#market ??= relay.open(connection, '/api/2/ws/public');
    return this.#market.onText(text);
  }

  onClose(): void {
    this.#setup.trading.onClose();
    this.#market?.onClose();
  }
}

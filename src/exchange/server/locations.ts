import { unsupportedMethod, wireError } from '../../venues/hitbtc/wire/index.ts';
import type { Bucket } from '../base/index.ts';
import { bucketOfMethod, bucketOfSocket } from '../base/index.ts';
import type { Connection, Session, RpcDialect, Location } from '../sockets/index.ts';
import type { AppSetup } from './app-setup.ts';
import { v2Dialect, v2Login, v3Login, RpcSession } from '../sockets/index.ts';
import { V2Feeds, v2PublicSocketMethods, V3Feeds, V3PublicSession } from '../market/index.ts';
import { v2TradingSocketMethods, v3TradingMethods } from '../orders/index.ts';
import { v2MarginSocketMethods, v3FuturesMethods, v3MarginMethods } from '../margin/index.ts';
import { v2AccountSocketMethods, v3WalletSocketMethods } from '../wallet/index.ts';

const tradingPath = '/api/3/ws/trading';
const walletPath = '/api/3/ws/wallet';

/** Every place where sockets are served. Source: API v3, "Addresses"; API v2, "What the service does". */
export function socketLocations(app: AppSetup): readonly Location[] {
  const { world, publisher, throttle, faults, clock, wall } = app;
  const parts = { ...world, access: world.subAccountAccess, publisher, throttle, faults, clock, wall };
  const v3Public = { ...parts, feeds: new V3Feeds(world), limits: app.options.limits };
  const bucketsAt = (path: string) => (method: string) => bucketOfMethod(path, method);
  // Where messages are counted, a login already is one.
  const v3LoginAt = (path: string) =>
    v3Login(parts, {
      account: bucketOfMethod(path, 'login'),
      address: addressBuckets(app, path).perConnection,
    });
  const trading: RpcDialect = {
    jsonrpc: true,
    methods: new Map([
      ['login', v3LoginAt(tradingPath)],
      ...v3TradingMethods(parts),
      ...v3MarginMethods(parts),
      ...v3FuturesMethods(parts),
    ]),
    unsupported: unsupportedMethod,
    loginRequired: wireError(1_002),
    bucketOf: bucketsAt(tradingPath),
  };
  const wallet: RpcDialect = {
    ...trading,
    methods: new Map([['login', v3LoginAt(walletPath)], ...v3WalletSocketMethods(world.wallet)]),
    bucketOf: bucketsAt(walletPath),
  };
  const v2Public = v2PublicSocketMethods(parts, new V2Feeds(world.core));
  const login = v2Login(parts);
  const v2Trading = new Map([
    ['login', login],
    ...v2TradingSocketMethods(parts),
    ...v2MarginSocketMethods(parts),
  ]);
  const v2Account = new Map([['login', login], ...v2AccountSocketMethods(world.wallet)]);
  return [
    location(
      app,
      '/api/3/ws/public',
      (connection, messageBucket) => new V3PublicSession({ connection, deps: v3Public, messageBucket }),
    ),
    location(app, tradingPath, rpc(app, trading)),
    location(app, walletPath, rpc(app, wallet)),
    location(app, '/api/2/ws', rpc(app, v2Dialect(new Map([...v2Public, ...v2Trading, ...v2Account])))),
    location(app, '/api/2/ws/public', rpc(app, v2Dialect(v2Public))),
    location(app, '/api/2/ws/trading', rpc(app, v2Dialect(v2Trading))),
    location(app, '/api/2/ws/account', rpc(app, v2Dialect(v2Account))),
  ];
}

function location(
  app: AppSetup,
  path: string,
  open: (connection: Connection, messageBucket: Bucket | undefined) => Session,
): Location {
  const { perMessage, perConnection } = addressBuckets(app, path);
  return { path, bucket: perConnection, open: (connection) => open(connection, perMessage) };
}

/** What the limit per address counts at a location: messages or connections. */
function addressBuckets({ options }: AppSetup, path: string) {
  const bucket = bucketOfSocket(path);
  const { socketsCount } = options.limits;
  const countsMessages =
    socketsCount === 'messages' || (socketsCount === 'messagesButOrders' && path !== tradingPath);
  return countsMessages
    ? { perMessage: bucket, perConnection: undefined }
    : { perMessage: undefined, perConnection: bucket };
}

function rpc(app: AppSetup, dialect: RpcDialect) {
  return (connection: Connection, messageBucket: Bucket | undefined): Session =>
    new RpcSession({
      connection,
      dialect,
      throttle: app.throttle,
      faults: app.faults,
      messageBucket,
      admit: (account) => app.world.subAccountAccess.admit(account),
      onClose: () => app.publisher.leave(connection),
    });
}

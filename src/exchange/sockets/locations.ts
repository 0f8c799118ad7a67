import { unsupportedMethod } from '../../venues/hitbtc/wire/socket-request.ts';
import { v2ErrorWords } from '../../venues/hitbtc/wire/error-bodies.ts';
import { wireError } from '../../venues/hitbtc/wire/errors.ts';
import type { Bucket } from '../rate-limits.ts';
import { bucketOfMethod, bucketOfSocket, bucketOfV2Method } from '../rate-limits.ts';
import type { Connection, Session } from './connection.ts';
import type { AppSetup } from '../app-setup.ts';
import { v2Login, v3Login } from './login.ts';
import type { RpcDialect } from './rpc-session.ts';
import { RpcSession } from './rpc-session.ts';
import type { Location } from './sockets.ts';
import { V2Feeds } from './v2-feeds.ts';
import { v2PublicSocketMethods } from './v2-public-methods.ts';
import { v2TradingSocketMethods } from './v2-trading-methods.ts';
import { V3Feeds } from './v3-feeds.ts';
import { V3PublicSession } from './v3-public-session.ts';
import { v2MarginSocketMethods } from '../margin/socket-v2.ts';
import { v3FuturesMethods, v3MarginMethods } from '../margin/socket-v3.ts';
import { v3TradingMethods } from './v3-trading-methods.ts';
import { v2AccountSocketMethods } from '../wallet/socket-v2.ts';
import { v3WalletSocketMethods } from '../wallet/socket-v3.ts';

/** Every place where sockets are served. Source: API v3, "Addresses"; API v2, "What the service does". */
export function socketLocations(app: AppSetup): readonly Location[] {
  const v3Feeds = new V3Feeds(app.world);
  const tradingBucket = (method: string) => bucketOfMethod('/api/3/ws/trading', method);
  const trading: RpcDialect = {
    jsonrpc: true,
    methods: new Map([
      ['login', v3Login(app, tradingBucket('login'))],
      ...v3TradingMethods({
        ...app.world,
        faults: app.faults,
        currencies: new Set(app.options.currencies.map(({ code }) => code)),
      }),
      ...v3MarginMethods(app),
      ...v3FuturesMethods(app),
    ]),
    unsupported: unsupportedMethod,
    loginRequired: wireError(1_002),
    bucketOf: tradingBucket,
  };
  const walletBucket = (method: string) => bucketOfMethod('/api/3/ws/wallet', method);
  const wallet: RpcDialect = {
    ...trading,
    methods: new Map([['login', v3Login(app, walletBucket('login'))], ...v3WalletSocketMethods(app)]),
    bucketOf: walletBucket,
  };
  const v2Public = v2PublicSocketMethods(app, new V2Feeds(app.world.core));
  const login = v2Login(app);
  const v2Trading = new Map([
    ['login', login],
    ...v2TradingSocketMethods(app),
    ...v2MarginSocketMethods(app),
  ]);
  const v2Account = new Map([['login', login], ...v2AccountSocketMethods(app)]);
  const v2 = (methods: RpcDialect['methods']): RpcDialect => ({
    jsonrpc: true,
    methods,
    unsupported: () => wireError(404, { message: 'Method not found' }),
    loginRequired: wireError(1_001),
    wordsOf: v2ErrorWords,
    // A request without an id is a notification; the login alone is answered. Source: API v2, "Socket methods"; v2-gaps, section 4.2.
    isSilent: ({ id, method }) => id === undefined && method !== 'login',
    bucketOf: bucketOfV2Method,
  });
  return [
    location(
      app,
      '/api/3/ws/public',
      (connection, messageBucket) => new V3PublicSession({ connection, app, feeds: v3Feeds, messageBucket }),
    ),
    location(app, '/api/3/ws/trading', rpc(app, trading)),
    location(app, '/api/3/ws/wallet', rpc(app, wallet)),
    location(app, '/api/2/ws', rpc(app, v2(new Map([...v2Public, ...v2Trading, ...v2Account])))),
    location(app, '/api/2/ws/public', rpc(app, v2(v2Public))),
    location(app, '/api/2/ws/trading', rpc(app, v2(v2Trading))),
    location(app, '/api/2/ws/account', rpc(app, v2(v2Account))),
  ];
}

function location(
  app: AppSetup,
  path: string,
  open: (connection: Connection, messageBucket: Bucket | undefined) => Session,
): Location {
  const bucket = bucketOfSocket(path);
  const { socketsCount } = app.options.limits;
  const countsMessages =
    socketsCount === 'messages' || (socketsCount === 'publicMessages' && path === '/api/3/ws/public');
  return {
    path,
    bucket: countsMessages ? undefined : bucket,
    open: (connection) => open(connection, countsMessages ? bucket : undefined),
  };
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

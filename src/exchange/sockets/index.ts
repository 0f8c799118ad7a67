/** Sockets: how methods and channels are served. */
export type { Flushable, Session } from './connection.ts';
export { Connection, WriteQueue } from './connection.ts';
export type { Current, DataFormat, FeedFormat, FrameKind, Keyed } from './feed-format.ts';
export { v2Login, v3Login } from './login.ts';
export { memoizeLast } from './memoize-last.ts';
export { Replies, v2Method, v3Method } from './method.ts';
export type { LimitOptions } from './options.ts';
export { Publisher } from './publisher.ts';
export type { RpcCall, RpcDialect, RpcMethod } from './rpc-session.ts';
export { RpcSession, sessionAccount } from './rpc-session.ts';
export type { Location } from './sockets.ts';
export { Sockets } from './sockets.ts';
export { v2Dialect } from './v2-dialect.ts';

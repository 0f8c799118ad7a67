import { v2ErrorWords, wireError } from '../../venues/hitbtc/wire/index.ts';
import { bucketOfV2Method } from '../base/index.ts';
import type { RpcDialect } from './rpc-session.ts';

/**
 * Dialect of the locations of version 2. A request without an id is a notification; the login alone is answered.
 * Source: API v2, "Socket methods"; v2-gaps, section 4.2.
 */
export function v2Dialect(methods: RpcDialect['methods']): RpcDialect {
  return {
    jsonrpc: true,
    methods,
    unsupported: () => wireError(404, { message: 'Method not found' }),
    loginRequired: wireError(1_001),
    wordsOf: v2ErrorWords,
    isSilent: ({ id, method }) => id === undefined && method !== 'login',
    bucketOf: bucketOfV2Method,
  };
}

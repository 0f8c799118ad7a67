import { endpoint } from '../endpoint.ts';
import { decodeV3ApiKeys } from './api-keys.ts';
import { noParams } from './rest-params.ts';

/** Calls about the user behind a key. */
export const userEndpoints = {
  userApiKeys: endpoint({
    method: 'GET',
    payload: 'query',
    path: '/api/3/user/api-keys',
    right: 'key',
    params: noParams,
    answer: decodeV3ApiKeys,
    source: 'v3-gaps, section 8 ("Also GET user/api-keys")',
  }),
} as const;

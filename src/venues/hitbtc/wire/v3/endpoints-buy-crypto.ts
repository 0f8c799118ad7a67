import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { buyIdParam, unixTimeParam } from '../buy-crypto.ts';
import { camelKeys } from '../camel.ts';
import { endpoint } from '../endpoint.ts';
import { codeParam, endOfMilli, integerParam, textParam } from '../param-fields.ts';
import { decodeV3BuyOrder, decodeV3BuyOrders, decodeV3BuyProviders, decodeV3BuyRates } from './buy-crypto.ts';

const source = 'API v3, "Buy-crypto"';
const get = { method: 'GET', payload: 'query', right: 'R3', source } as const;

/** Buying crypto through providers. */
export const buyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider',
    params: z
      .object({
        provider_id: buyIdParam.optional(),
        source: codeParam.optional(),
        target: codeParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: decodeV3BuyProviders,
  }),
  buyCryptoRates: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/rate',
    params: z
      .object({
        provider_id: buyIdParam,
        source: codeParam.optional(),
        target: codeParam.optional(),
        source_amount: amountParam.optional(),
        target_amount: amountParam.optional(),
        payment_method_id: buyIdParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: decodeV3BuyRates,
  }),
  buyCryptoOrders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    params: z
      .object({
        provider_id: buyIdParam,
        from: unixTimeParam.optional(),
        till: unixTimeParam.transform(endOfMilli).optional(),
        limit: integerParam(1, 1_000).default(100),
        offset: integerParam(0, 100_000).default(0),
        source_code: codeParam.optional(),
        target_code: codeParam.optional(),
        wallet_address: textParam.optional(),
        target_network_code: codeParam.optional(),
        order_by: z.enum(['created_at'], { error: 'Parameter must be created_at' }).default('created_at'),
        sort: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['asc', 'desc'], { error: 'Parameter must be desc or asc' }))
          .default('desc'),
      })
      .transform((given) => camelKeys(given)),
    answer: decodeV3BuyOrders,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    right: 'R3',
    params: z
      .object({
        provider_id: buyIdParam,
        target: codeParam,
        source: codeParam,
        source_amount: amountParam,
        payment_method_id: buyIdParam,
        target_network_code: codeParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: decodeV3BuyOrder,
    source,
  }),
} as const;

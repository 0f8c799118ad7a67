import { amountParam } from './amount-param.ts';
import { camelKeys } from './camel.ts';
import { endpoint } from './endpoint.ts';
import {
  codeParam,
  endOfMilli,
  idBoundParam,
  integerParam,
  textParam,
  unixTimeParam,
} from './param-fields.ts';
import { buyOrder, buyProvider, buyRates } from './resources/buy-crypto.ts';
import { z } from 'zod';

const source = 'API v3, "Buy-crypto"';
const get = { method: 'GET', payload: 'query', right: 'R3', source } as const;

/** Buying crypto through providers. */
export const buyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider',
    params: z
      .object({
        provider_id: idBoundParam.optional(),
        source: codeParam.optional(),
        target: codeParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: buyProvider.v3.decodeList,
  }),
  buyCryptoRates: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/rate',
    params: z
      .object({
        provider_id: idBoundParam,
        source: codeParam.optional(),
        target: codeParam.optional(),
        source_amount: amountParam.optional(),
        target_amount: amountParam.optional(),
        payment_method_id: idBoundParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: buyRates.v3.decode,
  }),
  buyCryptoOrders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    params: z
      .object({
        provider_id: idBoundParam,
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
    answer: buyOrder.v3.decodeList,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    right: 'R3',
    params: z
      .object({
        provider_id: idBoundParam,
        target: codeParam,
        source: codeParam,
        source_amount: amountParam,
        payment_method_id: idBoundParam,
        target_network_code: codeParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: buyOrder.v3.decode,
    source,
  }),
} as const;

const v2Source = 'API v2, "Buy-crypto"';
const v2Get = { method: 'GET', payload: 'query', right: 'R3', source: v2Source } as const;

/** Buying crypto through providers, v2. */
export const v2BuyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider',
    params: z.object({
      providerId: idBoundParam.optional(),
      source: codeParam.optional(),
      target: codeParam.optional(),
    }),
    answer: buyProvider.v2.decodeList,
  }),
  buyCryptoRates: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider/{providerID}/rate',
    params: z
      .object({
        providerID: idBoundParam,
        source: codeParam,
        target: codeParam,
        sourceAmount: amountParam.optional(),
        targetAmount: amountParam.optional(),
        paymentMethodId: idBoundParam.optional(),
      })
      .transform(({ providerID, ...rest }) => ({ providerId: providerID, ...rest })),
    answer: buyRates.v2.decode,
  }),
  buyCryptoOrders: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    params: z
      .object({
        providerID: idBoundParam,
        from: unixTimeParam,
        till: unixTimeParam.transform(endOfMilli),
        limit: integerParam(0, 1_000).default(100),
        offset: integerParam(0, 100_000).default(0),
        sourceCode: codeParam.optional(),
        targetCode: codeParam.optional(),
        walletAddress: textParam.optional(),
        targetNetworkCode: codeParam.optional(),
      })
      .transform(({ providerID, ...rest }) => ({ providerId: providerID, ...rest })),
    answer: buyOrder.v2.decodeList,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    right: 'R3',
    params: z
      .object({
        providerID: idBoundParam,
        target: codeParam,
        source: codeParam,
        sourceAmount: amountParam,
        targetAmount: amountParam.optional(),
        paymentMethodId: idBoundParam.optional(),
        targetNetworkCode: codeParam.optional(),
      })
      .transform(({ providerID, ...rest }) => ({ providerId: providerID, ...rest })),
    answer: buyOrder.v2.decode,
    source: v2Source,
  }),
} as const;

import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { buyIdParam, unixTimeParam } from '../buy-crypto.ts';
import { endpoint } from '../endpoint.ts';
import { codeParam, endOfMilli, integerParam, textParam } from '../param-fields.ts';
import { decodeV2BuyOrder, decodeV2BuyOrders, decodeV2BuyProviders, decodeV2BuyRates } from './buy-crypto.ts';

const source = 'API v2, "Buy-crypto"';
const get = { method: 'GET', payload: 'query', right: 'R3', source } as const;

/** Buying crypto through providers, v2. */
export const v2BuyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...get,
    path: '/api/2/buy-crypto/provider',
    params: z.object({
      providerId: buyIdParam.optional(),
      source: codeParam.optional(),
      target: codeParam.optional(),
    }),
    answer: decodeV2BuyProviders,
  }),
  buyCryptoRates: endpoint({
    ...get,
    path: '/api/2/buy-crypto/provider/{providerID}/rate',
    params: z
      .object({
        providerID: buyIdParam,
        source: codeParam,
        target: codeParam,
        sourceAmount: amountParam.optional(),
        targetAmount: amountParam.optional(),
        paymentMethodId: buyIdParam.optional(),
      })
      .transform(({ providerID, ...rest }) => ({ providerId: providerID, ...rest })),
    answer: decodeV2BuyRates,
  }),
  buyCryptoOrders: endpoint({
    ...get,
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    params: z
      .object({
        providerID: buyIdParam,
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
    answer: decodeV2BuyOrders,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    right: 'R3',
    params: z
      .object({
        providerID: buyIdParam,
        target: codeParam,
        source: codeParam,
        sourceAmount: amountParam,
        targetAmount: amountParam.optional(),
        paymentMethodId: buyIdParam.optional(),
        targetNetworkCode: codeParam.optional(),
      })
      .transform(({ providerID, ...rest }) => ({ providerId: providerID, ...rest })),
    answer: decodeV2BuyOrder,
    source,
  }),
} as const;

import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { endpoint } from '../endpoint.ts';
import {
  codeParam,
  endOfMilli,
  idBoundParam,
  integerParam,
  textParam,
  unixTimeParam,
} from '../param-fields.ts';
import { buyOrder, buyProvider, buyRates } from '../resources/buy-crypto.ts';

const source = 'API v2, "Buy-crypto"';
const get = { method: 'GET', payload: 'query', right: 'R3', source } as const;

/** Buying crypto through providers, v2. */
export const v2BuyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...get,
    path: '/api/2/buy-crypto/provider',
    params: z.object({
      providerId: idBoundParam.optional(),
      source: codeParam.optional(),
      target: codeParam.optional(),
    }),
    answer: buyProvider.v2.decodeList,
  }),
  buyCryptoRates: endpoint({
    ...get,
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
    ...get,
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
    source,
  }),
} as const;

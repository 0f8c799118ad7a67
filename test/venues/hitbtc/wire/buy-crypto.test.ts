import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import { unixTimeParam } from '../../../../src/venues/hitbtc/wire/buy-crypto.ts';
import { parseTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import * as v2 from '../../../../src/venues/hitbtc/wire/v2/buy-crypto.ts';
import * as v3 from '../../../../src/venues/hitbtc/wire/v3/buy-crypto.ts';

const provider = {
  providerId: '1',
  providerName: 'P',
  methods: [
    {
      id: '101',
      name: 'Card',
      description: 'cards',
      methodType: 'card',
      logoUrl: 'https://example.com/logo.png',
      status: 'active',
      type: 'card',
      supportedSource: [{ code: 'USD', displayName: 'US Dollar', networkCode: undefined }],
      supportedTarget: [{ code: 'BTC', displayName: 'Bitcoin', networkCode: 'BTC' }],
      transactionLimits: [
        {
          currencyCode: 'USD',
          targetCode: 'BTC',
          sourceMin: parseAmount('20'),
          sourceMax: parseAmount('5000.5'),
          networkCode: 'BTC',
        },
      ],
    },
  ],
};
const rates = {
  spotPrice: parseAmount('46296.296296296296'),
  prices: [
    {
      paymentMethodId: '101',
      type: 'card',
      targetCode: 'BTC',
      sourceCode: 'USD',
      targetAmount: parseAmount('0.00192'),
      sourceAmount: parseAmount('100'),
    },
  ],
};
const order = {
  id: '7',
  providerId: '1',
  orderType: 'buy' as const,
  sourceCode: 'USD',
  targetCode: 'BTC',
  walletAddress: 'bc1q',
  checkoutUrl: 'https://example.com/pay',
  status: 'in_progress' as const,
  createdAt: parseTime('2024-01-02T03:04:05.678Z'),
  operationId: undefined,
};

describe('what the server writes, the client reads', () => {
  test('providers', () => {
    expect(v3.decodeV3BuyProviders([v3.encodeV3BuyProvider(provider)])).toEqual([provider]);
    const [method] = provider.methods;
    expect(v2.decodeV2BuyProviders([v2.encodeV2BuyProvider(provider)])).toEqual([
      { ...provider, methods: [{ ...method, methodType: undefined }] },
    ]);
  });

  test('rates', () => {
    expect(v3.decodeV3BuyRates(v3.encodeV3BuyRates(rates))).toEqual(rates);
    expect(v2.decodeV2BuyRates(v2.encodeV2BuyRates(rates))).toEqual(rates);
  });

  test('orders; v2 shows no operation', () => {
    const listed = { ...order, operationId: 'op-1' };
    expect(v3.decodeV3BuyOrders([v3.encodeV3BuyOrder(listed)])).toEqual([listed]);
    expect(v3.decodeV3BuyOrder(v3.encodeV3BuyOrder(order))).toEqual(order);
    expect(v3.encodeV3BuyOrder(order)).not.toHaveProperty('operation_id');
    expect(v2.decodeV2BuyOrders([v2.encodeV2BuyOrder(listed)])).toEqual([order]);
    expect(v2.decodeV2BuyOrder(v2.encodeV2BuyOrder(order))).toEqual(order);
  });
});

test('a Unix timestamp is seconds, milliseconds or ISO text', () => {
  const time = parseTime('2023-11-14T22:13:20Z');
  for (const given of [1_700_000_000, '1700000000', '1700000000000', '2023-11-14T22:13:20Z']) {
    expect(unixTimeParam.parse(given)).toBe(time);
  }
  for (const odd of ['soon', '-1', '1e9', '1.5']) expect(unixTimeParam.safeParse(odd).success).toBe(false);
});

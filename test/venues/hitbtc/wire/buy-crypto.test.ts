import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import { unixTimeParam } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import { parseTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { buyOrder, buyProvider, buyRates } from '../../../../src/venues/hitbtc/wire/resources/buy-crypto.ts';

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
    expect(buyProvider.v3.decodeList([buyProvider.v3.write(provider)])).toEqual([provider]);
    const [method] = provider.methods;
    expect(buyProvider.v2.decodeList([buyProvider.v2.write(provider)])).toEqual([
      { ...provider, methods: [{ ...method, methodType: undefined }] },
    ]);
  });

  test('rates', () => {
    expect(buyRates.v3.decode(buyRates.v3.write(rates))).toEqual(rates);
    expect(buyRates.v2.decode(buyRates.v2.write(rates))).toEqual(rates);
  });

  test('orders; v2 shows no operation', () => {
    const listed = { ...order, operationId: 'op-1' };
    expect(buyOrder.v3.decodeList([buyOrder.v3.write(listed)])).toEqual([listed]);
    expect(buyOrder.v3.decode(buyOrder.v3.write(order))).toEqual(order);
    expect(buyOrder.v3.write(order)).not.toHaveProperty('operation_id');
    expect(buyOrder.v2.decodeList([buyOrder.v2.write(listed)])).toEqual([order]);
    expect(buyOrder.v2.decode(buyOrder.v2.write(order))).toEqual(order);
  });
});

test('a Unix timestamp is seconds, milliseconds or ISO text', () => {
  const time = parseTime('2023-11-14T22:13:20Z');
  for (const given of [1_700_000_000, '1700000000', '1700000000000', '2023-11-14T22:13:20Z']) {
    expect(unixTimeParam.parse(given)).toBe(time);
  }
  for (const odd of ['soon', '-1', '1e9', '1.5']) expect(unixTimeParam.safeParse(odd).success).toBe(false);
});

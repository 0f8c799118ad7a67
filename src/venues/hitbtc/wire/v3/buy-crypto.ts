import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { BuyOrder, BuyProvider, BuyRates } from '../buy-crypto.ts';
import {
  buyCurrencyShape,
  buyLimitShape,
  buyMethodShape,
  buyOrderShape,
  buyPriceShape,
  textMember,
} from '../buy-crypto-rows.ts';
import { camelKeys, snakeKeys } from '../camel.ts';
import { amountField, idField, parseWith } from '../fields.ts';
import { printTimeShort } from '../formats.ts';

const currencies = z.array(z.object(buyCurrencyShape));
const method = z.object({
  ...buyMethodShape,
  method_type: textMember.optional(),
  logo_url: textMember.default(''),
  supported_source: currencies,
  supported_target: currencies,
  transaction_limits: z.array(z.object(buyLimitShape)),
});
const providers = z.array(
  z.object({ provider_id: idField, provider_name: textMember, methods: z.array(method) }),
);
const rates = z.object({ spot_price: amountField, prices: z.array(z.object(buyPriceShape)) });
const order = z.object({
  ...buyOrderShape,
  checkout_url: textMember,
  operation_id: z.string().max(80).optional(),
});
const orders = z.array(order);

/** Providers with their methods. Source: API v3, "Buy-crypto". */
export function decodeV3BuyProviders(json: unknown): readonly BuyProvider[] {
  return parseWith(providers, json, 'v3 buy-crypto providers').map((row) => ({
    providerId: row.provider_id,
    providerName: row.provider_name,
    methods: row.methods.map((item) => ({ methodType: undefined, ...camelKeys(item) })),
  }));
}

export function encodeV3BuyProvider({ providerId, providerName, methods }: BuyProvider): object {
  return {
    provider_id: Number(providerId),
    provider_name: providerName,
    methods: methods.map((item) =>
      snakeKeys({
        ...item,
        id: Number(item.id),
        transactionLimits: item.transactionLimits.map((row) => ({
          ...row,
          sourceMin: formatAmount(row.sourceMin),
          sourceMax: formatAmount(row.sourceMax),
        })),
      }),
    ),
  };
}

/** Source: API v3, "Buy-crypto", Rates. */
export function decodeV3BuyRates(json: unknown): BuyRates {
  return camelKeys(parseWith(rates, json, 'v3 buy-crypto rates'));
}

export function encodeV3BuyRates({ spotPrice, prices }: BuyRates): object {
  return {
    spot_price: formatAmount(spotPrice),
    prices: prices.map((price) => ({
      payment_method_id: Number(price.paymentMethodId),
      type: price.type,
      target_code: price.targetCode,
      source_code: price.sourceCode,
      target_amount: formatAmount(price.targetAmount),
      source_amount: formatAmount(price.sourceAmount),
    })),
  };
}

/** A list of buy orders. Source: API v3, "Buy-crypto", Buy order. */
export function decodeV3BuyOrders(json: unknown): readonly BuyOrder[] {
  return parseWith(orders, json, 'v3 buy orders').map((row) => ({
    operationId: undefined,
    ...camelKeys(row),
  }));
}

export function decodeV3BuyOrder(json: unknown): BuyOrder {
  return { operationId: undefined, ...camelKeys(parseWith(order, json, 'v3 buy order')) };
}

/** A buy order; `operation_id` only where the order has one to show: in lists. */
export function encodeV3BuyOrder({ id, providerId, createdAt, ...rest }: BuyOrder): object {
  return snakeKeys({
    id: Number(id),
    providerId: Number(providerId),
    ...rest,
    createdAt: printTimeShort(createdAt),
  });
}

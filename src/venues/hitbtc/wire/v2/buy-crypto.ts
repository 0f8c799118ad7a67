import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { BuyCurrency, BuyOrder, BuyProvider, BuyRates } from '../buy-crypto.ts';
import {
  buyCurrencyShape,
  buyLimitShape,
  buyMethodShape,
  buyOrderShape,
  buyPriceShape,
  textMember,
} from '../buy-crypto-rows.ts';
import { camelShape } from '../camel.ts';
import { amountField, idField, parseWith } from '../fields.ts';
import { printTime } from '../formats.ts';

const currencies = z.array(z.object(camelShape(buyCurrencyShape)));
const method = z.object({
  ...buyMethodShape,
  logoURL: textMember.default(''),
  supportedSource: currencies,
  supportedTarget: currencies,
  transactionLimits: z.array(z.object(camelShape(buyLimitShape))),
});
const providers = z.array(
  z.object({ providerID: idField, providerName: textMember, methods: z.array(method) }),
);
const rates = z.object({ spotPrice: amountField, prices: z.array(z.object(camelShape(buyPriceShape))) });
const order = z
  .object({ ...camelShape(buyOrderShape), checkoutURL: textMember })
  .transform(({ checkoutURL, ...rest }) => ({ ...rest, checkoutUrl: checkoutURL, operationId: undefined }));
const orders = z.array(order);

/** Providers with their methods. Source: API v2, "Buy-crypto". */
export function decodeV2BuyProviders(json: unknown): readonly BuyProvider[] {
  return parseWith(providers, json, 'v2 buy-crypto providers').map((row) => ({
    providerId: row.providerID,
    providerName: row.providerName,
    methods: row.methods.map(({ logoURL, status, ...rest }) => ({
      ...rest,
      methodType: undefined,
      logoUrl: logoURL,
      status: status.toLowerCase(),
    })),
  }));
}

export function encodeV2BuyProvider({ providerId, providerName, methods }: BuyProvider): object {
  return {
    providerID: Number(providerId),
    providerName,
    methods: methods.map((item) => ({
      id: Number(item.id),
      name: item.name,
      description: item.description,
      logoURL: item.logoUrl,
      status: item.status.toUpperCase(),
      type: item.type,
      supportedSource: item.supportedSource.map(currencyObject),
      supportedTarget: item.supportedTarget.map(currencyObject),
      transactionLimits: item.transactionLimits.map((row) => ({
        currencyCode: row.currencyCode,
        targetCode: row.targetCode,
        sourceMin: formatAmount(row.sourceMin),
        sourceMax: formatAmount(row.sourceMax),
        ...(row.networkCode !== undefined && { networkCode: row.networkCode }),
      })),
    })),
  };
}

/** Source: API v2, "Buy-crypto", Rates. */
export function decodeV2BuyRates(json: unknown): BuyRates {
  return parseWith(rates, json, 'v2 buy-crypto rates');
}

export function encodeV2BuyRates({ spotPrice, prices }: BuyRates): object {
  return {
    spotPrice: formatAmount(spotPrice),
    prices: prices.map((price) => ({
      paymentMethodId: Number(price.paymentMethodId),
      type: price.type,
      targetCode: price.targetCode,
      targetAmount: formatAmount(price.targetAmount),
      sourceCode: price.sourceCode,
      sourceAmount: formatAmount(price.sourceAmount),
    })),
  };
}

/** A list of buy orders. Source: API v2, "Buy-crypto", Order. */
export function decodeV2BuyOrders(json: unknown): readonly BuyOrder[] {
  return parseWith(orders, json, 'v2 buy orders');
}

export function decodeV2BuyOrder(json: unknown): BuyOrder {
  return parseWith(order, json, 'v2 buy order');
}

export function encodeV2BuyOrder(buy: BuyOrder): object {
  const { id, providerId, checkoutUrl, createdAt, operationId: _, ...rest } = buy;
  return {
    id: Number(id),
    providerId: Number(providerId),
    ...rest,
    checkoutURL: checkoutUrl,
    createdAt: printTime(createdAt),
  };
}

function currencyObject({ code, displayName, networkCode }: BuyCurrency): object {
  return { code, displayName, ...(networkCode !== undefined && { networkCode }) };
}

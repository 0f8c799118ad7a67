import { z } from 'zod';
import { amountKind, idKind, nameKind, oneOf, plainKind, textKind, timeKind, withDefault } from '../kinds.ts';
import type { Kind, RowOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';

// Buying crypto through a provider, both versions. Values are read under the names of these tables.
// Source: API v3, "Buy-crypto"; API v2, "Buy-crypto".

/** Source: API v3, "Buy-crypto order status". */
export const buyOrderStatuses = ['initial', 'in_progress', 'completed', 'failed', 'expired'] as const;
export type BuyOrderStatus = (typeof buyOrderStatuses)[number];

/** `active`; v2 writes it in capitals. */
const statusText = z
  .string()
  .max(2_000)
  .transform((text) => text.toLowerCase());
const methodStatusKind: Kind<string, string, string> = {
  value: statusText,
  row: statusText,
  write: (status, { version }) => (version === 'v2' ? status.toUpperCase() : status),
};

const currency = resource('currency', {
  code: { v3: 'code', v2: 'code', kind: nameKind },
  displayName: { v3: 'display_name', v2: 'displayName', kind: textKind },
  networkCode: { v3: 'network_code', v2: 'networkCode', kind: optional(nameKind) },
});
export type BuyCurrency = RowOf<typeof currency.fields, 'v3'>;

/** How much of a source currency one purchase may cost, both ends included. */
const limit = resource('limit', {
  currencyCode: { v3: 'currency_code', v2: 'currencyCode', kind: nameKind },
  targetCode: { v3: 'target_code', v2: 'targetCode', kind: nameKind },
  sourceMin: { v3: 'source_min', v2: 'sourceMin', kind: amountKind },
  sourceMax: { v3: 'source_max', v2: 'sourceMax', kind: amountKind },
  networkCode: { v3: 'network_code', v2: 'networkCode', kind: optional(nameKind) },
});

/** One way of paying a provider. */
const method = resource('method', {
  id: { v3: 'id', v2: 'id', kind: idKind },
  name: { v3: 'name', v2: 'name', kind: textKind },
  description: { v3: 'description', v2: 'description', kind: withDefault(textKind, '') },
  methodType: { v3: 'method_type', kind: optional(textKind) },
  logoUrl: { v3: 'logo_url', v2: 'logoURL', kind: withDefault(textKind, '') },
  status: { v3: 'status', v2: 'status', kind: methodStatusKind },
  type: { v3: 'type', v2: 'type', kind: textKind },
  supportedSource: { v3: 'supported_source', v2: 'supportedSource', rows: currency, needed: true },
  supportedTarget: { v3: 'supported_target', v2: 'supportedTarget', rows: currency, needed: true },
  transactionLimits: { v3: 'transaction_limits', v2: 'transactionLimits', rows: limit, needed: true },
});
export type BuyMethod = RowOf<typeof method.fields, 'v3'>;

export const buyProvider = resource('buy-crypto provider', {
  providerId: { v3: 'provider_id', v2: 'providerID', kind: idKind },
  providerName: { v3: 'provider_name', v2: 'providerName', kind: textKind },
  methods: { v3: 'methods', v2: 'methods', rows: method, needed: true },
});
export type BuyProvider = RowOf<typeof buyProvider.fields, 'v3'>;

/** What a purchase by one method costs and brings. */
const price = resource(
  'price',
  {
    paymentMethodId: { v3: 'payment_method_id', v2: 'paymentMethodId', kind: idKind },
    type: { v3: 'type', v2: 'type', kind: textKind },
    targetCode: { v3: 'target_code', v2: 'targetCode', kind: nameKind },
    sourceCode: { v3: 'source_code', v2: 'sourceCode', kind: nameKind },
    targetAmount: { v3: 'target_amount', v2: 'targetAmount', kind: amountKind },
    sourceAmount: { v3: 'source_amount', v2: 'sourceAmount', kind: amountKind },
  },
  { v2: ['paymentMethodId', 'type', 'targetCode', 'targetAmount', 'sourceCode', 'sourceAmount'] },
);

/** `spotPrice`: what one unit of the target costs in source currency, without fees. */
export const buyRates = resource('buy-crypto rates', {
  spotPrice: { v3: 'spot_price', v2: 'spotPrice', kind: amountKind },
  prices: { v3: 'prices', v2: 'prices', rows: price, needed: true },
});
export type BuyRates = RowOf<typeof buyRates.fields, 'v3'>;

/** `walletAddress`: where the provider sends the crypto. `operationId` stands in lists of v3 only. */
export const buyOrder = resource(
  'buy order',
  {
    id: { v3: 'id', v2: 'id', kind: idKind },
    providerId: { v3: 'provider_id', v2: 'providerId', kind: idKind },
    sourceCode: { v3: 'source_code', v2: 'sourceCode', kind: nameKind },
    targetCode: { v3: 'target_code', v2: 'targetCode', kind: nameKind },
    walletAddress: { v3: 'wallet_address', v2: 'walletAddress', kind: plainKind(z.string().max(300)) },
    checkoutUrl: { v3: 'checkout_url', v2: 'checkoutURL', kind: textKind },
    orderType: { v3: 'order_type', v2: 'orderType', kind: oneOf(['buy']) },
    status: { v3: 'status', v2: 'status', kind: oneOf(buyOrderStatuses) },
    operationId: { v3: 'operation_id', kind: optional(plainKind(z.string().max(80))) },
    createdAt: { v3: 'created_at', v2: 'createdAt', kind: timeKind },
  },
  {
    v2: [
      'id',
      'providerId',
      'sourceCode',
      'targetCode',
      'walletAddress',
      'orderType',
      'status',
      'checkoutUrl',
    ],
  },
);
export type BuyOrder = RowOf<typeof buyOrder.fields, 'v3'>;

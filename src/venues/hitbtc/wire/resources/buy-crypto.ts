import { z } from 'zod';
import {
  amountKind,
  idKind,
  nameKind,
  openRowWord,
  plainKind,
  textKind,
  timeKind,
  withDefault,
} from '../kinds.ts';
import { amountParam } from '../amount-param.ts';
import {
  codeParam,
  endOfMilli,
  idBoundParam,
  integerParam,
  textParam,
  unixTimeParam,
} from '../param-fields.ts';
import { param } from '../request.ts';
import type { Kind, RowOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';
import { sentAs } from '../sent.ts';

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

const currency = resource(
  'currency',
  {
    code: { v3: 'code', v2: 'code', kind: nameKind },
    displayName: { v3: 'display_name', v2: 'displayName', kind: textKind },
    networkCode: { v3: 'network_code', v2: 'networkCode', kind: optional(nameKind) },
  },
  { spare: 'optional', title: 'buy-crypto currency' },
);
export type BuyCurrency = RowOf<typeof currency.fields, 'v3'>;

/** How much of a source currency one purchase may cost, both ends included. */
const limit = resource(
  'limit',
  {
    currencyCode: { v3: 'currency_code', v2: 'currencyCode', kind: nameKind },
    targetCode: { v3: 'target_code', v2: 'targetCode', kind: nameKind },
    sourceMin: { v3: 'source_min', v2: 'sourceMin', kind: amountKind },
    sourceMax: { v3: 'source_max', v2: 'sourceMax', kind: amountKind },
    networkCode: { v3: 'network_code', v2: 'networkCode', kind: optional(nameKind) },
  },
  { spare: 'optional', title: 'buy-crypto limit' },
);

/** One way of paying a provider. */
const method = resource(
  'method',
  {
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
  },
  { spare: 'optional', title: 'buy-crypto method' },
);
export type BuyMethod = RowOf<typeof method.fields, 'v3'>;

export const buyProvider = resource(
  'buy-crypto provider',
  {
    providerId: { v3: 'provider_id', v2: 'providerID', kind: idKind },
    providerName: { v3: 'provider_name', v2: 'providerName', kind: textKind },
    methods: { v3: 'methods', v2: 'methods', rows: method, needed: true },
  },
  { spare: 'optional' },
);
export type BuyProvider = RowOf<typeof buyProvider.fields, 'v3'>;

/** Price of a purchase by one method, and what it brings. */
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
  {
    title: 'buy-crypto price',
    v2: ['paymentMethodId', 'type', 'targetCode', 'targetAmount', 'sourceCode', 'sourceAmount'],
  },
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
    orderType: { v3: 'order_type', v2: 'orderType', kind: openRowWord(['buy']) },
    status: { v3: 'status', v2: 'status', kind: openRowWord(buyOrderStatuses) },
    operationId: { v3: 'operation_id', kind: optional(plainKind(z.string().max(80))) },
    createdAt: { v3: 'created_at', v2: 'createdAt', kind: timeKind },
  },
  {
    spare: 'optional',
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

// What is asked. Paths of v2 spell the provider `providerID`.

const provider = { v3: 'provider_id', v2: 'providerID', kind: param(idBoundParam) } as const;
const optionalCode = param(codeParam.optional());
const optionalAmount = param(amountParam.optional());
const optionalId = param(idBoundParam.optional());
const targetNetworkCode = {
  v3: 'target_network_code',
  v2: 'targetNetworkCode',
  kind: optionalCode,
} as const;
const needed = param(codeParam);

export const providersQuery = resource('providers', {
  providerId: { v3: 'provider_id', v2: 'providerId', kind: optionalId },
  source: { v3: 'source', v2: 'source', kind: optionalCode },
  target: { v3: 'target', v2: 'target', kind: optionalCode },
});

/** v2 demands both currencies. */
const neededInV2 = param(codeParam.optional(), undefined, codeParam);
export const ratesQuery = resource('rates', {
  providerId: provider,
  source: { v3: 'source', v2: 'source', kind: neededInV2 },
  target: { v3: 'target', v2: 'target', kind: neededInV2 },
  sourceAmount: { v3: 'source_amount', v2: 'sourceAmount', kind: optionalAmount },
  targetAmount: { v3: 'target_amount', v2: 'targetAmount', kind: optionalAmount },
  paymentMethodId: { v3: 'payment_method_id', v2: 'paymentMethodId', kind: optionalId },
});

const orderBy = z.enum(['created_at'], { error: 'Parameter must be created_at' }).default('created_at');
const sort = sentAs(z.string().toLowerCase(), { type: 'string', enum: ['asc', 'desc'] })
  .pipe(z.enum(['asc', 'desc'], { error: 'Parameter must be desc or asc' }))
  .default('desc');
const till = unixTimeParam.transform(endOfMilli);
/** v2 demands both ends, and has no order. */
export const buyOrdersQuery = resource('orders', {
  providerId: provider,
  from: { v3: 'from', v2: 'from', kind: param(unixTimeParam.optional(), undefined, unixTimeParam) },
  till: { v3: 'till', v2: 'till', kind: param(till.optional(), undefined, till) },
  limit: {
    v3: 'limit',
    v2: 'limit',
    kind: param(integerParam(1, 1_000).default(100), undefined, integerParam(0, 1_000).default(100)),
  },
  offset: { v3: 'offset', v2: 'offset', kind: param(integerParam(0, 100_000).default(0)) },
  sourceCode: { v3: 'source_code', v2: 'sourceCode', kind: optionalCode },
  targetCode: { v3: 'target_code', v2: 'targetCode', kind: optionalCode },
  walletAddress: { v3: 'wallet_address', v2: 'walletAddress', kind: param(textParam.optional()) },
  targetNetworkCode,
  orderBy: { v3: 'order_by', kind: param(orderBy) },
  sort: { v3: 'sort', kind: param(sort) },
});

/** v2 may leave out the method of payment, and takes an amount of the target: `sourceAmount` is the most it may cost then. */
export const purchase = resource('purchase', {
  providerId: provider,
  target: { v3: 'target', v2: 'target', kind: needed },
  source: { v3: 'source', v2: 'source', kind: needed },
  sourceAmount: { v3: 'source_amount', v2: 'sourceAmount', kind: param(amountParam) },
  targetAmount: { v2: 'targetAmount', kind: optionalAmount },
  paymentMethodId: {
    v3: 'payment_method_id',
    v2: 'paymentMethodId',
    kind: param(idBoundParam, undefined, idBoundParam.optional()),
  },
  targetNetworkCode,
});

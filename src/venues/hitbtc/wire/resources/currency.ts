import { z } from 'zod';
import { decimalsOf } from '../../../../core/base/scan.ts';
import { numberField, optionalField, parseList, unsignedField } from '../fields.ts';
import { entriesOf } from '../keyed.ts';
import { flagKind, nameKind, plainKind, withDefault } from '../kinds.ts';
import type { ValueOf } from '../resource.ts';
import { resource } from '../resource.ts';
import { reads } from '../sent.ts';

const flag = withDefault(flagKind, false);
/** Text that some networks write as a number. */
const anyText = z.union([z.string().max(2_000), z.number().transform(String), z.boolean().transform(String)]);
const text = plainKind(optionalField(z.string().max(2_000)));
const amount = plainKind(optionalField(unsignedField));
const count = plainKind(optionalField(numberField));

/** Source: API v3, "Currency", Network. */
const network = resource(
  'network',
  {
    code: { v3: 'code', kind: plainKind(optionalField(z.string().max(80))) },
    network: { v3: 'network', kind: nameKind },
    networkName: { v3: 'network_name', kind: text },
    protocol: { v3: 'protocol', kind: text },
    default: { v3: 'default', kind: flag },
    isEnsAvailable: { v3: 'is_ens_available', kind: flag },
    payinEnabled: { v3: 'payin_enabled', kind: flag },
    payoutEnabled: { v3: 'payout_enabled', kind: flag },
    precisionPayout: { v3: 'precision_payout', kind: amount },
    payoutFee: { v3: 'payout_fee', kind: amount },
    payoutIsPaymentId: { v3: 'payout_is_payment_id', kind: flag },
    payinPaymentId: { v3: 'payin_payment_id', kind: flag },
    payinConfirmations: { v3: 'payin_confirmations', kind: count },
    addressRegex: { v3: 'address_regex', kind: text },
    paymentIdRegex: { v3: 'payment_id_regex', kind: text },
    isMultichain: { v3: 'is_multichain', kind: flag },
    lowProcessingTime: { v3: 'low_processing_time', kind: count },
    highProcessingTime: { v3: 'high_processing_time', kind: count },
    avgProcessingTime: { v3: 'avg_processing_time', kind: count },
    cryptoPaymentIdName: { v3: 'crypto_payment_id_name', kind: text },
    cryptoExplorer: { v3: 'crypto_explorer', kind: text },
    contractAddress: { v3: 'contract_address', kind: text },
    assetId: { v3: 'asset_id', kind: plainKind(optionalField(z.record(z.string(), anyText))) },
  },
  { spare: 'optional' },
);

/**
 * A currency: v3 has it under its code and lists its networks, v2 has the members of its default network in the
 * currency itself. Source: API v3, "Currency"; API v2, "Currency".
 */
const currencyRow = resource(
  'currency',
  {
    id: { v2: 'id', kind: nameKind },
    fullName: { v3: 'full_name', v2: 'fullName', kind: withDefault(plainKind(z.string().max(200)), '') },
    crypto: { v3: 'crypto', v2: 'crypto', kind: flag },
    stable: { v3: 'stable', kind: flag },
    payinEnabled: { v3: 'payin_enabled', v2: 'payinEnabled', kind: flag },
    payoutEnabled: { v3: 'payout_enabled', v2: 'payoutEnabled', kind: flag },
    transferEnabled: { v3: 'transfer_enabled', v2: 'transferEnabled', kind: flag },
    transferToWalletEnabled: { v3: 'transfer_to_wallet_enabled', kind: flag },
    transferToExchangeEnabled: { v3: 'transfer_to_exchange_enabled', kind: flag },
    manualFiatPayinEnabled: { v3: 'manual_fiat_payin_enabled', kind: flag },
    manualFiatPayoutEnabled: { v3: 'manual_fiat_payout_enabled', kind: flag },
    sign: { v3: 'sign', kind: plainKind(z.string().max(20).default('')) },
    extendedSign: { v2: 'sign', kind: text },
    cryptoPaymentIdName: { v3: 'crypto_payment_id_name', v2: 'cryptoPaymentIdName', kind: text },
    cryptoType: { v2: 'cryptoType', kind: text },
    qrPrefix: { v3: 'qr_prefix', v2: 'qrPrefix', kind: text },
    cryptoExplorer: { v3: 'crypto_explorer', v2: 'cryptoExplorer', kind: text },
    precisionTransfer: { v3: 'precision_transfer', kind: plainKind(unsignedField) },
    accountTopOrder: { v3: 'account_top_order', kind: count },
    delisted: { v3: 'delisted', v2: 'delisted', kind: flag },
    networks: { v3: 'networks', rows: network, orEmpty: true },
    payinPaymentId: { v2: 'payinPaymentId', kind: flag },
    payinConfirmations: { v2: 'payinConfirmations', kind: count },
    payoutIsPaymentId: { v2: 'payoutIsPaymentId', kind: flag },
    payoutFee: { v2: 'payoutFee', kind: amount },
    payoutMinimalAmount: { v2: 'payoutMinimalAmount', kind: amount },
    payoutDecimals: { v2: 'precisionPayout', kind: count },
    transferDecimals: { v2: 'precisionTransfer', kind: count },
    lowProcessingTime: { v2: 'lowProcessingTime', kind: count },
    highProcessingTime: { v2: 'highProcessingTime', kind: count },
    avgProcessingTime: { v2: 'avgProcessingTime', kind: count },
    isInstrumentsStable: { v2: 'isInstrumentsStable', kind: plainKind(optionalField(z.boolean())) },
  },
  {
    spare: 'optional',
    v2: [
      'id',
      'fullName',
      'crypto',
      'payinEnabled',
      'payinPaymentId',
      'payinConfirmations',
      'payoutEnabled',
      'payoutIsPaymentId',
      'transferEnabled',
      'delisted',
      'payoutFee',
      'payoutMinimalAmount',
      'payoutDecimals',
      'transferDecimals',
      'lowProcessingTime',
      'highProcessingTime',
      'avgProcessingTime',
      'extendedSign',
      'cryptoPaymentIdName',
      'cryptoType',
      'qrPrefix',
      'cryptoExplorer',
      'isInstrumentsStable',
    ],
  },
);

/** A currency in our spelling. Amounts are plain decimal text, processing times are seconds. */
export type Currency = { readonly code: string } & ValueOf<typeof currencyRow.fields, 'v3'>;
/** A currency as v2 describes it. Amounts are plain decimal text, processing times seconds. Source: API v2, "Currency". */
export type V2Currency = ValueOf<typeof currencyRow.fields, 'v2'>;

/** Currencies keyed by code, in the order of the answer. Throws `BadInput` naming the currency. Source: API v3, "Currency". */
export const decodeV3Currencies = reads(currenciesOf, () =>
  z.record(z.string(), currencyRow.members.v3.sent),
);

function currenciesOf(json: unknown): readonly Currency[] {
  return entriesOf(json, 'v3 currencies').map(([code, value]) => decodeV3Currency(value, code));
}

/** One currency. */
export const decodeV3Currency = reads(currencyOf, () => currencyRow.members.v3.sent);

function currencyOf(json: unknown, code: string): Currency {
  return { code, ...currencyRow.v3.readAs(`currency ${code.slice(0, 40)}`, json) };
}

export const decodeV2Currency = currencyRow.v2.read;

/** Currencies of a REST list or of `getCurrencies`. Throws `BadInput` naming the member. */
export const decodeV2Currencies = reads(v2CurrenciesOf, () => z.array(currencyRow.members.v2.sent));

function v2CurrenciesOf(json: unknown): readonly V2Currency[] {
  return parseList(json, 'v2 currencies', decodeV2Currency);
}

/** A currency as the REST replies show it; the code is the key, not a member. */
export const encodeV3Currency: (currency: Currency) => object = currencyRow.v3.write;

/**
 * A currency as v2 shows it: what v3 says of its default network stands in the currency itself. `extended` adds
 * the members of the socket's extended form. Source: API v2, "Currency".
 */
export function encodeV2Currency(currency: Currency, extended = false): object {
  const main = currency.networks.find((one) => one.default) ?? currency.networks[0];
  const { precisionTransfer, cryptoPaymentIdName, qrPrefix, cryptoExplorer } = currency;
  const payoutStep = main?.precisionPayout ?? precisionTransfer;
  return currencyRow.v2.write({
    id: currency.code,
    fullName: currency.fullName,
    crypto: currency.crypto,
    payinEnabled: currency.payinEnabled,
    payoutEnabled: currency.payoutEnabled,
    transferEnabled: currency.transferEnabled,
    delisted: currency.delisted,
    payinPaymentId: main?.payinPaymentId ?? false,
    payinConfirmations: main?.payinConfirmations ?? 0,
    payoutIsPaymentId: main?.payoutIsPaymentId ?? false,
    payoutFee: main?.payoutFee ?? '0',
    payoutMinimalAmount: payoutStep,
    payoutDecimals: decimalsOf(payoutStep),
    transferDecimals: decimalsOf(precisionTransfer),
    lowProcessingTime: main?.lowProcessingTime,
    highProcessingTime: main?.highProcessingTime,
    avgProcessingTime: main?.avgProcessingTime,
    ...(extended && {
      extendedSign: currency.sign,
      cryptoPaymentIdName,
      cryptoType: main?.protocol,
      qrPrefix,
      cryptoExplorer,
      isInstrumentsStable: currency.stable,
    }),
  });
}

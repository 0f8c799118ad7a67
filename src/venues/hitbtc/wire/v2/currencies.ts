import { z } from 'zod';
import { decimalsOf } from '../../../../core/base/scan.ts';
import { nameField, numberField, optionalField, parseList, parseWith, unsignedField } from '../fields.ts';
import type { Currency } from '../v3/currencies.ts';

const flag = z.boolean().default(false);
const count = optionalField(numberField);
const text = optionalField(z.string().max(2_000));

const members = z.object({
  id: nameField,
  fullName: z.string().max(200),
  crypto: flag,
  payinEnabled: flag,
  payinPaymentId: flag,
  payinConfirmations: count,
  payoutEnabled: flag,
  payoutIsPaymentId: flag,
  transferEnabled: flag,
  delisted: flag,
  payoutFee: optionalField(unsignedField),
  payoutMinimalAmount: optionalField(unsignedField),
  precisionPayout: count,
  precisionTransfer: count,
  lowProcessingTime: count,
  highProcessingTime: count,
  avgProcessingTime: count,
  sign: text,
  cryptoPaymentIdName: text,
  cryptoType: text,
  qrPrefix: text,
  cryptoExplorer: text,
  isInstrumentsStable: optionalField(z.boolean()),
});

/** A currency as v2 describes it. Amounts are plain decimal text, processing times seconds. Source: API v2, "Currency". */
export type V2Currency = z.output<typeof members>;

/** Currencies of a REST list or of `getCurrencies`. Throws `BadInput` naming the member. */
export function decodeV2Currencies(json: unknown): readonly V2Currency[] {
  return parseList(json, 'v2 currencies', decodeV2Currency);
}

/** One currency. */
export function decodeV2Currency(json: unknown): V2Currency {
  return parseWith(members, json, 'v2 currency');
}

/**
 * A currency as v2 shows it: what v3 says of its default network stands in the currency itself. `extended` adds
 * the members of the socket's extended form. Source: API v2, "Currency".
 */
export function encodeV2Currency(currency: Currency, extended = false): object {
  const network = currency.networks.find((one) => one.default) ?? currency.networks[0];
  const basic = {
    id: currency.code,
    fullName: currency.fullName,
    crypto: currency.crypto,
    payinEnabled: currency.payinEnabled,
    payinPaymentId: network?.payinPaymentId ?? false,
    payinConfirmations: network?.payinConfirmations ?? 0,
    payoutEnabled: currency.payoutEnabled,
    payoutIsPaymentId: network?.payoutIsPaymentId ?? false,
    transferEnabled: currency.transferEnabled,
    delisted: currency.delisted,
    payoutFee: network?.payoutFee ?? '0',
    payoutMinimalAmount: network?.precisionPayout ?? currency.precisionTransfer,
    precisionPayout: decimalsOf(network?.precisionPayout ?? currency.precisionTransfer),
    precisionTransfer: decimalsOf(currency.precisionTransfer),
    ...(network?.lowProcessingTime !== undefined && { lowProcessingTime: network.lowProcessingTime }),
    ...(network?.highProcessingTime !== undefined && { highProcessingTime: network.highProcessingTime }),
    ...(network?.avgProcessingTime !== undefined && { avgProcessingTime: network.avgProcessingTime }),
  };
  if (!extended) return basic;
  return {
    ...basic,
    sign: currency.sign,
    ...(currency.cryptoPaymentIdName !== undefined && { cryptoPaymentIdName: currency.cryptoPaymentIdName }),
    ...(network?.protocol !== undefined && { cryptoType: network.protocol }),
    ...(currency.qrPrefix !== undefined && { qrPrefix: currency.qrPrefix }),
    ...(currency.cryptoExplorer !== undefined && { cryptoExplorer: currency.cryptoExplorer }),
    isInstrumentsStable: currency.stable,
  };
}

import { z } from 'zod';
import type { CamelKeys } from '../camel.ts';
import { camelKeys, snakeKeys } from '../camel.ts';
import { nameField, numberField, optionalField, parseWith, unsignedField } from '../fields.ts';
import { entriesOf } from '../keyed.ts';

const flag = z.boolean().default(false);
const text = optionalField(z.string().max(2_000));
const amount = optionalField(unsignedField);
const count = optionalField(numberField);

/** Source: API v3, "Currency", Network. */
const networkMembers = z.object({
  code: optionalField(z.string().max(80)),
  network_name: text,
  network: nameField,
  is_ens_available: flag,
  protocol: text,
  default: flag,
  payin_enabled: flag,
  payout_enabled: flag,
  precision_payout: amount,
  payout_fee: amount,
  payout_is_payment_id: flag,
  payin_payment_id: flag,
  payin_confirmations: count,
  address_regex: text,
  payment_id_regex: text,
  low_processing_time: count,
  high_processing_time: count,
  avg_processing_time: count,
  crypto_payment_id_name: text,
  crypto_explorer: text,
  contract_address: text,
  is_multichain: flag,
  asset_id: optionalField(z.record(z.string(), z.string())),
});

/** Source: API v3, "Currency". */
const currencyMembers = z.object({
  full_name: z.string().max(200),
  crypto: flag,
  stable: flag,
  payin_enabled: flag,
  payout_enabled: flag,
  transfer_enabled: flag,
  transfer_to_wallet_enabled: flag,
  transfer_to_exchange_enabled: flag,
  manual_fiat_payin_enabled: flag,
  manual_fiat_payout_enabled: flag,
  sign: z.string().max(20).default(''),
  crypto_payment_id_name: text,
  crypto_explorer: text,
  precision_transfer: unsignedField,
  account_top_order: optionalField(numberField),
  qr_prefix: text,
  delisted: flag,
  networks: z.array(networkMembers).default([]),
});

/** A currency in our spelling. Amounts are plain decimal text, processing times are seconds. */
export type Currency = { readonly code: string } & CamelKeys<z.output<typeof currencyMembers>>;

/** Currencies keyed by code, in the order of the answer. Throws `BadInput` naming the currency. Source: API v3, "Currency". */
export function decodeV3Currencies(json: unknown): readonly Currency[] {
  return entriesOf(json, 'v3 currencies').map(([code, value]) => decodeV3Currency(value, code));
}

/** One currency. */
export function decodeV3Currency(json: unknown, code: string): Currency {
  return { code, ...camelKeys(parseWith(currencyMembers, json, `currency ${code.slice(0, 40)}`)) };
}

/** A currency as the REST replies show it; the code is the key, not a member. */
export function encodeV3Currency(currency: Currency): object {
  const { code: _, ...members } = currency;
  return snakeKeys(members);
}

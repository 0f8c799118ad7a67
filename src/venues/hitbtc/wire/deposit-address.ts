import { z } from 'zod';
import { nameField, parseWith } from './fields.ts';

/** An address for deposits, or one withdrawn to. Source: API v2, "Deposit address"; v3-gaps, section 6. */
export interface DepositAddress {
  readonly currency: string;
  readonly address: string;
  /** When present, a deposit needs it. */
  readonly paymentId: string | undefined;
  readonly publicKey: string | undefined;
  readonly networkCode: string | undefined;
}

const optional = z
  .string()
  .max(500)
  .nullish()
  .transform((text) => text ?? undefined);
const v3Members = z.object({
  currency: nameField,
  address: z.string().min(1).max(500),
  payment_id: optional,
  public_key: optional,
  network_code: optional,
});
const v2Members = z.object({
  address: z.string().min(1).max(500),
  paymentId: optional,
  publicKey: optional,
  networkCode: optional,
});

/** Reads a v3 address. Throws `BadInput` naming the member. */
export function decodeV3Address(json: unknown): DepositAddress {
  const read = parseWith(v3Members, json, 'v3 address');
  return {
    currency: read.currency,
    address: read.address,
    paymentId: read.payment_id,
    publicKey: read.public_key,
    networkCode: read.network_code,
  };
}

/** `{currency,address,payment_id?,public_key?,network_code?}`. Source: v3-gaps, section 6. */
export function encodeV3Address(given: DepositAddress): object {
  return {
    currency: given.currency,
    address: given.address,
    payment_id: given.paymentId,
    public_key: given.publicKey,
    network_code: given.networkCode,
  };
}

/** Reads a v2 address, which does not name its currency. */
export function decodeV2Address(json: unknown): Omit<DepositAddress, 'currency'> {
  return parseWith(v2Members, json, 'v2 address');
}

/** `{address,paymentId?,publicKey?,networkCode?}`. Source: API v2, "Deposit address". */
export function encodeV2Address({ address, paymentId, publicKey, networkCode }: DepositAddress): object {
  return { address, paymentId, publicKey, networkCode };
}

/** `{address,paymentId?}`. Source: API v2, "Used-address entries". */
export function encodeV2UsedAddress({ address, paymentId }: DepositAddress): object {
  return { address, paymentId };
}

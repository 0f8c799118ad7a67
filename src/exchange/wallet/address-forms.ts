import type { Random } from '../../core/base/random.ts';
import type { AddressForm } from '../base/index.ts';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const hexadecimal = '0123456789abcdef';

interface Shape {
  readonly prefix: string;
  readonly alphabet: string;
  readonly length: number;
  readonly pattern: RegExp;
}

const shapes: Readonly<Record<AddressForm, Shape>> = {
  bech32: {
    prefix: 'bc1q',
    alphabet: bech32,
    length: 38,
    pattern: /^(bc1[02-9ac-hj-np-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  },
  litecoin: {
    prefix: 'ltc1q',
    alphabet: bech32,
    length: 38,
    pattern: /^(ltc1[02-9ac-hj-np-z]{11,71}|[LM3][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  },
  hex: { prefix: '0x', alphabet: hexadecimal, length: 40, pattern: /^0x[0-9a-fA-F]{40}$/ },
  ripple: { prefix: 'r', alphabet: base58, length: 33, pattern: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/ },
  tron: { prefix: 'T', alphabet: base58, length: 33, pattern: /^T[1-9A-HJ-NP-Za-km-z]{33}$/ },
  plain: { prefix: '', alphabet: base58, length: 34, pattern: /^[A-Za-z0-9:._-]{4,120}$/ },
};

/** What an extra identifier of an address looks like. */
export const paymentIdPattern = /^[0-9]{1,10}$/;

/** What addresses of a form look like. */
export function addressPattern(form: AddressForm): RegExp {
  return shapes[form].pattern;
}

/** A new address of a form. */
export function makeAddress(form: AddressForm, random: Random): string {
  const { prefix, alphabet, length } = shapes[form];
  return prefix + letters(random, alphabet, length);
}

/** A new extra identifier. */
export function makePaymentId(random: Random): string {
  return String(random.between(1_000_000, 999_999_999));
}

/** The hash of a transaction on a network: 64 hexadecimal digits. */
export function makeHash(random: Random): string {
  return letters(random, hexadecimal, 64);
}

/** An identifier in the form of a UUID of version 4. */
export function makeUuid(random: Random): string {
  const digits = letters(random, hexadecimal, 30);
  const variant = '89ab'[random.between(0, 3)] as string;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(12, 15)}`,
    `${variant}${digits.slice(15, 18)}`,
    digits.slice(18),
  ].join('-');
}

function letters(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.between(0, alphabet.length - 1)] as string;
  return text;
}

import { nineCode, pointCode, withoutZeros, zeroCode } from './number-text.ts';
import type { Brand } from './brand.ts';
import { BadInput } from './errors.ts';

/** Money, exact: a bigint in units of 10^-24. Holds tick x lot x fee rate without rounding. */
export type Amount = Brand<bigint, 'amount'>;

/** Digits after the decimal point that an `Amount` carries. */
export const amountDecimals = 24;

export const zero = 0n as Amount;

const one = 10n ** BigInt(amountDecimals);
const shape = /^(-?)(\d{1,60})(?:\.(\d{1,24}))?$/;

/** The worth of the last digit of a number by its decimals. */
const digitWorths = Array.from(
  { length: amountDecimals + 1 },
  (_, used) => 10n ** BigInt(amountDecimals - used),
);
/** Digits that a double counts without doubt. */
const exactDigits = 15;

/** Parses a plain decimal ("-12.5"). Throws `BadInput` on anything else; never rounds. */
export function parseAmount(text: string): Amount {
  return shortAmount(text) ?? longAmount(text);
}

/** The amount of up to fifteen digits without a sign, which nearly all are; `undefined` of another text. */
function shortAmount(text: string): Amount | undefined {
  const { length } = text;
  if (length === 0 || length > exactDigits + 1) return undefined;
  let digits = 0;
  let point = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= zeroCode && code <= nineCode) digits = digits * 10 + (code - zeroCode);
    else if (code === pointCode && point < 0) point = at;
    else return undefined;
  }
  if (point < 0) return length > exactDigits ? undefined : ((BigInt(digits) * one) as Amount);
  const used = length - 1 - point;
  if (point === 0 || used === 0) return undefined;
  return (BigInt(digits) * (digitWorths[used] as bigint)) as Amount;
}

function longAmount(text: string): Amount {
  const match = shape.exec(text);
  if (match === null)
    throw new BadInput(`expected a plain decimal number, found ${JSON.stringify(text.slice(0, 80))}`);
  const [, sign = '', whole = '0', fraction = ''] = match;
  const value = BigInt(whole) * one + BigInt(fraction.padEnd(amountDecimals, '0'));
  return (sign === '-' ? -value : value) as Amount;
}

/** Prints exactly, without trailing zeros: `"12.5"`, `"-0.00001"`, `"0"`. */
export function formatAmount(amount: Amount): string {
  const text = formatAmountFixed(amount, amountDecimals);
  return withoutZeros(text);
}

/** Prints with `decimals` digits after the point, cut towards zero: `"0.014240820000"`. */
export function formatAmountFixed(amount: Amount, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(amountDecimals + 1, '0');
  const whole = digits.slice(0, -amountDecimals);
  const fraction = digits.slice(-amountDecimals).slice(0, decimals);
  const text = decimals === 0 ? whole : `${whole}.${fraction}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

/** `amount` without its digits beyond `decimals`, cut towards zero. */
export function cutAfter(amount: Amount, decimals: number): Amount {
  return (amount - (amount % 10n ** BigInt(amountDecimals - decimals))) as Amount;
}

/** The worth of the last decimal digit of `amount`, which is not 0, that is not 0. */
export function lastDigit(amount: Amount): Amount {
  let unit = 1n;
  while (amount % (unit * 10n) === 0n) unit *= 10n;
  return unit as Amount;
}

export function add(a: Amount, b: Amount): Amount {
  return (a + b) as Amount;
}

export function subtract(a: Amount, b: Amount): Amount {
  return (a - b) as Amount;
}

export function negate(a: Amount): Amount {
  return -a as Amount;
}

/** `a` times the rate `b`, both at scale 24; cut towards zero below 10^-24 (products of ticks, lots and rates fit). */
export function multiply(a: Amount, b: Amount): Amount {
  return ((a * b) / one) as Amount;
}

/** Whole units by number of decimals: nine are what most prices have, twelve what fees and averages need. */
const nine = 10n ** BigInt(amountDecimals - 9);
const twelve = 10n ** BigInt(amountDecimals - 12);
const wholeMax = 2n ** 53n;
const million = 1_000_000n;

/** The amount in billionths, where it is a whole number of them below 2^53; NaN otherwise. */
export function billionthsOf(amount: Amount): number {
  const billionths = amount / nine;
  const isWhole = billionths < wholeMax && billionths > -wholeMax && billionths * nine === amount;
  return isWhole ? Number(billionths) : Number.NaN;
}

/**
 * The double nearest to `amount`: for signals and displays, never for an order or an account. Fast twin of a number from its text:
 * row `corridor-resident-touch-maker`, 1.04 times as fast.
 */
export function amountToNumber(amount: Amount): number {
  if (amount === 0n) return 0;
  // Both numbers of each division are exact, so its result is the nearest double.
  const billionths = amount / nine;
  if (billionths < wholeMax && billionths > -wholeMax) {
    if (billionths * nine === amount) return Number(billionths) / 1e9;
    const trillionths = amount / twelve;
    if (trillionths < wholeMax && trillionths > -wholeMax && trillionths * twelve === amount)
      return Number(trillionths) / 1e12;
  }
  if (billionths < million && billionths > -million) return Number(formatAmount(amount));
  return amount < 0n ? -quotientOf(-amount) : quotientOf(amount);
}

/**
 * The double nearest to an amount of a thousandth and more: a quotient with 55 bits or more, the lowest of which says
 * whether there is a rest. Rounding it to 53 bits is then rounding the exact quotient.
 */
function quotientOf(amount: bigint): number {
  const scaled = amount << 64n;
  const quotient = scaled / one;
  return Number(quotient * one === scaled ? quotient : quotient | 1n) / 2 ** 64;
}

/** Factor that spreads an upper word before it joins the lower one. It is of the murmur family. */
export const wordSpread = 0x9e3779b1;

const bits = new BigInt64Array(2);
const words = new Int32Array(bits.buffer);
/** Value whose bits stand there: a candle that has just begun has one price four times. */
let split = 0n;

/** Writes the lowest 128 bits of an amount as two 32-bit words at `at` and behind it: for hashes of amounts. */
export function foldAmount(amount: Amount, into: Int32Array, at: number): void {
  if (amount !== split) {
    split = amount;
    bits[0] = amount;
    bits[1] = amount >> 64n;
  }
  into[at] = (words[0] as number) ^ Math.imul(words[1] as number, wordSpread);
  into[at + 1] = (words[2] as number) ^ Math.imul(words[3] as number, wordSpread);
}

import type { Amount } from '../../../core/base/amount.ts';
import { assert } from '../../../core/base/assert.ts';

/** As many units as are counted in one number: two such numbers still add up exactly in a double. */
export const unitsMax = 2 ** 52;

// A whole number as bigint: eight bytes seen two ways take half the time of `BigInt(number)`.
const words = new Int32Array(2);
const whole = new BigInt64Array(words.buffer);
words[0] = 1;
assert(whole[0] === 1n, 'expected a machine that stores the low bytes of a number first');

/** `units` times `unit`, exact; `units` is a safe integer, of either sign. */
export function amountOf(units: number, unit: Amount): Amount {
  words[0] = units | 0;
  words[1] = Math.floor(units / 4_294_967_296);
  return ((whole[0] as bigint) * unit) as Amount;
}

/** How many `unit` an amount is, `NaN` when it is no whole number of them that a double holds. */
export function unitsOf(amount: Amount, unit: Amount): number {
  if (amount % unit !== 0n) return Number.NaN;
  const units = Number(amount / unit);
  return Number.isSafeInteger(units) ? units : Number.NaN;
}

/** The greatest amount that all of these are whole multiples of; zero when all are zero. */
export function commonUnit(...amounts: readonly Amount[]): Amount {
  let unit = 0n;
  for (const amount of amounts) {
    for (let rest: bigint = amount < 0n ? -amount : amount; rest !== 0n;) [unit, rest] = [rest, unit % rest];
  }
  return unit as Amount;
}

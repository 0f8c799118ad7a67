import type { Amount } from './amount.ts';

/** What an upper word is spread by before it joins the lower one. Of the murmur family. */
export const wordSpread = 0x9e3779b1;

const bits = new BigInt64Array(2);
const words = new Int32Array(bits.buffer);
/** Whose bits stand there: a candle that has just begun has one price four times. */
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

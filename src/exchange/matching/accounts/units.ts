import type { Amount } from '../../../core/base/amount.ts';

/** As many units as are counted in one number: two such numbers still add up exactly in a double. */
export const unitsMax = 2 ** 52;

/** `units` times `unit`, exact; `units` is a safe integer, of either sign. */
export function amountOf(units: number, unit: Amount): Amount {
  return (BigInt(units) * unit) as Amount;
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

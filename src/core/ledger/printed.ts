import type { Amount } from '../base/amount.ts';
import { parseAmount, zero } from '../base/amount.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Fill } from '../model/order.ts';

/** Rates of fees have at most six decimals; amounts have 24. */
const rateUnit = 10n ** 18n;
/** The interface prints amounts cut after twelve decimals, and the venue keeps all of them. Source: v3-gaps, section 10 ("Fee"). */
const printedUnit = 10n ** 12n;
const one = parseAmount('1');

/** The fee that was charged, in the fee currency: what the rate that it tells comes to, where that is printed as the trade has it. */
export function chargedFee(
  instrument: Instrument,
  { price, quantity, fee }: Pick<Fill, 'price' | 'quantity' | 'fee'>,
): Amount {
  // In a third currency it is converted at a rate that is not told; see docs/assumptions.md.
  if (instrument.feesInThird) return fee;
  const whole = instrument.fee(price, quantity, one);
  if (whole === zero) return fee;
  const half = fee < 0n ? -rateUnit / 2n : rateUnit / 2n;
  const rate = ((((fee * one) / whole + half) / rateUnit) * rateUnit) as Amount;
  const charged = instrument.fee(price, quantity, rate);
  return charged - (charged % printedUnit) === fee ? charged : fee;
}

/** The nearest amount that the interface can print: accounts are read by it, and sums of them have digits that it cuts. */
export function nearestPrinted(amount: Amount): Amount {
  const half = amount < 0n ? -printedUnit / 2n : printedUnit / 2n;
  return (((amount + half) / printedUnit) * printedUnit) as Amount;
}

/** More amounts than one balance is the sum of: wallet and margin accounts, each cut as it is printed, before and after. */
const cutsMax = 8;

/** Whether two looks show the same difference: sums with digits that are not printed differ by these from look to look. */
export function isSameButCut(one: Amount, other: Amount): boolean {
  const apart = one < other ? other - one : one - other;
  return apart < BigInt(cutsMax) * printedUnit;
}

/**
 * Part of a difference between a balance and the sum that was expected that the cut explains: all of it where one of them has
 * digits that are not printed, as what a part of a position brings has, and the difference is below what the cuts can come to. `cuts`: so
 * many amounts of margin accounts are in the sum, which have such digits though they were read without.
 */
export function cutOf(difference: Amount, expected: Amount, cuts = 0): Amount {
  const size = difference < 0n ? -difference : difference;
  const isUnprinted = cuts > 0 || expected % printedUnit !== 0n || difference % printedUnit !== 0n;
  return isUnprinted && size < BigInt(cutsMax + cuts) * printedUnit ? difference : zero;
}

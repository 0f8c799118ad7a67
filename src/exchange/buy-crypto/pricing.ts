import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, multiply, parseAmount, subtract } from '../../core/base/amount.ts';
import type { CurrencyOptions } from '../base/index.ts';
import type { Rates } from '../market/index.ts';
import { divide } from '../../core/model/margin-math.ts';
import type { BuySource, OfferedMethod } from './catalog.ts';

const one = parseAmount('1');
/** Prices are cut to as many decimals as fees have. Source: v3-gaps, section 11. */
const priceDecimals = 12;

/** Amount that is paid and what it brings. */
export interface Quote {
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
}

/** One unit of the target in source currency, by the exchange's own market; undefined when it has no price. */
export function spotPrice(rates: Rates, source: BuySource, target: string): Amount | undefined {
  const rate = rates.rate(target, source.follows);
  if (rate === undefined) return undefined;
  const price = cut(divide(rate, source.worth), priceDecimals);
  return price > 0n ? price : undefined;
}

/** Quote for a payment: less the fee, at the spot price, cut to what the target can be transferred in. */
export function quoteForSource(
  method: OfferedMethod,
  price: Amount,
  target: CurrencyOptions,
  sourceAmount: Amount,
): Quote {
  const net = subtract(sourceAmount, multiply(sourceAmount, method.feeRate));
  const unit = parseAmount(target.transferPrecision);
  const targetAmount = divide(net, price);
  return { sourceAmount, targetAmount: (targetAmount - (targetAmount % unit)) as Amount };
}

/** Quote for an amount of the target: the least payment that brings it, up to a unit of the source. */
export function quoteForTarget(
  method: OfferedMethod,
  price: Amount,
  source: BuySource,
  targetAmount: Amount,
): Quote {
  const unit = stepOf(source.decimals);
  const exact: bigint = divide(multiply(targetAmount, price), subtract(one, method.feeRate));
  return { sourceAmount: ((exact / unit + 1n) * unit) as Amount, targetAmount };
}

/** Whether a payment is within the method's limits. */
export function withinLimits(method: OfferedMethod, sourceAmount: Amount): boolean {
  return sourceAmount >= method.sourceMin && sourceAmount <= method.sourceMax;
}

/** Whether an amount can be paid in a source currency: it has no more decimals than that. */
export function isPayable(source: BuySource, amount: Amount): boolean {
  return amount % stepOf(source.decimals) === 0n;
}

/** Whether an amount of a target can be credited: it is a multiple of what can be transferred. */
export function isTransferable(target: CurrencyOptions, amount: Amount): boolean {
  return amount % parseAmount(target.transferPrecision) === 0n;
}

function cut(amount: Amount, decimals: number): Amount {
  return (amount - (amount % stepOf(decimals))) as Amount;
}

function stepOf(decimals: number): bigint {
  return 10n ** BigInt(amountDecimals - decimals);
}

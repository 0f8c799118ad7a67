import type { Amount } from '../base/amount.ts';
import { add, multiply, subtract, zero } from '../base/amount.ts';
import type { Instrument, Lots } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import type { Position } from './position.ts';

/** Whether fees are a share of what is bought or sold: of spot symbols whose fee currency is the base currency. */
export function takesFeesInBase(instrument: Instrument, account: PositionAccount): boolean {
  return instrument.feesInBase && account === 'spot';
}

/** Worth of what is held at a price, in quote currency: of the sign of the position (inverse contracts: the other sign). */
export function worthHeld(
  { quantity, held, account }: Pick<Position, 'quantity' | 'held' | 'account'>,
  instrument: Instrument,
  price: Amount,
): Amount {
  return takesFeesInBase(instrument, account)
    ? multiply(held, price)
    : instrument.contract.worthAt(price, quantity as Lots);
}

/** Amounts of currencies, as far as they can be valued: those of the quote currency, and others at their price in it. */
export function valueOf(
  amounts: Iterable<readonly [currency: string, amount: Amount]>,
  quote: string,
  priceOf: (currency: string) => Amount | undefined,
): Amount {
  let sum: Amount = zero;
  for (const [currency, amount] of amounts) {
    if (currency === quote) sum = add(sum, amount);
    else sum = add(sum, multiply(amount, priceOf(currency) ?? zero));
  }
  return sum;
}

/** Gain of closing the position at `price` against its average price, fees left out. */
export function unrealizedAt(position: Position, instrument: Instrument, price: Amount): Amount {
  return subtract(worthHeld(position, instrument, price), position.cost);
}

/** Profit that a position has realised, in quote currency, less fees, funding and interest. Fees in a third currency are no part of it. */
export function settledProfit({ realized, feesInQuote, charges }: Position): Amount {
  return subtract(realized, add(feesInQuote, charges));
}

/** The same with what is unrealised. `price` may be `undefined` where nothing is held. */
export function profitAt(
  position: Position,
  instrument: Instrument,
  price: Amount | undefined,
): Amount | undefined {
  if (position.held === 0n) return settledProfit(position);
  return price === undefined
    ? undefined
    : add(settledProfit(position), unrealizedAt(position, instrument, price));
}

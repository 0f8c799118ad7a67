import type { Amount } from '../base/amount.ts';
import { amountDecimals, multiply, negate, parseAmount, zero } from '../base/amount.ts';
import { decimalsOf } from '../base/scan.ts';
import { BadInput } from '../base/errors.ts';
import type { Lots, Ticks } from './grid.ts';

const one = 10n ** BigInt(amountDecimals);

/** Grid and worth of a symbol, as text from outside. */
export interface ContractTerms {
  readonly symbol: string;
  /** Plain decimal; the number of its decimals is the number of decimals prices are printed with. */
  readonly tickSize: string;
  /** Plain decimal; the number of its decimals is the number of decimals quantities are printed with. */
  readonly quantityIncrement: string;
  /**
   * Size of a contract, such as "50": what one unit of quantity stands for, of what is priced or, if it is inverse, of the
   * currency of the price. "1" when absent.
   */
  readonly contractSize?: string;
  /** True of a contract that is worth its size over its price, and settles so in the quote currency. */
  readonly inverse?: boolean;
}

/**
 * Worth of quantities of one instrument in its quote currency. For spot symbols and contracts of one unit it is price
 * times quantity; of linear contracts so many times that; of inverse contracts the size over the price.
 */
export class Contract {
  readonly isInverse: boolean;
  readonly #tickAmount: Amount;
  readonly #lotAmount: Amount;
  /** Size of a lot: units of what is priced or, if inverse, of the currency of the price. */
  readonly #lotSize: Amount;
  /** Linear: of one lot at one tick. */
  readonly #notionalUnit: Amount;
  /** Inverse: what a lot stands for, at scale 48. */
  readonly #inverseUnit: bigint;
  readonly #sizeNumber: number;
  /** Notional that was asked for last: an order is judged, executed and booked at one price. */
  #ticks = 0;
  #lots = 0;
  #notional: Amount = zero;

  /** Throws `BadInput` when amounts would have more decimals than an amount can hold. */
  constructor({ symbol, tickSize, quantityIncrement, contractSize = '1', inverse = false }: ContractTerms) {
    const decimals = [tickSize, quantityIncrement, contractSize].reduce(
      (sum, text) => sum + decimalsOf(text),
      0,
    );
    if (decimals > amountDecimals) {
      const more = contractSize === '1' ? '' : ` times contract size ${contractSize}`;
      throw new BadInput(
        `symbol ${symbol}: tick size ${tickSize} times quantity increment ${quantityIncrement}${more} has more than ${amountDecimals} decimals`,
      );
    }
    this.isInverse = inverse;
    this.#tickAmount = parseAmount(tickSize);
    this.#lotAmount = parseAmount(quantityIncrement);
    this.#lotSize = multiply(this.#lotAmount, parseAmount(contractSize));
    this.#notionalUnit = multiply(this.#tickAmount, this.#lotSize);
    this.#inverseUnit = this.#lotSize * one;
    this.#sizeNumber = Number(contractSize);
  }

  /** Notional with the sign of the lots; exact, but of an inverse contract cut at scale 24. */
  notional(ticks: Ticks, lots: Lots): Amount {
    if (ticks === this.#ticks && lots === this.#lots) return this.#notional;
    this.#ticks = ticks;
    this.#lots = lots;
    this.#notional = this.#notionalOf(ticks, lots);
    return this.#notional;
  }

  #notionalOf(ticks: Ticks, lots: Lots): Amount {
    if (this.isInverse) return this.#over(lots, BigInt(ticks) * this.#tickAmount);
    return (BigInt(ticks) * BigInt(lots) * this.#notionalUnit) as Amount;
  }

  /**
   * Worth of so many lots where gains are reckoned: what they are worth later less what they are worth now is
   * gained. The notional; of an inverse contract, which is worth less of its currency the dearer it is, the notional below 0.
   */
  worth(ticks: Ticks, lots: Lots): Amount {
    return this.worthOf(this.notional(ticks, lots));
  }

  /** As `worth`, of what has that notional. */
  worthOf(notional: Amount): Amount {
    return this.isInverse ? negate(notional) : notional;
  }

  /** As `worth`, at a price that may lie between two ticks. */
  worthAt(price: Amount, lots: Lots): Amount {
    if (this.isInverse) return negate(this.#over(lots, price));
    return multiply((BigInt(lots) * this.#lotSize) as Amount, price);
  }

  /** As `worth`, of a quantity, in doubles: for charts. */
  worthNear(price: number, quantity: number): number {
    return this.isInverse ? (-quantity * this.#sizeNumber) / price : quantity * this.#sizeNumber * price;
  }

  /** The price at which a quantity is worth so much, in doubles. */
  priceNear(worth: number, quantity: number): number {
    return this.isInverse ? (quantity * this.#sizeNumber) / -worth : worth / (quantity * this.#sizeNumber);
  }

  /** The price at which so many lots, above 0, are worth so much, cut at scale 24. */
  priceAt(worth: Amount, lots: Lots): Amount {
    if (this.isInverse) return this.#over(lots, negate(worth));
    return ((worth * one) / (BigInt(lots) * this.#lotSize)) as Amount;
  }

  /** The quantity whose notional at that price, above 0, is so much. */
  unitsFor(notional: Amount, price: Amount): Amount {
    if (this.isInverse) return ((notional * price * this.#lotAmount) / this.#inverseUnit) as Amount;
    return ((notional * one * this.#lotAmount) / (price * this.#lotSize)) as Amount;
  }

  /** The size of inverse lots, divided: by a price to an amount, by an amount to a price. Over nothing it is nothing. */
  #over(lots: Lots, divisor: bigint): Amount {
    return (divisor === 0n ? 0n : (this.#inverseUnit * BigInt(lots)) / divisor) as Amount;
  }
}

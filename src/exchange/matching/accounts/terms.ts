import type { Amount } from '../../../core/base/amount.ts';
import { add, amountDecimals, multiply, zero } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks, InstrumentId } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';
import type { Wallet, IntegerBalance } from './integer-balances.ts';
import { commonUnit, unitsOf } from './integer-balances.ts';
import type { Execution } from './outcome.ts';
import type { AccountId } from './command.ts';
import type { FeeBox } from './wallets.ts';
import type { MarginAccount } from './margin.ts';

const scale = 10n ** BigInt(amountDecimals);

/**
 * Terms that an order of an instrument pays: its volume, its fee as taker and as maker, and what a buy must hold.
 *
 * A rate times one tick times one lot is nearly always exact at scale 24; then an amount is one multiplication.
 * Otherwise fees are cut below 10^-24, as `Instrument.fee` does.
 *
 * Where it is exact, volume and fees are whole numbers of `unit` too: each `…Units` times ticks times lots, as long as
 * a safe integer. They are `NaN` where it is not, and where fees are taken in another than the quote currency.
 */
export class Terms {
  readonly takeRate: Amount;
  readonly makeRate: Amount;
  /** The worst of both, not below zero. Source: API v3, "Funds rule"; v3-gaps, section 10. */
  readonly worstRate: Amount;
  /** Fees are a share of the quantity: a buy brings less, a sell must hold more. Source: API v3, "Symbol", fee_currency. */
  readonly feesInBase: boolean;
  /** Fees are taken from the wallet of a currency that is neither bought nor sold. */
  readonly feesInThird: boolean;
  /** The greatest amount in which volumes and fees of the instrument without mark-ups come out whole. */
  readonly unit: Amount;
  readonly volumeUnits: number;
  readonly takeUnits: number;
  readonly makeUnits: number;
  /** Volume and the worst fee. */
  readonly needUnits: number;
  readonly #instrument: Instrument;
  readonly #volumeUnit: Amount;
  readonly #takeUnit: Amount | undefined;
  readonly #makeUnit: Amount | undefined;
  readonly #worstUnit: Amount | undefined;

  /**
   * Mark-ups are added to the instrument's rates; a negative one counts as none, and together they take no more than
   * the whole volume, or a sell would cost what it does not bring. `plain` are terms without any.
   */
  constructor(instrument: Instrument, takeMarkup: Amount, makeMarkup: Amount, plain?: Terms) {
    this.#instrument = instrument;
    this.takeRate = atMostAll(add(instrument.takeRate, notNegative(takeMarkup)));
    this.makeRate = atMostAll(add(instrument.makeRate, notNegative(makeMarkup)));
    this.worstRate = notNegative(this.takeRate > this.makeRate ? this.takeRate : this.makeRate);
    this.feesInBase = instrument.feesInBase;
    this.feesInThird = instrument.feesInThird;
    this.#volumeUnit = instrument.notional(1 as Ticks, 1 as Lots);
    this.#takeUnit = this.#exactUnit(this.takeRate);
    this.#makeUnit = this.#exactUnit(this.makeRate);
    this.#worstUnit = this.#exactUnit(this.worstRate);
    const [volume, take, make] = [this.#volumeUnit, this.#takeUnit ?? zero, this.#makeUnit ?? zero];
    this.unit = plain === undefined ? commonUnit(volume, take, make) : plain.unit;
    this.volumeUnits = unitsOf(volume, this.unit);
    this.takeUnits = this.#takeUnit === undefined ? Number.NaN : unitsOf(take, this.unit);
    this.makeUnits = this.#makeUnit === undefined ? Number.NaN : unitsOf(make, this.unit);
    this.needUnits = this.volumeUnits + Math.max(0, this.takeUnits, this.makeUnits);
  }

  /** Whether all of it comes out whole in `unit`. */
  get isWhole(): boolean {
    return !Number.isNaN(this.volumeUnits + this.takeUnits + this.makeUnits);
  }

  /** Price times quantity in quote currency. */
  volume(price: Ticks, quantity: Lots): Amount {
    return (units(price, quantity) * this.#volumeUnit) as Amount;
  }

  /** In the fee currency; in quote currency where that is a third one. */
  fee(price: Ticks, quantity: Lots, taker: boolean): Amount {
    const unit = taker ? this.#takeUnit : this.#makeUnit;
    if (unit !== undefined) return (units(price, quantity) * unit) as Amount;
    return this.#instrument.fee(price, quantity, taker ? this.takeRate : this.makeRate);
  }

  /** Amount that a buy of that price and quantity must hold: volume and the worst fee, as far as that is in quote currency. */
  need(price: Ticks, quantity: Lots): Amount {
    const unit = this.#worstUnit;
    if (unit !== undefined) return (units(price, quantity) * (this.#volumeUnit + unit)) as Amount;
    if (this.feesInBase || this.feesInThird) return this.volume(price, quantity);
    return add(this.volume(price, quantity), this.#instrument.fee(price, quantity, this.worstRate));
  }

  /** Amount that a sell of that quantity must hold: the quantity and the worst fee, as far as that is in base currency. */
  sellNeed(quantity: Lots): Amount {
    const lots = this.#instrument.quantityAmount(quantity);
    return this.feesInBase ? add(lots, multiply(lots, this.worstRate)) : lots;
  }

  #exactUnit(rate: Amount): Amount | undefined {
    if (this.feesInBase || this.feesInThird) return undefined;
    const product = this.#volumeUnit * rate;
    return product % scale === 0n ? ((product / scale) as Amount) : undefined;
  }
}

/** Ticks times lots; as doubles while that is exact. */
function units(price: Ticks, quantity: Lots): bigint {
  const product = price * quantity;
  return product <= Number.MAX_SAFE_INTEGER ? BigInt(product) : BigInt(price) * BigInt(quantity);
}

function notNegative(rate: Amount): Amount {
  return rate < zero ? zero : rate;
}

function atMostAll(rate: Amount): Amount {
  return rate > scale ? (scale as Amount) : rate;
}

/** An order as an account sees it. */
export interface PaidOrder {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly remaining: Lots;
}

/**
 * An account that pays for orders and is not kept in the wallets: it says what an order needs, reserves that, and books
 * what the order executes.
 */
export interface AccountPort {
  /** Whether only orders that rest hold funds: what executes at once is paid as it executes. */
  readonly holdsAtRest?: boolean;
  /** Amount to reserve for what is left of an order; `at`: its limit, its stop price, or the worst price it would fill at. */
  need(order: PaidOrder, at: Ticks): Amount;
  /** False, and nothing is done, when the account does not have it. */
  reserve(order: PaidOrder, amount: Amount): boolean;
  release(order: PaidOrder, amount: Amount): void;
  /** Books an execution, for which its part of what was reserved, if any, has been released; the fee. */
  settle(order: PaidOrder, execution: Execution, taker: boolean): Amount;
}

/** Terms that all orders of an account on an instrument share: who pays, in what, and at which rates. */
export interface AccountInstrument {
  readonly account: AccountId;
  /** The account's base and quote currency. */
  readonly base: Wallet;
  readonly quote: Wallet;
  /** Pays fees, where those are in a third currency. */
  readonly third: Wallet | undefined;
  readonly terms: Terms;
  /** Where the order pays from instead, when it is traded on margin. */
  readonly margin: MarginAccount | undefined;
  /** Pays instead of the wallets, when there is one. */
  readonly port: AccountPort | undefined;
  /** No fees are paid: the exchange keeps no funds for spot orders. */
  readonly isFree: boolean;
  /** Where spot orders of ordinary size pay from, when the terms come out whole in units. */
  readonly integers?: IntegerBalances | undefined;
}

/** The integer balances of an account for an instrument, and where its fees go. */
export interface IntegerBalances {
  /** In lots. */
  readonly base: IntegerBalance;
  /** In units of the instrument's terms. */
  readonly quote: IntegerBalance;
  readonly fees: FeeBox;
}

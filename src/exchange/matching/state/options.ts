import type { Amount } from '../../../core/base/amount.ts';
import { parseAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { seconds } from '../../../core/base/clock.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { MarginRule } from '../../../core/model/margin-math.ts';
import { defaultMarginRule } from '../../../core/model/margin-math.ts';

/** Settings of the exchange core. All have defaults; see `defaultMatchingOptions`. */
export interface MatchingOptions {
  /** Active and suspended orders of one user on one symbol, spot and margin together. Source: API v3, "Limits", order limits. */
  readonly ordersPerSymbolMax: number;
  /** Active and suspended orders of one user on all symbols, over spot, margin and futures. Source: API v3, "Limits", order limits. */
  readonly ordersPerAccountMax: number;
  /** How long a client order id stays taken after its order ended. Source: API v3, client_order_id ("some time"). */
  readonly idReuseAfter: Micros;
  /** At least this many ended ids are remembered per user, and at most twice as many; the oldest are dropped first. */
  readonly endedIdsMax: number;
  /** A buy above (a sell below) the last price by more than this fraction is refused; off when `undefined`. */
  readonly fatFingerFraction: number | undefined;
  /** What margin on an instrument demands; `undefined` where it is not traded on margin. */
  readonly marginRule: (instrument: Instrument) => MarginRule | undefined;
  /** What one of the quote currency is worth in the fee currency, where that is a third one. */
  readonly thirdRate: (instrument: Instrument) => Amount;
  /**
   * Whether spot orders need funds, pay and are charged. Without, every order has funds, fees are zero and no
   * balance changes but by `adjustBalance`: for callers that clear elsewhere. Margin orders pay in any case.
   */
  readonly spotFunds: boolean;
  /** Whether a replacement that changes neither price nor quantity is refused; otherwise it only loses its place. */
  readonly refusesUnchanged: boolean;
  /**
   * Whether a market order, or a stop order that has fired, is reported as new before it executes at once; otherwise its
   * execution is the next report.
   */
  readonly reportsBeforeTaking: boolean;
  /** Whether orders that are due expire before any command; otherwise with the command `expire` alone. */
  readonly expiresFirst: boolean;
  /** Whether public trades and changed levels are reported; off where they are not used. */
  readonly publicOutcomes: boolean;
  /** Ticks of each side kept in the dense window near the touch: a power of two, at least 1,024. */
  readonly windowTicks: number;
  /** The number of the first order and of the first trade. */
  readonly orderNumberStart: number;
  readonly tradeNumberStart: number;
}

const one = parseAmount('1');

export const defaultMatchingOptions: MatchingOptions = {
  ordersPerSymbolMax: 2_000,
  ordersPerAccountMax: 25_000,
  idReuseAfter: seconds(60),
  endedIdsMax: 25_000,
  fatFingerFraction: undefined,
  marginRule: defaultMarginRule,
  thirdRate: () => one,
  spotFunds: true,
  refusesUnchanged: true,
  reportsBeforeTaking: true,
  expiresFirst: true,
  publicOutcomes: true,
  windowTicks: 4_096,
  orderNumberStart: 1,
  tradeNumberStart: 1,
};

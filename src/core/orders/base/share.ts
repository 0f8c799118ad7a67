import type { Amount } from '../../base/amount.ts';
import { add, subtract, zero } from '../../base/amount.ts';
import type { Ticks } from '../../model/instrument.ts';
import { worstPrice } from './candidate.ts';
import { costOf } from './reservations.ts';
import type { StateView } from '../../state/index.ts';
import type { Memory } from './memory.ts';

/** Money of a strategy that has a share of the balance on spot. */
export interface StrategyFunds {
  /** Amount that it may still use, beside what its orders reserve. It may be below 0. */
  readonly free: Amount;
  /** Amount that its orders reserve. */
  readonly reserved: Amount;
}

/**
 * Money that a strategy has of a currency: the amount that its limits name, what its trades on spot added or took since its first one, and of
 * this what its orders reserve, and what they have executed in trades that are not known yet. `undefined` where it may use the whole balance.
 */
export function fundsOf(
  view: StateView,
  memory: Memory,
  strategy: string,
  currency: string,
): StrategyFunds | undefined {
  const { strategies, reservations } = memory;
  const shares = strategies.get(strategy)?.limits.funds;
  if (shares === undefined) return undefined;
  const own = add(shares.get(currency) ?? zero, tradedBy(view, strategy, currency));
  const unseen = unseenCost(view, memory, strategy, currency);
  const reserved = add(reservations.spot.heldBy(strategy, currency), unseen);
  return { free: subtract(own, reserved), reserved };
}

/** Sum that the trades of a strategy on spot moved of a currency, signed, fees counted. */
function tradedBy(view: StateView, strategy: string, currency: string): Amount {
  let sum = zero;
  for (const { strategy: owner, account, instrument: id, held, cash, fees } of view.positions()) {
    if (owner !== strategy || account !== 'spot') continue;
    const { spec, feesInBase } = view.instruments.at(id);
    if (spec.type === 'futures') continue;
    if (spec.baseCurrency === currency) sum = add(sum, held);
    if (spec.quoteCurrency === currency) sum = add(sum, cash);
    // Fees in base currency are in what is held already.
    if (spec.feeCurrency === currency && !feesInBase) sum = subtract(sum, fees);
  }
  return sum;
}

/** Most that executions of a strategy took of a currency of which it is known that they were, and no trade is booked. */
function unseenCost(view: StateView, memory: Memory, strategy: string, currency: string): Amount {
  let sum = zero;
  for (const order of view.missingFills()) {
    if (order.strategy !== strategy || order.margin !== undefined) continue;
    const price = worstPrice(order, view, memory) ?? (0 as Ticks);
    const lots = view.missingLots(order.clientOrderId);
    const cost = costOf(order, view.instruments.at(order.instrument), price, lots);
    if (cost.currency === currency) sum = add(sum, cost.amount);
  }
  return sum;
}

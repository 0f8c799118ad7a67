import type { Amount } from '../../base/amount.ts';
import { add, multiply, subtract, zero } from '../../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { LossScope, ProfitCourse, ProfitMark } from '../../model/loss.ts';
import { drawdownOf, ProfitPeak } from '../../ledger/profit-peak.ts';
import type { Position } from '../../ledger/position.ts';
import { externalStrategy } from '../../ledger/position.ts';
import { settledProfit, unrealizedAt } from '../../ledger/valuation.ts';
import { accountOf } from '../../model/margin.ts';
import type { Order } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Memory } from './memory.ts';
import { worstRate } from './reservations.ts';

export interface Profit {
  /** Realised and unrealised, less fees, funding and interest. */
  readonly profit: Amount;
  /** The same if every unknown order has executed where that costs most. */
  readonly worst: Amount;
}

/**
 * Unrealised profit of a position at the middle of its book. Of a position of others whose book nobody follows the venue tells it, as
 * of its last report or read. `undefined` where neither is known.
 */
export function unrealizedNow(view: StateView, position: Position): Amount | undefined {
  const { instrument: id, account, strategy, held } = position;
  if (held === 0n) return zero;
  const instrument = view.instruments.at(id);
  const price = middleOf(view, instrument);
  if (price !== undefined) return unrealizedAt(position, instrument, price);
  return strategy === externalStrategy && account !== 'spot'
    ? view.venuePosition(id, account)?.pnl
    : undefined;
}

/**
 * Profit of the fills of a scope, open positions valued as above; `undefined` when one of a strategy cannot be valued. One of
 * others that cannot be valued counts for what it has realised: it does not keep the rest from being watched.
 */
export function profitIn(view: StateView, scope: LossScope): Amount | undefined {
  let profit = zero;
  for (const position of view.positions()) {
    const instrument = view.instruments.at(position.instrument);
    if (!isIn(scope, position.strategy, instrument)) continue;
    const unrealized = unrealizedNow(view, position);
    if (unrealized === undefined && position.strategy !== externalStrategy) return undefined;
    profit = add(profit, add(settledProfit(position), unrealized ?? zero));
  }
  return profit;
}

/** How the profit of a run stands in a quote currency, its earlier sessions counted. */
export interface RunProfit extends ProfitCourse {
  /** `undefined` while something that is held has no price; and how far it is below the peak. */
  readonly profit: Amount | undefined;
  readonly drawdown: Amount | undefined;
}

/** How the profit of the run stands, by quote currency in order of the first fill. */
export function runProfits(view: StateView): readonly RunProfit[] {
  const currencies = new Set(
    view.positions().map(({ instrument }) => view.instruments.at(instrument).spec.quoteCurrency),
  );
  return [...currencies].map((currency) => {
    const profit = profitIn(view, { strategy: undefined, currency });
    const course = view.courses.of(currency);
    const peak = new ProfitPeak(course.peak, course.drawdownMax);
    const drawdown = profit === undefined ? undefined : peak.countProfit(profit);
    return { currency, profit, drawdown, peak: peak.peak, drawdownMax: peak.drawdownMax };
  });
}

/** The profit of a scope, and what it would be if what is unknown had executed. */
export function profitOf(view: StateView, memory: Memory, scope: LossScope): Profit | undefined {
  const profit = profitIn(view, scope);
  if (profit === undefined) return undefined;
  let worst = profit;
  if (view.unknownCount() > 0) {
    for (const order of view.openOrders(scope.strategy)) {
      const instrument = view.instruments.at(order.instrument);
      if (order.state !== 'unknown' || !isIn(scope, order.strategy, instrument)) continue;
      const loss = worstLoss(order, instrument, { view, memory });
      if (loss === undefined) return undefined;
      worst = subtract(worst, loss);
    }
  }
  return { profit, worst };
}

/** Loss of the day and fall from the peak at a profit, as limits on loss count them; `undefined` of what has no beginning yet. */
export function lossesAt(
  mark: ProfitMark | undefined,
  profit: Amount,
): Readonly<Record<'day' | 'drawdown', Amount | undefined>> {
  return {
    day: mark?.dayStart === undefined ? undefined : subtract(mark.dayStart, profit),
    drawdown: mark?.peak === undefined ? undefined : drawdownOf(mark.peak, profit),
  };
}

/** Whether what a strategy does with an instrument counts in a scope. */
export function isIn({ strategy, currency }: LossScope, owner: string, { spec }: Instrument): boolean {
  return (strategy === undefined || strategy === owner) && spec.quoteCurrency === currency;
}

/** The middle of `aroundMiddle`. */
export function middleOf(view: StateView, instrument: Instrument): Amount | undefined {
  const around = aroundMiddle(view, instrument);
  return around && instrument.midAmount(...around);
}

/**
 * The two prices between which the middle of a book is, both of them the last trade when a side is empty. Of a crossed book one side is
 * wrong, and the middle with it: the higher side counts.
 */
export function aroundMiddle(view: StateView, instrument: Instrument): readonly [Ticks, Ticks] | undefined {
  const { bestBid, bestAsk } = view.book(instrument.id);
  if (bestBid !== undefined && bestAsk !== undefined) return [bestBid, bestBid > bestAsk ? bestBid : bestAsk];
  const last = view.lastTrade(instrument.id)?.price;
  return last === undefined ? undefined : [last, last];
}

/** Loss if all that is left of an order executed at its price, or as far from the middle as market orders may. */
function worstLoss(
  order: Order,
  instrument: Instrument,
  { view, memory }: { readonly view: StateView; readonly memory: Memory },
): Amount | undefined {
  const middle = middleOf(view, instrument);
  if (middle === undefined) return undefined;
  const lots = lotsOf(order, view);
  const { marketReservePercent } = memory.options;
  const away = BigInt(Math.round((order.side === 'buy' ? 1 : -1) * marketReservePercent * 1_000));
  const price =
    order.price === undefined
      ? (((middle * (100_000n + away)) / 100_000n) as Amount)
      : instrument.priceAmount(order.price);
  const { contract } = instrument;
  const paid = contract.worthAt(price, lots);
  const worth = contract.worthAt(middle, lots);
  const lost = order.side === 'buy' ? subtract(paid, worth) : subtract(worth, paid);
  const fee = multiply(contract.worthOf(paid), worstRate(instrument, order.takeRate, order.makeRate));
  return add(lost > zero ? lost : zero, fee);
}

/** Lots that may still execute; for an order that closes a position all that is open. */
function lotsOf(order: Order, view: StateView): Lots {
  if (order.margin?.closePosition !== true) return (order.quantity - order.cumulative) as Lots;
  return Math.abs(view.position(order.instrument, order.strategy, accountOf(order)).quantity) as Lots;
}

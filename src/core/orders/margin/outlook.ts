import type { Amount } from '../../base/amount.ts';
import { add, formatAmountFixed, multiply, negate, subtract, zero } from '../../base/amount.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { MarginTerms } from '../../model/margin-math.ts';
import {
  boundary,
  boundaryPrice,
  divide,
  orderMargin,
  positionMargin,
  resultAt,
} from '../../model/margin-math.ts';
import type { MarginAccountKey, MarginAccountView, MarginMode, PositionView } from '../../model/margin.ts';
import { accountOf, marginKeyOf } from '../../model/margin.ts';
import type { Side } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, lotsLeft, worstPrice } from '../base/candidate.ts';
import type { ResolvedMargin } from '../base/limits.ts';
import { reservesInList } from '../base/list-shares.ts';
import type { Memory } from '../base/memory.ts';
import { aroundMiddle } from '../base/profit.ts';
import { waitingOrders } from '../base/waiting.ts';
import { accountAsIs, drawsOn, termsOf } from './power.ts';
import { isReduceOnly, venueLots } from './reducing.ts';

/** Holding that an account would have in an instrument. */
interface Holding {
  /** Signed. */
  readonly lots: number;
  /** Amount paid for it, or received when it is short. */
  readonly cost: Amount;
  /** The margin of the account beside it. */
  readonly balance: Amount;
}

/**
 * The leverage of the account, and the distance of the price from where the position would be liquidated, if the order and all that
 * works beside it on its side had executed. An order that makes the position smaller passes.
 */
export const marginLimits = {
  code: 'LEVERAGE_MAX',
  control: (candidate, view, memory) => {
    const { request, instrument } = candidate;
    if (request.margin === undefined || isReduceOnly(request)) return undefined;
    const limits = memory.instruments[instrument.id]?.margin;
    if (limits === undefined || !isLimited(limits, request.margin.mode)) return undefined;
    const price = worstPrice(request, view, memory);
    if (price === undefined)
      return deny(
        'REFERENCE_PRICE_MISSING',
        `there is no price of ${instrument.symbol} to value the order at`,
      );
    const key = marginKeyOf(instrument, request.margin.mode);
    const account = accountAsIs(key, view, memory);
    const terms = termsOf(request, instrument, account, memory);
    const now = heldNow(instrument, request.margin.mode, account, view);
    const then = executed(candidate, { price, now, terms, account }, view, memory);
    const isSmaller = now.lots * then.lots >= 0 && Math.abs(then.lots) <= Math.abs(now.lots);
    if (isSmaller) return undefined;
    return judgeHolding(then, {
      instrument,
      key,
      account,
      terms,
      limits,
      at: valuedAt(instrument, view) ?? price,
      view,
    });
  },
} satisfies Rule;

/** As `marginLimits`, for a margin account that is to have another balance. */
export function balanceLimits(
  key: MarginAccountKey,
  after: MarginAccountView,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  for (const position of after.positions) {
    const instrument = view.instruments.at(position.instrument);
    const limits = memory.instruments[position.instrument]?.margin;
    const at = valuedAt(instrument, view);
    if (limits === undefined || at === undefined || !isLimited(limits, key.mode)) continue;
    const terms = termsOf({}, instrument, after, memory);
    const holding = heldNow(instrument, key.mode, after, view);
    const denial = judgeHolding(holding, { instrument, key, account: after, terms, limits, at, view });
    if (denial !== undefined) return denial;
  }
  return undefined;
}

function isLimited(
  { leverageMax, crossLeverageMax, distanceMinPercent }: ResolvedMargin,
  mode: MarginMode,
): boolean {
  return (
    leverageMax !== undefined ||
    distanceMinPercent !== undefined ||
    (mode === 'cross' && crossLeverageMax !== undefined)
  );
}

/** The price positions are valued at: the mark price of a contract, else the middle of the book, else the last trade. */
function valuedAt(instrument: Instrument, view: StateView): Ticks | undefined {
  const mark = view.contract(instrument.id)?.markPrice;
  if (mark !== undefined) return Number(mark / instrument.priceAmount(1 as Ticks)) as Ticks;
  const around = aroundMiddle(view, instrument);
  return around && (Math.round((around[0] + around[1]) / 2) as Ticks);
}

function heldNow(
  instrument: Instrument,
  mode: MarginMode,
  account: MarginAccountView | undefined,
  view: StateView,
): Holding {
  const balance = account?.balance ?? zero;
  const position = account?.positions.find((one) => one.instrument === instrument.id);
  const lots = position === undefined ? 0 : venueLots(instrument, mode, view);
  return { lots, cost: position === undefined ? zero : costOf(instrument, position, lots), balance };
}

function costOf({ contract }: Instrument, { entry }: PositionView, lots: number): Amount {
  const worth = contract.worthAt(entry, Math.abs(lots) as Lots);
  return worth < zero ? negate(worth) : worth;
}

interface Execution {
  readonly price: Ticks;
  readonly now: Holding;
  readonly terms: MarginTerms;
  readonly account: MarginAccountView | undefined;
}

/** Holding once the order has executed, and all that works on its side before it. */
function executed(candidate: Candidate, parts: Execution, view: StateView, memory: Memory): Holding {
  const { request, instrument, lots, replaces } = candidate;
  const { account, terms } = parts;
  let { now } = parts;
  const draws = drawsOn(request, marginKeyOf(instrument, accountOf(request) as MarginMode), account);
  const execute = (side: Side, count: number, price: Ticks): void => {
    now = traded(now, instrument, { side, lots: count as Lots, price }, { terms, draws });
  };
  const live = view.openOrders(undefined, instrument.id);
  for (const order of [...live, ...waitingOrders(memory, undefined, instrument.id)]) {
    if (order.side !== request.side || accountOf(order) !== accountOf(request)) continue;
    if (order.clientOrderId === replaces?.clientOrderId || isReduceOnly(order)) continue;
    if (order.list !== undefined && !reservesInList(order, order.list, view)) continue;
    const price = worstPrice(order, view, memory);
    if (price !== undefined) execute(order.side, lotsLeft(order, view), price);
  }
  execute(request.side, lots, parts.price);
  return now;
}

/** After one execution: the fee is taken from the margin at once, and so is the result of what it closes. */
function traded(
  { lots, cost, balance }: Holding,
  instrument: Instrument,
  trade: { readonly side: Side; readonly lots: Lots; readonly price: Ticks },
  { terms, draws }: { readonly terms: MarginTerms; readonly draws: boolean },
): Holding {
  const signed = trade.side === 'buy' ? trade.lots : -trade.lots;
  const closing = (lots * signed < 0 ? Math.min(Math.abs(lots), trade.lots) : 0) as Lots;
  const opening = (trade.lots - closing) as Lots;
  const released = closing === 0 ? zero : (((cost * BigInt(closing)) / BigInt(Math.abs(lots))) as Amount);
  const closed = closing === 0 ? zero : instrument.notional(trade.price, closing);
  const gained = lots > 0 ? subtract(closed, released) : subtract(released, closed);
  const opened = instrument.notional(trade.price, opening);
  const fee = multiply(instrument.notional(trade.price, trade.lots), terms.takeRate);
  // What an automatic account lacks for it comes from the balance behind it.
  const lacks = subtract(orderMargin(opened, terms), subtract(balance, positionMargin(cost, terms)));
  const drawn = draws && lacks > zero ? lacks : zero;
  return {
    lots: lots + signed,
    cost: add(subtract(cost, released), opened),
    balance: subtract(add(balance, add(gained, drawn)), fee),
  };
}

interface JudgedHolding {
  readonly instrument: Instrument;
  readonly key: MarginAccountKey;
  readonly account: MarginAccountView | undefined;
  readonly terms: MarginTerms;
  readonly limits: ResolvedMargin;
  /** Price that positions are valued at. */
  readonly at: Ticks;
  readonly view: StateView;
}

function judgeHolding({ lots, cost, balance }: Holding, parts: JudgedHolding): Denial | undefined {
  const { instrument, key, account, terms, limits, at, view } = parts;
  const others = othersOf(account, instrument, limits, view);
  const worth = instrument.notional(at, Math.abs(lots) as Lots);
  const equity = add(add(balance, others.result), resultAt(instrument, lots as Lots, cost, at));
  const tooHigh =
    leverageDenial(limits.leverageMax, worth, equity, `${key.mode} margin of ${instrument.symbol}`) ??
    (key.mode === 'cross'
      ? leverageDenial(
          limits.crossLeverageMax,
          add(worth, others.worth),
          equity,
          `cross margin in ${key.currency}`,
        )
      : undefined);
  if (tooHigh !== undefined || limits.distanceMinPercent === undefined) return tooHigh;
  const liquidation = boundaryPrice({
    instrument,
    quantity: lots as Lots,
    cost,
    margin: subtract(add(balance, others.result), others.needed),
    terms,
    multiplier: limits.liquidationMultiplier,
  });
  if (liquidation === undefined) return undefined;
  const distance = lots > 0 ? at - liquidation : liquidation - at;
  if (distance * 10_000 >= at * Math.round(limits.distanceMinPercent * 100)) return undefined;
  return deny(
    'LIQUIDATION_DISTANCE',
    `expected ${instrument.symbol} to be liquidated at least ${limits.distanceMinPercent} % from ${instrument.priceText(at)}, found ${instrument.priceText(liquidation)} for ${lots} lots`,
  );
}

function leverageDenial(
  most: Amount | undefined,
  worth: Amount,
  equity: Amount,
  whose: string,
): Denial | undefined {
  if (most === undefined || worth === zero || (equity > zero && worth <= multiply(equity, most)))
    return undefined;
  const found = equity > zero ? formatAmountFixed(divide(worth, equity), 2) : 'no equity';
  return deny(
    'LEVERAGE_MAX',
    `expected a leverage of at most ${formatAmountFixed(most, 2)} for ${whose}, found ${found} if all working orders fill`,
  );
}

/** The other positions that share the margin: their result, their worth, and what keeps them from liquidation. */
function othersOf(
  account: MarginAccountView | undefined,
  instrument: Instrument,
  { liquidationMultiplier }: ResolvedMargin,
  view: StateView,
): { readonly result: Amount; readonly worth: Amount; readonly needed: Amount } {
  let [result, worth, needed] = [zero, zero, zero];
  for (const position of account?.positions ?? []) {
    if (position.instrument === instrument.id) continue;
    const other = view.instruments.at(position.instrument);
    const lots = venueLots(other, position.mode, view);
    const at = valuedAt(other, view);
    if (at === undefined || lots === 0) continue;
    const volume = other.notional(at, Math.abs(lots) as Lots);
    result = add(result, resultAt(other, lots as Lots, costOf(other, position, lots), at));
    worth = add(worth, volume);
    needed = add(
      needed,
      boundary(volume, { leverage: position.leverage, takeRate: other.takeRate }, liquidationMultiplier),
    );
  }
  return { result, worth, needed };
}

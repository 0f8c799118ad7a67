import type { Amount } from '../../base/amount.ts';
import { microsPerSecond, millis } from '../../base/clock.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instrument, Ticks } from '../../model/instrument.ts';
import type { OrderRequest } from '../../model/order.ts';
import { firesRising, opposite } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, isMarketLike, venueNow } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import { kindOf } from '../base/memory.ts';
import { delayMs, flagOption, percent, ruleSettings } from '../base/options.ts';

/** A reference price in units of half a tick times 10^-24 of quote currency per tick: exact for a mid price. */
interface Reference {
  readonly name: 'mid' | 'last trade';
  /** Twice the price, as an exact amount. */
  readonly twice: Amount;
}

const collar = ruleSettings(
  {
    collarPercent: percent.default(5).describe('how far a price may stand from mid and from the last trade'),
    stopCollarPercent: percent.default(50).describe('how far a stop price may stand from mid and last trade'),
    referenceAgeMsMax: delayMs.default(3_600_000).describe('a last trade older than this is no reference'),
    lastTradeNeeded: flagOption
      .default(true)
      .describe('whether prices are held against a recent trade too; false for data with books only'),
  },
  { collarPercent: 'more', stopCollarPercent: 'more', referenceAgeMsMax: 'more', lastTradeNeeded: 'less' },
);

/**
 * Prices may stand only so far from the mid price and from the last trade; both must be there, the last trade
 * not too old, unless options say that the mid price is enough. A limit of a stop type is held against its stop
 * price, the stop price against both references with its own, wider collar. Source: faults, section 6 (5).
 */
export const priceCollar = {
  code: 'PRICE_COLLAR',
  settings: collar,
  control: (candidate, view, memory) => {
    const { request, instrument } = candidate;
    if (request.type === 'market' || isPlainlyNear(candidate, view, memory)) return undefined;
    const references = referencesOf(candidate, view, memory);
    if (!Array.isArray(references)) return references as Denial;
    const { collarPercent, stopCollarPercent } = collar.of(memory.options);
    const { price, stopPrice } = request;
    for (const reference of references as readonly Reference[]) {
      const denial =
        stopPrice === undefined
          ? tooFar(instrument, 'price', price as Ticks, reference, collarPercent)
          : tooFar(instrument, 'stop price', stopPrice, reference, stopCollarPercent);
      if (denial !== undefined) return denial;
    }
    if (stopPrice === undefined || isMarketLike(request.type)) return undefined;
    const stop: Amount = (2n * instrument.priceAmount(stopPrice)) as Amount;
    return tooFar(instrument, 'price', price as Ticks, { name: 'stop price', twice: stop }, collarPercent);
  },
} satisfies Rule;

/**
 * Whether a limit order is near both references beyond doubt, in whole numbers; anything else is weighed exactly. Fast twin of
 * `referencesOf` and `tooFar`: row `reaction`, 1.12 times as fast.
 */
function isPlainlyNear({ instrument, request }: Candidate, view: StateView, memory: Memory): boolean {
  const { price, stopPrice } = request;
  if (price === undefined || stopPrice !== undefined) return false;
  const { bestBid, bestAsk } = view.book(instrument.id);
  const trade = view.lastTrade(instrument.id);
  if (bestBid === undefined || bestAsk === undefined || trade === undefined) return false;
  const { referenceAgeMsMax, collarPercent } = collar.of(memory.options);
  if (trade.time < venueNow(view, memory) - millis(referenceAgeMsMax)) return false;
  const hundredths = Math.round(collarPercent * 100);
  return isNear(price, bestBid + bestAsk, hundredths) && isNear(price, 2 * trade.price, hundredths);
}

/** The rule of `tooFar` in ticks. False also when a product has too many digits for a double. */
function isNear(price: number, twice: number, hundredths: number): boolean {
  const distance = Math.abs(2 * price - twice) * 10_000;
  const allowed = twice * hundredths;
  return distance <= allowed && allowed <= Number.MAX_SAFE_INTEGER;
}

function referencesOf(candidate: Candidate, view: StateView, memory: Memory): readonly Reference[] | Denial {
  const { instrument } = candidate;
  const { bestBid, bestAsk } = view.book(instrument.id);
  if (bestBid === undefined || bestAsk === undefined) {
    return deny('REFERENCE_PRICE_MISSING', `the book of ${instrument.symbol} has no mid price`);
  }
  const { referenceAgeMsMax, lastTradeNeeded } = collar.of(memory.options);
  const oldest = venueNow(view, memory) - millis(referenceAgeMsMax);
  const trade = view.lastTrade(instrument.id);
  const ticker = view.ticker(instrument.id);
  let last: Amount | undefined;
  if (trade !== undefined && trade.time >= oldest) last = instrument.priceAmount(trade.price);
  else if (ticker?.last !== undefined && ticker.time >= oldest) last = ticker.last;
  const twice = (instrument.priceAmount(bestBid) + instrument.priceAmount(bestAsk)) as Amount;
  const mid: Reference = { name: 'mid', twice };
  if (last !== undefined) return [mid, { name: 'last trade', twice: (2n * last) as Amount }];
  if (!lastTradeNeeded) return [mid];
  return deny('REFERENCE_PRICE_MISSING', tooOld(instrument, view, memory));
}

/** Says how old the last price is and by which clock: one that is an hour off makes every trade too old. */
function tooOld({ id, symbol }: Instrument, view: StateView, memory: Memory): string {
  const times = [view.lastTrade(id)?.time, view.ticker(id)?.time].filter((time) => time !== undefined);
  const without = '(orders.lastTradeNeeded: false does without)';
  if (times.length === 0) return `${symbol} has no trade to compare with ${without}`;
  const age = Math.round((venueNow(view, memory) - Math.max(...times)) / microsPerSecond);
  const most = collar.of(memory.options).referenceAgeMsMax / 1_000;
  return `expected a last trade of ${symbol} at most ${most} s old, found one of ${age} s by ${clockText(view)} ${without}`;
}

function clockText({ clockOffset }: StateView): string {
  if (clockOffset === undefined) return "this machine's clock, for the venue's was not measured";
  const far = `${Math.abs(clockOffset) / microsPerSecond} s ${clockOffset > 0 ? 'behind' : 'ahead'}`;
  return clockOffset === 0 ? "the venue's clock" : `the venue's clock, this machine's being ${far}`;
}

function tooFar(
  instrument: Instrument,
  what: string,
  price: Ticks,
  reference: { readonly name: string; readonly twice: Amount },
  percent: number,
): Denial | undefined {
  const difference = 2n * instrument.priceAmount(price) - reference.twice;
  const distance = difference < 0n ? -difference : difference;
  const hundredths = BigInt(Math.round(percent * 100));
  if (distance * 10_000n <= reference.twice * hundredths) return undefined;
  return deny(
    'PRICE_COLLAR',
    `expected a ${what} within ${percent} % of the ${reference.name}, found ${instrument.priceText(price)}`,
  );
}

const atMarket = ruleSettings(
  {
    marketOrders: flagOption.default(false).describe('whether market types may be sent at all'),
    marketSpreadPercentMax: percent.default(1).describe('widest spread at which a market type may be sent'),
  },
  { marketOrders: 'more', marketSpreadPercentMax: 'more' },
);

/** Market types: only if switched on, with both sides of the book there and a narrow spread. */
export const marketOrders = {
  code: 'MARKET_ORDERS_OFF',
  settings: atMarket,
  control: ({ instrument, request }, view, memory) => {
    if (!isMarketLike(request.type)) return undefined;
    const { marketOrders: isOn, marketSpreadPercentMax } = atMarket.of(memory.options);
    if (!isOn)
      return deny(
        'MARKET_ORDERS_OFF',
        `orders of type ${request.type} are off unless orders.marketOrders is on`,
      );
    const { bestBid, bestAsk } = view.book(instrument.id);
    if (bestBid === undefined || bestAsk === undefined) {
      return deny('REFERENCE_PRICE_MISSING', `the book of ${instrument.symbol} has not both sides`);
    }
    // spread / mid <= percent / 100, in whole numbers: the mid is half the sum.
    const spread = bestAsk - bestBid;
    if (spread * 20_000 <= (bestAsk + bestBid) * Math.round(marketSpreadPercentMax * 100)) return undefined;
    return deny(
      'MARKET_SPREAD_MAX',
      `expected a spread of at most ${marketSpreadPercentMax} %, found ${spread} ticks at ${instrument.priceText(bestBid)}`,
    );
  },
} satisfies Rule;

const ownTrades = ruleSettings(
  {
    selfTrades: flagOption
      .default(false)
      .describe(
        'whether an order may be sent that would meet one of ours: only to compare with runs that knew no such control',
      ),
  },
  { selfTrades: 'more' },
);

/**
 * An order that would cross one of ours is refused, whichever strategy owns that. A market type crosses whatever
 * stands on the other side. A stop crosses nothing until it is triggered: what it would meet is cancelled then.
 * Source: faults, section 6 (13).
 */
export const selfTrade = {
  code: 'SELF_TRADE',
  settings: ownTrades,
  control: (candidate, view, memory) => {
    if (ownTrades.of(memory.options).selfTrades || waitsForPrice(candidate, view)) return undefined;
    const { instrument, request } = candidate;
    const { side, price } = request;
    const held = memory.held.length === 0 ? undefined : heldExit(request, memory);
    if (held !== undefined)
      return deny('SELF_TRADE', `the order would trade with the ${held}, which waits to leave`);
    const other = view.bestOwnPrice(instrument.id, opposite(side));
    if (other === undefined) return undefined;
    if (price !== undefined && (side === 'buy' ? price < other : price > other)) return undefined;
    return deny(
      'SELF_TRADE',
      `the order would trade with an own ${opposite(side)} order at ${instrument.priceText(other)}`,
    );
  },
} satisfies Rule;

/** Whether an order has a stop price that the last price has not reached, or waits for another order besides. */
function waitsForPrice({ request, instrument, replaces }: Candidate, view: StateView): boolean {
  const { type, side, stopPrice, list, clientOrderId } = request;
  // What replaces an order that was triggered goes into the book.
  if (stopPrice === undefined || (replaces !== undefined && replaces.state !== 'suspended')) return false;
  if (list?.contingency.startsWith('oneTrigger') === true && list.orders[0] !== clientOrderId) return true;
  const last = lastPrice(instrument, view);
  if (last === undefined) return true;
  const stop = instrument.priceAmount(stopPrice);
  return firesRising(type, side) ? last < stop : last > stop;
}

/** The price by which stops trigger. Source: assumptions, "Embedded exchange". */
function lastPrice(instrument: Instrument, view: StateView): Amount | undefined {
  const trade = view.lastTrade(instrument.id);
  const ticker = view.ticker(instrument.id);
  if (trade === undefined || (ticker?.last !== undefined && ticker.time > trade.time)) return ticker?.last;
  return instrument.priceAmount(trade.price);
}

/** An exit or a replacement that is held and that the order would meet once both are in the book, in words. */
function heldExit({ instrument, side, price }: OrderRequest, { held }: Memory): string | undefined {
  for (const one of held) {
    for (const exit of one.requests) {
      if (exit.instrument !== instrument || exit.side === side || exit.stopPrice !== undefined) continue;
      const isApart =
        price !== undefined &&
        exit.price !== undefined &&
        (side === 'buy' ? price < exit.price : price > exit.price);
      if (!isApart) return `${kindOf(one)} ${exit.clientOrderId}`;
    }
  }
  return undefined;
}

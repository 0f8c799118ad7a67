import type { MarketSubscription } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import { feedPeriodOf } from '../../core/model/candle-period.ts';
import type { Product } from '../../core/model/product.ts';
import { productOf, products } from '../../core/model/product.ts';
import type { FeedRequest } from '../../core/strategy/framework.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

/**
 * The feeds that strategies declare, joined by instrument. The price collar needs trades wherever a book is traded on. Bars of one's
 * own are joined from the longest candles of the venue that make them; where none do, from trades.
 */
export function subscriptionsOf(
  requests: readonly FeedRequest[],
  instruments: Instruments,
): readonly MarketSubscription[] {
  const joined = new Map<string, MarketSubscription>();
  for (const request of requests) {
    const { id } = instruments.get(request.symbol);
    const had = joined.get(request.symbol);
    const asked = request.candles ?? [];
    const feeds = asked.map(feedPeriodOf);
    const candles = [...new Set([...(had?.candles ?? []), ...feeds.filter((one) => one !== undefined)])];
    const book = had?.book === true || request.book === true;
    joined.set(request.symbol, {
      instrument: id,
      book,
      trades: had?.trades === true || request.trades === true || book || feeds.includes(undefined),
      ticker: had?.ticker === true || request.ticker === true,
      candles,
      ...((had?.contract === true || request.contract === true) && { contract: true }),
    });
  }
  return [...joined.values()];
}

/**
 * Feeds that strategies declare, with the book of every symbol that the strategy declaring it may trade: no order leaves without a
 * live book of its symbol. A strategy is shown a book only where it declares the book itself.
 */
export function requestsOf(
  loaded: readonly LoadedStrategy[],
  { symbols }: Pick<Config['orders'], 'symbols'>,
  instruments: Instruments,
): readonly FeedRequest[] {
  return loaded.flatMap(({ plan, feeds, products: declared }) => {
    const mayTrade = ({ symbol, spec }: Instrument): boolean =>
      (spec.type === 'spot' || declared.includes('futures')) &&
      [symbols, plan.limits.symbols].every((list) => list?.includes(symbol) ?? true);
    return feeds.map((feed) => (mayTrade(instruments.get(feed.symbol)) ? { ...feed, book: true } : feed));
  });
}

/** Products that a run follows of its account: what its strategies trade, and what earlier runs left live. */
export function followedProducts(
  loaded: readonly Pick<LoadedStrategy, 'products'>[],
  trader: Pick<Trader, 'view' | 'instruments'> | undefined,
): readonly Product[] {
  const followed = new Set(loaded.flatMap((one) => one.products));
  if (trader !== undefined) {
    const { view, instruments } = trader;
    for (const { instrument, margin } of view.openOrders())
      followed.add(productOf(instruments.at(instrument), margin));
    for (const { product } of view.marginAccounts()) followed.add(product);
  }
  return products.filter((one) => followed.has(one));
}

/** Whether a strategy follows an instrument of a currency, or something is held or live on one. */
export function isTradedIn(
  currency: string,
  loaded: readonly Pick<LoadedStrategy, 'feeds'>[],
  instruments: Instruments,
  trader: Pick<Trader, 'view'> | undefined,
): boolean {
  const isOf = ({ spec }: Instrument): boolean =>
    spec.baseCurrency === currency || spec.quoteCurrency === currency || spec.feeCurrency === currency;
  if (loaded.some(({ feeds }) => feeds.some(({ symbol }) => isOf(instruments.get(symbol))))) return true;
  if (trader === undefined) return false;
  const { view } = trader;
  const held = view.positions().filter(({ quantity }) => quantity !== 0);
  return [...held, ...view.openOrders()].some(({ instrument }) => isOf(instruments.at(instrument)));
}

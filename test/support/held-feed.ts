import type { OrderedMarketData, TickFeed, TickFeedSetup } from '../../src/research/scenario/tick-feed.ts';
import { openTickFeed } from '../../src/research/scenario/tick-feed.ts';

/** A feed that stands in memory whole: as many runs as one likes begin at its start. */
interface HeldFeed extends TickFeed {
  readonly marketData: readonly OrderedMarketData[];
}

/**
 * Reads a feed to its end and holds it: the market at its start, and every market data event in the order in which it happened. Throws
 * `BadInput` on damaged data, and when there is nothing from the start on.
 */
export async function holdTickFeed(setup: TickFeedSetup): Promise<HeldFeed> {
  const { marketData, ...opened } = await openTickFeed(setup);
  const held: OrderedMarketData[] = [];
  for await (const some of marketData) held.push(some);
  return { ...opened, marketData: held };
}

import type { Event, MarketData } from '../model/event.ts';
import { isMarketData } from '../model/market-data.ts';

/**
 * Kept whole: account and session market data, intents, verdicts, control, and stale books. Of market data only sequence and
 * hash are kept: the frame log holds their text.
 */
export type KeptEvent = Exclude<Event, MarketData>;

/** Whether an event is kept whole. */
export function isKept(event: Event): event is KeptEvent {
  return !isMarketData(event);
}

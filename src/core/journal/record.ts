import type { Event, MarketFact } from '../model/event.ts';
import { isMarketFact } from '../model/market-fact.ts';

/**
 * Kept whole: account and session facts, intents, verdicts, control, and stale books. Of market facts only sequence and
 * hash are kept: the frame log holds their text.
 */
export type KeptEvent = Exclude<Event, MarketFact>;

/** Whether an event is kept whole. */
export function isKept(event: Event): event is KeptEvent {
  return !isMarketFact(event);
}

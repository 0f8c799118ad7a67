import type { Event } from './event.ts';
import type { MarketFact } from './market-event.ts';

/** Whether the market said it. */
export function isMarketFact(event: Event): event is MarketFact {
  switch (event.kind) {
    case 'bookUpdate':
    case 'bookSnapshot':
    case 'trades':
    case 'ticker':
    case 'candles':
      return true;
    default:
      return false;
  }
}

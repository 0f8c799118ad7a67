import type { Event } from './event.ts';
import type { MarketEvent, MarketData } from './market-event.ts';

/** Whether the market said it. */
export function isMarketData(event: Event): event is MarketData {
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

/** Whether it is of the market: said by it or by a contract, or found out about one of its books. */
export function isMarketEvent(event: Event): event is MarketEvent {
  return event.kind === 'bookStale' || event.kind === 'contractInfo' || isMarketData(event);
}

import type { CandlesChanged, Event, MarketEvent, TickerChanged, TradesPrinted } from '../model/event.ts';
import type { BookSnapshot, BookUpdate } from '../model/event.ts';

/** Market facts of which only sequence and hash are kept: the frame log holds their text. */
export type HashedEvent = BookSnapshot | BookUpdate | TradesPrinted | TickerChanged | CandlesChanged;

/** Everything else is kept whole: account and session facts, intents, verdicts, control, and stale books. */
export type KeptEvent = Exclude<Event, MarketEvent> | Exclude<MarketEvent, HashedEvent>;

/** Whether an event is kept whole. */
export function isKept(event: Event): event is KeptEvent {
  switch (event.kind) {
    case 'bookUpdate':
    case 'bookSnapshot':
    case 'trades':
    case 'ticker':
    case 'candles':
      return false;
    default:
      return true;
  }
}

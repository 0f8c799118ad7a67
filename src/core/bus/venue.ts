import type { Observable } from 'rxjs';
import type { Command } from '../model/command.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { Topic } from './topic.ts';

/** What stands at the ends of the corridor: live sockets, or the simulated venue. */
export interface Venue {
  /** Market market data, order market data, session market data, in order. Does not error while open: an outage is an event. */
  readonly events: Observable<Event>;
  /**
   * Market market data, where they come by a way of their own: those told while somebody listens here are not among `events`.
   * What is told first, by either, is heard first.
   */
  readonly marketData?: Topic<MarketData>;
  /** Accepts a command or a read. Never throws, never answers inline; the answer is an event. */
  send(command: Command): void;
  /** Ends the sessions. Orders stay as they are. */
  close(): Promise<void>;
}

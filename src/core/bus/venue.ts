import type { Observable } from 'rxjs';
import type { Command } from '../model/command.ts';
import type { Event, MarketFact } from '../model/event.ts';
import type { Topic } from './topic.ts';

/** What stands at the ends of the corridor: live sockets, or the simulated venue. */
export interface Venue {
  /** Market facts, order facts, session facts, in order. Does not error while open: an outage is an event. */
  readonly events: Observable<Event>;
  /**
   * Market facts, where they come by a way of their own: those told while somebody listens here are not among `events`.
   * What is told first, by either, is heard first.
   */
  readonly facts?: Topic<MarketFact>;
  /** Accepts a command or a read. Never throws, never answers inline; the answer is an event. */
  send(command: Command): void;
  /** Ends the sessions. Orders stay as they are. */
  close(): Promise<void>;
}

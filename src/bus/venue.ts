import type { Observable } from 'rxjs';
import type { Command } from '../model/command.ts';
import type { Event } from '../model/event.ts';

/** What stands at the ends of the corridor: live sockets, or the simulated venue. */
export interface Venue {
  /** Market facts, order facts, session facts, in order. Does not error while open: an outage is an event. */
  readonly events: Observable<Event>;
  /** Accepts a command or a read. Never throws, never answers inline; the answer is an event. */
  send(command: Command): void;
  /** Ends the sessions. Orders stay as they are. */
  close(): Promise<void>;
}

import type { Observable } from 'rxjs';
import type { Micros } from '../base/clock.ts';
import type { Command } from '../model/command.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { AskCandles } from '../model/market.ts';
import type { NextLooks } from '../model/safe-state.ts';
import type { Topic } from './topic.ts';

/** Where events come from and commands go: live sockets, or the simulated venue. */
export interface Venue {
  /** Market, order and session events, in order. Does not error while open: an outage is an event. */
  readonly events: Observable<Event>;
  /**
   * Market data, where they come apart: while this has a listener they are not among `events`. Both are delivered in the order
   * of publication.
   */
  readonly marketData?: Topic<MarketData>;
  /** When it looks next at what is amiss; absent where it does not watch. */
  readonly looks?: NextLooks | undefined;
  /** Accepts a command or a read. Never throws, never answers inline; the answer is an event. */
  send(command: Command): void;
  /** Fetches a book anew whose stream is not what the venue has: the book is called stale and fetched anew. Absent where it cannot. */
  refetchBook?(instrument: InstrumentId): void;
  /**
   * Arms, renews or (with 0) disarms a switch of the venue that cancels all orders of the account once `timeout` has passed without
   * another call. Resolves with an empty text once the venue has acknowledged it, otherwise with why not. Never rejects. Absent where
   * the venue has no such switch.
   */
  keepAlive?(timeout: Micros): Promise<string>;
  /** Asks for candles of its history, behind everything else that needs the limits of the venue. Absent where it has none. */
  readonly candles?: AskCandles | undefined;
  /** Ends the sessions. Orders stay as they are. */
  close(): Promise<void>;
}

import type { Event, MarketData } from '../../model/event.ts';
import { isMarketData } from '../../model/market-data.ts';

/** The durable, chained record of everything that happened. On disk in `sim`, `paper` and `live`; in memory in a backtest. */
export interface Journal {
  /** Appends the event that the bus stamped `sequence`. Never blocks and never throws; see `whenDurable`. */
  append(event: Event, sequence: number): void;
  /** As `append`, for what the market said, of which only sequence and hash are kept. */
  appendMarketData(data: MarketData, sequence: number): void;
  /**
   * Runs `task` once everything appended so far is on disk: at once (inside this call) for a journal in memory,
   * after the group's sync otherwise. Tasks run in call order. After a failure no task ever runs.
   */
  whenDurable(task: () => void): void;
  /** Runs `task` when the journal can no longer promise durability. Called at most once. */
  onFailure(task: (error: Error) => void): void;
  /**
   * The hash over everything appended since the last `stateCarried` (or the beginning), as hexadecimal. Same events,
   * same hash, in any process.
   */
  digest(): string;
  /** Makes everything durable and releases the files. */
  close(): Promise<void>;
}

/**
 * Kept whole: account and session market data, intents, verdicts, control, and stale books. Of market data only sequence and
 * hash are kept: the frame log holds their text.
 */
export type KeptEvent = Exclude<Event, MarketData>;

/** Whether an event is kept whole. */
export function isKept(event: Event): event is KeptEvent {
  return !isMarketData(event);
}

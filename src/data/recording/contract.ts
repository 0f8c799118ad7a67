import type { Event } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { InstrumentSpec, Instruments } from '../../core/model/instrument.ts';
import type { FrameCounters, SequencePolicy } from '../../core/model/frame-format.ts';
import type { Printing } from './printing.ts';

export interface RecordingOptions {
  /** Specs to use instead of those the recording holds or lets infer. */
  readonly instruments?: readonly InstrumentSpec[];
  /** The quote currency of symbols whose names tell none; of those that end with it, it is theirs. */
  readonly quote?: string;
  /** How updates of our API follow one another; `consecutive` when not given. */
  readonly policy?: SequencePolicy;
  /** Whether book tickers of Binance files become events. Default true. */
  readonly tickers?: boolean;
  /**
   * For Binance files: `smallest` (default) shifts local times so that the smallest latency is 0, `none` leaves them
   * (arrivals before the exchange time then get that time).
   */
  readonly clockShift?: 'smallest' | 'none';
  /**
   * Whether data that are damaged somewhere are opened for what comes before: what must be known of them is then learnt
   * from that alone, and `events` throws at the damage. Default false: opening throws where it is met.
   */
  readonly partial?: boolean;
}

/** Checksums of the venue that were compared with the rebuilt books. */
export interface BookProof {
  readonly checked: number;
  readonly correct: number;
}

/** A recording, ready to be replayed any number of times. */
export interface Recording {
  /** The name of the format: one of ours, or of other people's data. */
  readonly format: string;
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  /**
   * `A`: sequence proven, both times recorded, specs from the venue. `B`: something of that was inferred; the notes say
   * what.
   */
  readonly grade: 'A' | 'B';
  readonly notes: readonly string[];
  /**
   * The events from the beginning, in the order they were received. Throws `BadInput` where the data is damaged.
   *
   * With `heard` the caller allows that levels of events from earlier batches are overwritten once both times of the event
   * lie before what it answers: for a replay that keeps no event.
   */
  events(heard?: () => number): AsyncGenerator<readonly Event[], void, undefined>;
  /** The frames as they were recorded; `undefined` when the format keeps none. */
  readonly frames: (() => AsyncGenerator<readonly Frame[], void, undefined>) | undefined;
  /** What the last complete pass of `events` or `frames` met: a torn tail; of events dropped updates and gaps too. */
  readonly findings: readonly string[];
  /** Counts of the last pass of `events`, for formats that keep frames. */
  readonly counters: FrameCounters | undefined;
  /** Whether events hold the single orders behind the books: what the queue model `l3-fifo` needs. No when absent. */
  readonly orders?: boolean;
  /** How the venue printed prices and sizes; `fixed` when absent. */
  readonly printing?: Printing | undefined;
  /** What the checksums of the last complete pass of `events` proved; absent where the venue sends none. */
  readonly proof?: BookProof | undefined;
  /** Measures of all events, taken when they were packed, for `measuresIn` of `data/grade`; absent where nothing was. */
  readonly measures?: unknown;
}

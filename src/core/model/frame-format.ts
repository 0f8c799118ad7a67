import type { Micros } from '../base/clock.ts';
import type { Event, StaleReason } from './event.ts';
import type { Frame } from './frame.ts';
import type { InstrumentId, Instruments, InstrumentSpec } from './instrument.ts';

/**
 * Rule that makes an update the next one.
 *
 * - `consecutive`: its sequence is the last plus exactly one (v2-gaps, section 5.1; the same in v3).
 * - `increasing`: its sequence is above the last; a lost update cannot be seen (the literal text of API v2).
 * - `linked`: it names the update before it, and counts several steps at once (Binance).
 */
export type SequencePolicy = 'consecutive' | 'increasing' | 'linked';

/** Counts of what a decoder passed on and what it did not, since the beginning. */
export interface FrameCounters {
  readonly frames: number;
  readonly snapshots: number;
  readonly updates: number;
  /** Updates already contained in the book. */
  readonly old: number;
  /** Updates without a base: before the first snapshot, or after a gap. */
  readonly waiting: number;
  readonly gaps: number;
  readonly trades: number;
  readonly tickers: number;
  readonly candles: number;
  readonly replies: number;
  readonly malformed: number;
}

/** Public frames of a venue in, market events with proven sequences out. */
export interface FrameDecoder {
  /** The object is live: copy it to keep it. */
  readonly counters: FrameCounters;
  /** Why the last malformed frame was refused; empty when none was. */
  readonly lastMalformed: string;
  /** Whether the book of `instrument` has an unbroken base. */
  isLive(instrument: InstrumentId): boolean;
  /** Takes one frame; frames of other channels are ignored. */
  accept(frame: Frame): void;
  /** Publishes `bookStale` of `instrument`, or of every live book. */
  markStale(reason: StaleReason, now: Micros, instrument?: InstrumentId): void;
}

export interface FrameDecoderOptions {
  readonly instruments: Instruments;
  /** Called with each event, in order. */
  readonly publish: (event: Event) => void;
  /** How updates follow one another; the venue's own when not given. */
  readonly policy?: SequencePolicy;
}

/** How the recorded frames of a venue are read. */
export interface FrameFormat {
  /** The venue's name. */
  readonly venue: string;
  /** Every channel its frames may name. A frame log keeps this list in its header. */
  readonly channels: readonly string[];
  decoder(options: FrameDecoderOptions): FrameDecoder;
  /** Absent: the text captures of cryptofeed do not exist for this venue. */
  readonly captures?: CaptureFormat;
}

/** How the addresses and replies in a text capture of a venue are read. */
export interface CaptureFormat {
  /** Description of a right address, for complaints: `an address of …`. */
  readonly expected: string;
  /** The channel of a socket or REST address, by its path; `undefined` when it is not of this venue. */
  channelOf(path: string): string | undefined;
  /** Whether the reply of this address lists the symbols. */
  isSymbolList(url: string): boolean;
  /** Whether frames of this channel are REST replies. */
  isReply(channel: string): boolean;
  /** The specs in a reply that lists symbols, `refused` takes those passed over for their names. Throws `BadInput` naming `path` when it is none. */
  specsOf(
    reply: Frame,
    path: string,
    refused?: (codes: readonly string[]) => void,
  ): readonly InstrumentSpec[];
  survey(): FrameSurvey;
}

/** How the book of a symbol begins and ends in a file. */
export interface BookEnds {
  /** The sequence of its first message, and whether that message is the whole book. */
  readonly first: number;
  readonly isWhole: boolean;
  last: number;
}

/** When the market frames of a file were received, and the books in them by symbol. */
export interface FileEnds {
  first: number;
  last: number;
  readonly books: Map<string, BookEnds>;
}

/** Reads the frames of captures for what specs can be inferred from, and for how each file begins and ends. */
export interface FrameSurvey {
  /** Begins the next file: what follows is of it. */
  startFile(): void;
  /** The files in the order of their start. */
  readonly files: readonly FileEnds[];
  /** Symbols in the order of their first market frame. */
  symbols(): readonly string[];
  /** Reads the pairs of a configuration line; ignores the rest. */
  seeConfiguration(text: string): void;
  see(frame: Frame): void;
  /**
   * Specs of symbols that were seen, with their decimals; `quote` is the currency the user says they are quoted in. Throws
   * `BadInput` where the currencies of one are not known.
   */
  inferSpecs(symbols: readonly string[], quote?: string): readonly InstrumentSpec[];
}

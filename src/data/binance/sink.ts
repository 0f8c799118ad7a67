import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { LevelBuffer } from '../../core/model/level-buffer.ts';
import type { LocalTime } from './line.ts';

/** The best prices of a book ticker. */
export interface BestPrices {
  readonly bid: number;
  readonly bidQuantity: number;
  readonly ask: number;
  readonly askQuantity: number;
}

/** One trade, in ticks and lots. */
export interface ReadTrade {
  readonly id: string;
  readonly price: number;
  readonly quantity: number;
  readonly isBuyerMaker: boolean;
}

/** Receives the content of the lines of Binance raw files. `time` is set before each call. */
export interface BinanceSink {
  /** Where levels of the next message are pushed, bids first. */
  readonly buffer: LevelBuffer;
  /** Local time of the line that is read. */
  readonly time: LocalTime;
  /** The next file begins; `shiftNanos` is added to its local times. */
  startFile(shiftNanos: number): void;
  /** A difference whose levels are the message begun in the buffer: from the state `previous` to `sequence`. */
  depth(instrument: InstrumentId, millis: number, previous: number, sequence: number): void;
  /** A depth reply whose levels are the message begun in the buffer; `millis` is -1 when it has no time. */
  snapshot(instrument: InstrumentId, millis: number, lastUpdateId: number): void;
  trade(instrument: InstrumentId, millis: number, trade: ReadTrade): void;
  /** A book ticker; `millis` is -1 when it has no time. */
  top(instrument: Instrument, millis: number, best: BestPrices): void;
}

import type { LevelBuffer } from '../../../../src/core/model/level-buffer.ts';
import type { MarketSink } from '../../../../src/venues/hitbtc/wire/market-sink.ts';

/** A sink that keeps what it receives, as plain values that can be compared. */
export class NotingSink implements MarketSink {
  readonly notes: unknown[][] = [];
  readonly #buffer: LevelBuffer;

  constructor(buffer: LevelBuffer) {
    this.#buffer = buffer;
  }

  book: MarketSink['book'] = (instrument, snapshot, exchangeTime, sequence) => {
    const { chunk, start, end } = this.#buffer;
    this.notes.push([
      'book',
      instrument.symbol,
      snapshot,
      exchangeTime,
      sequence,
      ...chunk.subarray(start, end),
    ]);
  };

  trades: MarketSink['trades'] = (instrument, snapshot, trades) => {
    this.notes.push(['trades', instrument.symbol, snapshot, ...trades]);
  };

  ticker: MarketSink['ticker'] = (instrument, ticker) => {
    this.notes.push(['ticker', instrument.symbol, ticker]);
  };

  candles: MarketSink['candles'] = (instrument, snapshot, candles) => {
    this.notes.push(['candles', instrument.symbol, snapshot, ...candles]);
  };

  contract: MarketSink['contract'] = (instrument, info) => {
    this.notes.push(['contract', instrument.symbol, info]);
  };

  reply: MarketSink['reply'] = (reply) => {
    this.notes.push(['reply', reply]);
  };

  /** What was reported since the last call. */
  take(): unknown[][] {
    return this.notes.splice(0);
  }
}

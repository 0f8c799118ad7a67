import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { PackedPiece } from './packed-lines.ts';
import { exchangeMillis, PackedBases, packedKindCount, packedKinds } from './packed-lines.ts';
import type { BinanceSink } from './sink.ts';
import { ByteReader } from '../recording/index.ts';

export interface PlaybackOptions {
  /** On the grid that the whole copy in memory allows. */
  readonly instruments: Instruments;
  /** Shifts by file, in the order they were copied to memory: nanoseconds added to its local times. */
  readonly shifts: readonly number[];
  readonly tickers: boolean;
}

/** Plays a copy in memory, piece by piece, as its lines would; prices and sizes on the grid of the instruments. */
export class BinancePlayback {
  readonly #sink: BinanceSink;
  readonly #options: PlaybackOptions;
  #levels = new Float64Array(0);
  #files = 0;

  constructor(sink: BinanceSink, options: PlaybackOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  play({ bytes, messages, levelsMax }: PackedPiece): void {
    const reader = new ByteReader(bytes);
    const bases = new PackedBases();
    if (this.#levels.length < levelsMax * levelStride)
      this.#levels = new Float64Array(levelsMax * levelStride);
    for (let left = messages; left > 0; left--) this.#message(reader, bases);
  }

  #message(reader: ByteReader, bases: PackedBases): void {
    const code = reader.varint();
    const kind = code % packedKindCount;
    if (kind === packedKinds.file) {
      this.#sink.startFile(this.#options.shifts[this.#files++] ?? 0);
      return;
    }
    const instrument = this.#options.instruments.all[(code - kind) / packedKindCount] as Instrument;
    bases.micros = reader.delta(bases.micros);
    this.#sink.time.micros = bases.micros;
    this.#sink.time.nanos = reader.varint();
    if (kind === packedKinds.depth) this.#depth(reader, bases, instrument);
    else if (kind === packedKinds.snapshot) this.#snapshot(reader, bases, instrument);
    else if (kind === packedKinds.trade) this.#trade(reader, bases, instrument);
    else this.#top(reader, bases, instrument);
  }

  #depth(reader: ByteReader, bases: PackedBases, instrument: Instrument): void {
    const { id } = instrument;
    const millis = reader.delta(exchangeMillis(bases));
    const last = bases.sequence[id] ?? 0;
    const sequence = reader.delta(last);
    const previous = reader.delta(last);
    bases.sequence[id] = sequence;
    this.#fill(reader, bases, instrument);
    this.#sink.depth(id, millis, previous, sequence);
  }

  #snapshot(reader: ByteReader, bases: PackedBases, instrument: Instrument): void {
    const millis = reader.varint() - 1;
    const sequence = reader.varint();
    this.#fill(reader, bases, instrument);
    this.#sink.snapshot(instrument.id, millis, sequence);
  }

  #trade(reader: ByteReader, bases: PackedBases, instrument: Instrument): void {
    const millis = reader.delta(exchangeMillis(bases));
    bases.tradeId = reader.delta(bases.tradeId);
    bases.price = reader.delta(bases.price);
    const sized = reader.varint();
    const isBuyerMaker = sized % 2 === 1;
    this.#sink.trade(instrument.id, millis, {
      id: String(bases.tradeId),
      price: instrument.ticksOfUnits(bases.price),
      quantity: instrument.lotsOfUnits((sized - (isBuyerMaker ? 1 : 0)) / 2),
      isBuyerMaker,
    });
  }

  #top(reader: ByteReader, bases: PackedBases, instrument: Instrument): void {
    const millis = reader.varint() - 1;
    const bid = reader.delta(bases.price);
    const ask = reader.delta(bid);
    bases.price = bid;
    const bidQuantity = instrument.lotsOfUnits(reader.varint());
    const askQuantity = instrument.lotsOfUnits(reader.varint());
    if (!this.#options.tickers) return;
    const best = {
      bid: instrument.ticksOfUnits(bid),
      bidQuantity,
      ask: instrument.ticksOfUnits(ask),
      askQuantity,
    };
    this.#sink.top(instrument, millis, best);
  }

  /** The levels of a message into the buffer. */
  #fill(reader: ByteReader, bases: PackedBases, instrument: Instrument): void {
    const { id } = instrument;
    this.#sink.buffer.beginMessage();
    bases.bid[id] = this.#side(reader, 0, bases.bid[id] ?? 0, instrument);
    bases.ask[id] = this.#side(reader, 1, bases.ask[id] ?? 0, instrument);
  }

  #side(reader: ByteReader, side: 0 | 1, base: number, instrument: Instrument): number {
    const count = reader.varint();
    const levels = this.#levels;
    const last = reader.levels(side, count, base, levels, 0);
    const { buffer } = this.#sink;
    const end = count * levelStride;
    for (let at = 0; at < end; at += levelStride) {
      const price = instrument.ticksOfUnits(levels[at + 1] as number);
      buffer.push(side, price, instrument.lotsOfUnits(levels[at + 2] as number));
    }
    return last;
  }
}

import { LevelBuffer, levelStride } from '../../core/model/level-buffer.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { LocalTime } from './line.ts';
import type { BestPrices, BinanceSink, ReadTrade } from './sink.ts';
import { ByteWriter } from '../recording/index.ts';

/** Numbers that pieces of a copy in memory begin with. */
export const packedKinds = { file: 0, depth: 1, snapshot: 2, trade: 3, top: 4 } as const;
export const packedKindCount = 5;

/** A copy in memory is a list of these; no message goes over the end of one. */
export interface PackedPiece {
  readonly bytes: Uint8Array;
  readonly messages: number;
  /** Levels of its longest message. */
  readonly levelsMax: number;
}

/** Bases of the differences on a copy in memory, in every piece anew. */
export class PackedBases {
  micros = 0;
  /** Last update id by instrument, and the last price by side. */
  readonly sequence: number[] = [];
  readonly bid: number[] = [];
  readonly ask: number[] = [];
  tradeId = 0;
  price = 0;
}

/** Milliseconds that the exchange's time is written as a difference to. */
export function exchangeMillis({ micros }: PackedBases): number {
  return Math.floor(micros / 1_000);
}

/** The coarsest power of ten that all numbers of an instrument are multiples of, in units of its printed decimals. */
export interface PackedGrid {
  price: number;
  size: number;
}

const pieceBytes = 64 * 1024;

/**
 * Lines of Binance raw files as packed numbers, a fifth of their length: a second look at the same files reads no line. Prices
 * and sizes are in units of the printed decimals. Fast twin of that second reading: row `import`, 1.85 times as fast.
 */
export class PackedLines implements BinanceSink {
  readonly buffer = new LevelBuffer();
  readonly time: LocalTime = { micros: 0, nanos: 0 };
  readonly #bytesMax: number;
  readonly #writer = new ByteWriter(2 * pieceBytes);
  readonly #pieces: PackedPiece[] = [];
  /** Grids by instrument: of books and trades, and of book tickers. */
  readonly #grids: PackedGrid[] = [];
  readonly #tops: PackedGrid[] = [];
  #bases = new PackedBases();
  #messages = 0;
  #levelsMax = 0;
  #bytes = 0;
  #isSpoiled = false;
  /** Whether a depth reply was written. */
  hasSnapshot = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether something was written that a copy in memory cannot hold, or more than its capacity. */
  get isSpoiled(): boolean {
    return this.#isSpoiled || this.#bytes > this.#bytesMax;
  }

  /** The grid of what was written of an instrument; `undefined` when nothing was. */
  gridOf(instrument: number): PackedGrid | undefined {
    return this.#grids[instrument];
  }

  topGridOf(instrument: number): PackedGrid | undefined {
    return this.#tops[instrument];
  }

  /** All pieces; nothing may be written afterwards. */
  finish(): readonly PackedPiece[] {
    this.#seal();
    return this.#pieces;
  }

  startFile(): void {
    this.#beginLine(packedKinds.file, 0);
    this.#endLine();
  }

  depth(instrument: InstrumentId, millis: number, previous: number, sequence: number): void {
    if (!this.#areWhole(millis, previous, sequence)) return;
    const bases = this.#bases;
    this.#beginLine(packedKinds.depth, instrument);
    this.#writer.delta(millis, exchangeMillis(bases));
    this.#writer.delta(sequence, bases.sequence[instrument] ?? 0);
    this.#writer.delta(previous, bases.sequence[instrument] ?? 0);
    bases.sequence[instrument] = sequence;
    this.#levels(instrument);
    this.#endLine();
  }

  snapshot(instrument: InstrumentId, millis: number, lastUpdateId: number): void {
    if (!this.#areWhole(millis + 1, 0, lastUpdateId)) return;
    this.hasSnapshot = true;
    this.#beginLine(packedKinds.snapshot, instrument);
    this.#writer.varint(millis + 1);
    this.#writer.varint(lastUpdateId);
    this.#levels(instrument);
    this.#endLine();
  }

  trade(instrument: InstrumentId, millis: number, { id, price, quantity, isBuyerMaker }: ReadTrade): void {
    const number = Number(id);
    if (!this.#areWhole(millis, price, quantity) || !this.#areWhole(number, 0, 0)) return;
    if (String(number) !== id || typeof isBuyerMaker !== 'boolean') this.#isSpoiled = true;
    const bases = this.#bases;
    const writer = this.#writer;
    this.#beginLine(packedKinds.trade, instrument);
    writer.delta(millis, exchangeMillis(bases));
    writer.delta(number, bases.tradeId);
    writer.delta(price, bases.price);
    writer.varint(quantity * 2 + (isBuyerMaker ? 1 : 0));
    bases.tradeId = number;
    bases.price = price;
    narrow((this.#grids[instrument] ??= newGrid()), price, quantity);
    this.#endLine();
  }

  top({ id }: Instrument, millis: number, best: BestPrices): void {
    const { bid, bidQuantity, ask, askQuantity } = best;
    if (!this.#areWhole(millis + 1, bid, bidQuantity) || !this.#areWhole(0, ask, askQuantity)) return;
    const bases = this.#bases;
    const writer = this.#writer;
    this.#beginLine(packedKinds.top, id);
    writer.varint(millis + 1);
    writer.delta(bid, bases.price);
    writer.delta(ask, bid);
    writer.varint(bidQuantity);
    writer.varint(askQuantity);
    bases.price = bid;
    const grid = (this.#tops[id] ??= newGrid());
    narrow(grid, bid, bidQuantity);
    narrow(grid, ask, askQuantity);
    this.#endLine();
  }

  #levels(instrument: number): void {
    const { chunk, start, end } = this.buffer;
    let asks = start;
    while (asks < end && chunk[asks] === 0) asks += levelStride;
    const grid = (this.#grids[instrument] ??= newGrid());
    const { bid, ask } = this.#bases;
    bid[instrument] = this.#side(grid, start, asks, bid[instrument] ?? 0);
    ask[instrument] = this.#side(grid, asks, end, ask[instrument] ?? 0);
    this.#levelsMax = Math.max(this.#levelsMax, (end - start) / levelStride);
    this.buffer.abandon();
  }

  #side(grid: PackedGrid, from: number, to: number, base: number): number {
    const { chunk } = this.buffer;
    this.#writer.varint((to - from) / levelStride);
    for (let at = from; at < to; at += levelStride) {
      narrow(grid, chunk[at + 1] as number, chunk[at + 2] as number);
    }
    return this.#writer.levels(chunk, from, to, base);
  }

  #beginLine(kind: number, instrument: number): void {
    const { micros, nanos } = this.time;
    const writer = this.#writer;
    writer.varint(instrument * packedKindCount + kind);
    if (kind === packedKinds.file) return;
    writer.delta(micros, this.#bases.micros);
    writer.varint(nanos);
    this.#bases.micros = micros;
  }

  #endLine(): void {
    this.#messages += 1;
    if (this.#writer.length >= pieceBytes) this.#seal();
  }

  #seal(): void {
    if (this.#messages === 0) return;
    const bytes = this.#writer.take();
    this.#bytes += bytes.length;
    this.#pieces.push({ bytes, messages: this.#messages, levelsMax: this.#levelsMax });
    if (this.isSpoiled) this.#pieces.length = 0;
    this.#writer.clear();
    this.#bases = new PackedBases();
    this.#messages = 0;
    this.#levelsMax = 0;
  }

  /** Whether numbers from lines can be written; the copy in memory is spoiled when they cannot. */
  #areWhole(a: number, b: number, c: number): boolean {
    const are = isWhole(a) && isWhole(b) && isWhole(c);
    if (!are) this.#isSpoiled = true;
    return are;
  }
}

function isWhole(value: number): boolean {
  return value >= 0 && value < largest && Number.isInteger(value);
}

/** Twice as much is exact, and a difference of two is written as one. */
const largest = 2 ** 51;
const coarsest = 10 ** 15;

function newGrid(): PackedGrid {
  return { price: coarsest, size: coarsest };
}

/** Makes the grid as fine as these two numbers need it. Division identifies multiples of such small numbers exactly. */
function narrow(grid: PackedGrid, price: number, size: number): void {
  if (grid.price > 1) while (!Number.isInteger(price / grid.price)) grid.price /= 10;
  if (grid.size > 1) while (!Number.isInteger(size / grid.size)) grid.size /= 10;
}

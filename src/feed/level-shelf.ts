import { levelStride } from '../model/level-arena.ts';

/** So many levels stay in the second cache with everything else. */
const chunkLevels = 8_192;
/** More chunks than this are not kept: what waits to be heard is far ahead of the clock. */
const chunksMax = 256;

interface Chunk {
  readonly levels: Float64Array;
  /** The batch that was last put in. */
  batch: number;
  /** The latest time of any event in it. */
  until: number;
}

/**
 * Arrays for the levels of events, used again once everybody has heard what stood in them: the events of one batch are
 * heard when the next one is asked for and `heard` answers a time behind all of theirs.
 */
export class LevelShelf {
  readonly #heard: () => number;
  /** Oldest first; the last is the one being filled. */
  readonly #chunks: Chunk[] = [];
  #batch = 0;

  constructor(heard: () => number) {
    this.#heard = heard;
  }

  /** The next batch begins. */
  turn(): void {
    this.#batch += 1;
  }

  /** An array with room for at least `length` numbers. */
  take(length: number): Float64Array {
    const oldest = this.#chunks[0];
    const isFree =
      oldest !== undefined &&
      oldest.batch < this.#batch &&
      oldest.until < this.#heard() &&
      oldest.levels.length >= length;
    if (oldest !== undefined && (isFree || this.#chunks.length >= chunksMax)) this.#chunks.shift();
    const levels = isFree ? oldest.levels : new Float64Array(Math.max(length, chunkLevels * levelStride));
    this.#chunks.push({ levels, batch: this.#batch, until: Number.NEGATIVE_INFINITY });
    return levels;
  }

  /** An event with these times was put into the array taken last. */
  filled(exchangeTime: number, receiveTime: number): void {
    const chunk = this.#chunks.at(-1);
    if (chunk === undefined) return;
    chunk.batch = this.#batch;
    if (exchangeTime > chunk.until) chunk.until = exchangeTime;
    if (receiveTime > chunk.until) chunk.until = receiveTime;
  }
}

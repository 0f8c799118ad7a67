import type { SequencePolicy } from '../model/frame-format.ts';
import type { InstrumentId } from '../model/instrument.ts';

/**
 * `next`: apply it. `old`: already contained, drop it. `gap`: something is missing, the book is stale until a
 * snapshot. `waiting`: there is no snapshot to apply it to.
 */
export type SequenceVerdict = 'next' | 'old' | 'gap' | 'waiting';

/** One instrument: no base, a base just set by a snapshot, or a base that updates have followed. */
const waiting = 0;
const joining = 1;
const joined = 2;
/** Old updates in a row that count as repetitions: of earlier updates, and of what a snapshot held already. */
const oldsMax = 1;
const joiningOldsMax = 16;

/**
 * Proves, per instrument, that each update follows the last. After a gap nothing passes until a snapshot: an
 * update on a gapped base is never applied (faults, I10). Empty updates count like any other.
 */
export class Sequencer {
  readonly policy: SequencePolicy;
  readonly #phase: number[] = [];
  readonly #last: number[] = [];
  readonly #expected: number[] = [];
  readonly #hadBook: boolean[] = [];
  /** Old updates in a row. */
  readonly #olds: number[] = [];

  constructor(policy: SequencePolicy = 'consecutive') {
    this.policy = policy;
  }

  /** A snapshot came: the base is `sequence`, whatever it was before. It may be lower (v2-gaps, section 5.1). */
  snapshot(instrument: InstrumentId, sequence: number): void {
    this.#makeRoom(instrument);
    this.#phase[instrument] = joining;
    this.#hadBook[instrument] = true;
    this.#last[instrument] = sequence;
    this.#olds[instrument] = 0;
  }

  /** Judges an update of the policies `consecutive` and `increasing`. */
  update(instrument: InstrumentId, sequence: number): SequenceVerdict {
    this.#makeRoom(instrument);
    if (this.#phase[instrument] === waiting) return 'waiting';
    const last = this.#last[instrument] as number;
    if (sequence <= last) return this.#old(instrument, sequence, last);
    if (this.policy !== 'increasing' && sequence !== last + 1) return this.#gap(instrument, last + 1);
    this.#last[instrument] = sequence;
    this.#phase[instrument] = joined;
    this.#olds[instrument] = 0;
    return 'next';
  }

  /**
   * Judges an update of the policy `linked`: it ends at `sequence` and follows the state `previous`. The first one
   * after a snapshot may begin inside it (previous <= snapshot < sequence); later ones must follow exactly.
   */
  linkedUpdate(instrument: InstrumentId, previous: number, sequence: number): SequenceVerdict {
    this.#makeRoom(instrument);
    const phase = this.#phase[instrument];
    if (phase === waiting) return 'waiting';
    const last = this.#last[instrument] as number;
    if (sequence <= last) return 'old';
    const follows = phase === joining ? previous <= last : previous === last;
    if (!follows) return this.#gap(instrument, last);
    this.#last[instrument] = sequence;
    this.#phase[instrument] = joined;
    return 'next';
  }

  /** The base of `instrument` is stale: nothing passes until a snapshot. */
  invalidate(instrument: InstrumentId): void {
    this.#makeRoom(instrument);
    this.#phase[instrument] = waiting;
  }

  /** Whether `instrument` has a base that updates may follow. */
  isLive(instrument: InstrumentId): boolean {
    return (this.#phase[instrument] ?? waiting) !== waiting;
  }

  /** Whether `instrument` ever had a base, whatever became of it. */
  hadBook(instrument: InstrumentId): boolean {
    return this.#hadBook[instrument] === true;
  }

  /** Sequence of the last snapshot or update that passed; 0 before the first. */
  last(instrument: InstrumentId): number {
    return this.#last[instrument] ?? 0;
  }

  /** Sequence that was due when the last gap was seen: the next sequence, or for `linked` the state to be followed. */
  expected(instrument: InstrumentId): number {
    return this.#expected[instrument] ?? 0;
  }

  /**
   * A repetition is dropped. A line of them is a sequence that began anew, lower: what it says is missing here. After a snapshot the very
   * first number of all says so at once: a sequence that began anew just after a low snapshot would have passed it within such a line.
   */
  #old(instrument: InstrumentId, sequence: number, last: number): SequenceVerdict {
    const olds = (this.#olds[instrument] as number) + 1;
    this.#olds[instrument] = olds;
    const isJoined = this.#phase[instrument] === joined;
    const isAnew = olds > (isJoined ? oldsMax : joiningOldsMax) || (!isJoined && sequence <= 1 && last > 1);
    return this.policy !== 'increasing' && isAnew ? this.#gap(instrument, last + 1) : 'old';
  }

  #gap(instrument: InstrumentId, expected: number): SequenceVerdict {
    this.#expected[instrument] = expected;
    this.#phase[instrument] = waiting;
    return 'gap';
  }

  #makeRoom(instrument: InstrumentId): void {
    while (this.#phase.length <= instrument) {
      this.#phase.push(waiting);
      this.#last.push(0);
      this.#expected.push(0);
      this.#olds.push(0);
    }
  }
}

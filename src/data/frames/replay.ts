import type { Micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type {
  FrameCounters,
  FrameDecoder,
  FrameFormat,
  SequencePolicy,
} from '../../core/model/frame-format.ts';

/** Runs recorded frames through the decoder that live frames go through. */
export class FrameReplay {
  readonly decoder: FrameDecoder;
  readonly #instruments: Instruments;
  #batch: Event[] = [];
  #lastTime = 0 as Micros;

  constructor(format: FrameFormat, instruments: Instruments, policy: SequencePolicy | undefined) {
    this.#instruments = instruments;
    this.decoder = format.decoder({
      instruments,
      publish: (event) => this.#batch.push(event),
      ...(policy === undefined ? {} : { policy }),
    });
  }

  /** The events of some frames. */
  read(frames: readonly Frame[]): readonly Event[] {
    for (const frame of frames) this.decoder.accept(frame);
    this.#lastTime = frames.at(-1)?.receiveTime ?? this.#lastTime;
    return this.#take();
  }

  /** The sockets are gone: the events that make every live book stale, but for those of some symbols. */
  disconnect(continued: ReadonlySet<string> = new Set()): readonly Event[] {
    for (const { id, symbol } of this.#instruments.all)
      if (this.decoder.isLive(id) && !continued.has(symbol))
        this.decoder.markStale('disconnected', this.#lastTime, id);
    return this.#take();
  }

  /** The events of batches of frames; batches without any are left out. */
  async *readAll(
    batches: AsyncIterable<readonly Frame[]>,
  ): AsyncGenerator<readonly Event[], void, undefined> {
    for await (const frames of batches) {
      const events = this.read(frames);
      if (events.length > 0) yield events;
    }
  }

  #take(): readonly Event[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }
}

/** Findings for readers of results: counts that are not zero. */
export function findingsOf(path: string, counters: FrameCounters, lastMalformed: string): readonly string[] {
  const found: string[] = [];
  if (counters.gaps > 0) found.push(`${path}: ${counters.gaps} sequence gaps`);
  if (counters.old > 0) found.push(`${path}: ${counters.old} repeated updates dropped`);
  if (counters.waiting > 0) found.push(`${path}: ${counters.waiting} updates without a base dropped`);
  if (counters.malformed > 0)
    found.push(`${path}: ${counters.malformed} malformed frames, the last: ${lastMalformed}`);
  return found;
}

/** The sum of several counts. */
export function sumCounters(all: readonly FrameCounters[]): FrameCounters | undefined {
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const sum: { -readonly [Name in keyof FrameCounters]: number } = { ...first };
  const names = Object.keys(sum) as (keyof FrameCounters)[];
  for (const other of others) for (const name of names) sum[name] += other[name];
  return sum;
}

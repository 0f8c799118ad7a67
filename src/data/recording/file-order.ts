import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';

/** Two files hold the same of one symbol at the same time: joined, it would count twice. */
export class FilesOverlap extends BadInput {}

interface Provider {
  /** The file that speaks now. */
  source: number;
  /** When it began to. */
  since: number;
  /** Those that spoke before it. */
  readonly before: Set<number>;
}

/** One kind of data of a symbol. */
interface Feed {
  /** `books`, `trades`, `tickers`, `candles M1`. */
  readonly noun: string;
  /** The number of its instrument. */
  readonly instrument: number;
}

/**
 * Watches several files that are merged by time: each may hold the books (or trades, or tickers) of a symbol only before
 * or after the others do. A file that speaks again after another one did overlaps with it.
 */
export class OneFileAFeed {
  readonly #paths: readonly string[];
  readonly #symbols: readonly string[];
  readonly #providers = new Map<string, (Provider | undefined)[]>();

  /** `paths` and the symbols of `instruments`, by their numbers, are only named in the refusal. */
  constructor(paths: readonly string[], instruments: Instruments) {
    this.#paths = paths;
    this.#symbols = instruments.all.map(({ symbol }) => symbol);
  }

  /** File `source` has something at `time`. Throws `FilesOverlap` with both files and the time they have in common. */
  note(source: number, feed: Feed, time: number): void {
    let providers = this.#providers.get(feed.noun);
    if (providers === undefined) {
      providers = [];
      this.#providers.set(feed.noun, providers);
    }
    const provider = providers[feed.instrument];
    if (provider?.source === source) return;
    if (provider === undefined) {
      providers[feed.instrument] = { source, since: time, before: new Set() };
      return;
    }
    if (provider.before.has(source)) throw this.#overlap(provider, source, feed, time);
    provider.before.add(provider.source);
    provider.source = source;
    provider.since = time;
  }

  /** The same for an event. Answers true, so that a merge can ask it. */
  accepts(event: Event, source: number): boolean {
    const { kind } = event;
    if (kind === 'bookSnapshot' || kind === 'bookUpdate')
      this.note(source, { noun: 'books', instrument: event.instrument }, event.receiveTime);
    else if (kind === 'trades')
      this.note(source, { noun: 'trades', instrument: event.instrument }, event.receiveTime);
    else if (kind === 'ticker')
      this.note(source, { noun: 'tickers', instrument: event.instrument }, event.receiveTime);
    else if (kind === 'candles') {
      const noun = `candles ${event.candles[0]?.period ?? ''}`;
      this.note(source, { noun, instrument: event.instrument }, event.receiveTime);
    }
    return true;
  }

  #overlap(provider: Provider, source: number, { noun, instrument }: Feed, time: number): FilesOverlap {
    const [one, other] = [this.#paths[source], this.#paths[provider.source]];
    const symbol = this.#symbols[instrument];
    return new FilesOverlap(
      `${other}: expected ${noun} of ${symbol} from one file at a time, found ${one} holding them too between ${timeText(provider.since)} and ${timeText(time)}; give one of the two, or files that follow one another`,
    );
  }
}

/** Clocks are shifted by file, and a message never gets a time before the exchange sent it. */
const toleranceMicros = 1_000_000;

/** Watches that files follow one another, where they are read one behind the other. */
export class FileSeams {
  readonly #paths: readonly string[];
  /** Number of the file that is read; -1 before the first. */
  #file = -1;
  #shift = 0;
  /** The latest arrival so far, by the clock of the recorder. */
  #last = Number.NEGATIVE_INFINITY;
  #isNew = false;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** The next file begins, whose arrivals were shifted by so much. */
  startFile(shiftNanos = 0): void {
    this.#file += 1;
    this.#shift = shiftNanos / 1_000;
    this.#isNew = true;
  }

  /** Throws `FilesOverlap` when the first event or frame of a file came before the last of the one ahead of it. */
  note({ receiveTime }: Pick<Event, 'receiveTime'>): void {
    const arrival = receiveTime - this.#shift;
    if (this.#isNew && arrival < this.#last - toleranceMicros) {
      throw new FilesOverlap(
        `${this.#paths[this.#file]}: expected a file that follows ${this.#paths[this.#file - 1]}, which ends at ${timeText(this.#last)}, found one that begins at ${timeText(arrival)}; give files in the order of time, and no two of the same time`,
      );
    }
    this.#isNew = false;
    if (arrival > this.#last) this.#last = arrival;
  }
}

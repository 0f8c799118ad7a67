import type { Micros } from '../../../../core/base/clock.ts';
import { millis } from '../../../../core/base/clock.ts';
import type { Random } from '../../../../core/base/random.ts';
import type { InstrumentId } from '../../../../core/model/instrument.ts';
import type { ClientOptions } from '../../../options.ts';

/** Where a wanted book is in its life on this connection. */
type Stage =
  /** Nothing asked yet, or a repair is due at `dueAt`. */
  | 'due'
  /** Asked; the snapshot must come by `dueAt`. */
  | 'asked'
  /** Snapshot and updates come; one must come by `dueAt`. */
  | 'live';

const never = Number.POSITIVE_INFINITY;
/** State of a connection that has just been opened. */
const fresh = { crossedSince: never, askedSince: never, had: false } as const;

interface Watched {
  readonly instrument: InstrumentId;
  stage: Stage;
  dueAt: number;
  /** Whether the venue may still hold a subscription: it must be ended first. */
  subscribed: boolean;
  failures: number;
  /** It was subscribed anew because it was silent, not because it broke. */
  wasSilent: boolean;
  /** When the last snapshot came. */
  basedAt: number;
  sequence: number;
  /** For how long this book may be silent. */
  patience: number;
  /** Since when its sides meet; infinity while they stand apart. */
  crossedSince: number;
  /** When it was asked for first since it was live last on this connection; infinity while it is live or was not asked for. */
  askedSince: number;
  /** Whether this connection has had it. */
  had: boolean;
  /** Connections given up for it since it was sound, and when the last one was. */
  cuts: number;
  cutAt: number;
  /** Its symbol does not work: what comes of it is taken, and nothing is asked for or missed. */
  idle: boolean;
}

/** A book unbroken for that long is sound: its next repair comes at once again. */
const soundAfter = millis(2_000);
/** Time after the last one given up from which on a book that has come since costs a connection as soon as the first time. */
const steadyAfter = millis(60_000);
/** Factor of the patience for what this connection has not had yet. */
export const firstPatience = 4;
/** The longest wait before another connection is given up for the same feed. */
const cutWaitMax = millis(600_000);

/** How long a feed is waited for before a connection is given up for it, `cuts` having been already. */
export function cutWait(patience: number, cuts: number): number {
  return Math.min(cutWaitMax, patience * 2 ** Math.min(20, cuts));
}

/**
 * Watches the wanted books of one connection: who waits for a snapshot, who has fallen silent, whose turn a repair is.
 *
 * A repair is an unsubscribe and a subscribe, because a second subscribe brings no snapshot (v3-gaps, section 1.4).
 * The first one comes at once, later ones after growing pauses. A book that proves to have been quiet, not broken
 * (the new snapshot has the old sequence), is given twice the patience, until it moves again. A book whose sides meet is repaired too:
 * something of it was lost. A book that repairs do not bring back costs the connection, the first time soon, later at growing
 * distances. One that the next connection brought back loses nothing by that: the distance counts from the last connection given up, not
 * from where the book broke again. Source: faults, W13 and W14.
 */
export class BookWatch {
  readonly #options: ClientOptions['market'];
  readonly #random: Random;
  readonly #books = new Map<InstrumentId, Watched>();

  constructor(options: ClientOptions['market'], random: Random) {
    this.#options = options;
    this.#random = random;
  }

  /** Wants a book. */
  want(instrument: InstrumentId): void {
    this.#books.set(instrument, {
      instrument,
      stage: 'due',
      dueAt: 0,
      subscribed: false,
      failures: 0,
      wasSilent: false,
      basedAt: 0,
      sequence: -1,
      patience: millis(this.#options.silenceMs),
      ...fresh,
      cuts: 0,
      cutAt: 0,
      idle: false,
    });
  }

  /** The symbol of a book works, or no longer does. One that works again is asked for where it has not gone on. */
  setIdle(instrument: InstrumentId, idle: boolean): void {
    const book = this.#books.get(instrument);
    if (book !== undefined) book.idle = idle;
  }

  /** A new connection: every book is to be asked for. */
  restart(): void {
    for (const book of this.#books.values()) {
      book.stage = 'due';
      book.dueAt = 0;
      book.subscribed = false;
      Object.assign(book, fresh);
    }
  }

  /** The books whose turn it is, at most `count`, those in `first` before the others. */
  due(now: Micros, count: number, first: ReadonlySet<InstrumentId>): readonly InstrumentId[] {
    const found: InstrumentId[] = [];
    for (const preferred of [true, false]) {
      for (const book of this.#books.values()) {
        if (found.length === count) return found;
        if (book.idle || book.stage !== 'due' || book.dueAt > now || first.has(book.instrument) !== preferred)
          continue;
        found.push(book.instrument);
      }
    }
    return found;
  }

  /** Whether the venue may still hold a subscription of this book. */
  isSubscribed(instrument: InstrumentId): boolean {
    return this.#books.get(instrument)?.subscribed ?? false;
  }

  /** The subscription was asked for; a snapshot is due. */
  asked(instrument: InstrumentId, now: Micros): void {
    const book = this.#books.get(instrument);
    if (book === undefined) return;
    book.stage = 'asked';
    book.subscribed = true;
    if (book.askedSince === never) book.askedSince = now;
    book.dueAt = now + millis(this.#options.snapshotMs);
  }

  /** The subscription was ended. */
  ended(instrument: InstrumentId): void {
    const book = this.#books.get(instrument);
    if (book !== undefined) book.subscribed = false;
  }

  /** A snapshot or an update came. */
  noteBook(instrument: InstrumentId, snapshot: boolean, sequence: number, now: Micros): void {
    const book = this.#books.get(instrument);
    if (book === undefined) return;
    if (snapshot) {
      const wasQuiet = book.wasSilent && sequence === book.sequence;
      book.wasSilent = false;
      const most = millis(this.#options.silenceMsMax);
      book.patience = wasQuiet ? Math.min(most, book.patience * 2) : millis(this.#options.silenceMs);
      if (wasQuiet) book.failures = 0;
      book.stage = 'live';
      book.basedAt = now;
      book.had = true;
      book.askedSince = never;
    } else {
      // One that is crossed is not sound: else it would be asked for again and again without a pause.
      if (now - book.basedAt >= soundAfter && book.crossedSince === never) book.failures = 0;
      if (now - book.cutAt >= steadyAfter) book.cuts = 0;
      book.patience = millis(this.#options.silenceMs);
    }
    book.sequence = sequence;
    book.dueAt = now + book.patience;
  }

  /** Whether the sides of a live book meet, after an event of it. Returns whether they began to. */
  noteTouch(instrument: InstrumentId, crossed: boolean, now: Micros): boolean {
    const book = this.#books.get(instrument);
    if (book === undefined || book.stage !== 'live') return false;
    if (!crossed) book.crossedSince = never;
    else if (book.crossedSince === never) {
      book.crossedSince = now;
      return true;
    }
    return false;
  }

  /** The books whose sides have met for too long. */
  crossed(now: Micros): readonly InstrumentId[] {
    return this.#where((book) => this.#crossedAt(book) <= now);
  }

  #crossedAt(book: Watched): number {
    return book.stage === 'live' ? book.crossedSince + millis(this.#options.crossedMs) : never;
  }

  /** The books for which this connection is to be given up: they were asked for, and have not come. */
  stranded(now: Micros): readonly InstrumentId[] {
    return this.#where((book) => this.#strandedAt(book) <= now);
  }

  /** The connection is given up for these. */
  cut(instruments: readonly InstrumentId[], now: Micros): void {
    for (const instrument of instruments) {
      const book = this.#books.get(instrument);
      if (book === undefined) continue;
      book.cuts += 1;
      book.cutAt = now;
    }
  }

  #strandedAt({ had, askedSince, cuts, cutAt }: Watched): number {
    const once = millis(this.#options.snapshotMs);
    if (!had) return askedSince + cutWait(once * firstPatience, cuts);
    const wait = askedSince + once;
    return cuts === 0 ? wait : Math.max(wait, cutAt + cutWait(once, cuts - 1));
  }

  #where(holds: (book: Watched) => boolean): readonly InstrumentId[] {
    const found: InstrumentId[] = [];
    for (const book of this.#books.values()) if (!book.idle && holds(book)) found.push(book.instrument);
    return found;
  }

  /** The book broke (gap, malformed, refused, silent): it is repaired at once the first time, later after a pause. */
  broken(instrument: InstrumentId, now: Micros): void {
    const book = this.#books.get(instrument);
    if (book === undefined || book.stage === 'due') return;
    const { retryMs, retryMsMax } = this.#options;
    const ceiling =
      book.failures === 0 ? 0 : Math.min(retryMsMax, retryMs * 2 ** Math.min(20, book.failures - 1));
    book.failures += 1;
    book.stage = 'due';
    book.crossedSince = never;
    book.dueAt = now + Math.round(millis(ceiling) * (0.5 + this.#random.float() / 2));
  }

  /** Waited in vain: repaired like one that broke, but perhaps it was only quiet. */
  fellSilent(instrument: InstrumentId, now: Micros): void {
    const book = this.#books.get(instrument);
    if (book === undefined) return;
    book.wasSilent = book.stage === 'live';
    this.broken(instrument, now);
  }

  /** The books that waited in vain for their snapshot or an update. */
  silent(now: Micros): readonly InstrumentId[] {
    return this.#where((book) => book.stage !== 'due' && book.dueAt <= now);
  }

  /** When a book that waits is looked at next, by uptime; `undefined` of one that is not wanted. */
  lookAt(instrument: InstrumentId): number | undefined {
    const book = this.#books.get(instrument);
    return book && Math.min(book.dueAt, this.#crossedAt(book));
  }

  /** When the next book that is not due already will be due for anything; infinity when none will. */
  nextTime(now: Micros): number {
    let next = Number.POSITIVE_INFINITY;
    for (const book of this.#books.values()) {
      if (book.idle) continue;
      if (book.dueAt < next && (book.stage !== 'due' || book.dueAt > now)) next = book.dueAt;
      next = Math.min(next, this.#crossedAt(book), this.#strandedAt(book));
    }
    return next;
  }
}

/**
 * Notices a connection that has fallen behind: it goes on delivering, without a gap, what was true long ago. A stall
 * whose backlog arrives at once is none, for it ends with a message that comes in time. Source: faults, N7 and N9.
 */
export class LateWatch {
  readonly #limit: number;
  readonly #patience: Micros;
  #since: Micros | undefined;

  /** `limit`: how long after its stamp a message may come; `patience`: for how long they may come later. */
  constructor(limit: number, patience: Micros) {
    this.#limit = limit;
    this.#patience = patience;
  }

  /** A message came `lag` after its stamp, by the venue's clock; `now` by uptime. */
  noteDelay(lag: number, now: Micros): void {
    if (lag <= this.#limit) this.#since = undefined;
    else this.#since ??= now;
  }

  /** A new connection: nothing of the one before holds. */
  restart(): void {
    this.#since = undefined;
  }

  /** Whether nothing has come in time for as long as patience lasts. */
  isOver(now: Micros): boolean {
    return this.#since !== undefined && now - this.#since >= this.#patience;
  }
}

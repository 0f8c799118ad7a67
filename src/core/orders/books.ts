import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { micros, millis, seconds } from '../base/clock.ts';
import type { MarketData, ReadAnswered, ReadBook, CommandSettled } from '../model/event.ts';
import type { Instrument, InstrumentId } from '../model/instrument.ts';
import { productOf } from '../model/product.ts';
import { externalStrategy } from '../ledger/index.ts';
import type { StateView } from '../state/index.ts';
import type { OtherLevel } from './book-levels.ts';
import { BookChanges, isSame, levelsText, otherLevels } from './book-levels.ts';
import type { Differences } from './base/differences.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import { Reads, backOff } from './base/reads.ts';
import type { ReadShare } from './base/read-share.ts';

/** Between an answer and the comparison: what was on its way in the stream is heard by then. */
const streamLag = seconds(1);
/** Reads of a book that prove nothing, in a row, before it waits for the next round. */
const vainMax = 3;

interface BookDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly differences: Differences;
  readonly share: ReadShare;
  /** Calls a book stale and fetches it anew; absent where the venue cannot. */
  readonly refetchBook?: ((instrument: InstrumentId) => void) | undefined;
  /** Shows market data from now on. */
  readonly watchMarketData?: ((watcher: (data: MarketData) => void) => Cancel) | undefined;
}

/** A book that is being looked at. */
interface Check {
  /** When it is read next, by `uptime`. */
  dueAt: number;
  /** Changes of the stream since the first of the reads that are being compared. */
  changes: BookChanges | undefined;
  /** Levels that the last read showed otherwise; `undefined` while none did. */
  suspects: readonly OtherLevel[] | undefined;
  /** Reads in a row that proved nothing. */
  vain: number;
  /** How often it was fetched anew. */
  fetched: number;
}

/**
 * Compares books with live orders with reads of them, every `orders.reconcile.booksEveryMs`. An answer has no sequence number, so only
 * levels count that the stream left alone from before the read left until 1 s after its answer. A level that two such reads, `aliveMs` apart,
 * show otherwise was lost on the way: the book is called stale and fetched anew. A further read that agrees ends the row.
 * Source: v3-gaps, section 4.1 (no sequence; `timestamp` is the time of the last change).
 */
export class BookComparison {
  readonly #parts: BookDeps;
  readonly #reads: Reads;
  readonly #checks = new Map<InstrumentId, Check>();
  /** Instruments of which an order was heard of since the last round. */
  readonly #active = new Set<InstrumentId>();
  /** The book that is being read or compared. */
  #open: InstrumentId | undefined;
  #roundAt: number | undefined;
  #cancelRound: Cancel = () => {};
  #cancelNext: Cancel = () => {};
  #cancelCompare: Cancel = () => {};
  #unwatch: Cancel | undefined;
  readonly #told = new Set<InstrumentId>();

  constructor(parts: BookDeps) {
    this.#parts = parts;
    const { outbox, clock, memory } = parts;
    this.#reads = new Reads({ outbox, clock, options: memory.options.reconcile, share: parts.share });
  }

  /** The trading session is up: books are fresh, and compared from the next round on. Rows of before are looked at soon. */
  up(): void {
    if (!this.#isOn) return;
    this.down();
    const { view, clock } = this.#parts;
    for (const { kind, instrument } of view.differences.all)
      if (kind === 'book' && instrument !== undefined)
        this.#add(instrument, clock.uptime() + millis(this.#againMs));
    this.#startRound();
    this.#next();
  }

  down(): void {
    this.#cancelRound();
    this.#cancelNext();
    this.#cancelCompare();
    this.#reads.clear();
    this.#checks.clear();
    this.#open = undefined;
    this.#roundAt = undefined;
    this.#watchMarket();
  }

  close(): void {
    this.down();
  }

  /** An order was heard of: its book is compared in the next round, whatever becomes of the order until then. */
  reported(instrument: InstrumentId): void {
    if (this.#roundAt !== undefined) this.#active.add(instrument);
  }

  answered(event: ReadAnswered): void {
    this.#reads.answered(event);
  }

  settled(event: CommandSettled): void {
    this.#reads.settled(event);
  }

  /** When a book is read next, by wall time: now while it is read, with the next round where nothing of it is open. */
  lookAt(instrument: InstrumentId): Micros | undefined {
    const { clock } = this.#parts;
    if (this.#open === instrument) return clock.now();
    const at = this.#checks.get(instrument)?.dueAt ?? this.#roundAt;
    return at === undefined ? undefined : micros(Math.max(clock.now(), clock.now() + at - clock.uptime()));
  }

  get #every(): number {
    return this.#parts.memory.options.reconcile.booksEveryMs;
  }

  /** Between the two reads that confirm a difference, and before one that proved nothing is repeated. */
  get #againMs(): number {
    return Math.max(1, this.#parts.memory.options.reconcile.aliveMs);
  }

  get #isOn(): boolean {
    const { memory, refetchBook, watchMarketData } = this.#parts;
    const isAble = memory.capabilities.bookReads === true && refetchBook !== undefined;
    return isAble && watchMarketData !== undefined;
  }

  #startRound(): void {
    const { clock } = this.#parts;
    this.#roundAt = clock.uptime() + millis(this.#every);
    this.#cancelRound = clock.after(millis(this.#every), () => {
      this.#round();
      this.#startRound();
      this.#next();
    });
  }

  #round(): void {
    const { view, clock } = this.#parts;
    for (const { instrument, strategy } of view.openOrders())
      if (strategy !== externalStrategy) this.#active.add(instrument);
    for (const instrument of this.#active) this.#add(instrument, clock.uptime());
    this.#active.clear();
  }

  #add(instrument: InstrumentId, dueAt: number): void {
    if (this.#checks.has(instrument)) return;
    this.#checks.set(instrument, { dueAt, changes: undefined, suspects: undefined, vain: 0, fetched: 0 });
  }

  /** One book at a time, the one first that has waited longest. */
  #next(): void {
    this.#cancelNext();
    if (this.#open !== undefined) return;
    let first: [InstrumentId, Check] | undefined;
    for (const entry of this.#checks)
      if (first === undefined || entry[1].dueAt < first[1].dueAt) first = entry;
    if (first === undefined) return;
    const { clock, share } = this.#parts;
    const [instrument, { dueAt }] = first;
    const wait = Math.max(dueAt - clock.uptime(), share.wait(1), 0);
    this.#cancelNext = clock.after(micros(wait), () => this.#read(instrument));
  }

  #read(instrument: InstrumentId): void {
    const { view } = this.#parts;
    const check = this.#checks.get(instrument);
    if (check === undefined) return;
    if (view.status(instrument) !== 'working') {
      this.#done(instrument, 'its symbol does not work, so that its book is no input');
      return;
    }
    const book = view.book(instrument);
    // A book that is out of use is fetched anew already.
    if (book.unfit !== undefined) {
      this.#inVain(instrument, check);
      return;
    }
    this.#open = instrument;
    check.changes ??= new BookChanges();
    this.#watchMarket();
    const { exchangeTime } = book;
    this.#reads.ask(
      { of: 'book', instrument },
      ({ book: read }) => {
        this.#cancelCompare = this.#parts.clock.after(streamLag, () => {
          this.#open = undefined;
          this.#compare(instrument, check, read, exchangeTime);
        });
      },
      () => {
        this.#open = undefined;
        this.#inVain(instrument, check);
      },
    );
  }

  /** `asOf`: when the streamed book had changed last as the read left. */
  #compare(instrument: InstrumentId, check: Check, read: ReadBook | undefined, asOf: Micros): void {
    const book = this.#parts.view.book(instrument);
    const { changes } = check;
    const isSound = changes !== undefined && !changes.isUseless && book.unfit === undefined;
    // An answer that is older than the stream says nothing of what came since.
    if (read === undefined || !isSound || wholeMs(read.time) < wholeMs(asOf)) {
      if (!isSound) this.#anew(check);
      this.#inVain(instrument, check);
      return;
    }
    check.vain = 0;
    const found = otherLevels(book, read, changes);
    const before = check.suspects;
    const confirmed =
      before === undefined ? [] : found.filter((one) => before.some((known) => isSame(known, one)));
    if (confirmed.length > 0) this.#confirmed(instrument, check, confirmed);
    else if (found.length > 0) this.#suspected(instrument, check, found);
    else this.#done(instrument, 'a read of the book shows the levels of the stream');
  }

  #suspected(instrument: InstrumentId, check: Check, found: readonly OtherLevel[]): void {
    const { differences } = this.#parts;
    // What differed before does no longer: this is another difference, unless the book was fetched anew for it.
    if (check.suspects !== undefined)
      differences.endRow(this.#keyOf(instrument), 'the levels that differed have changed since');
    check.suspects = found;
    this.#seen(instrument, found);
    this.#again(check, this.#againMs);
  }

  #confirmed(instrument: InstrumentId, check: Check, found: readonly OtherLevel[]): void {
    this.#seen(instrument, found);
    this.#anew(check);
    // A venue whose reads never agree with its stream is asked ever more seldom.
    const wait = backOff(check.fetched, this.#againMs, this.#every);
    check.fetched += 1;
    this.#again(check, wait / millis(1));
    this.#parts.refetchBook?.(instrument);
  }

  #seen(id: InstrumentId, found: readonly OtherLevel[]): void {
    const { view, differences } = this.#parts;
    const instrument = view.instruments.at(id);
    const told = levelsText(found, instrument);
    if (told === undefined) return;
    const product = productOf(instrument, undefined);
    differences.seen({ key: keyOf(instrument), kind: 'book', product, instrument: id, ...told });
  }

  /** Begins a comparison of what the stream says from now on with what is read from now on. */
  #anew(check: Check): void {
    check.changes = undefined;
    check.suspects = undefined;
  }

  /** A read or an attempt proved nothing. */
  #inVain(instrument: InstrumentId, check: Check): void {
    const { view, outbox } = this.#parts;
    check.vain += 1;
    const hasRow = view.differences.find(this.#keyOf(instrument)) !== undefined;
    if (check.vain < vainMax || hasRow) {
      this.#again(check, backOff(check.vain - 1, this.#againMs, this.#every) / millis(1));
      return;
    }
    if (!this.#told.has(instrument)) {
      this.#told.add(instrument);
      const { symbol } = view.instruments.at(instrument);
      const text = `the book of ${symbol} could not be compared: ${vainMax} reads were older than its stream, or could not be had or read`;
      outbox.noteText(externalStrategy, 'warn', `${text}; it is tried again every ${this.#every / 1_000} s`);
    }
    this.#forget(instrument);
  }

  #again(check: Check, waitMs: number): void {
    check.dueAt = this.#parts.clock.uptime() + millis(waitMs);
    this.#watchMarket();
    this.#next();
  }

  #done(instrument: InstrumentId, why: string): void {
    this.#parts.differences.endRow(this.#keyOf(instrument), why);
    this.#told.delete(instrument);
    this.#forget(instrument);
  }

  #forget(instrument: InstrumentId): void {
    this.#checks.delete(instrument);
    this.#watchMarket();
    this.#next();
  }

  #keyOf(instrument: InstrumentId): string {
    return keyOf(this.#parts.view.instruments.at(instrument));
  }

  /** Market data are heard only while a book is compared. */
  #watchMarket(): void {
    let isWanted = false;
    for (const { changes } of this.#checks.values()) isWanted ||= changes !== undefined;
    if (!isWanted) {
      this.#unwatch?.();
      this.#unwatch = undefined;
    } else
      this.#unwatch ??= this.#parts.watchMarketData?.((data) => {
        if (data.kind === 'bookUpdate' || data.kind === 'bookSnapshot')
          this.#checks.get(data.instrument)?.changes?.add(data);
      });
  }
}

/** The venue's times have whole milliseconds. */
function wholeMs(time: Micros): number {
  return Math.floor(time / millis(1));
}

function keyOf({ symbol }: Instrument): string {
  return `book ${symbol}`;
}

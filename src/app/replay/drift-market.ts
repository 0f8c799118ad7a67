import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Book } from '../../core/book/book.ts';
import { missedSnapshot } from '../../core/trader/index.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { isPackable, openPackRecording, PackWriter } from '../../data/pack/index.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { MissingSpan, DriftMarks } from '../../research/checks/index.ts';
import type { DriftSession } from './drift-session.ts';

const forever = Number.MAX_SAFE_INTEGER;

/** The recorded market of a session, and the times without any. */
export interface SessionMarket {
  /** Its events, in a pack: a market of days has no room in memory. */
  readonly recording: Recording;
  /** Exchange time of the first event; `undefined` without any. */
  readonly start: Micros | undefined;
  /** Gaps, and what is missing where a recording was cut. */
  readonly missing: readonly MissingSpan[];
  readonly gaps: number;
  readonly marks: DriftMarks;
}

type Span = Pick<DriftSession, 'begin' | 'isWhole' | 'end' | 'cutAt'>;

/**
 * Reads the market of a session into the pack `file`: events, gaps, and the prices at the end that both sides are valued at. A
 * session that begins within its run begins with the books as they were then. A batch of events is held at a time.
 */
export async function readMarket(recording: Recording, span: Span, file: string): Promise<SessionMarket> {
  const { end, cutAt } = span;
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const pack = new PackWriter((bytes) => writeFileSync(descriptor, bytes), {
      instruments: recording.instruments.all.map(({ spec }) => spec),
      codec: 'zstd',
    });
    const fold = new MarketFold(recording, span, (event) => pack.add(event));
    for await (const batch of recording.events())
      for (const event of batch) if (event.receiveTime <= end && isPackable(event)) fold.observe(event);
    pack.finish();
    const gaps = fold.endGaps();
    const cut = recording.instruments.all.map(({ id }) => ({
      instrument: id,
      from: cutAt ?? 0,
      to: forever,
    }));
    return {
      recording: openPackRecording([file]),
      start: fold.start,
      missing: cutAt === undefined ? gaps : [...gaps, ...cut],
      gaps: gaps.length,
      marks: fold.marks(),
    };
  } finally {
    closeSync(descriptor);
  }
}

/** Fold of a market: books, last prices, gaps. */
class MarketFold {
  readonly #span: Span;
  readonly #takeEvent: (event: MarketEvent) => void;
  readonly #books: readonly Book[];
  readonly #prices = new Map<InstrumentId, number>();
  /** Since when a book could not be believed. */
  readonly #open = new Map<InstrumentId, number>();
  readonly #gaps: MissingSpan[] = [];
  #isBegun: boolean;
  /** Exchange time of the first event that was taken. */
  start: Micros | undefined;

  constructor({ instruments }: Recording, span: Span, take: (event: MarketEvent) => void) {
    this.#span = span;
    this.#takeEvent = (event) => {
      this.start ??= event.exchangeTime;
      take(event);
    };
    this.#books = instruments.all.map(({ id }) => new Book(id));
    this.#isBegun = span.isWhole;
  }

  observe(event: MarketEvent): void {
    if (!this.#isBegun && event.receiveTime >= this.#span.begin) this.#beginRun();
    if (this.#isBegun) this.#takeEvent(event);
    if (event.kind === 'trades') {
      const last = event.trades.at(-1);
      if (last !== undefined) this.#prices.set(event.instrument, last.price * 2);
    }
    const book = this.#books[event.instrument];
    if (book === undefined || !isBook(event)) return;
    book.apply(event);
    const from = this.#open.get(event.instrument);
    if (book.status === 'stale' && from === undefined) this.#open.set(event.instrument, event.receiveTime);
    if (book.status !== 'live' || from === undefined) return;
    this.#open.delete(event.instrument);
    if (this.#isBegun) this.#gaps.push({ instrument: event.instrument, from, to: event.receiveTime });
  }

  /** All gaps; those that are open end never. */
  endGaps(): readonly MissingSpan[] {
    const open = [...this.#open].map(([instrument, from]) => ({ instrument, from, to: forever }));
    return [...this.#gaps, ...open];
  }

  /** Twice the price of each instrument at the end. */
  marks(): DriftMarks {
    const marks = new Map(this.#prices);
    for (const { instrument, status, bestBid, bestAsk } of this.#books)
      if (status === 'live' && bestBid !== undefined && bestAsk !== undefined)
        marks.set(instrument, bestBid + bestAsk);
    return marks;
  }

  #beginRun(): void {
    this.#isBegun = true;
    const { begin } = this.#span;
    for (const book of this.#books)
      if (book.status === 'live')
        this.#takeEvent({
          ...missedSnapshot(book.instrument, book),
          exchangeTime: begin,
          receiveTime: begin,
        });
  }
}

function isBook(event: MarketEvent): event is Extract<MarketEvent, { kind: `book${string}` }> {
  return event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale';
}

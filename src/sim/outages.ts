import type { Micros } from '../core/base/clock.ts';
import { Book } from '../core/book/book.ts';
import type { Outcome } from '../exchange/matching/index.ts';
import type { BookSnapshot, Event, MarketEvent } from '../core/model/event.ts';
import type { InstrumentId, Instruments } from '../core/model/instrument.ts';
import { levelStride } from '../core/model/level-buffer.ts';

/** A time in which the venue does not work. */
export interface OutageWindow {
  readonly from: Micros;
  readonly to: Micros;
  /** `orders`: commands are refused. `all`: no market data are delivered either. */
  readonly what: 'orders' | 'all';
}

/** Which window is open now, and what we have missed of the market meanwhile. */
export class Outages {
  readonly #windows: readonly OutageWindow[];
  readonly #instruments: Instruments;
  /** Books as the venue would show them; kept only when a window hides the market. */
  readonly #books: readonly Book[];

  constructor(windows: readonly OutageWindow[], instruments: Instruments) {
    this.#windows = windows;
    this.#instruments = instruments;
    this.#books = windows.some(({ what }) => what === 'all')
      ? instruments.all.map(({ id }) => new Book(id))
      : [];
  }

  /** Whether a command that arrives at `now` is refused. */
  refuses(now: number): boolean {
    return this.#windows.some(({ from, to }) => now >= from && now < to);
  }

  /** Whether market data are withheld at `time`. */
  hides(time: number): boolean {
    return this.#windows.some(({ from, to, what }) => what === 'all' && time >= from && time < to);
  }

  /** Windows that hide the market, which begin and end by themselves. */
  get hiding(): readonly OutageWindow[] {
    return this.#windows.filter(({ what }) => what === 'all');
  }

  /** Applies the event to the books that are delivered after the outage. */
  witness(event: MarketEvent): void {
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale')
      this.#books[event.instrument]?.apply(event);
  }

  /** Events when a window opens at `now`: the session is down, and every live book becomes stale. */
  opening(now: Micros): Event[] {
    const times = { exchangeTime: now, receiveTime: now };
    const stale = this.#books
      .filter(({ status }) => status === 'live')
      .map(({ instrument }): Event => ({
        kind: 'bookStale',
        instrument,
        reason: 'disconnected',
        expected: 0,
        found: 0,
        ...times,
      }));
    return [...stale, { kind: 'sessionDown', session: 'market', why: 'the venue is down', ...times }];
  }

  /** Events when a window closes: the session is up, and a snapshot of each book. */
  closing(now: Micros): Event[] {
    const times = { exchangeTime: now, receiveTime: now };
    const books = this.#instruments.all.flatMap(({ id }) => this.#snapshotOf(id, now) ?? []);
    return [{ kind: 'sessionUp', session: 'market', ...times }, ...books];
  }

  #snapshotOf(instrument: InstrumentId, now: Micros): BookSnapshot | undefined {
    const book = this.#books[instrument];
    return book === undefined || book.status !== 'live' ? undefined : snapshotOf(book, now);
  }
}

/** A whole book as one event. */
export function snapshotOf(book: Book, time: Micros): BookSnapshot {
  const levels = new Float64Array((book.depth('buy') + book.depth('sell')) * levelStride);
  let end = 0;
  for (const [side, name] of [[0, 'buy'] as const, [1, 'sell'] as const]) {
    book.eachLevel(name, (price, lots) => {
      levels[end] = side;
      levels[end + 1] = price;
      levels[end + 2] = lots;
      end += levelStride;
    });
  }
  const { instrument, sequence } = book;
  return {
    kind: 'bookSnapshot',
    instrument,
    sequence,
    levels,
    start: 0,
    end,
    exchangeTime: time,
    receiveTime: time,
  };
}

/** The answer to a command in a time in which the venue does not work: certain, so that nothing is left unknown. */
export const venueIsDown: readonly Outcome[] = [
  {
    kind: 'refused',
    account: 0 as Extract<Outcome, { kind: 'refused' }>['account'],
    clientOrderId: undefined,
    code: 'SYMBOL_NOT_WORKING',
    why: 'the venue is down',
  },
];

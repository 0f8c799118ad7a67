import { Observable } from 'rxjs';
import type { Micros } from '../../core/base/clock.ts';
import type { Event, BookSnapshot, BookUpdate } from '../../core/model/event.ts';
import type { FrameCounters, FrameDecoder, FrameDecoderOptions } from '../../core/model/frame-format.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { ConnectDeps, OpenVenueSetup, VenueConnection, VenueModule } from '../../venues/index.ts';

/**
 * A venue from a file of its own whose market data are looked at before they reach a book: a level or a trade that is off the grid
 * (NaN, a fraction, below 0) makes its message malformed, and the book stale until the next whole one. The venues that come with
 * Godwit check this in their decoders.
 */
export function checkedModule(venue: VenueModule): VenueModule {
  return {
    name: venue.name,
    capabilities: venue.capabilities,
    frames: {
      venue: venue.frames.venue,
      channels: venue.frames.channels,
      decoder: (options) => new CheckedDecoder((checked) => venue.frames.decoder(checked), options),
      ...(venue.frames.captures === undefined ? {} : { captures: venue.frames.captures }),
    },
    accountDecoder: (setup) => venue.accountDecoder(setup),
    addresses: (settings) => venue.addresses(settings),
    budgets: (limits, clock) => venue.budgets(limits, clock),
    connect: async (setup) => checkedConnection(await venue.connect(setup), setup),
  };
}

function checkedConnection(connection: VenueConnection, { log }: ConnectDeps): VenueConnection {
  return {
    listInstruments: () => connection.listInstruments(),
    open: (setup) => checkedVenue(connection.open(setup), setup, (words) => log.warn({}, words)),
    ...(connection.examine === undefined ? {} : { examine: () => connection.examine?.() as never }),
  };
}

/** Without a topic of its own market data come among the events. */
function checkedVenue(
  venue: Venue,
  { instruments }: OpenVenueSetup,
  onMalformed: (words: string) => void,
): Venue {
  const check = new MarketCheck((id, words) => onMalformed(`${instruments.at(id).symbol}: ${words}`));
  const events = new Observable<Event>((subscriber) =>
    venue.events.subscribe({
      next: (event) => {
        const checked = check.of(event);
        if (checked !== undefined) subscriber.next(checked);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
  return {
    events,
    looks: venue.looks,
    ...(venue.refetchBook !== undefined && { refetchBook: (id: InstrumentId) => venue.refetchBook?.(id) }),
    ...(venue.keepAlive !== undefined && {
      keepAlive: (timeout: Micros) => venue.keepAlive?.(timeout) ?? Promise.resolve(''),
    }),
    send: (command) => venue.send(command),
    close: () => venue.close(),
  };
}

/** What a module decodes, with malformed messages counted. */
class CheckedDecoder implements FrameDecoder {
  readonly #inner: FrameDecoder;
  readonly #check: MarketCheck;
  #malformed = 0;
  #last = '';

  constructor(make: (options: FrameDecoderOptions) => FrameDecoder, options: FrameDecoderOptions) {
    this.#check = new MarketCheck((id, words) => {
      this.#malformed += 1;
      this.#last = `${options.instruments.at(id).symbol}: ${words}`;
    });
    this.#inner = make({
      ...options,
      publish: (event) => {
        const checked = this.#check.of(event);
        if (checked !== undefined) options.publish(checked);
      },
    });
  }

  get counters(): FrameCounters {
    const { counters } = this.#inner;
    return this.#malformed === 0
      ? counters
      : { ...counters, malformed: counters.malformed + this.#malformed };
  }

  get lastMalformed(): string {
    return this.#last === '' ? this.#inner.lastMalformed : this.#last;
  }

  isLive(instrument: InstrumentId): boolean {
    return this.#inner.isLive(instrument) && !this.#check.isBroken(instrument);
  }

  accept(...given: Parameters<FrameDecoder['accept']>): void {
    this.#inner.accept(...given);
  }

  markStale(...given: Parameters<FrameDecoder['markStale']>): void {
    this.#inner.markStale(...given);
  }
}

/** Market events with numbers that a book and a tape can hold; the others are replaced or left out. */
class MarketCheck {
  readonly #onMalformed: (instrument: InstrumentId, words: string) => void;
  /** Books that wait for a whole one. */
  readonly #broken = new Set<InstrumentId>();

  constructor(onMalformed: (instrument: InstrumentId, words: string) => void) {
    this.#onMalformed = onMalformed;
  }

  isBroken(instrument: InstrumentId): boolean {
    return this.#broken.has(instrument);
  }

  /** The event, what stands for it, or `undefined` where it must not be seen. */
  of(event: Event): Event | undefined {
    switch (event.kind) {
      case 'bookSnapshot':
      case 'bookUpdate':
        return this.#book(event);
      case 'trades': {
        const whole = event.trades.filter(({ price, quantity }) => isCount(price, 1) && isCount(quantity, 1));
        if (whole.length === event.trades.length) return event;
        this.#onMalformed(event.instrument, 'a trade is off the grid of its symbol, or no number');
        return whole.length === 0 ? undefined : { ...event, trades: whole };
      }
      case 'ticker': {
        const { bid, bidQuantity, ask, askQuantity } = event.ticker;
        const isWhole = [bid, bidQuantity, ask, askQuantity].every(
          (value) => value === undefined || isCount(value, 0),
        );
        if (!isWhole)
          this.#onMalformed(event.instrument, 'a ticker is off the grid of its symbol, or no number');
        return isWhole ? event : undefined;
      }
      default:
        return event;
    }
  }

  #book(event: BookSnapshot | BookUpdate): Event | undefined {
    const { instrument, exchangeTime, receiveTime } = event;
    const isWhole = event.kind === 'bookSnapshot';
    if (!isWhole && this.#broken.has(instrument)) return undefined;
    const wrong = offGrid(event);
    if (wrong === undefined) {
      if (isWhole) this.#broken.delete(instrument);
      return event;
    }
    const words = `a level of its book is off the grid of the symbol, or no number (${wrong}): the message is malformed`;
    this.#onMalformed(instrument, words);
    if (this.#broken.has(instrument)) return undefined;
    this.#broken.add(instrument);
    const found = event.sequence;
    return {
      kind: 'bookStale',
      instrument,
      reason: 'malformed',
      expected: found,
      found,
      exchangeTime,
      receiveTime,
    };
  }
}

/** The first level that no book can hold, as `price x size` in ticks and lots. */
function offGrid({ levels, start, end }: BookSnapshot | BookUpdate): string | undefined {
  for (let at = start; at < end; at += levelStride) {
    const price = levels[at + 1] as number;
    const size = levels[at + 2] as number;
    if (!isCount(price, 1) || !isCount(size, 0)) return `${price} ticks x ${size} lots`;
  }
  return undefined;
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

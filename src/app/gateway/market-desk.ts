import type { Clock } from '../../core/base/clock.ts';
import type { BookStale, MarketData } from '../../core/model/event.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ProgramHost } from '../../core/strategy/framework.ts';
import type { Faults, RateLimiter } from '../../exchange/base/index.ts';
import { bucketOfSocket } from '../../exchange/base/index.ts';
import { Rates, V3Feeds, V3PublicSession } from '../../exchange/market/index.ts';
import type { Connection, Location } from '../../exchange/sockets/index.ts';
import { Publisher } from '../../exchange/sockets/index.ts';
import type { LimitOptions } from '../../exchange/sockets/options.ts';
import { publishOptions } from '../../exchange/sockets/options.ts';
import { FollowedMarkets } from './followed-markets.ts';
import type { PublicRelay } from './public-relay.ts';
import { PublicSession } from './public-session.ts';

/** Changes within this time leave as one message. */
const bookMs = 10;

export interface MarketDeskDeps {
  readonly clock: Clock;
  readonly throttle: RateLimiter;
  readonly limits: LimitOptions;
  readonly faults: Faults;
  /** Way to the venue for all that the daemon does not follow; without one nothing else is served. */
  readonly relay: PublicRelay | undefined;
}

/** Markets that one run follows, and the feeds of them. */
interface Served {
  readonly view: StateView;
  readonly markets: FollowedMarkets;
  readonly publisher: Publisher;
  readonly feeds: V3Feeds;
  /** The program by whose host each event of an instrument is taken, so that it is taken once. */
  readonly takers: Map<InstrumentId, string>;
}

/** Market data for programs: of symbols that the daemon follows from its state, of all others passed on. */
export class MarketDesk {
  readonly #setup: MarketDeskDeps;
  readonly #sessions = new Set<PublicSession>();
  #served: Served | undefined;
  #isPublishing = false;

  constructor(setup: MarketDeskDeps) {
    this.#setup = setup;
  }

  /** Follows what a program follows: the run begins, or the program was started anew. */
  opened(host: ProgramHost): void {
    if (this.#served?.view !== host.state) this.#beginRun(host.state);
    const served = this.#served;
    if (served === undefined) return;
    for (const { symbol } of host.feeds) {
      const { id } = served.markets.instruments.get(symbol);
      if (!served.takers.has(id)) served.takers.set(id, host.name);
    }
    host.onMarket = (event) => this.#takeEvent(served, host.name, event);
  }

  /** The markets of the run, where they may show a symbol: the daemon follows it, and its book may be traded on. */
  marketsOf(symbol: string): FollowedMarkets | undefined {
    const served = this.#served;
    const instrument = served?.markets.instruments.find(symbol);
    if (served === undefined || instrument === undefined || !served.takers.has(instrument.id))
      return undefined;
    return served.markets.isLive(instrument) ? served.markets : undefined;
  }

  /** Places of public market data of both versions. */
  locations(): readonly Location[] {
    const { relay } = this.#setup;
    const path = '/api/3/ws/public';
    return [
      { path, bucket: bucketOfSocket(path), open: (connection) => this.#open(connection, path) },
      ...(relay?.locations('/api/2/ws/public') ?? []),
    ];
  }

  close(): void {
    this.#served?.publisher.stop();
  }

  #open(connection: Connection, path: string): PublicSession {
    const { throttle, limits, faults, relay } = this.#setup;
    const served = this.#served;
    const session: PublicSession = new PublicSession({
      connection,
      served: served && {
        ...served,
        session: new V3PublicSession({
          connection,
          deps: {
            core: served.markets,
            currencyCodes: new Set(),
            faults,
            feeds: served.feeds,
            limits,
            publisher: served.publisher,
            throttle,
          },
          messageBucket: undefined,
        }),
      },
      isShown: (symbol) => served !== undefined && this.marketsOf(symbol) === served.markets,
      passOn: () => relay?.open(connection, path),
      onClose: () => {
        this.#sessions.delete(session);
        this.#publishIfRead();
      },
    });
    this.#sessions.add(session);
    this.#publishIfRead();
    return session;
  }

  #beginRun(view: StateView): void {
    this.#served?.publisher.stop();
    this.#isPublishing = false;
    for (const session of this.#sessions) session.end('A new run has begun.');
    const { clock, faults } = this.#setup;
    const markets = new FollowedMarkets(view, clock);
    const publisher = new Publisher({
      core: markets,
      clock,
      faults,
      options: publishOptions.parse({ bookMs }),
    });
    const feeds = new V3Feeds({
      core: markets,
      rates: new Rates(markets),
      futures: { find: () => undefined },
    });
    this.#served = { view, markets, publisher, feeds, takers: new Map() };
  }

  #takeEvent({ markets, takers }: Served, program: string, event: MarketData | BookStale): void {
    if (takers.get(event.instrument) !== program) return;
    markets.take(event);
    if (event.kind === 'bookStale') this.#endReaders(markets.instruments.at(event.instrument), event.reason);
  }

  /** Ends who read a book that cannot be continued: they connect anew and subscribe again, as at the venue. */
  #endReaders({ symbol }: Instrument, reason: string): void {
    for (const session of this.#sessions)
      if (session.reads(symbol)) session.end(`The book of ${symbol} is stale (${reason}).`);
  }

  #publishIfRead(): void {
    const publisher = this.#served?.publisher;
    const isRead = this.#sessions.size > 0;
    if (publisher === undefined || isRead === this.#isPublishing) return;
    this.#isPublishing = isRead;
    if (isRead) publisher.start();
    else publisher.stop();
  }
}

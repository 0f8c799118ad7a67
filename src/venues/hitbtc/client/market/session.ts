import type { Cancel, Clock, Micros } from '../../../../core/base/clock.ts';
import { micros, millis } from '../../../../core/base/clock.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Random } from '../../../../core/base/random.ts';
import type { ApiBudgets, Scope } from '../../budgets/api.ts';
import { MarketDataHandler } from '../../market-data/index.ts';
import type { Event, MarketData } from '../../../../core/model/event.ts';
import type { Frame } from '../../../../core/model/frame.ts';
import type { VenueRefusal } from '../../../../core/model/safe-state.ts';
import type { InstrumentId, Instruments } from '../../../../core/model/instrument.ts';
import type { SocketReply } from '../../wire/index.ts';
import type { ClockOffset, OpenSocket, Socket } from '../../../net/index.ts';
import { RequestSlots } from '../../../net/index.ts';
import type { MarketSubscription } from '../../../port.ts';
import type { ClientOptions } from '../../../options.ts';
import { BookWatch, LateWatch } from './book-watch.ts';
import type { FrameSource } from '../calls/index.ts';
import { makeFrame, recordFrame, RpcCalls } from '../calls/index.ts';
import type { MarketProtocol } from './protocol.ts';
import { SideFeeds, feedText } from './side-feeds.ts';
import { Subscriber } from './subscriber.ts';

export interface MarketSessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly instruments: Instruments;
  readonly options: ClientOptions;
  readonly budgets: ApiBudgets;
  readonly clockOffset: ClockOffset;
  /** How long after the venue stamped them market data may come; without it nothing is too late. */
  readonly marketLagMax?: Micros | undefined;
  readonly protocol: MarketProtocol;
  readonly url: string;
  readonly openSocket: OpenSocket;
  readonly subscriptions: readonly MarketSubscription[];
  readonly publish: (event: Event) => void;
  readonly publishMarketData: (marketEvent: MarketData) => void;
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  /** The books to subscribe before the others: those with own orders. */
  readonly first: () => ReadonlySet<InstrumentId>;
  /** Whether the sides of a book meet, as the consumer of its events holds it; left out, the session holds books itself. */
  readonly isCrossed?: ((instrument: InstrumentId) => boolean) | undefined;
}

/**
 * The public socket: subscribes what is wanted under the budget, checks the answers against the request, and puts
 * every frame through the market-data handler. It repairs what breaks: on a gap, a missing snapshot or silence, and when its sides
 * meet for too long, the book is subscribed anew; after a lost connection everything is. A connection on which a book cannot be had
 * again, or that falls behind is given up, with all that
 * is still on its way. Consumers of its events never call into this class.
 * Source: v3-gaps, section 1; faults, section 3 (W1 to W12).
 */
export class MarketSession {
  readonly #setup: MarketSessionDeps;
  readonly #handler: MarketDataHandler;
  readonly #watch: BookWatch;
  readonly #late: LateWatch;
  readonly #side: SideFeeds;
  readonly #rpc: RpcCalls;
  readonly #subscriber: Subscriber;
  readonly #slots: RequestSlots<Scope>;
  readonly #frames: FrameSource;
  readonly #socket: Socket;
  readonly #isCrossed: (instrument: InstrumentId) => boolean;
  #cancelSweep: Cancel = () => {};
  /** When the frame came that is being read, by uptime. */
  #receivedAt = 0 as Micros;
  #up = false;
  /** The connection is given up; its `closed` is still to come. */
  #cutting = false;

  constructor(setup: MarketSessionDeps) {
    const { clock, options, subscriptions } = setup;
    this.#setup = setup;
    this.#frames = { channel: setup.protocol.channel, clock: setup.clock, onFrame: setup.onFrame };
    this.#watch = new BookWatch(options.market, setup.random.fork('books'));
    this.#late = new LateWatch(setup.marketLagMax ?? Number.POSITIVE_INFINITY, millis(options.market.lateMs));
    const { hasContracts } = setup.protocol;
    const side = hasContracts ? subscriptions : subscriptions.map((one) => ({ ...one, contract: false }));
    this.#side = new SideFeeds(side, options.market, setup.random.fork('side'));
    for (const { book, instrument } of subscriptions) {
      if (book) this.#watch.want(instrument);
      this.setWorking(instrument, setup.instruments.at(instrument).spec.status === 'working');
    }
    this.#handler = new MarketDataHandler({
      instruments: setup.instruments,
      publish: (event) => this.#publish(event),
      publishMarketData: (marketEvent) => this.#publishMarketData(marketEvent),
      onReply: (reply) => this.#replied(reply),
      keepsBooks: setup.isCrossed === undefined,
    });
    this.#isCrossed = setup.isCrossed ?? ((instrument) => this.#handler.isCrossed(instrument));
    this.#rpc = new RpcCalls({
      clock,
      prefix: 'm',
      deadlineMs: options.calls.loginMs,
      pendingMax: options.calls.pendingMax,
      send: (text) => this.#send(text),
    });
    this.#subscriber = new Subscriber({
      ...setup,
      market: options.market,
      rpc: this.#rpc,
      watch: this.#watch,
      side: this.#side,
      refused: (instrument) => {
        if (this.#up) this.#handler.markStale('refused', clock.now(), instrument);
      },
      answered: () => this.#tend(),
      cut: (why) => this.#cut(why),
    });
    this.#slots = new RequestSlots(setup.budgets, setup.protocol.scope, clock, {
      hasMore: () => this.#up && !this.#cutting && this.#subscriber.hasMore(),
      sendNext: (slot) => this.#subscriber.sendNext(slot),
    });
    this.#socket = setup.openSocket(setup.url, {
      opened: () => this.#opened(),
      received: (bytes, arrival) => {
        this.#receivedAt = arrival?.uptime ?? clock.uptime();
        this.#handler.accept(makeFrame(this.#frames, 'in', bytes, arrival?.now));
        if (this.#late.isOver(this.#receivedAt)) this.#giveUp();
      },
      closed: (why) => this.#closed(why),
    });
  }

  /** Counts of what passed the market-data handler so far. */
  get counters(): MarketDataHandler['counters'] {
    return this.#handler.counters;
  }

  /** The symbol of an instrument works, or no longer does: nothing of it is asked for until it does again. */
  setWorking(instrument: InstrumentId, works: boolean): void {
    this.#watch.setIdle(instrument, !works);
    this.#side.setIdle(instrument, !works);
    if (works && this.#up) this.#tend();
  }

  /** When a book, or with none named the connection, is looked at next, by uptime. */
  lookAt(instrument?: InstrumentId): number | undefined {
    if (!this.#up) return this.#socket.connectsAt;
    return instrument === undefined ? undefined : this.#watch.lookAt(instrument);
  }

  /** The feeds that the venue refuses, the books apart: these are stale. Times are uptimes. */
  get refused(): readonly VenueRefusal[] {
    const { instruments } = this.#setup;
    return this.#side.refusals.map(({ feed, instrument, why, since, nextLook }) => {
      const subject = instruments.at(instrument).symbol;
      const kind = 'feedRefused';
      const next = this.#up ? nextLook : this.#socket.connectsAt;
      return {
        kind,
        subject,
        what: `${feedText(feed)} of ${subject}`,
        why,
        since: micros(since),
        nextLook: next === undefined ? undefined : micros(next),
      };
    });
  }

  /** A live book is not what the venue has: it is out of use until its next snapshot, which is asked for. */
  refetch(instrument: InstrumentId): void {
    if (this.#up && !this.#cutting && this.#handler.isLive(instrument))
      this.#handler.markStale('differs', this.#setup.clock.now(), instrument);
  }

  open(): void {
    this.#socket.open();
  }

  async close(): Promise<void> {
    this.#stop('closed by us');
    await this.#socket.close();
  }

  #opened(): void {
    recordFrame(this.#frames, 'open', this.#setup.url);
    this.#up = true;
    this.#cutting = false;
    this.#late.restart();
    this.#subscriber.restart();
    const now = this.#setup.clock.now();
    this.#setup.publish({ kind: 'sessionUp', session: 'market', exchangeTime: now, receiveTime: now });
    this.#tend();
  }

  #closed(why: string): void {
    this.#setup.log.warn({ session: 'market', why }, 'connection lost');
    this.#stop(why);
  }

  #stop(why: string): void {
    const wasUp = this.#up;
    this.#up = false;
    this.#cancelSweep();
    this.#slots.stop();
    if (wasUp) this.#handler.accept(makeFrame(this.#frames, 'close', why));
    this.#rpc.abandon(why);
    if (!wasUp) return;
    const now = this.#setup.clock.now();
    this.#setup.publish({ kind: 'sessionDown', session: 'market', why, exchangeTime: now, receiveTime: now });
  }

  /** The session sees its own output first, to repair a broken book. */
  #publishMarketData(marketEvent: MarketData): void {
    const { kind, instrument } = marketEvent;
    const isBook = kind === 'bookUpdate' || kind === 'bookSnapshot';
    if (isBook)
      this.#watch.noteBook(instrument, kind === 'bookSnapshot', marketEvent.sequence, this.#receivedAt);
    // Others carry the time of the last change, which may be long past.
    if (kind === 'bookUpdate') this.#noteDelay(marketEvent.receiveTime - marketEvent.exchangeTime);
    this.#setup.publishMarketData(marketEvent);
    if (isBook && this.#watch.noteTouch(instrument, this.#isCrossed(instrument), this.#receivedAt))
      this.#tend();
  }

  #noteDelay(delay: number): void {
    const { clockOffset } = this.#setup;
    if (clockOffset.measured) this.#late.noteDelay(delay + clockOffset.offset, this.#receivedAt);
  }

  /** A new connection begins with the books as they are now, without the backlog. */
  #giveUp(): void {
    if (!this.#up || this.#cutting) return;
    const { clock, options } = this.#setup;
    // Set before the books are marked, so that none of them is asked for on the connection that goes.
    this.#cutting = true;
    this.#handler.markStale('late', clock.now());
    this.#cut(`market data came too late for ${options.market.lateMs} ms`);
  }

  #publish(event: Event): void {
    if (event.kind === 'bookStale' && this.#up) {
      const { reason, instrument } = event;
      const { symbol } = this.#setup.instruments.at(instrument);
      this.#setup.log.warn({ symbol, reason }, 'a book is out of use until its next snapshot');
      this.#watch.broken(instrument, this.#setup.clock.uptime());
    }
    this.#setup.publish(event);
    if (event.kind === 'bookStale' && this.#up) this.#tend();
  }

  /** Looks for silent books, sends what is due, and comes back when the next thing is due. */
  #tend(): void {
    if (!this.#up) return;
    this.#cancelSweep();
    const { clock } = this.#setup;
    for (const instrument of this.#watch.silent(clock.uptime())) {
      this.#watch.fellSilent(instrument, clock.uptime());
      this.#handler.markStale('silent', clock.now(), instrument);
    }
    for (const instrument of this.#watch.crossed(clock.uptime())) this.#uncross(instrument);
    if (this.#giveUpForFeeds()) return;
    this.#slots.wake();
    const now = clock.uptime();
    const next = Math.min(this.#watch.nextTime(now), this.#side.nextTime(now));
    if (next === Infinity) return;
    const delay = Math.max(millis(1), next - now);
    this.#cancelSweep = clock.after(micros(delay), () => this.#tend());
  }

  /** A book whose sides still meet lost something, though its sequence is unbroken. */
  #uncross(instrument: InstrumentId): void {
    const { clock } = this.#setup;
    if (this.#isCrossed(instrument)) this.#handler.markStale('crossed', clock.now(), instrument);
    else this.#watch.noteTouch(instrument, false, clock.uptime());
  }

  /** Whether the connection is given up, because a book or another feed cannot be had on it. */
  #giveUpForFeeds(): boolean {
    if (this.#cutting) return true;
    const { clock, instruments } = this.#setup;
    const now = clock.uptime();
    const books = this.#watch.stranded(now);
    const feeds = this.#side.stranded(now);
    const [book] = books;
    const [feed] = feeds;
    this.#watch.cut(books, now);
    this.#side.cut(feeds);
    if (book !== undefined) {
      const more = books.length > 1 ? ` and ${books.length - 1} others` : '';
      this.#cut(`no snapshot of the book of ${instruments.at(book).symbol}${more} came on it`);
    } else if (feed !== undefined) this.#cut(`${feedText(feed)} could not be subscribed on it`);
    return this.#cutting;
  }

  #cut(why: string): void {
    this.#cutting = true;
    this.#socket.cut(why);
  }

  #replied(reply: SocketReply): void {
    this.#rpc.accept(
      reply.id,
      reply.error === undefined
        ? { kind: 'result', result: reply.subscriptions ?? reply.result }
        : { kind: 'error', error: reply.error },
    );
  }

  #send(text: string): boolean {
    if (!this.#socket.send(text)) return false;
    recordFrame(this.#frames, 'out', text);
    return true;
  }
}

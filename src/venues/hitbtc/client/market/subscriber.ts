import type { Clock, Micros } from '../../../../core/base/clock.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { ApiBudgets } from '../../budgets/api.ts';
import type { InstrumentId, Instruments } from '../../../../core/model/instrument.ts';
import type { ClientOptions } from '../../../options.ts';
import type { Sender } from '../../../net/index.ts';
import type { BookWatch } from './book-watch.ts';
import type { MarketFeed, MarketProtocol } from './protocol.ts';
import type { RpcCalls, RpcAnswer } from '../calls/index.ts';
import type { SideFeeds, SideJob } from './side-feeds.ts';

export interface SubscriberDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly instruments: Instruments;
  readonly market: ClientOptions['market'];
  readonly budgets: ApiBudgets;
  readonly protocol: MarketProtocol;
  readonly rpc: RpcCalls;
  readonly watch: BookWatch;
  readonly side: SideFeeds;
  /** The books to subscribe before the others. */
  readonly first: () => ReadonlySet<InstrumentId>;
  /** The venue did not take a book. */
  readonly refused: (instrument: InstrumentId) => void;
  /** An answer was dealt with: more may be due. */
  readonly answered: () => void;
  /** The connection is of no use. */
  readonly cut: (why: string) => void;
}

const bookFeed: MarketFeed = { kind: 'book' };

/**
 * Sends the subscription messages of a public socket, one per turn, and compares each answer with its request: a
 * symbol the venue does not know is missing from the list, without an error (v3-gaps, section 1.5).
 */
export class Subscriber implements Sender {
  readonly #parts: SubscriberDeps;
  /** Books whose old subscription was just ended: to be subscribed next. */
  #ended: InstrumentId[] = [];

  constructor(parts: SubscriberDeps) {
    this.#parts = parts;
  }

  /** A new connection: everything is to be asked for again. */
  restart(): void {
    this.#ended = [];
    this.#parts.watch.restart();
    this.#parts.side.restart();
  }

  hasMore(): boolean {
    const now = this.#parts.clock.uptime();
    return this.#ended.length > 0 || this.#dueBooks(now, 1).length > 0 || this.#parts.side.hasDue(now);
  }

  #dueBooks(now: Micros, count: number): readonly InstrumentId[] {
    return this.#parts.watch.due(now, count, this.#parts.first());
  }

  /** One message: books whose subscription was ended, then books that are due, then everything else. */
  sendNext(slot: number): void {
    const now = this.#parts.clock.uptime();
    const count = Math.min(this.#parts.protocol.symbolsMax, this.#parts.market.symbolsPerRequest);
    if (this.#ended.length > 0) {
      this.#askBooks(this.#ended.splice(0, count), slot, now);
      return;
    }
    const due = this.#dueBooks(now, count);
    const held = due.filter((instrument) => this.#parts.watch.isSubscribed(instrument));
    if (held.length > 0) this.#endBooks(held, slot, now);
    else if (due.length > 0) this.#askBooks(due, slot, now);
    else this.#askSide(this.#parts.side.next(now, count), slot);
  }

  #askBooks(books: readonly InstrumentId[], slot: number, now: Micros): void {
    for (const instrument of books) this.#parts.watch.asked(instrument, now);
    this.#call(slot, bookFeed, books, (missing, kind) => {
      for (const instrument of missing) {
        if (kind === 'result') this.#parts.watch.ended(instrument);
        this.#parts.watch.broken(instrument, this.#parts.clock.uptime());
        this.#parts.refused(instrument);
      }
    });
  }

  /** A second subscribe would bring no snapshot, so the old subscription is ended first. */
  #endBooks(books: readonly InstrumentId[], slot: number, now: Micros): void {
    const { protocol } = this.#parts;
    // Until the answer is there, the wait for a snapshot covers this message too.
    for (const instrument of books) this.#parts.watch.asked(instrument, now);
    const sent = this.#parts.rpc.call(
      (id) => protocol.unsubscribe(id, bookFeed, this.#symbolsOf(books)),
      (answer) => {
        this.#settle(slot, answer);
        for (const instrument of books) {
          if (answer.kind === 'silence' || isLimited(answer)) {
            this.#parts.watch.broken(instrument, this.#parts.clock.uptime());
            continue;
          }
          // One that is refused may have ended already: where it has not, no snapshot comes, and the connection is given up.
          this.#parts.watch.ended(instrument);
          this.#ended.push(instrument);
        }
        if (answer.kind === 'error') this.#logRefused('unsubscribe', books, answer.error.message);
        if (answer.kind === 'silence') this.#parts.cut('the end of a subscription was not answered');
        this.#parts.answered();
      },
    );
    if (!sent) this.#notSent(slot);
  }

  #askSide(job: SideJob | undefined, slot: number): void {
    if (job === undefined) {
      this.#parts.budgets.settle(slot, 'acknowledged');
      return;
    }
    const { feed, instruments } = job;
    this.#call(slot, feed, instruments, (missing, kind, why) => {
      // Silence costs the connection, and a new one asks for all of it.
      if (kind === 'silence') return;
      const { side, clock } = this.#parts;
      side.taken(
        feed,
        instruments.filter((instrument) => !missing.includes(instrument)),
      );
      if (missing.length > 0) side.refused(feed, missing, why, clock.uptime());
    });
  }

  /** Subscribes; `done` is given what the venue did not take, how it answered, and why. */
  #call(
    slot: number,
    feed: MarketFeed,
    instruments: readonly InstrumentId[],
    done: (missing: readonly InstrumentId[], kind: RpcAnswer['kind'], why: string) => void,
  ): void {
    const { protocol, market } = this.#parts;
    const symbols = this.#symbolsOf(instruments);
    const sent = this.#parts.rpc.call(
      (id) => protocol.subscribe(id, feed, symbols, market.history),
      (answer) => {
        this.#settle(slot, answer);
        // v3 lists every symbol now active on the channel; v2 only says yes.
        const list =
          answer.kind === 'result' && Array.isArray(answer.result) ? new Set(answer.result) : undefined;
        const listed = (instrument: InstrumentId): boolean =>
          list === undefined || list.has(this.#parts.instruments.at(instrument).symbol);
        const missing = answer.kind === 'result' ? instruments.filter((one) => !listed(one)) : instruments;
        const why = refusalOf(answer);
        if (missing.length > 0) this.#logRefused(feed.kind, missing, why);
        if (answer.kind === 'silence') this.#parts.cut('a subscription was not answered');
        done(missing, answer.kind, why);
        this.#parts.answered();
      },
    );
    if (!sent) this.#notSent(slot);
  }

  #notSent(slot: number): void {
    this.#parts.budgets.settle(slot, 'acknowledged');
    this.#parts.cut('a subscription could not be sent');
  }

  #settle(slot: number, answer: RpcAnswer): void {
    this.#parts.budgets.settle(slot, isLimited(answer) ? 'limited' : 'acknowledged');
  }

  #logRefused(feed: string, instruments: readonly InstrumentId[], why: string): void {
    const symbols = this.#symbolsOf(instruments).slice(0, 10);
    this.#parts.log.warn({ feed, symbols, why }, 'subscription refused');
  }

  #symbolsOf(instruments: readonly InstrumentId[]): readonly string[] {
    return instruments.map((instrument) => this.#parts.instruments.at(instrument).symbol);
  }
}

function refusalOf(answer: RpcAnswer): string {
  if (answer.kind === 'error') return `${answer.error.code} ${answer.error.message}`;
  return answer.kind === 'silence' ? answer.why : 'it is missing from what the venue lists as subscribed';
}

function isLimited(answer: RpcAnswer): boolean {
  return answer.kind === 'error' && answer.error.code === 429;
}

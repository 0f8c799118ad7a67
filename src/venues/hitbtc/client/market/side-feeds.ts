import type { Micros } from '../../../../core/base/clock.ts';
import { millis } from '../../../../core/base/clock.ts';
import type { Random } from '../../../../core/base/random.ts';
import type { InstrumentId } from '../../../../core/model/instrument.ts';
import type { MarketSubscription } from '../../../port.ts';
import type { ClientOptions } from '../../../options.ts';
import { cutWait, firstPatience } from './book-watch.ts';
import type { MarketFeed } from './protocol.ts';

/** One subscription message that is due. */
export interface SideJob {
  readonly feed: MarketFeed;
  readonly instruments: readonly InstrumentId[];
}

interface Stream {
  readonly feed: MarketFeed;
  readonly instruments: readonly InstrumentId[];
  /** Those still to be subscribed, and from when on. */
  waiting: InstrumentId[];
  dueAt: number;
  failures: number;
  /** Refusals of the venue, until it takes the feed, over connections too. */
  readonly refused: Map<InstrumentId, Refusal>;
  /** Since when this connection has been refused some of it; infinity while it has not. */
  refusedSince: number;
  /** Connections given up for it since it was whole. */
  cuts: number;
}

interface Refusal {
  readonly why: string;
  /** Time by uptime. */
  readonly since: number;
}

/** A feed of one instrument that the venue refuses. Times are uptimes. */
export interface RefusedFeed extends Refusal {
  readonly feed: MarketFeed;
  readonly instrument: InstrumentId;
  readonly nextLook: number;
}

const never = Number.POSITIVE_INFINITY;

/**
 * The wanted trades, tickers and candles of one connection: what is still to be subscribed, one feed at a time. What the venue refuses
 * is asked for again after growing pauses; a connection on which it cannot be had is given up, after growing waits too.
 */
export class SideFeeds {
  readonly #options: ClientOptions['market'];
  readonly #random: Random;
  readonly #streams: readonly Stream[];
  /** Their symbols do not work: nothing is asked for. */
  readonly #idle = new Set<InstrumentId>();

  constructor(
    subscriptions: readonly MarketSubscription[],
    options: ClientOptions['market'],
    random: Random,
  ) {
    this.#options = options;
    this.#random = random;
    const byName = new Map<string, { feed: MarketFeed; instruments: InstrumentId[] }>();
    for (const subscription of subscriptions) {
      for (const feed of feedsOf(subscription)) {
        const name = feed.kind === 'candles' ? `candles/${feed.period}` : feed.kind;
        const stream = byName.get(name) ?? { feed, instruments: [] };
        stream.instruments.push(subscription.instrument);
        byName.set(name, stream);
      }
    }
    this.#streams = [...byName.values()].map((stream) => ({
      ...stream,
      waiting: [],
      dueAt: 0,
      failures: 0,
      refused: new Map(),
      refusedSince: never,
      cuts: 0,
    }));
  }

  /** A new connection: everything is to be subscribed. */
  restart(): void {
    for (const stream of this.#streams) {
      stream.waiting = stream.instruments.filter((one) => !this.#idle.has(one));
      stream.dueAt = 0;
      stream.refusedSince = never;
    }
  }

  /** The symbol of an instrument works, or no longer does; one that works again is asked for anew. */
  setIdle(instrument: InstrumentId, idle: boolean): void {
    if (idle === this.#idle.has(instrument)) return;
    if (idle) this.#idle.add(instrument);
    else this.#idle.delete(instrument);
    for (const stream of this.#streams) {
      if (!stream.instruments.includes(instrument)) continue;
      stream.waiting = stream.waiting.filter((one) => one !== instrument);
      if (idle) this.#forget(stream, instrument);
      else stream.waiting.push(instrument);
    }
  }

  hasDue(now: Micros): boolean {
    return this.#streams.some((stream) => stream.waiting.length > 0 && stream.dueAt <= now);
  }

  /** The next message, of at most `count` symbols; they are taken as subscribed. */
  next(now: Micros, count: number): SideJob | undefined {
    const stream = this.#streams.find((one) => one.waiting.length > 0 && one.dueAt <= now);
    return stream && { feed: stream.feed, instruments: stream.waiting.splice(0, count) };
  }

  /** The venue takes these. */
  taken(feed: MarketFeed, instruments: readonly InstrumentId[]): void {
    const stream = this.#streams.find((one) => one.feed === feed);
    if (stream === undefined) return;
    for (const instrument of instruments) this.#forget(stream, instrument);
  }

  #forget(stream: Stream, instrument: InstrumentId): void {
    stream.refused.delete(instrument);
    if (stream.refused.size > 0) return;
    stream.refusedSince = never;
    stream.failures = 0;
    stream.cuts = 0;
  }

  /** The venue did not take these: they are asked for again after a growing pause. */
  refused(feed: MarketFeed, instruments: readonly InstrumentId[], why: string, now: Micros): void {
    const stream = this.#streams.find((one) => one.feed === feed);
    if (stream === undefined) return;
    const { retryMs, retryMsMax } = this.#options;
    for (const instrument of instruments)
      if (!this.#idle.has(instrument))
        stream.refused.set(instrument, { why, since: stream.refused.get(instrument)?.since ?? now });
    if (stream.refused.size > 0) stream.refusedSince = Math.min(stream.refusedSince, now);
    const ceiling = Math.min(retryMsMax, retryMs * 2 ** Math.min(20, stream.failures));
    stream.failures += 1;
    stream.waiting.push(...instruments.filter((one) => !this.#idle.has(one)));
    stream.dueAt = now + Math.round(millis(ceiling) * (0.5 + this.#random.float() / 2));
  }

  /** Feeds that the venue refuses now, and when they are asked for next. */
  get refusals(): readonly RefusedFeed[] {
    return this.#streams.flatMap(({ feed, refused, dueAt }) =>
      [...refused].map(([instrument, refusal]) => ({ feed, instrument, ...refusal, nextLook: dueAt })),
    );
  }

  /** The feeds for which this connection is to be given up: they were refused, and still are. */
  stranded(now: Micros): readonly MarketFeed[] {
    return this.#streams.filter((stream) => this.#strandedAt(stream) <= now).map(({ feed }) => feed);
  }

  /** The connection is given up for these. */
  cut(feeds: readonly MarketFeed[]): void {
    for (const stream of this.#streams) if (feeds.includes(stream.feed)) stream.cuts += 1;
  }

  #strandedAt({ refusedSince, cuts }: Stream): number {
    return refusedSince + cutWait(millis(this.#options.snapshotMs) * firstPatience, cuts);
  }

  /** When something that is not due already will be due; infinity when nothing will. */
  nextTime(now: Micros): number {
    let next = never;
    for (const stream of this.#streams) {
      next = Math.min(next, this.#strandedAt(stream));
      if (stream.waiting.length > 0 && stream.dueAt > now) next = Math.min(next, stream.dueAt);
    }
    return next;
  }
}

function feedsOf(subscription: MarketSubscription): readonly MarketFeed[] {
  const feeds: MarketFeed[] = [];
  if (subscription.trades) feeds.push({ kind: 'trades' });
  if (subscription.ticker) feeds.push({ kind: 'ticker' });
  if (subscription.contract === true) feeds.push({ kind: 'contract' });
  for (const period of subscription.candles) feeds.push({ kind: 'candles', period });
  return feeds;
}

/** A feed in words, as an instrument follows it: `the trades`. */
export function feedText(feed: MarketFeed): string {
  if (feed.kind === 'candles') return `the ${feed.period} candles`;
  return feed.kind === 'contract' ? 'the contract data' : `the ${feed.kind}`;
}

import type { Micros } from '../../../core/base/clock.ts';
import { millis } from '../../../core/base/clock.ts';
import type { Random } from '../../../core/base/random.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { MarketSubscription } from '../../port.ts';
import type { MarketFeed } from './market-protocol.ts';
import type { ClientOptions } from '../../options.ts';

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
}

/** The wanted trades, tickers and candles of one connection: what is still to be subscribed, one feed at a time. */
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
    this.#streams = [...byName.values()].map((stream) => ({ ...stream, waiting: [], dueAt: 0, failures: 0 }));
  }

  /** A new connection: everything is to be subscribed. */
  restart(): void {
    for (const stream of this.#streams) {
      stream.waiting = stream.instruments.filter((one) => !this.#idle.has(one));
      stream.dueAt = 0;
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
      if (!idle) stream.waiting.push(instrument);
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

  /** The venue did not take these: they are asked for again after a growing pause. */
  refused(feed: MarketFeed, instruments: readonly InstrumentId[], now: Micros): void {
    const stream = this.#streams.find((one) => one.feed === feed);
    if (stream === undefined) return;
    const { retryMs, retryMsMax } = this.#options;
    const ceiling = Math.min(retryMsMax, retryMs * 2 ** Math.min(20, stream.failures));
    stream.failures += 1;
    stream.waiting.push(...instruments.filter((one) => !this.#idle.has(one)));
    stream.dueAt = now + Math.round(millis(ceiling) * (0.5 + this.#random.float() / 2));
  }

  /** When something that is not due already will be due; infinity when nothing will. */
  nextTime(now: Micros): number {
    let next = Number.POSITIVE_INFINITY;
    for (const stream of this.#streams) {
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

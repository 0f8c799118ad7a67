import type { Cancel, Clock } from '../../core/base/clock.ts';
import { microsPerMilli, millis } from '../../core/base/clock.ts';
import type { MarketData } from '../../core/model/market-event.ts';
import type { Markets, Faults, MarketState } from '../base/index.ts';
import type { Connection } from './connection.ts';
import { ChannelFeed } from './feed.ts';
import type { FeedFormat } from './feed-format.ts';
import { feedKey } from './feed-format.ts';
import type { PublishOptions } from './options.ts';

interface PublisherDeps {
  readonly core: Markets;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly options: PublishOptions;
}

/**
 * Publishes the markets to all subscribers. One beat every `bookMs`: books are published (their sequence advances by
 * one where something changed), then every feed that is due sends what changed. A message is encoded once and
 * shared by all its subscribers; nothing is encoded for a feed without subscribers.
 */
export class Publisher {
  readonly #core: Markets;
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #beatMs: number;
  readonly #feeds = new Map<string, ChannelFeed>();
  #startedAt = 0;
  #cancel: Cancel = () => {};

  constructor(setup: PublisherDeps) {
    this.#core = setup.core;
    this.#clock = setup.clock;
    this.#faults = setup.faults;
    this.#beatMs = setup.options.bookMs;
    this.#startedAt = setup.clock.uptime();
  }

  start(): void {
    this.#cancel = this.#clock.after(millis(this.#beatMs), () => {
      this.start();
      this.beat();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** The feed of a channel, made when it is first asked for. The number of channels is given by the tables. */
  feed(format: FeedFormat): ChannelFeed {
    const key = feedKey(format);
    let feed = this.#feeds.get(key);
    if (feed === undefined) {
      feed = new ChannelFeed(format, this.#core, this.#faults);
      this.#feeds.set(key, feed);
    }
    return feed;
  }

  /** What a connection is subscribed to on a channel, whatever the targets: each name once. */
  keysOf(connection: Connection, name: string): readonly string[] {
    const feeds = [...this.#feeds.values()].filter((feed) => feed.format.name === name);
    return [...new Set(feeds.flatMap((feed) => feed.keysOf(connection)))];
  }

  /** Whether a connection is subscribed to a symbol on any channel. */
  isSubscribed(connection: Connection, key: string): boolean {
    for (const feed of this.#feeds.values()) if (feed.keysOf(connection).includes(key)) return true;
    return false;
  }

  /** Forgets a closed connection everywhere. */
  leave(connection: Connection): void {
    for (const [key, feed] of this.#feeds) {
      feed.leave(connection);
      if (feed.isIdle) this.#feeds.delete(key);
    }
  }

  /**
   * Shows an event of a recorded market and sends it at once: a message for each, as the recorder had it, also where
   * nothing has changed by it. Values with a cadence of their own wait for the beat.
   */
  observe(event: MarketData): void {
    const market = this.#core.market(event.instrument);
    market.observe(event);
    if (this.#faults.isFrozen) return;
    if (event.kind === 'trades') for (const feed of this.#feeds.values()) feed.sendOf(market);
    else if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') this.#publish(market, true);
  }

  /** Publishes all books and sends what changed. Runs by itself; tests may call it too. */
  beat(): void {
    if (this.#faults.isFrozen) return;
    for (const market of this.#core.markets) this.#publish(market);
    const elapsedMs = (this.#clock.uptime() - this.#startedAt) / microsPerMilli;
    for (const feed of this.#feeds.values()) if (feed.isDue(elapsedMs, this.#beatMs)) feed.send();
  }

  #publish(market: MarketState, always = false): void {
    const change = market.book.publish(
      () => this.#faults.takeSequenceReset(market.instrument.symbol),
      always,
    );
    if (change === undefined) return;
    for (const feed of this.#feeds.values()) feed.onBook(market, change);
  }
}

import type { Micros } from '../../core/base/clock.ts';
import type { BookChange, Markets, Faults, MarketState, KeptTrade, Bar, Ring } from '../base/index.ts';
import type { Connection } from './connection.ts';
import type { DataFormat, FeedFormat, FrameKind, Keyed, CandlesFormat, TradesFormat } from './feed-format.ts';
import { textFrameOf } from './frame-bytes.ts';
import type { Candle, Level } from '../../core/model/market.ts';

/** One channel with its subscribers. */
export class ChannelFeed {
  readonly format: FeedFormat;
  readonly #core: Markets;
  readonly #faults: Faults;
  readonly #topics = new Map<string, FeedTopic>();
  readonly #members = new Map<Connection, Set<string>>();
  #sentAtBeat = -1;

  constructor(format: FeedFormat, core: Markets, faults: Faults) {
    this.format = format;
    this.#core = core;
    this.#faults = faults;
  }

  get isIdle(): boolean {
    return this.#members.size === 0;
  }

  /** The symbols a connection is subscribed to, in the order of subscription. */
  keysOf(connection: Connection): readonly string[] {
    return [...(this.#members.get(connection) ?? [])];
  }

  /** Subscribes; false when it already was: then no snapshot may follow. */
  join(connection: Connection, key: string): boolean {
    let keys = this.#members.get(connection);
    if (keys === undefined) this.#members.set(connection, (keys = new Set()));
    if (keys.has(key)) return false;
    keys.add(key);
    this.#topic(key).subscribers.add(connection);
    return true;
  }

  unsubscribe(connection: Connection, key: string): void {
    const keys = this.#members.get(connection);
    if (keys === undefined || !keys.delete(key)) return;
    if (keys.size === 0) this.#members.delete(connection);
    this.#dropSubscriber(connection, key);
  }

  leave(connection: Connection): void {
    for (const key of this.#members.get(connection) ?? []) this.#dropSubscriber(connection, key);
    this.#members.delete(connection);
  }

  /** Sends a new subscriber what stands now; `limit` is the length of a history, 0 for none. */
  sendCurrent(connection: Connection, keys: readonly string[], limit: number): void {
    const payloads: Keyed[] = [];
    for (const key of keys) {
      const text = this.#currentText(this.#topic(key), limit);
      if (text !== undefined) payloads.push({ key, text });
    }
    if (payloads.length === 0) return;
    const kind: FrameKind = this.format.kind === 'data' ? 'data' : 'snapshot';
    if (this.format.kind === 'data' && this.format.batch) {
      connection.send(this.format.message(kind, payloads));
      return;
    }
    for (const payload of payloads) connection.send(this.format.message(kind, [payload]));
  }

  /** A book was published. */
  onBook(market: MarketState, change: BookChange): void {
    if (this.format.kind !== 'book') return;
    const topic = this.#topics.get(market.instrument.symbol);
    if (topic === undefined) return;
    if (this.#faults.takeUpdateDrop(topic.key)) return;
    const isLost = isDeleting(change) && this.#faults.takeDeletions(topic.key);
    const text = this.format.update(market, isLost ? withoutDeletions(change) : change);
    this.#broadcast(topic, 'update', text);
    if (this.#faults.takeUpdateRepeat(topic.key)) this.#broadcast(topic, 'update', text);
  }

  /** Whether a cadence has passed since the feed last sent; beats come every `beatMs`. */
  isDue(elapsedMs: number, beatMs: number): boolean {
    const every = this.format.kind === 'data' ? Math.max(this.format.everyMs, beatMs) : beatMs;
    // Half a beat of slack: timers run a little late, and cadences are whole numbers of beats.
    const beat = Math.floor((elapsedMs + beatMs / 2) / every);
    if (beat === this.#sentAtBeat) return false;
    this.#sentAtBeat = beat;
    return true;
  }

  /** Sends what changed since the last time. */
  send(): void {
    const { format } = this;
    if (format.kind === 'book') return;
    if (format.kind === 'data') {
      this.#sendValues(format);
      return;
    }
    for (const topic of this.#topics.values()) this.#sendTrades(format, topic);
  }

  /** Sends what trades have changed on a market since the last time. */
  sendOf(market: MarketState): void {
    const { format } = this;
    const topic = this.#topics.get(market.instrument.symbol);
    if (topic !== undefined && (format.kind === 'trades' || format.kind === 'candles'))
      this.#sendTrades(format, topic);
  }

  #sendTrades(format: TradesFormat | CandlesFormat, topic: FeedTopic): void {
    const { market } = topic;
    if (market === undefined || market.lastTradeNumber === topic.tradeNumber) return;
    const text =
      format.kind === 'trades' ? newTrades(format, market, topic) : newCandles(format, market, topic);
    topic.tradeNumber = market.lastTradeNumber;
    if (text !== undefined) this.#broadcast(topic, 'update', text);
  }

  #sendValues(format: DataFormat): void {
    const changed: Keyed[] = [];
    for (const topic of this.#topics.values()) {
      const current = format.current(topic.key);
      if (current === undefined || current.mark === topic.mark) continue;
      topic.mark = current.mark;
      if (format.batch) changed.push({ key: topic.key, text: current.text });
      else this.#broadcast(topic, 'data', current.text);
    }
    if (changed.length > 0) this.#broadcastBatch(format, changed);
  }

  /** Connections with the same changed symbols share a frame. */
  #broadcastBatch(format: DataFormat, changed: readonly Keyed[]): void {
    const frames = new Map<string, Buffer>();
    for (const [connection, keys] of this.#members) {
      const own = changed.filter(({ key }) => keys.has(key));
      if (own.length === 0) continue;
      const names = own.map(({ key }) => key).join(' ');
      let frame = frames.get(names);
      if (frame === undefined) {
        frame = textFrameOf(format.message('data', own));
        frames.set(names, frame);
      }
      connection.sendFrame(frame);
    }
  }

  #broadcast(topic: FeedTopic, kind: FrameKind, text: string): void {
    const frame = textFrameOf(this.format.message(kind, [{ key: topic.key, text }]));
    for (const connection of topic.subscribers) connection.sendFrame(frame);
  }

  #currentText(topic: FeedTopic, limit: number): string | undefined {
    const { format } = this;
    const { market } = topic;
    switch (format.kind) {
      case 'data': {
        const current = format.current(topic.key);
        // The first subscriber has it now, so the next beat need not say it again.
        if (current !== undefined && topic.mark === '') topic.mark = current.mark;
        return current?.text;
      }
      case 'book':
        if (market === undefined || this.#faults.takeSnapshotDrop()) return undefined;
        return format.snapshot(market);
      case 'trades':
        if (market === undefined || limit === 0) return undefined;
        // Trades that the next beat will send as an update do not belong into the snapshot.
        return format.trades(
          market,
          newest(market.trades, limit, countUpTo(market.trades, topic.tradeNumber)),
        );
      case 'candles': {
        if (market === undefined || limit === 0) return undefined;
        const bars = market.candles.bars(format.period);
        const candles = newest(bars, limit, bars.size).map((bar) =>
          market.candles.candle(format.period, bar),
        );
        return format.candles(market, candles);
      }
    }
  }

  #topic(key: string): FeedTopic {
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      const instrument = this.#core.instruments.find(key);
      const market = instrument === undefined ? undefined : this.#core.market(instrument.id);
      topic = {
        key,
        market,
        subscribers: new Set(),
        tradeNumber: market?.lastTradeNumber ?? 0,
        candleTime: 0 as Micros,
        candleText: '',
        mark: '',
      };
      this.#topics.set(key, topic);
    }
    return topic;
  }

  #dropSubscriber(connection: Connection, key: string): void {
    const topic = this.#topics.get(key);
    topic?.subscribers.delete(connection);
    if (topic?.subscribers.size === 0) this.#topics.delete(key);
  }
}

/** What a feed knows of one symbol (or currency). */
export interface FeedTopic {
  readonly key: string;
  readonly market: MarketState | undefined;
  readonly subscribers: Set<Connection>;
  /** Number of the last trade sent, for trades and candles. */
  tradeNumber: number;
  /** Start of the last candle sent, and its text: an unchanged one is not repeated. */
  candleTime: Micros;
  candleText: string;
  /** Mark of the last value sent. */
  mark: string;
}

/** Trades since the last message, as an update. */
function newTrades(format: TradesFormat, market: MarketState, topic: FeedTopic): string {
  const trades: KeptTrade[] = [];
  for (let i = market.trades.size - 1; i >= 0; i--) {
    const trade = market.trades.at(i) as KeptTrade;
    if (trade.number <= topic.tradeNumber) break;
    trades.push(trade);
  }
  return format.trades(market, trades.reverse());
}

/** Candles that are new or have changed since the last message; undefined when none has. */
function newCandles(format: CandlesFormat, market: MarketState, topic: FeedTopic): string | undefined {
  const bars = market.candles.bars(format.period);
  const changed: Candle[] = [];
  for (let i = bars.size - 1; i >= 0; i--) {
    const bar = bars.at(i) as Bar;
    if (bar.time < topic.candleTime) break;
    changed.push(market.candles.candle(format.period, bar));
    // Before the first message only the running candle is of interest.
    if (topic.candleTime === 0) break;
  }
  changed.reverse();
  // The candle sent last comes again only if it has changed since.
  const first = changed[0];
  if (changed.length > 1 && first !== undefined && format.candles(market, [first]) === topic.candleText)
    changed.shift();
  const last = changed.at(-1);
  if (last === undefined) return undefined;
  topic.candleTime = last.time;
  topic.candleText = format.candles(market, [last]);
  return changed.length === 1 ? topic.candleText : format.candles(market, changed);
}

/** The newest `limit` of the first `size` items, oldest first. */
function newest<Item>(ring: Ring<Item>, limit: number, size: number): Item[] {
  const items: Item[] = [];
  for (let i = Math.max(0, size - limit); i < size; i++) items.push(ring.at(i) as Item);
  return items;
}

/** How many trades have a number up to this one. */
function countUpTo(trades: Ring<KeptTrade>, tradeNumber: number): number {
  return trades.lowerBound(tradeNumber + 1, (trade) => trade.number);
}

function isDeleting({ bids, asks }: BookChange): boolean {
  return bids.some(isDeleted) || asks.some(isDeleted);
}

function withoutDeletions(change: BookChange): BookChange {
  const kept = (levels: readonly Level[]): readonly Level[] => levels.filter((level) => !isDeleted(level));
  return { ...change, bids: kept(change.bids), asks: kept(change.asks) };
}

function isDeleted({ quantity }: Level): boolean {
  return quantity === 0;
}

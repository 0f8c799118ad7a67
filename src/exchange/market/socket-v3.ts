import type { V3PublicRequest } from '../../venues/hitbtc/wire/v3/index.ts';
import {
  encodeV3PublicError,
  encodeV3SubscribeReply,
  readV3PublicRequest,
} from '../../venues/hitbtc/wire/v3/index.ts';
import type { RequestId } from '../../venues/hitbtc/wire/index.ts';
import type { Connection, Session, LimitOptions, Publisher } from '../sockets/index.ts';
import type { Markets, Faults, Refusal, Bucket, RateLimiter } from '../base/index.ts';
import { badParameter, refuse } from '../base/index.ts';
import type { V3Feeds } from './v3-feeds.ts';

/** The parts that all sessions share. */
interface V3PublicDeps {
  readonly core: Markets;
  readonly currencyCodes: ReadonlySet<string>;
  readonly faults: Faults;
  readonly feeds: V3Feeds;
  readonly limits: LimitOptions;
  readonly publisher: Publisher;
  readonly throttle: RateLimiter;
}

interface V3MarketDeps {
  readonly connection: Connection;
  readonly deps: V3PublicDeps;
  /** Set when messages count against the limit per address. */
  readonly messageBucket: Bucket | undefined;
}

/** One client of the v3 public socket. Source: v3-gaps, sections 1.1 to 1.6. */
export class V3PublicSession implements Session {
  readonly #setup: V3MarketDeps;
  readonly #connection: Connection;

  constructor(setup: V3MarketDeps) {
    this.#setup = setup;
    this.#connection = setup.connection;
  }

  onText(text: string): void {
    const { throttle, faults } = this.#setup.deps;
    const { messageBucket } = this.#setup;
    const read = readV3PublicRequest(text);
    const id = read.ok ? read.request.id : read.id;
    const switched = faults.takeRefusal();
    if (switched !== undefined) this.#refuse(refuse(switched), id);
    else if (
      messageBucket !== undefined &&
      !throttle.admit(this.#connection.address, messageBucket.name, messageBucket.limit)
    ) {
      this.#refuse(refuse(429), id);
    } else if (!read.ok) this.#deliver(encodeV3PublicError(read.error, id));
    else this.#answer(read.request);
  }

  onClose(): void {
    this.#setup.deps.publisher.leave(this.#connection);
  }

  #answer(request: V3PublicRequest): void {
    const { channel, method, limit, id } = request;
    if (method === 'subscribe' && request.keys.length === 0) {
      const name = channel.kind === 'priceRate' ? 'currencies' : 'symbols';
      this.#refuse(badParameter(name, 'Parameter is required'), id);
      return;
    }
    const { currencyCodes, feeds, limits, publisher } = this.#setup.deps;
    const converts = channel.kind === 'priceRate' || channel.kind === 'convertedCandles';
    const target = converts ? (request.targetCurrency ?? '') : undefined;
    if (target !== undefined && !currencyCodes.has(target)) {
      // Dropped like an unknown symbol; a feed for it would never end.
      this.#answerSubscriptions(request);
      return;
    }
    const feed = publisher.feed(feeds.format(channel, target));
    const keys = this.#existing(request);
    const joined: string[] = [];
    if (method === 'subscribe') {
      if (feed.keysOf(this.#connection).length + keys.length > limits.subscriptionsMax) {
        this.#refuse(refuse(429), id);
        return;
      }
      for (const key of keys) if (feed.join(this.#connection, key)) joined.push(key);
    } else if (method === 'unsubscribe') {
      for (const key of keys) feed.unsubscribe(this.#connection, key);
    }
    this.#answerSubscriptions(request);
    if (joined.length > 0) feed.sendCurrent(this.#connection, joined, limit);
  }

  /** All that is active on the channel, whatever it is converted to. Source: v3-gaps, section 1.1. */
  #answerSubscriptions({ channel, id }: V3PublicRequest): void {
    const keys = this.#setup.deps.publisher.keysOf(this.#connection, channel.name);
    this.#deliver(encodeV3SubscribeReply(channel.name, keys, id));
  }

  /** The names that exist; `*` means all where the channel knows it, unknown ones are dropped. Source: v3-gaps, section 1.5. */
  #existing({ channel, keys }: V3PublicRequest): readonly string[] {
    const all = this.#namesOf(channel.kind);
    if (keys.includes('*')) return 'speedMs' in channel || channel.kind === 'futuresInfo' ? all : [];
    const known = new Set(all);
    return keys.filter((key) => known.has(key));
  }

  #namesOf(kind: V3PublicRequest['channel']['kind']): readonly string[] {
    const { core, currencyCodes } = this.#setup.deps;
    if (kind === 'priceRate') return [...currencyCodes];
    const { all } = core.instruments;
    return all
      .filter(({ spec }) => kind !== 'futuresInfo' || spec.type === 'futures')
      .map(({ symbol }) => symbol);
  }

  #refuse(refusal: Refusal, id: RequestId): void {
    this.#deliver(encodeV3PublicError(refusal.error, id));
  }

  #deliver(text: string): void {
    this.#setup.deps.faults.deliver(() => this.#connection.send(text));
  }
}

import { encodeV3PublicError, readV3PublicRequest } from '../../venues/hitbtc/wire/v3/index.ts';
import type { V3PublicRequest } from '../../venues/hitbtc/wire/v3/index.ts';
import type { Connection, Publisher, Session } from '../../exchange/sockets/index.ts';
import { notServed } from './denials.ts';
import type { FollowedMarkets } from './followed-markets.ts';

export interface PublicSessionDeps {
  readonly connection: Connection;
  /** Markets that the run follows, and the session of them; none before a run has begun. */
  readonly served:
    | { readonly markets: FollowedMarkets; readonly publisher: Publisher; readonly session: Session }
    | undefined;
  /** Whether a symbol may be shown from here now. */
  readonly isShown: (symbol: string) => boolean;
  /** Opens the way to the venue; `undefined` where there is none. */
  readonly passOn: () => Session | undefined;
  readonly onClose: () => void;
}

/** Channels that the state of a daemon has all of. Tickers, candles and rates need a day and more of history: the venue's. */
const kinds: ReadonlySet<V3PublicRequest['channel']['kind']> = new Set([
  'book',
  'partialBook',
  'top',
  'trades',
]);

/**
 * One public socket of version 3: a subscription whose symbols the daemon follows is served from here, every other one by a connection to the
 * venue, which is opened for the first of them.
 */
export class PublicSession implements Session {
  readonly #setup: PublicSessionDeps;
  #upstream: Session | undefined;
  #isClosed = false;

  constructor(setup: PublicSessionDeps) {
    this.#setup = setup;
  }

  onText(text: string): void {
    const { served } = this.#setup;
    const read = readV3PublicRequest(text);
    if (served !== undefined && (!read.ok || this.#isServed(read.request))) served.session.onText(text);
    else {
      this.#upstream ??= this.#setup.passOn();
      if (this.#upstream !== undefined) this.#upstream.onText(text);
      else this.#refuse(read);
    }
  }

  onClose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#setup.served?.session.onClose();
    this.#upstream?.onClose();
    this.#setup.onClose();
  }

  /** Closes the connection: what it was served is over. */
  end(why: string): void {
    this.#setup.connection.close(1_012, why);
  }

  /** Whether it is subscribed to anything of a symbol here. */
  reads(symbol: string): boolean {
    const { served, connection } = this.#setup;
    return served?.publisher.isSubscribed(connection, symbol) === true;
  }

  #refuse(read: ReturnType<typeof readV3PublicRequest>): void {
    const id = read.ok ? read.request.id : read.id;
    const { error } = notServed('The gateway has no such market data: the daemon does not follow it');
    this.#setup.connection.send(encodeV3PublicError(read.ok ? error : read.error, id));
  }

  #isServed({ method, channel, keys, limit }: V3PublicRequest): boolean {
    const { served, isShown, connection } = this.#setup;
    if (served === undefined || !kinds.has(channel.kind)) return false;
    const joined = served.publisher.keysOf(connection, channel.name);
    if (method !== 'subscribe')
      return keys.length === 0 ? this.#upstream === undefined : keys.every((key) => joined.includes(key));
    return keys.every((key) => isShown(key) && (channel.kind !== 'trades' || hasTrades(served, key, limit)));
  }
}

/** Whether as many trades are known as a subscriber asks for. */
function hasTrades(
  { markets }: { readonly markets: FollowedMarkets },
  symbol: string,
  limit: number,
): boolean {
  return markets.market(markets.instruments.get(symbol).id).trades.size >= limit;
}

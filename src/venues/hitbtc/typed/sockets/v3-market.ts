import type { V3ChannelBook } from '../../wire/resources/index.ts';
import { readV3ChannelNotice, readV3Subscriptions } from '../../wire/v3/index.ts';
import type { V3ChannelNotice } from '../../wire/v3/index.ts';
import type { CallOptions } from '../calls/index.ts';
import { wireParams } from '../calls/index.ts';
import type { SocketLine } from './line.ts';
import type { NoticeTable } from './notices.ts';
import { Notices } from './notices.ts';
import type { TypedChannel } from './v3-channel.ts';
import { Observable, Subject, filter, map } from 'rxjs';

/**
 * Lets books pass as long as nothing is missing: every update is the last plus one, and the first message is a
 * snapshot. After a gap nothing of that symbol passes until a snapshot. Source: v3-gaps, section 1.4.
 */
export class SequenceGuard {
  readonly #onGap: (symbol: string) => void;
  /** The last sequence by symbol; undefined while a snapshot is awaited. */
  readonly #last = new Map<string, number | undefined>();

  constructor(onGap: (symbol: string) => void) {
    this.#onGap = onGap;
  }

  /** Every book is to begin anew. */
  reset(): void {
    this.#last.clear();
  }

  /** Whether the message may pass. Books come one a frame. */
  admits(notice: V3ChannelNotice<unknown>): boolean {
    for (const [symbol, payload] of notice.payloads) {
      const { sequence } = payload as V3ChannelBook;
      const last = this.#last.get(symbol);
      if (notice.kind !== 'snapshot' && last !== sequence - 1) {
        const waits = this.#last.has(symbol) && last === undefined;
        this.#last.set(symbol, undefined);
        if (!waits) this.#onGap(symbol);
        return false;
      }
      this.#last.set(symbol, sequence);
    }
    return true;
  }
}

/** Request for a channel. `['*']` means all symbols, where the channel knows that. */
export interface ChannelRequest {
  /** Symbols, or currencies on price rates. */
  readonly keys: readonly string[];
  /** Length of the history sent first, 0 to 1000: trades and candles. */
  readonly limit?: number;
  /** Needed by price rates and converted candles. */
  readonly targetCurrency?: string;
}

/** A subscription that stands: over losses of the connection, until it is ended. */
export interface ChannelSubscription {
  readonly channel: string;
  /** Names of the request that the service knows; unknown ones are dropped without an error. */
  readonly accepted: readonly string[];
  readonly missing: readonly string[];
  /** Ends it; what is then still active on the channel. */
  unsubscribe(options?: CallOptions): Promise<readonly string[]>;
}

interface Wanted {
  readonly channel: TypedChannel<unknown>;
  readonly request: ChannelRequest;
  /** Whether the service has said yes: what has not been asked for once is not asked for again. */
  accepted: boolean;
}

/**
 * The v3 public socket: every channel, typed. No login. Limit per address: 10 messages a second and 10 above.
 * Errors: 2003 unknown channel, 10001 a parameter, 429. Source: v3-gaps, section 1.
 */
export class V3MarketSocket {
  readonly socket: SocketLine;
  readonly #notices: Notices<NoticeTable>;
  readonly #wanted = new Set<Wanted>();
  readonly #gaps = new Subject<string>();

  constructor(socket: SocketLine) {
    this.socket = socket;
    this.#notices = new Notices(socket, {});
    socket.onResume(async () => {
      for (const { channel, request, accepted } of this.#wanted)
        if (accepted) await socket.askNow(this.#frame('subscribe', channel, request));
    });
  }

  /** Books whose sequence broke, and that were asked for anew. */
  get gaps$(): Observable<string> {
    return this.#gaps;
  }

  /** Faults of frames that were passed over. */
  get faults$(): Observable<string> {
    return this.#notices.faults$;
  }

  /**
   * Subscribes a channel: `subscribe(tradesChannel(), {keys: ['BTCUSDT'], limit: 10}, (message) => …)`. The listener
   * hears of the keys asked for, from the first frame on. On `orderbook/full` nothing is missing between a snapshot
   * and what follows it: after a gap the service is asked for a fresh one.
   */
  async subscribe<Payload>(
    channel: TypedChannel<Payload>,
    request: ChannelRequest,
    listener: (message: V3ChannelNotice<Payload>) => void,
    options?: CallOptions,
  ): Promise<ChannelSubscription> {
    const wanted: Wanted = { channel, request, accepted: false };
    const guard = channel.sequenced ? this.#guard(channel) : undefined;
    const messages = this.#messages(channel, request).subscribe((message) => {
      if (guard === undefined || guard.admits(message)) listener(message);
    });
    const lost = this.socket.states$.subscribe((state) => state === 'lost' && guard?.reset());
    const end = (): void => {
      this.#wanted.delete(wanted);
      messages.unsubscribe();
      lost.unsubscribe();
    };
    this.#wanted.add(wanted);
    try {
      const active = await this.socket.ask(this.#frame('subscribe', channel, request), options);
      wanted.accepted = true;
      const all = request.keys.includes('*');
      return {
        channel: channel.name,
        accepted: all ? active : request.keys.filter((key) => active.includes(key)),
        missing: all ? [] : request.keys.filter((key) => !active.includes(key)),
        unsubscribe: async (ending) => {
          end();
          return this.#leave(channel, request, ending);
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** The same as an Observable: subscribing it subscribes the channel, leaving it ends the subscription. */
  stream<Payload>(
    channel: TypedChannel<Payload>,
    request: ChannelRequest,
  ): Observable<V3ChannelNotice<Payload>> {
    return new Observable((subscriber) => {
      const subscribed = this.subscribe(channel, request, (message) => subscriber.next(message));
      subscribed.catch((error: unknown) => subscriber.error(error));
      return () => void subscribed.then((subscription) => subscription.unsubscribe()).catch(() => {});
    });
  }

  /** Subscriptions that are active on a channel of this connection. */
  subscriptions(
    channel: TypedChannel<unknown>,
    request: Omit<ChannelRequest, 'keys'> = {},
    options?: CallOptions,
  ): Promise<readonly string[]> {
    return this.socket.ask(this.#frame('subscriptions', channel, { ...request, keys: [] }), options);
  }

  close(): Promise<void> {
    return this.socket.close();
  }

  /** Messages of the keys asked for; other subscriptions of the channel have theirs. */
  #messages<Payload>(
    channel: TypedChannel<Payload>,
    { keys, targetCurrency }: ChannelRequest,
  ): Observable<V3ChannelNotice<Payload>> {
    const own = new Set(keys);
    return this.#notices
      .frames(channel.name, (frame) => readV3ChannelNotice(frame, channel.read))
      .pipe(
        filter((notice) => notice.targetCurrency === targetCurrency),
        map((notice) => (own.has('*') ? notice : restricted(notice, own))),
        filter((notice) => notice.payloads.size > 0),
      );
  }

  /** Ends the keys that no other subscription of the channel wants; what is then active. */
  #leave(
    channel: TypedChannel<unknown>,
    request: ChannelRequest,
    options?: CallOptions,
  ): Promise<readonly string[]> {
    const others = [...this.#wanted].filter(
      (one) => one.channel.name === channel.name && one.request.targetCurrency === request.targetCurrency,
    );
    const kept = new Set(others.flatMap((one) => one.request.keys));
    const keys = request.keys.filter((key) => !kept.has(key));
    const method = keys.length === 0 ? 'subscriptions' : 'unsubscribe';
    return this.socket.ask(this.#frame(method, channel, { ...request, keys }), options);
  }

  #guard(channel: TypedChannel<unknown>): SequenceGuard {
    return new SequenceGuard((symbol) => void this.#refresh(channel, symbol));
  }

  /** A second subscription sends no snapshot, so the first one is ended. Source: v3-gaps, section 1.4. */
  async #refresh(channel: TypedChannel<unknown>, symbol: string): Promise<void> {
    this.#gaps.next(symbol);
    const request = { keys: [symbol] };
    try {
      await this.socket.ask(this.#frame('unsubscribe', channel, request));
      await this.socket.ask(this.#frame('subscribe', channel, request));
    } catch {
      // The connection went: the next one brings snapshots of everything that is wanted.
    }
  }

  #frame(
    method: 'subscribe' | 'unsubscribe' | 'subscriptions',
    channel: TypedChannel<unknown>,
    request: ChannelRequest,
  ) {
    const { keys, limit, targetCurrency } = request;
    const params = wireParams(
      { ...(keys.length > 0 && { [channel.keys]: keys }), limit, targetCurrency },
      'snake',
    );
    return { method, channel: channel.name, params, read: readV3Subscriptions };
  }
}

function restricted<Payload>(
  notice: V3ChannelNotice<Payload>,
  keys: ReadonlySet<string>,
): V3ChannelNotice<Payload> {
  return { ...notice, payloads: new Map([...notice.payloads].filter(([key]) => keys.has(key))) };
}

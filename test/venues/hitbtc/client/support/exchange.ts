import { silentLogger } from '../../../../../src/core/base/logger.ts';
import { Random } from '../../../../../src/core/base/random.ts';
import { SystemClock } from '../../../../../src/core/base/system-clock.ts';
import type { LiveVenueDeps } from '../../../../../src/venues/hitbtc/client/live-sessions.ts';
import { LiveVenue } from '../../../../../src/venues/hitbtc/client/live-venue.ts';
import { loadInstruments } from '../../../../../src/venues/hitbtc/client/rest/symbol-list.ts';
import type { MarketSubscription } from '../../../../../src/venues/port.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import { RestClient } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import type { Frame } from '../../../../../src/core/model/frame.ts';
import type { Instruments } from '../../../../../src/core/model/instrument.ts';
import type { ExchangeServer } from '../../../../../src/exchange/server/server.ts';
import { startExchange } from '../../../../../src/exchange/index.ts';
import { Watcher } from '../../../../support/watcher.ts';

/** Short pauses, so that tests of reconnection need no patience. */
export const quickOptions = clientOptions.parse({
  rest: { retryMs: 5, timeoutMs: 2_000 },
  socket: { retryMs: 5, attemptsPerMinute: 60 },
  market: { retryMs: 5 },
});

/** An embedded exchange without a market of its own, and a live venue on its demo account. */
export class Stage {
  readonly server: ExchangeServer;
  readonly instruments: Instruments;
  readonly venue: LiveVenue;
  readonly watcher = new Watcher();
  readonly frames: Frame[] = [];
  readonly fatal: string[] = [];

  private constructor(server: ExchangeServer, instruments: Instruments, changes: Partial<LiveVenueDeps>) {
    this.server = server;
    this.instruments = instruments;
    const key = server.accounts.get('demo').keys[0];
    if (key === undefined) throw new Error('the demo account has no key');
    this.venue = new LiveVenue({
      clock: new SystemClock(),
      random: new Random(5),
      log: silentLogger,
      instruments,
      baseUrl: server.restUrl,
      wsUrl: server.wsUrl,
      options: quickOptions,
      credentials: { apiKey: key.apiKey, secret: key.secret },
      subscriptions: [bookOf(instruments, 'ETHUSDT')],
      onFrame: (frame) => this.frames.push(frame),
      onUnread: (why) => this.fatal.push(why),
      ...changes,
    });
    this.venue.events.subscribe(this.watcher.take);
  }

  static async start(
    changes: Partial<LiveVenueDeps> | ((instruments: Instruments) => Partial<LiveVenueDeps>) = {},
  ): Promise<Stage> {
    const clock = new SystemClock();
    const { server } = await startExchange({
      seed: 9,
      flow: { enabled: false },
      publish: { bookMs: 5, balanceBatchMs: 50 },
      limits: { enabled: false },
    });
    const rest = new RestClient({
      baseUrl: server.restUrl,
      clock,
      random: new Random(8),
      options: quickOptions.rest,
    });
    const instruments = await loadInstruments({ rest });
    await rest.close();
    return new Stage(server, instruments, typeof changes === 'function' ? changes(instruments) : changes);
  }

  /** Resolves once orders can leave and the book of ETHUSDT is there. */
  async ready(): Promise<void> {
    await this.watcher.until('sessionUp', ({ session }) => session === 'trading');
    await this.watcher.until('bookSnapshot');
  }

  async close(): Promise<void> {
    await this.venue.close();
    await this.server.close();
  }
}

export function bookOf(instruments: Instruments, symbol: string): MarketSubscription {
  return { instrument: instruments.get(symbol).id, book: true, trades: true, ticker: true, candles: ['M1'] };
}

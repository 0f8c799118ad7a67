import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Clock } from '../../src/core/base/clock.ts';
import { millis } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { CallFailure, GodwitClientOptions } from '../../src/venues/hitbtc/typed/index.ts';
import { attempt, GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import type { ExchangeOptionsInput } from '../../src/exchange/server/options.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';

/** An embedded exchange, and clients of its demo account. */
export class Stage {
  readonly server: ExchangeServer;
  readonly clock: Clock = new SystemClock();
  readonly #clients: GodwitClient[] = [];

  private constructor(server: ExchangeServer) {
    this.server = server;
  }

  static async start(options: ExchangeOptionsInput = {}): Promise<Stage> {
    const server = await ExchangeServer.start({
      options: {
        limits: { enabled: false },
        publish: { bookMs: 5, balanceBatchMs: 50 },
        ...options,
      },
      clock: new SystemClock(),
      random: new Random('stage'),
    });
    return new Stage(server);
  }

  /** A client of an account; `index` chooses its key. */
  client(changes: Partial<GodwitClientOptions> = {}, account = 'demo', index = 0): GodwitClient {
    const key = this.server.accounts.get(account).keys[index];
    if (key === undefined) throw new Error(`${account} has no key ${index}`);
    const client = new GodwitClient({
      baseUrl: this.server.restUrl,
      wsUrl: this.server.wsUrl,
      credentials: key,
      random: new Random('client'),
      // The exchange counts nothing here, and rooms of a second would make tests slow.
      budgets: { mode: 'window', ...wide },
      options: { rest: { retryMs: 5 }, socket: { retryMs: 5, attemptsPerMinute: 60 } },
      ...changes,
    });
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.server.close();
  }
}

/** A stage for all tests of a file, with a client of its demo account; what a test opened is closed after it. */
export class SharedStage {
  readonly #open: { close(): Promise<void> }[] = [];
  #stage: Stage | undefined;
  #client: GodwitClient | undefined;

  constructor() {
    beforeAll(async () => {
      this.#stage = await Stage.start();
      this.#client = this.#stage.client();
    });
    afterEach(async () => {
      for (const socket of this.#open.splice(0)) await socket.close();
    });
    afterAll(async () => {
      await this.#stage?.close();
    });
  }

  get stage(): Stage {
    return this.#stage ?? expect.fail('the stage was not opened');
  }

  get client(): GodwitClient {
    return this.#client ?? expect.fail('the stage was not opened');
  }

  opened<Opened extends { close(): Promise<void> }>(socket: Opened): Opened {
    this.#open.push(socket);
    return socket;
  }

  settled(check: () => boolean): Promise<void> {
    return until(this.stage.clock, check);
  }
}

const wide = { guard: 0 } as const;

/** Why a call failed; the test fails when it did not. */
export async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const done = await attempt(call);
  if (done.ok) expect.fail('expected the call to fail');
  return done.failure;
}

/** Resolves once `check` says yes; looks every few milliseconds, and gives up after five seconds. */
export async function until(clock: Clock, check: () => boolean): Promise<void> {
  const end = clock.uptime() + millis(5_000);
  while (!check()) {
    if (clock.uptime() > end) expect.fail('it did not happen within five seconds');
    await new Promise<void>((resolve) => void clock.after(millis(3), resolve));
  }
}

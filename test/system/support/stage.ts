import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Daemon } from '../../../src/app/live/daemon.ts';
import { openDaemon } from '../../../src/app/live/daemon.ts';
import type { LiveParts } from '../../../src/app/live/parts.ts';
import { prepareLive } from '../../../src/app/live/parts.ts';
import type { Clock, Micros } from '../../../src/core/base/clock.ts';
import { later, seconds } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { withPrograms } from '../../../src/app/run/programs.ts';
import type { ServedPrograms } from '../../../src/app/run/programs.ts';
import type { Config } from '../../../src/app/config/schema.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Instruments } from '../../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import type { ExchangeOptionsInput } from '../../../src/exchange/server/options.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';
import { until } from './until.ts';

export type ConfigInput = Record<string, unknown>;

export interface StageParts {
  readonly strategies: readonly ConfigInput[];
  readonly config?: ConfigInput;
  readonly exchange?: ExchangeOptionsInput;
  /** More of the section `venue`. */
  readonly venue?: ConfigInput;
  readonly record?: boolean;
  readonly mode?: 'sim' | 'paper';
  /** How far the clock of the exchange is ahead of the daemon's. */
  readonly ahead?: Micros;
  /** Which key of the demo account: the first has all rights. */
  readonly key?: number;
  /** What the venue lists, changed on the way to the daemon. */
  readonly listed?: (listed: Instruments) => Instruments;
  /** Makes what serves the programs of the configuration, before the daemon is opened. */
  readonly programs?: (stage: Stage) => Promise<ServedPrograms>;
  /** Where the daemon finds the sockets, when not at the exchange itself. */
  readonly socketsOf?: (exchange: ExchangeServer) => Promise<string>;
}

/** Short waits of the client, so that faults are over soon. */
export const quickClient = {
  rest: { retryMs: 5, timeoutMs: 2_000 },
  socket: { retryMs: 5, attemptsPerMinute: 60 },
  market: { retryMs: 5, snapshotMs: 500 },
  calls: { deadlineMs: 1_000, loginMs: 1_000 },
};

/** Reads by which absence is proved after less than a second. */
export const quickReads = { absentMs: 600, retryMsMin: 20, retryMsMax: 100, sendDelayMsMax: 100 };
const quick = { client: quickClient, orders: { reconcile: quickReads } };

/** A strategy of this folder or a shipped one, in this thread unless set otherwise. */
export function strategyOf(name: string, params: ConfigInput = {}, more: ConfigInput = {}): ConfigInput {
  const shipped = ['market-maker', 'trend'].includes(name);
  const path = new URL(shipped ? `../../../strategies/${name}` : `../fixtures/${name}.ts`, import.meta.url);
  return { name, path: fileURLToPath(path), params, host: 'thread', ...more };
}

function aheadBy(offset: () => Micros, clock: Clock): Clock {
  return {
    now: () => later(clock.now(), offset()),
    uptime: () => clock.uptime(),
    after: (delay, task) => clock.after(delay, task),
  };
}

/** The embedded exchange and a daemon on its demo account, joined by real sockets, in a folder of their own. */
export class Stage {
  readonly directory: string;
  readonly exchange: ExchangeServer;
  /** What the next start takes. */
  config: Config;
  readonly parts: StageParts;
  readonly seen: StampedEvent[] = [];
  /** As in the parts; moved by tests that let time pass at the exchange. */
  ahead: Micros;
  daemon!: Daemon;
  /** What the daemon was opened with. */
  live!: LiveParts;
  #stopped = false;
  #programs: ServedPrograms | undefined;

  private constructor(directory: string, exchange: ExchangeServer, wsUrl: string, parts: StageParts) {
    this.directory = directory;
    this.exchange = exchange;
    this.parts = parts;
    this.ahead = parts.ahead ?? (0 as Micros);
    const config = configSchema.parse({
      run: { directory: join(directory, 'run'), seed: 11 },
      venue: {
        base_url: exchange.restUrl,
        ws_url: wsUrl,
        api_key: '${env:KEY}',
        secret_key: '${env:SECRET}',
        ...parts.venue,
      },
      strategies: parts.strategies,
      ...quick,
      ...parts.config,
    });
    this.config = withPrograms(config);
  }

  static async open(parts: StageParts): Promise<Stage> {
    let stage: Stage | undefined;
    const exchange = await ExchangeServer.start({
      options: { publish: { bookMs: 10, balanceBatchMs: 50 }, limits: { enabled: false }, ...parts.exchange },
      clock: aheadBy(() => stage?.ahead ?? parts.ahead ?? (0 as Micros), new SystemClock()),
      random: new Random(3),
    });
    const wsUrl = (await parts.socketsOf?.(exchange)) ?? exchange.wsUrl;
    const directory = mkdtempSync(join(tmpdir(), 'godwit-stage-'));
    try {
      stage = new Stage(directory, exchange, wsUrl, parts);
      stage.#programs = await parts.programs?.(stage);
      await stage.start();
      return stage;
    } catch (error) {
      await exchange.close();
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** Opens the daemon: also for a second time, after `stop`. */
  async start(mode = this.parts.mode ?? 'sim', clearHalt = false): Promise<void> {
    const { record = false, key: at = 0 } = this.parts;
    const key = this.exchange.accounts.get('demo').keys[at];
    const environment = { KEY: key?.apiKey, SECRET: key?.secret.reveal() };
    const clock = new SystemClock();
    const parts = await prepareLive(
      { config: this.config, environment, clock, log: silentLogger },
      mode === 'sim',
    );
    const recordTo = record ? this.recording : undefined;
    const listed = this.parts.listed?.(parts.listed) ?? parts.listed;
    this.live = { ...parts, listed };
    this.daemon = await openDaemon({ ...this.live, mode, recordTo, clearHalt, programs: this.#programs });
    this.#stopped = false;
    this.daemon.trader.watch((stamped) => this.seen.push(stamped));
  }

  get recording(): string {
    return join(this.directory, 'recording');
  }

  async stop(): Promise<readonly string[]> {
    this.#stopped = true;
    return this.daemon.stop('the test is over', seconds(5));
  }

  /** The daemon has been stopped by another hand. */
  wasStopped(): void {
    this.#stopped = true;
  }

  async close(): Promise<void> {
    try {
      if (!this.#stopped) await this.stop();
    } finally {
      await this.exchange.close();
      rmSync(this.directory, { recursive: true, force: true });
    }
  }

  all<Kind extends Event['kind']>(kind: Kind): readonly Extract<Event, { kind: Kind }>[] {
    return this.seen
      .map(({ event }) => event)
      .filter((event): event is Extract<Event, { kind: Kind }> => event.kind === kind);
  }

  /** The first event of a kind that fits, from number `from` of that kind on. */
  next<Kind extends Event['kind']>(
    kind: Kind,
    fits: (event: Extract<Event, { kind: Kind }>) => boolean = () => true,
    from = 0,
  ): Promise<Extract<Event, { kind: Kind }>> {
    return until(kind, () => this.all(kind).slice(from).find(fits));
  }

  /** The lines a strategy wrote. */
  get notes(): readonly string[] {
    return this.all('strategyNoted').map(({ text }) => text);
  }
}

import { liveMarketData } from '../live/market-data.ts';
import type { LiveParts } from '../live/parts.ts';
import { RunInputs } from '../live/run-inputs.ts';
import type { Config } from '../config/schema.ts';
import { openTrader } from '../run/assembly.ts';
import { loadStrategies } from '../run/load-strategies.ts';
import { runId } from '../run/id.ts';
import { fail } from '../../core/base/assert.ts';
import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import { silentLogger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import { TurnClock } from '../../core/base/turn-clock.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Journal } from '../../core/journal/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { ExchangeOptionsInput } from '../../exchange/server/options.ts';
import { exchangeOptions } from '../../exchange/server/options.ts';
import { ApiBudgets } from '../../venues/hitbtc/budgets/api.ts';
import { LiveVenue } from '../../venues/hitbtc/client/index.ts';
import { hitbtc } from '../../venues/hitbtc/venue.ts';
import { PartyClock } from './party-clock.ts';
import { VirtualExchange } from './exchange.ts';
import type { WireTap } from './sim-network.ts';
import { SimNetwork } from './sim-network.ts';

/** True time at the beginning: a minute past a midnight. */
export const beginning = 1_750_032_060_000_000;

export interface VirtualSceneDeps {
  readonly seed: number;
  readonly exchange: ExchangeOptionsInput;
  readonly tap?: Partial<WireTap>;
  readonly mark?: (name: string) => void;
}

export interface VirtualStart {
  /** Its venue is that of the scene, but for the version of its market data. */
  readonly config: Config;
  /** The journal of the process, on its clock. */
  readonly journal: (clock: Clock) => Journal;
  readonly history?: readonly StampedEvent[];
  readonly watch?: (stamped: StampedEvent) => void;
}

const addresses = { baseUrl: 'http://127.0.0.1:7', wsUrl: 'ws://127.0.0.1:7' };

/**
 * The embedded exchange and one daemon after the other on a virtual clock: roads and exchange are those of the simulation, and the
 * daemon is put together by the code that puts together the real one.
 */
export class VirtualScene {
  readonly time = new VirtualClock(micros(beginning));
  readonly exchange: VirtualExchange;
  readonly network: SimNetwork;
  readonly instruments: Instruments;
  readonly #seed: number;
  #trader: Trader | undefined;
  #clock: PartyClock | undefined;
  #touched = false;

  constructor({ seed, exchange, tap = {}, mark = () => {} }: VirtualSceneDeps) {
    this.#seed = seed;
    const exchangeClock = new PartyClock(this.time, { offset: 0, rate: 1 });
    this.exchange = new VirtualExchange({
      clock: exchangeClock,
      random: new Random(`simulation/${seed}`),
      account: 'demo',
      closeSockets: (code, reason) => this.network.closedByExchange(code, reason),
      options: exchangeOptions.parse(exchange),
    });
    this.instruments = this.exchange.instruments();
    this.network = new SimNetwork({
      time: this.time,
      seed,
      exchange: () => this.exchange,
      exchangeClock,
      tap: { sent() {}, arrives() {}, connects() {}, ...tap },
      touched: () => this.touch(),
      mark,
    });
    this.exchange.start({ futures: true, margin: true });
  }

  get trader(): Trader {
    return this.#trader ?? fail('no daemon runs');
  }

  get elapsedMs(): number {
    return (this.time.now() - beginning) / 1_000;
  }

  /** Promises may wait to be run. */
  touch(): void {
    this.#touched = true;
  }

  /** A daemon starts. */
  async start({ config: given, journal, history, watch }: VirtualStart): Promise<void> {
    const clock = new PartyClock(this.time, { offset: 0, rate: 1 }, () => this.touch());
    const config: Config = {
      ...given,
      run: { ...given.run, directory: 'no-directory', seed: this.#seed },
      venue: {
        ...given.venue,
        module: undefined,
        base_url: addresses.baseUrl,
        ws_url: addresses.wsUrl,
        api_key: '${env:KEY}',
        secret_key: '${env:SECRET}',
      },
    };
    const turns = new TurnClock(clock);
    const inputs = new RunInputs({ real: clock, turns, record: undefined });
    const setting = this.#parts(config, clock, turns);
    const { budgets } = setting;
    const run = runId(clock);
    const { instruments } = this;
    const loaded = await loadStrategies(config.strategies, {
      clock: turns,
      instruments,
      stateOptions: config.state,
      seed: this.#seed,
      idPrefix: config.orders.idPrefix,
      run,
      host: 'thread',
    });
    const venue = liveMarketData({
      setting,
      instruments,
      loaded,
      inputs,
      record: undefined,
      trader: () => this.#trader,
      gridChanged: (why) => fail(why),
      broken: (error) => fail(error.message),
    });
    const trader = openTrader({
      config,
      module: hitbtc,
      instruments,
      clock: turns,
      venue,
      journal: inputs.journal(journal(clock)),
      budgets,
      run,
      history,
      loaded,
    });
    if (watch !== undefined) trader.watch(watch);
    this.#trader = trader;
    this.#clock = clock;
    inputs.enter({ mark: 'halt', why: '' }, () => trader.start('sim', false));
    this.touch();
  }

  /** The daemon dies where it stands. */
  crash(): void {
    this.#clock?.kill();
    this.network.abandon();
    this.#trader = undefined;
  }

  /** Lets time go on until `isOver`, which is asked after every step, or for `limitMs`; returns whether it was over. */
  async until(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.time.now() + limitMs * 1_000;
    while (!isOver()) {
      const next = this.time.nextTime();
      if (next === undefined || next > end) {
        this.time.advanceTo(micros(end));
        return isOver();
      }
      this.time.advanceTo(next);
      this.exchange.outbox.leave();
      if (!this.#touched) continue;
      this.#touched = false;
      await microtasks();
      this.exchange.outbox.leave();
    }
    return true;
  }

  #parts(config: Config, clock: Clock, turns: TurnClock): LiveParts {
    const random = new Random(this.#seed);
    const budgets = new ApiBudgets(config.budgets, turns);
    const listed = this.instruments;
    const network = this.network.asClient();
    const credentials = this.exchange.key;
    const log = silentLogger;
    return {
      config,
      environment: {},
      clock,
      log,
      random,
      addresses,
      venue: hitbtc,
      turns,
      budgets,
      listed,
      connection: {
        listInstruments: () => Promise.resolve(listed),
        open: (setup) =>
          new LiveVenue({
            ...setup,
            ...addresses,
            clock,
            random: random.fork('venue'),
            log,
            options: config.client,
            credentials,
            api: config.venue.api,
            network,
            budgets,
          }),
      },
    };
  }
}

function microtasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

import type { Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { products } from '../../core/model/product.ts';
import type { VenueConnection, VenueModule } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import { credentialsOf } from '../venue/credentials.ts';
import { loadVenue } from '../venue/load.ts';
import { Desk } from './desk.ts';
import { readOthers } from './run-files.ts';
import type { SweepTerms } from './sweep.ts';

export interface OwnWayDeps {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mayCancel: () => boolean;
}

/** Pauses between two examinations of the way: while nothing is amiss, and after it failed. */
const examineEvery = seconds(300);
const retryEvery = seconds(5);

/**
 * The sentinel's own way to the account: its symbols are read, and the key is tried, before it is needed. Sessions are opened only to
 * act. Rejects with `ConfigError` where a key is missing.
 */
export class OwnWay {
  readonly #parts: OwnWayDeps;
  readonly #module: VenueModule;
  readonly #connection: VenueConnection;
  #instruments: Instruments | undefined;
  #desk: Desk | undefined;
  #listing: Promise<Instruments> | undefined;
  #trouble = '';

  private constructor(parts: OwnWayDeps, module: VenueModule, connection: VenueConnection) {
    this.#parts = parts;
    this.#module = module;
    this.#connection = connection;
  }

  static async of(parts: OwnWayDeps): Promise<OwnWay> {
    const { config, clock, log } = parts;
    const module = await loadVenue(config.venue);
    const connection = await module.connect({
      settings: config.venue,
      options: config.client,
      credentials: credentialsOf(parts),
      clock,
      random: new Random(config.run.seed).fork('sentinel'),
      log,
    });
    return new OwnWay(parts, module, connection);
  }

  /** Fault that keeps it from acting, as the last examination found it; empty when there is none. */
  get trouble(): string {
    return this.#trouble;
  }

  get terms(): SweepTerms {
    const { orders, sentinel, run } = this.#parts.config;
    const { margin, cancelAll } = this.#module.capabilities;
    return {
      idPrefix: orders.idPrefix,
      others: () => readOthers(run.directory),
      cancel: sentinel.cancel,
      togetherFrom: cancelAll ? orders.cancelTogether.from : undefined,
      products: margin ? products : ['spot'],
    };
  }

  /** Examines the way now and then, until `signal` ends it. */
  async watch(pause: (delay: typeof examineEvery) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#trouble = await this.#examine();
      await pause(this.#trouble === '' ? examineEvery : retryEvery);
    }
  }

  /** Opens the sessions, unless they are. */
  async open(): Promise<{ readonly desk: Desk; readonly instruments: Instruments }> {
    const instruments = await this.#listed();
    if (this.#desk === undefined || this.#desk.isClosed) {
      const { config, clock, log, mayCancel } = this.#parts;
      const budgets = this.#module.budgets(config.budgets, clock);
      const venue = this.#connection.open({
        instruments,
        budgets,
        subscriptions: [],
        products: () => [],
        // A row that cannot be read is logged and left out: the others must go.
        isTraded: () => false,
        onUnread: (why) => log.warn({ why }, 'an answer about the account cannot be read'),
      });
      this.#desk = new Desk({ venue, budgets, clock, mayCancel });
    }
    return { desk: this.#desk, instruments };
  }

  async #listed(): Promise<Instruments> {
    this.#listing ??= this.#connection.listInstruments();
    try {
      this.#instruments = await this.#listing;
    } catch (error) {
      this.#listing = undefined;
      throw error;
    }
    return this.#instruments;
  }

  async #examine(): Promise<string> {
    try {
      await this.#listed();
      const { rights } = (await this.#connection.examine?.()) ?? {};
      if (rights !== undefined && !(rights.reads && rights.trades))
        return 'the key may not read and cancel orders: nothing can be cancelled with it';
      return '';
    } catch (error) {
      return `the venue cannot be asked: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

import { fail } from '../../core/base/assert.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { ApiKey, OrderHistoryEntry, OwnFill } from '../../exchange/base/index.ts';
import { Faults, RateLimiter } from '../../exchange/base/index.ts';
import type { TroubledExchange } from '../../exchange/chaos/index.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import type { AccountId } from '../../exchange/matching/index.ts';
import { futuresAccountOf, marginAccountOf } from '../../exchange/matching/index.ts';
// By their files: through the face the declarations of the package would lead to types of Node.
import { socketLocations } from '../../exchange/server/locations.ts';
import { restApi } from '../../exchange/server/routes.ts';
import { makeWorld, troubledExchange } from '../../exchange/server/world.ts';
import type { ExchangeOptions } from '../../exchange/server/options.ts';
import type { World } from '../../exchange/server/world.ts';
import type { Flushable, Location } from '../../exchange/sockets/index.ts';
import { Publisher, WriteQueue } from '../../exchange/sockets/index.ts';
import { RestServer } from './sim-http.ts';

/** Gathers what one step sends, and lets it go when the step is over. */
export class StepOutbox extends WriteQueue {
  #waiting: Flushable[] = [];

  override add(connection: Flushable): void {
    this.#waiting.push(connection);
  }

  leave(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) connection.flush();
  }
}

export interface VirtualExchangeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ExchangeOptions;
  /** Name of the account that is traded on. */
  readonly account: string;
  /** Closes every open socket with that code. */
  readonly closeSockets: (code: number, reason: string) => void;
}

/** The embedded exchange without its network: core, seeded market, sessions and REST routes. */
export class VirtualExchange {
  readonly world: World;
  readonly faults: Faults;
  readonly publisher: Publisher;
  readonly outbox = new StepOutbox();
  readonly http: RestServer;
  readonly key: ApiKey;
  readonly account: AccountId;
  readonly troubled: TroubledExchange;
  readonly #locations: ReadonlyMap<string, Location>;

  constructor(setup: VirtualExchangeDeps) {
    const { random, options } = setup;
    this.faults = new Faults(setup.clock, setup.closeSockets);
    const { faults } = this;
    const { clock } = faults;
    this.world = makeWorld(options, clock, random);
    const { world } = this;
    world.reports.misreportBy(faults);
    this.troubled = troubledExchange(world, faults);
    this.publisher = new Publisher({ core: world.core, clock, faults, options: options.publish });
    const { publisher } = this;
    const throttle = new RateLimiter(clock, options.limits.enabled);
    const shared = { world, publisher, throttle, faults, options, clock };
    this.#locations = new Map(socketLocations(shared).map((location) => [location.path, location]));
    this.http = new RestServer({ ...restApi(shared), clock, faults });
    const { id, keys } = world.accounts.get(setup.account);
    this.account = id;
    this.key = keys[0] ?? fail('the account has no key');
  }

  /** Lets the market go on, and charges on margin and contracts where they are wanted. */
  start({ futures, margin }: { readonly futures: boolean; readonly margin: boolean }): void {
    this.world.flow?.start();
    this.world.expiries.start();
    if (futures) this.world.futures.start();
    if (margin) this.world.interest.start();
    this.publisher.start();
  }

  /** The numbers of the account, of all products. */
  get accounts(): readonly AccountId[] {
    return [this.account, marginAccountOf(this.account), futuresAccountOf(this.account)];
  }

  /** Orders of all products, oldest first in each. */
  get records(): readonly OrderHistoryEntry[] {
    return this.accounts.flatMap((account) => this.world.core.log(account).records);
  }

  /** Trades of all products, oldest first in each. */
  get trades(): readonly OwnFill[] {
    return this.accounts.flatMap((account) => {
      const { trades } = this.world.core.log(account);
      return Array.from({ length: trades.size }, (_, index) => trades.at(index) as OwnFill);
    });
  }

  get activeOrders(): readonly VenueOrder[] {
    return this.accounts.flatMap((account) => this.world.core.exchange.activeOrders(account));
  }

  location(path: string): Location {
    return this.#locations.get(path) ?? fail('nothing is spoken there', { path });
  }

  /** The symbols as a client reads them. */
  instruments(): Instruments {
    return new Instruments(this.world.core.instruments.all.map(({ spec }) => spec));
  }
}

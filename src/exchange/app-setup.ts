import type { Clock } from '../core/base/clock.ts';
import type { Faults } from './faults.ts';
import type { ExchangeOptions } from './options.ts';
import type { Publisher } from './sockets/publisher.ts';
import type { Throttle } from './rate-limits.ts';
import type { World } from './world.ts';

/** What every door of the exchange (REST, each socket location) is given. */
export interface DoorSetup {
  readonly world: World;
  readonly publisher: Publisher;
  readonly throttle: Throttle;
  readonly faults: Faults;
  readonly options: ExchangeOptions;
  readonly clock: Clock;
}

import type { Clock } from '../../core/base/clock.ts';
import type { Faults, RateLimiter } from '../base/index.ts';
import type { ExchangeOptions } from './options.ts';
import type { Publisher } from '../sockets/index.ts';
import type { World } from './world.ts';

/** What every app of the exchange (REST, each socket location) is given. */
export interface AppSetup {
  readonly world: World;
  readonly publisher: Publisher;
  readonly throttle: RateLimiter;
  readonly faults: Faults;
  readonly options: ExchangeOptions;
  readonly clock: Clock;
  readonly wall?: Clock | undefined;
}

import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Random } from '../../../core/base/random.ts';
import type { ApiBudgets } from '../budgets/api.ts';
import type { InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import type { Credentials } from '../wire/auth.ts';
import type { ClockOffset } from './clock-offset.ts';
import type { Recorder } from './frame-tap.ts';
import type { FeedWish } from './market-protocol.ts';
import type { ClientNetwork } from './network.ts';
import type { ClientOptions } from './options.ts';

/** What a live venue is made of. */
export interface LiveVenueSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly instruments: Instruments;
  /** As the documents write it: `{base_url}/api/3`. */
  readonly baseUrl: string;
  /** As the documents write it: `{ws_url}/api/3/ws/public`. */
  readonly wsUrl: string;
  readonly options: ClientOptions;
  /** Absent: market data only (paper); every command is refused before a byte leaves. */
  readonly credentials?: Credentials;
  /** Which version's public socket carries the market data; orders always go over version 3. */
  readonly api?: 'v3' | 'v2';
  readonly feeds: readonly FeedWish[];
  /** The budgets the gate draws on, so that logins, subscriptions and pages count with everything else. */
  readonly budgets?: ApiBudgets;
  readonly recorder?: Recorder;
  /** The books to subscribe before the others after an outage: those with own orders. */
  readonly first?: () => ReadonlySet<InstrumentId>;
  /** A message about the own account cannot be read: the trader must halt. */
  readonly onFatal?: (why: string) => void;
  /** The venue does not accept the key, and never has in this run. */
  readonly onLoginRefused?: (why: string) => void;
  readonly scheme?: 'HS256' | 'Basic';
  /** The machine's own unless said otherwise. */
  readonly network?: ClientNetwork;
  /** What was measured of the venue's clock before. */
  readonly clockOffset?: ClockOffset;
  /** A market connection that falls behind the venue's stamps further than this, and stays so, is opened anew. */
  readonly marketLagMax?: Micros;
}

import { ApiBudgets } from '../../venues/hitbtc/budgets/api.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import { TurnClock } from '../../core/base/turn-clock.ts';
import type { ClockOffset } from '../../venues/hitbtc/client/clock-offset.ts';
import { loadInstruments } from '../../venues/hitbtc/client/load-instruments.ts';
import { RestClient } from '../../venues/hitbtc/client/rest.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { resolveSecret } from '../config/secrets.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Credentials } from '../../venues/hitbtc/wire/auth.ts';
import type { VenueAddresses } from './venue-addresses.ts';
import { venueAddresses } from './venue-addresses.ts';
import type { VenueWait } from './venue-wait.ts';
import { askUntilAnswered } from './venue-wait.ts';

/** What every mode that talks to a real address is handed. */
export interface LiveSetting {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What stands at the outer end before the trader is made. */
export interface LiveParts extends LiveSetting {
  readonly random: Random;
  readonly addresses: VenueAddresses;
  readonly credentials: Credentials | undefined;
  /** The core's clock: its time moves with what reaches it. */
  readonly turns: TurnClock;
  readonly budgets: ApiBudgets;
  /** How far the venue's clock is ahead of this machine's, as the answer to the first read told. */
  readonly clockOffset: ClockOffset;
  /** Every symbol of the venue, read over REST. */
  readonly listed: Instruments;
}

/**
 * Resolves addresses and keys and reads the symbol list. Throws `ConfigError` for what is missing or wrong and
 * `RestFailed` when the venue does not answer, with `wait` only after it has waited for it.
 */
export async function prepareLive(
  setting: LiveSetting,
  withKeys: boolean,
  wait?: VenueWait,
): Promise<LiveParts> {
  const { config, clock } = setting;
  const random = new Random(config.run.seed);
  const addresses = venueAddresses(config.venue);
  const credentials = withKeys ? credentialsOf(setting) : undefined;
  const rest = new RestClient({
    baseUrl: addresses.baseUrl,
    clock,
    random: random.fork('symbols'),
    options: config.client.rest,
  });
  const listed = await askUntilAnswered(() => loadInstruments({ rest }), {
    clock,
    random: random.fork('start'),
    wait,
  });
  await rest.close();
  const turns = new TurnClock(clock);
  return {
    ...setting,
    random,
    addresses,
    credentials,
    turns,
    budgets: new ApiBudgets(config.budgets, turns),
    clockOffset: rest.clockOffset,
    listed,
  };
}

/** The keys that the configuration names. Throws `ConfigError` when one is not there or cannot be read. */
export function credentialsOf({
  config,
  environment,
}: Pick<LiveSetting, 'config' | 'environment'>): Credentials {
  const { api_key: apiKey, secret_key: secretKey } = config.venue;
  if (apiKey === undefined || secretKey === undefined) {
    const missing = apiKey === undefined ? 'api_key' : 'secret_key';
    throw new ConfigError(`venue.${missing}: expected a reference such as \${env:NAME}, found nothing`);
  }
  return {
    apiKey: resolveSecret(apiKey, 'venue.api_key', environment).reveal(),
    secret: resolveSecret(secretKey, 'venue.secret_key', environment),
  };
}

import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import { TurnClock } from '../../core/base/turn-clock.ts';
import type { Config } from '../config/schema.ts';
import { credentialsOf } from '../venue/credentials.ts';
import type { Channel } from '../../core/model/frame.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { VenueAddresses, VenueBudgets, VenueConnection, VenueModule } from '../../venues/index.ts';
import { loadVenue, withVenueWindows } from '../venue/load.ts';
import type { VenueWait } from './venue-wait.ts';
import { askUntilAnswered } from './venue-wait.ts';

/** Settings of every mode that talks to a real address. */
export interface LiveSetting {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Parts at the outer end that stand before the trader is made. */
export interface LiveParts extends LiveSetting {
  readonly random: Random;
  readonly addresses: VenueAddresses;
  readonly venue: VenueModule;
  readonly connection: VenueConnection;
  /** The core's clock: its time moves with what reaches it. */
  readonly turns: TurnClock;
  readonly budgets: VenueBudgets;
  /** Every symbol of the venue. */
  readonly listed: Instruments;
}

/**
 * Resolves addresses and keys and reads the symbol list. Throws `ConfigError` for what is missing or wrong and
 * `VenueFailed` when the venue does not answer, with `wait` only after it has waited for it.
 */
export async function prepareLive(
  setting: LiveSetting,
  withKeys: boolean,
  wait?: VenueWait,
): Promise<LiveParts> {
  const { clock, log } = setting;
  const venue = await loadVenue(setting.config.venue);
  const config = withVenueWindows(setting.config, venue.capabilities);
  const random = new Random(config.run.seed);
  const addresses = venue.addresses(config.venue);
  const connection = await venue.connect({
    settings: config.venue,
    options: config.client,
    credentials: withKeys ? credentialsOf(setting) : undefined,
    clock,
    random,
    log,
  });
  const listed = await askUntilAnswered(() => connection.listInstruments(), {
    clock,
    random: random.fork('start'),
    wait,
  });
  const turns = new TurnClock(clock);
  const budgets = venue.budgets(config.budgets, turns);
  return { ...setting, config, random, venue, addresses, connection, turns, budgets, listed };
}

/** Every channel that a recording of the venue may name: its own, and the one of the run. */
export function channelsOf({ frames }: VenueModule): readonly Channel[] {
  return frames.channels.includes(runChannel) ? frames.channels : [...frames.channels, runChannel];
}

import { millis } from '../../core/base/clock.ts';
import type { Venue } from '../../core/bus/venue.ts';
import type { Recorder } from '../../venues/hitbtc/client/frame-tap.ts';
import { LiveVenue } from '../../venues/hitbtc/client/live-venue.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { Trader } from '../../core/trader/trader.ts';
import { feedWishes, requestsOf } from './feed-wishes.ts';
import type { LiveParts } from './parts.ts';
import { LoginRefused } from './login-refused.ts';
import type { RunInputs } from './run-inputs.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

export interface LiveMarketDataParts {
  readonly setting: LiveParts;
  readonly instruments: Instruments;
  readonly loaded: readonly LoadedStrategy[];
  readonly inputs: RunInputs;
  /** Hears every frame. */
  readonly record: Recorder | undefined;
  /** The trader, once it stands. */
  readonly trader: () => Trader | undefined;
  /** The run cannot go on. */
  readonly broken: (error: LoginRefused) => void;
}

/** The live venue, its events entering the core in turns. */
export function liveMarketData(parts: LiveMarketDataParts): Venue {
  const { setting, instruments, loaded, inputs, record, trader, broken } = parts;
  const { config, addresses, credentials } = setting;
  const live = new LiveVenue({
    clock: setting.clock,
    log: setting.log,
    instruments,
    budgets: setting.budgets,
    random: setting.random.fork('venue'),
    baseUrl: addresses.baseUrl,
    wsUrl: addresses.wsUrl,
    api: config.venue.api,
    options: config.client,
    clockOffset: setting.clockOffset,
    marketLagMax: millis(config.orders.marketLagMsMax),
    feeds: feedWishes(requestsOf(loaded, config.orders, instruments), instruments),
    first: () => instrumentsWithOrders(trader()),
    onLoginRefused: (why) =>
      broken(
        new LoginRefused(
          `${addresses.wsUrl} refused the login (${why}): check venue.api_key and venue.secret_key, and the rights of the key`,
        ),
      ),
    onFatal: (why) => inputs.enter({ mark: 'halt', why }, () => trader()?.halt(why)),
    ...(credentials === undefined ? {} : { credentials }),
    ...(record === undefined ? {} : { recorder: record }),
  });
  return {
    events: inputs.events(live.events),
    marketData: inputs.marketData(live.marketData),
    send: (command) => live.send(command),
    close: () => live.close(),
  };
}

function instrumentsWithOrders(trader: Trader | undefined): ReadonlySet<InstrumentId> {
  return new Set(trader?.view.openOrders().map((order) => order.instrument));
}

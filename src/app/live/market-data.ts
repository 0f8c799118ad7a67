import type { Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { Venue } from '../../core/bus/index.ts';
import { GodwitError } from '../../core/base/errors.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { VenueAddresses } from '../../venues/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { LiveParts } from './parts.ts';
import type { RunInputs } from './run-inputs.ts';
import { isTradedIn, followedProducts, requestsOf, subscriptionsOf } from './subscriptions.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

/** The venue does not accept the key: no later attempt will change that. Exit code 78. */
export class LoginRefused extends GodwitError {
  override readonly code = 'GW_LOGIN_REFUSED';
}

/** The same in a sentence. */
export function loginRefusedText({ wsUrl }: VenueAddresses, why: string): string {
  return `${wsUrl} refused the login (${why}): check venue.api_key and venue.secret_key, and the rights of the key`;
}

export interface LiveMarketDataParts {
  readonly setting: LiveParts;
  readonly instruments: Instruments;
  readonly loaded: readonly LoadedStrategy[];
  readonly inputs: RunInputs;
  /** Called with every frame. */
  readonly record: ((frame: Frame) => void) | undefined;
  /** The trader, once it stands. */
  readonly trader: () => Trader | undefined;
  /** The run has to be opened anew. */
  readonly gridChanged: (why: string) => void;
  /** The run cannot go on. */
  readonly broken: (error: LoginRefused) => void;
}

/** The live venue, its events entering the core in turns. */
export function liveMarketData(parts: LiveMarketDataParts): Venue {
  const { setting, instruments, loaded, inputs, record, trader, broken } = parts;
  const { config, addresses, budgets, connection } = setting;
  const live = connection.open({
    instruments,
    budgets,
    marketLagMax: millis(config.orders.marketLagMsMax),
    subscriptions: subscriptionsOf(requestsOf(loaded, config.orders, instruments), instruments),
    products: () => followedProducts(loaded, trader()),
    first: () => instrumentsWithOrders(trader()),
    isTraded: (currency) => isTradedIn(currency, loaded, instruments, trader()),
    isCrossed: (id) => isCrossed(trader(), id),
    onFrame: record,
    onGridChanged: parts.gridChanged,
    onLoginRefused: (why) => broken(new LoginRefused(loginRefusedText(addresses, why))),
    onUnread: (why) => inputs.enter({ mark: 'unread', why }, () => trader()?.unread(why)),
  });
  return {
    events: inputs.events(live.events),
    ...(live.marketData === undefined ? {} : { marketData: inputs.marketData(live.marketData) }),
    looks: live.looks,
    ...(live.refetchBook !== undefined && { refetchBook: (id: InstrumentId) => live.refetchBook?.(id) }),
    ...(live.keepAlive !== undefined && {
      keepAlive: (timeout: Micros) => live.keepAlive?.(timeout) ?? Promise.resolve(''),
    }),
    candles: live.candles && ((...asked) => live.candles?.(...asked) ?? Promise.resolve(undefined)),
    send: (command) => live.send(command),
    close: () => live.close(),
  };
}

function instrumentsWithOrders(trader: Trader | undefined): ReadonlySet<InstrumentId> {
  const ids = trader?.instruments.all.map(({ id }) => id) ?? [];
  return new Set(ids.filter((id) => trader?.view.openCountOf(id) !== 0));
}

function isCrossed(trader: Trader | undefined, id: InstrumentId): boolean {
  return trader?.view.book(id).unfit === 'crossed';
}

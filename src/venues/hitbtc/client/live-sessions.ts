import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Random } from '../../../core/base/random.ts';
import type { Credentials } from '../../../core/base/secret.ts';
import type { Event, MarketData } from '../../../core/model/event.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import type { Product } from '../../../core/model/product.ts';
import { spotAlone } from '../../../core/model/product.ts';
import { requirePrivate, socketAddress } from '../../address.ts';
import type { ClientOptions } from '../../options.ts';
import { accountSocket } from '../../options.ts';
import type { ApiBudgets } from '../budgets/api.ts';
import type { ClockOffset, OpenSocket } from '../../net/index.ts';
import type { ClientNetwork } from '../../net/network.ts';
import { WsSocket } from '../../net/index.ts';
import type { MarketSubscription } from '../../port.ts';
import { marketProtocolV2, marketProtocolV3, MarketSession } from './market/index.ts';
import type { RestClient } from './rest/index.ts';
import { symbolsCall, SymbolWatch } from './rest/index.ts';
import { TradingSession } from './trading-session.ts';

/** Parts that a live venue is made of. */
export interface LiveVenueDeps {
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
  readonly credentials?: Credentials | undefined;
  /** Which version's public socket carries the market data; orders always go over version 3. */
  readonly api?: 'v3' | 'v2';
  readonly subscriptions: readonly MarketSubscription[];
  /** Products that are traded; spot alone when left out. */
  readonly products?: (() => readonly Product[]) | undefined;
  /** The budgets the gate draws on, so that logins, subscriptions and pages count with everything else. */
  readonly budgets?: ApiBudgets;
  /** Called with every frame as it crosses a socket, credentials cut out. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  /** The books to subscribe before the others after an outage: those with own orders. */
  readonly first?: (() => ReadonlySet<InstrumentId>) | undefined;
  /** Whether the sides of a book meet, as the consumer of the events holds it; without one the venue holds books itself. */
  readonly isCrossed?: ((instrument: InstrumentId) => boolean) | undefined;
  /** A message about the own account cannot be read: the trader must halt until the account was read completely. */
  readonly onUnread?: ((why: string) => void) | undefined;
  /** Whether something is traded for a currency, or held of it; everything is when left out. */
  readonly isTraded?: ((currency: string) => boolean) | undefined;
  /** A tick size or quantity increment is not that of the run: it has to be opened anew with what is listed now. */
  readonly onGridChanged?: ((why: string) => void) | undefined;
  /** The venue does not accept the key, and never has in this run. */
  readonly onLoginRefused?: ((why: string) => void) | undefined;
  readonly scheme?: 'HS256' | 'Basic';
  /** The machine's own unless said otherwise. @internal */
  readonly network?: ClientNetwork;
  /** Offset of the venue's clock that was measured before. */
  readonly clockOffset?: ClockOffset | undefined;
  /** A market connection that falls behind the venue's stamps further than this, and stays so, is opened anew. */
  readonly marketLagMax?: Micros | undefined;
}

const tradingPath = '/api/3/ws/trading';
const none: ReadonlySet<InstrumentId> = new Set();

/** The session of the public socket, in the version asked for. */
export function makeMarketSession(
  setup: LiveVenueDeps,
  budgets: ApiBudgets,
  clockOffset: ClockOffset,
  publishers: {
    readonly publish: (event: Event) => void;
    readonly publishMarketData: (data: MarketData) => void;
  },
): MarketSession {
  const protocol = setup.api === 'v2' ? marketProtocolV2 : marketProtocolV3;
  return new MarketSession({
    ...setup,
    random: setup.random.fork('market'),
    budgets,
    clockOffset,
    protocol,
    url: socketAddress(setup.wsUrl, protocol.path),
    openSocket: openerOf(setup, 'market', setup.options.socket),
    ...publishers,
    first: setup.first ?? (() => none),
  });
}

/** The session of the trading socket; `undefined` without credentials. Throws `AddressRefused` on an open link. */
export function makeTradingSession(
  setup: LiveVenueDeps,
  parts: {
    readonly budgets: ApiBudgets;
    readonly rest: RestClient;
    readonly signal: AbortSignal;
    readonly publish: (event: Event) => void;
    readonly accept: (frame: Frame) => void;
  },
): TradingSession | undefined {
  const { credentials, wsUrl, instruments } = setup;
  if (credentials === undefined) return undefined;
  requirePrivate(wsUrl);
  const { rest, signal } = parts;
  return new TradingSession({
    ...setup,
    ...parts,
    credentials,
    products: setup.products ?? (() => spotAlone),
    clockOffset: rest.clockOffset,
    url: socketAddress(wsUrl, tradingPath),
    openSocket: openerOf(setup, 'trading', accountSocket(setup.options)),
    measureClock: async () => {
      // Any answer carries the venue's time; one symbol is a small one.
      const symbols = instruments.all.slice(0, 1).map((instrument) => instrument.symbol);
      await rest.send({ ...symbolsCall(symbols), signal });
    },
  });
}

/** The watch over the symbols with a feed or own orders. */
export function makeSymbolWatch(
  setup: LiveVenueDeps,
  parts: {
    readonly budgets: ApiBudgets;
    readonly rest: RestClient;
    readonly signal: AbortSignal;
    readonly publish: (event: Event) => void;
  },
): SymbolWatch {
  const followed = setup.subscriptions.map(({ instrument }) => instrument);
  return new SymbolWatch({
    ...setup,
    ...parts,
    options: setup.options.market,
    wanted: () => [...followed, ...(setup.first?.() ?? none)],
  });
}

function openerOf(
  setup: LiveVenueDeps,
  name: 'market' | 'trading',
  options: ClientOptions['socket'],
): OpenSocket {
  const { clock, random, network } = setup;
  return (url, listener) =>
    new WsSocket({
      url,
      listener,
      clock,
      random: random.fork(`${name} socket`),
      options,
      skipUtf8Validation: name === 'market',
      network,
    });
}

import type { ApiBudgets } from '../budgets/api.ts';
import type { Event, MarketData } from '../../../core/model/event.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import { requirePrivate, socketAddress } from './address.ts';
import type { ClockOffset } from './clock-offset.ts';
import type { LiveVenueSetup } from './live-venue-setup.ts';
import { marketProtocolV2 } from './market-protocol-v2.ts';
import { marketProtocolV3 } from './market-protocol-v3.ts';
import { MarketSession } from './market-session.ts';
import { symbolsCall } from './rest-calls.ts';
import type { RestClient } from './rest.ts';
import type { OpenSocket } from './socket.ts';
import { SymbolWatch } from './symbol-watch.ts';
import { TradingSession } from './trading-session.ts';
import { WsSocket } from './ws-socket.ts';

const tradingPath = '/api/3/ws/trading';
const none: ReadonlySet<InstrumentId> = new Set();

/** The session of the public socket, in the version asked for. */
export function makeMarketSession(
  setup: LiveVenueSetup,
  budgets: ApiBudgets,
  clockOffset: ClockOffset,
  tell: { readonly publish: (event: Event) => void; readonly publishMarketData: (data: MarketData) => void },
): MarketSession {
  const protocol = setup.api === 'v2' ? marketProtocolV2 : marketProtocolV3;
  return new MarketSession({
    ...setup,
    random: setup.random.fork('market'),
    budgets,
    clockOffset,
    protocol,
    url: socketAddress(setup.wsUrl, protocol.path),
    openSocket: openerOf(setup, 'market', true),
    ...tell,
    recorder: setup.recorder,
    first: setup.first ?? (() => none),
  });
}

/** The session of the trading socket; `undefined` without credentials. Throws `AddressRefused` on an open link. */
export function makeTradingSession(
  setup: LiveVenueSetup,
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
    clockOffset: rest.clockOffset,
    url: socketAddress(wsUrl, tradingPath),
    openSocket: openerOf(setup, 'trading', false),
    recorder: setup.recorder,
    measureClock: async () => {
      // Any answer carries the venue's time; one symbol is a small one.
      const symbols = instruments.all.slice(0, 1).map((instrument) => instrument.symbol);
      await rest.send({ ...symbolsCall(symbols), signal });
    },
  });
}

/** The watch over the symbols with a feed or own orders. */
export function makeSymbolWatch(
  setup: LiveVenueSetup,
  parts: {
    readonly budgets: ApiBudgets;
    readonly rest: RestClient;
    readonly signal: AbortSignal;
    readonly publish: (event: Event) => void;
  },
): SymbolWatch {
  const feeds = setup.feeds.map(({ instrument }) => instrument);
  return new SymbolWatch({
    ...setup,
    ...parts,
    options: setup.options.market,
    wanted: () => [...feeds, ...(setup.first?.() ?? none)],
  });
}

function openerOf(setup: LiveVenueSetup, name: string, skipUtf8Validation: boolean): OpenSocket {
  const { clock, random, options, network } = setup;
  return (url, listener) =>
    new WsSocket({
      url,
      listener,
      clock,
      random: random.fork(`${name} socket`),
      options: options.socket,
      skipUtf8Validation,
      network,
    });
}

import type { Clock } from '../../src/core/base/clock.ts';
import { millis } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { Random } from '../../src/core/base/random.ts';
import { TurnClock } from '../../src/core/base/turn-clock.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../src/venues/hitbtc/budgets/options.ts';
import type { Venue } from '../../src/core/bus/venue.ts';
import { LiveVenue } from '../../src/venues/hitbtc/client/live-venue.ts';
import type { ClientNetwork } from '../../src/venues/net/network.ts';
import { hitbtc } from '../../src/venues/hitbtc/venue.ts';
import type { ClientOptions } from '../../src/venues/options.ts';
import { clientOptions } from '../../src/venues/options.ts';
import { followedProducts, subscriptionsOf } from '../../src/app/live/subscriptions.ts';
import { RunInputs } from '../../src/app/live/run-inputs.ts';
import { gateOptions } from '../../src/core/gate/options.ts';
import type { CommandBudgets } from '../../src/core/gate/parts.ts';
import type { Journal } from '../../src/core/journal/records/records.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { OrderOptions } from '../../src/core/orders/options.ts';
import { strategyLimits } from '../../src/core/orders/base/options.ts';
import { orderOptions } from '../../src/core/orders/options.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import type { StrategyDefinition } from '../../src/core/strategy/define.ts';
import { readFeeds } from '../../src/core/strategy/params.ts';
import { ThreadHost } from '../../src/core/strategy/thread-host.ts';
import { Trader } from '../../src/core/trader/trader.ts';
import type { Credentials } from '../../src/core/base/secret.ts';
import { workloadName } from './cast.ts';
import type { SeedLosses } from './losses.ts';

/** What a defect planted from outside may stand in front of. */
export interface TraderHooks {
  venue?(venue: Venue): Venue;
  journal?(journal: Journal): Journal;
  clock?(clock: Clock): Clock;
  network?(network: ClientNetwork): ClientNetwork;
  budgets?(budgets: CommandBudgets): CommandBudgets;
  history?(history: readonly StampedEvent[]): readonly StampedEvent[];
  options?(options: OrderOptions): OrderOptions;
  client?(options: ClientOptions): ClientOptions;
  /** The base 36 part of every client order id of a run. */
  run?(run: string): string;
}

/** One strategy of a process. */
export interface SimStrategy {
  readonly definition: StrategyDefinition;
  /** Third part of its order ids. */
  readonly tag: string;
}

export interface SimTraderParts {
  readonly clock: Clock;
  readonly seed: number;
  readonly instruments: Instruments;
  readonly network: ClientNetwork;
  readonly credentials: Credentials;
  readonly journal: Journal;
  readonly history: readonly StampedEvent[];
  readonly strategies: readonly SimStrategy[];
  readonly socketsCount: 'connections' | 'messages';
  readonly unknownOrdersMax: number;
  readonly losses: SeedLosses;
  readonly hooks: TraderHooks;
  /** The operator has seen why an earlier run halted. */
  readonly clearHalt: boolean;
  readonly watch: (stamped: StampedEvent) => void;
}

/** The limits of the simulation: narrow, so that they are met. Lots and quote currency. */
export const limits = {
  quantityMax: '0.5',
  notionalMax: '40000',
  positionMax: { ETHUSDT: '0.15', BTCUSDT: '0.015', ETHUSDT_PERP: '0.15', BTCUSDT_PERP: '0.015' },
  openOrdersSymbolMax: 5,
  messagesPerSecondMax: 3,
} as const;

export const simOrderOptions = orderOptions.parse({
  limits: limitsOf(Object.entries(limits.positionMax)),
  openOrdersSymbolMax: limits.openOrdersSymbolMax,
  messagesPerSecondMax: limits.messagesPerSecondMax,
  rejects: { of: 20, percentMax: 95 },
  marketOrders: true,
});

/** A symbol that is not traded has no limits. */
function limitsOf(positions: readonly (readonly [string, string])[]): object {
  return Object.fromEntries(
    positions.map(([symbol, positionMax]) => [
      symbol,
      { quantityMax: limits.quantityMax, notionalMax: limits.notionalMax, positionMax },
    ]),
  );
}

/** Few reads beside what the simulation is about. */
const simClientOptions = clientOptions.parse({ market: { statusMs: 30_000, history: 1 } });

const addresses = { baseUrl: 'http://127.0.0.1:7', wsUrl: 'ws://127.0.0.1:7' };

/** One process: the trader with the live venue, wired as the daemon wires it, on simulated ends. */
export class SimTrader {
  readonly trader: Trader;
  readonly #venue: LiveVenue;
  readonly #begin: () => void;

  constructor(parts: SimTraderParts) {
    const { hooks, instruments, seed, strategies } = parts;
    const clock = hooks.clock?.(parts.clock) ?? parts.clock;
    const turns = new TurnClock(clock);
    const inputs = new RunInputs({ real: clock, turns, record: undefined });
    const budgets = new ApiBudgets(budgetOptions.parse({ socketCounts: parts.socketsCount }), turns);
    const begun = Math.floor(clock.now() / 1_000).toString(36);
    const run = hooks.run?.(begun) ?? begun;
    const traded = Object.entries(simOrderOptions.limits).filter(
      ([symbol]) => instruments.find(symbol) !== undefined,
    );
    const own = {
      ...simOrderOptions,
      limits: Object.fromEntries(traded),
      unknownOrdersMax: parts.unknownOrdersMax,
      loss: parts.losses.account,
      // Every other seed has a halt cancel all orders of a symbol at once.
      cancelTogether: { ...simOrderOptions.cancelTogether, from: seed % 2 === 0 ? 2 : 50 },
    };
    const options = hooks.options?.(own) ?? own;
    const live = new LiveVenue({
      ...addresses,
      clock,
      instruments,
      budgets,
      log: silentLogger,
      random: new Random(`trader/${seed}/${run}`),
      options: hooks.client?.(simClientOptions) ?? simClientOptions,
      subscriptions: subscriptionsOf(
        strategies.flatMap(({ definition }) => readFeeds(definition, {})),
        instruments,
      ),
      products: () =>
        followedProducts(
          strategies.map(({ definition }) => ({ products: definition.products({}) })),
          this.trader,
        ),
      credentials: parts.credentials,
      network: hooks.network?.(parts.network) ?? parts.network,
      marketLagMax: millis(options.marketLagMsMax),
      first: () => new Set(this.trader.view.openOrders().map((order) => order.instrument)),
      isCrossed: (id) => this.trader.view.book(id).unfit === 'crossed',
      onUnread: (why) => inputs.enter({ mark: 'unread', why }, () => this.trader.unread(why)),
    });
    this.#venue = live;
    const marketData: Venue = {
      events: inputs.events(live.events),
      marketData: inputs.marketData(live.marketData),
      send: (command) => live.send(command),
      close: () => live.close(),
    };
    const journal = inputs.journal(parts.journal);
    const history = hooks.history?.(parts.history) ?? parts.history;
    this.trader = new Trader({
      instruments,
      clock: turns,
      capabilities: hitbtc.capabilities,
      venue: hooks.venue?.(marketData) ?? marketData,
      journal: hooks.journal?.(journal) ?? journal,
      budgets: hooks.budgets?.(budgets) ?? budgets,
      log: silentLogger,
      run,
      history,
      strategies: strategies.map(({ definition, tag }) => ({
        name: definition.name,
        tag,
        limits: strategyLimits.parse(definition.name === workloadName ? { loss: parts.losses.strategy } : {}),
        open: ({ state, publish }) =>
          new ThreadHost({
            definition,
            params: {},
            state,
            clock: turns,
            publish,
            seed: `${seed}/${run}`,
            idPrefix: options.idPrefix,
            run,
            tag,
          }),
      })),
      orderOptions: options,
      gateOptions: gateOptions.parse({}),
      stateOptions: { ...stateDefaults, carryEvery: 1_000 },
    });
    this.trader.watch(parts.watch);
    this.#begin = () =>
      inputs.enter({ mark: 'halt', why: '' }, () => this.trader.start('sim', parts.clearHalt));
  }

  /** Lets the venue's events in. */
  start(): void {
    this.#begin();
  }

  /** What reached the client so far. */
  get counters(): LiveVenue['counters'] {
    return this.#venue.counters;
  }
}

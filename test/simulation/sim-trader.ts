import type { Clock } from '../../src/core/base/clock.ts';
import { millis } from '../../src/core/base/clock.ts';
import type { Logger } from '../../src/core/base/logger.ts';
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
import type { OperatorAct } from '../../src/core/model/operator.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { OrderOptions } from '../../src/core/orders/options.ts';
import type { StrategyLimits } from '../../src/core/orders/base/options.ts';
import { strategyLimits } from '../../src/core/orders/base/options.ts';
import { limitsAmong, orderOptions } from '../../src/core/orders/options.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import type { StrategyDefinition } from '../../src/core/strategy/define.ts';
import { readFeeds, readParams } from '../../src/core/strategy/params.ts';
import { ProgramHost } from '../../src/core/strategy/program-host.ts';
import { ThreadHost } from '../../src/core/strategy/thread-host.ts';
import type { StrategyPlan } from '../../src/core/trader/parts.ts';
import { Trader } from '../../src/core/trader/trader.ts';
import type { Credentials } from '../../src/core/base/secret.ts';
import { workloadName } from './cast.ts';
import type { ProgramRole } from './program-roles.ts';
import { limitsOfSeed } from './seed-limits.ts';
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
  /** As the configuration has them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** A program of others: its definition has feeds alone, and its share of the balance is one of its limits. */
  readonly program?: { readonly opened: (host: ProgramHost) => void; readonly funds: ProgramRole['funds'] };
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
  /** The version of the streams that market data come by. */
  readonly api: 'v2' | 'v3';
  /** After so many records the state is carried over: a restart begins with it. */
  readonly carryEvery: number;
  readonly hooks: TraderHooks;
  /** The operator has seen why an earlier run halted. */
  readonly clearHalt: boolean;
  readonly watch: (stamped: StampedEvent) => void;
  /** Nothing is said when left out. */
  readonly log?: Logger | undefined;
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

function limitsOfStrategy(
  { definition: { name }, program }: SimStrategy,
  seed: number,
  losses: SeedLosses,
): StrategyLimits {
  const { openOrdersMax, symbolsBeside } = limitsOfSeed(seed);
  if (name === workloadName) return strategyLimits.parse({ openOrdersMax, loss: losses.strategy });
  return strategyLimits.parse({
    openOrdersMax,
    ...(symbolsBeside !== undefined && { symbols: symbolsBeside }),
    ...(program !== undefined && { funds: program.funds }),
  });
}

export const simGateOptions = gateOptions.parse({ queueMax: 1_000 });
/** Public trades kept of each symbol. */
export const tradesMax = 40;

/** Few reads beside what the simulation is about. */
const simClientOptions = clientOptions.parse({ market: { statusMs: 30_000, history: 1, crossedMs: 2_000 } });

const addresses = { baseUrl: 'http://127.0.0.1:7', wsUrl: 'ws://127.0.0.1:7' };

/** One process: the trader with the live venue, wired as the daemon wires it, on simulated ends. */
export class SimTrader {
  readonly trader: Trader;
  readonly #venue: LiveVenue;
  readonly #begin: () => void;
  readonly #inputs: RunInputs;
  readonly #plan: (strategy: SimStrategy, params: SimStrategy['params']) => StrategyPlan;
  readonly #options: OrderOptions;
  readonly #losses: SeedLosses;
  readonly #seed: number;
  readonly #strategies: readonly SimStrategy[];

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
    const seedLimits = limitsOfSeed(seed);
    const { exposureMax } = seedLimits;
    const own = {
      ...simOrderOptions,
      limits: Object.fromEntries(
        traded.map(([symbol, limit]) => [
          symbol,
          {
            ...limit,
            quantityMax: seedLimits.quantityMax?.[symbol] ?? limit.quantityMax,
            notionalMax: seedLimits.notionalMax ?? limit.notionalMax,
          },
        ]),
      ),
      unknownOrdersMax: parts.unknownOrdersMax,
      loss: parts.losses.account,
      openOrdersAccountMax: seedLimits.openOrdersAccountMax,
      replaceMsMin: seedLimits.replaceMsMin,
      marketOrders: seedLimits.marketOrders,
      margin: {
        ...simOrderOptions.margin,
        ...(seedLimits.leverageMax !== undefined && { leverageMax: String(seedLimits.leverageMax) }),
      },
      exposureMax: exposureMax === undefined ? {} : { USDT: String(exposureMax) },
      // Every other seed has a halt cancel all orders of a symbol at once.
      cancelTogether: { ...simOrderOptions.cancelTogether, from: seed % 2 === 0 ? 2 : 50 },
    };
    const options = hooks.options?.(own) ?? own;
    this.#options = options;
    this.#losses = parts.losses;
    this.#seed = seed;
    this.#strategies = strategies;
    const live = new LiveVenue({
      ...addresses,
      api: parts.api,
      clock,
      instruments,
      budgets,
      log: parts.log ?? silentLogger,
      random: new Random(`trader/${seed}/${run}`),
      options: hooks.client?.(simClientOptions) ?? simClientOptions,
      subscriptions: subscriptionsOf(
        strategies.flatMap(({ definition, params }) => readFeeds(definition, readParams(definition, params))),
        instruments,
      ),
      products: () =>
        followedProducts(
          strategies.map(({ definition, params }) => ({
            products: definition.products(readParams(definition, params)),
          })),
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
    this.#inputs = inputs;
    this.#plan = (strategy, params) => ({
      name: strategy.definition.name,
      tag: strategy.tag,
      limits: limitsOfStrategy(strategy, seed, parts.losses),
      open: ({ state, publish, fundsOf }) => {
        const { definition, tag, program } = strategy;
        if (program !== undefined) {
          const { name } = definition;
          const host = new ProgramHost({
            name,
            tag,
            feeds: readFeeds(definition, {}),
            products: ['spot'],
            state,
            funds: (currency) => fundsOf(name, currency),
            clock,
            publish: inputs.voice(publish),
            idPrefix: options.idPrefix,
            run,
          });
          program.opened(host);
          return host;
        }
        return new ThreadHost({
          definition,
          params,
          state,
          clock: turns,
          publish,
          seed: `${seed}/${run}`,
          idPrefix: options.idPrefix,
          run,
          tag,
        });
      },
    });
    const journal = inputs.journal(parts.journal);
    const history = hooks.history?.(parts.history) ?? parts.history;
    this.trader = new Trader({
      instruments,
      clock: turns,
      capabilities: hitbtc.capabilities,
      venue: hooks.venue?.(marketData) ?? marketData,
      journal: hooks.journal?.(journal) ?? journal,
      budgets: hooks.budgets?.(budgets) ?? budgets,
      log: parts.log ?? silentLogger,
      run,
      history,
      strategies: strategies.map((strategy) => this.#plan(strategy, strategy.params)),
      orderOptions: options,
      gateOptions: simGateOptions,
      stateOptions: { ...stateDefaults, tradesMax, carryEvery: parts.carryEvery },
    });
    this.trader.watch(parts.watch);
    this.#begin = () =>
      inputs.enter({ mark: 'halt', why: '' }, () => this.trader.start('sim', parts.clearHalt));
  }

  /** The operator acts. `params`: what a strategy begins anew with. */
  act(act: OperatorAct, params?: SimStrategy['params']): void {
    const name = 'strategy' in act ? act.strategy : undefined;
    const strategy = this.#strategies.find(({ definition }) => definition.name === name);
    const plan = strategy && params && this.#plan(strategy, params);
    this.#inputs.enter({ mark: 'act', act, who: 'operator', why: '' }, () =>
      this.trader.act(act, 'operator', '', plan),
    );
  }

  /** The limits of this run as JSON, with these in their place. */
  limitsWith(changed: Pick<OrderOptions, 'messagesPerSecondMax' | 'openOrdersSymbolMax'>): string {
    const strategies = this.#strategies.map((strategy) => ({
      name: strategy.definition.name,
      limits: limitsOfStrategy(strategy, this.#seed, this.#losses),
    }));
    return JSON.stringify(limitsAmong({ ...this.#options, ...changed }, strategies));
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

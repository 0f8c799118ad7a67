import type { Clock } from '../../src/core/base/clock.ts';
import { micros } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { Random } from '../../src/core/base/random.ts';
import { TurnClock } from '../../src/core/base/turn-clock.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { MarketTap } from '../../src/app/live/market-tap.ts';
import { paperVenue } from '../../src/app/live/paper-venue.ts';
import { RunInputs } from '../../src/app/live/run-inputs.ts';
import { gateOptions } from '../../src/core/gate/options.ts';
import { MemoryJournal } from '../../src/core/journal/records/run-digest.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import { strategyLimits } from '../../src/core/orders/base/options.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import type { StrategyDefinition } from '../../src/core/strategy/define.ts';
import { readFeeds, readParams } from '../../src/core/strategy/params.ts';
import { ThreadHost } from '../../src/core/strategy/thread-host.ts';
import { knownMarket } from '../../src/core/trader/index.ts';
import { Trader } from '../../src/core/trader/trader.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../src/venues/hitbtc/budgets/options.ts';
import { hitbtc } from '../../src/venues/hitbtc/venue.ts';
import { simOrderOptions } from './sim-trader.ts';

export interface SimShadowParts {
  /** Of the process that it runs in; its timers die with that. */
  readonly clock: Clock;
  readonly live: Trader;
  readonly instruments: Instruments;
  readonly definition: StrategyDefinition;
  readonly seed: number;
  /** Events of the market wait for it that the live run left: it falls behind. */
  readonly onBehind: () => void;
}

const waitingMax = 10_000;

/** A shadow beside the live strategies: a trader of its own on the market of the live one and on the simulated venue, as in the daemon. */
export class SimShadow {
  readonly #parts: SimShadowParts;
  /** Begins once the live run has compared its account. */
  trader: Trader | undefined;

  constructor(parts: SimShadowParts) {
    this.#parts = parts;
    const { live, clock } = parts;
    const unwatch = live.watch(() => {
      if (!live.started) return;
      unwatch();
      clock.after(micros(0), () => this.#begin());
    });
  }

  #begin(): void {
    const { clock, live, instruments, definition, seed, onBehind } = this.#parts;
    const turns = new TurnClock(clock);
    const inputs = new RunInputs({ real: clock, turns, record: undefined });
    const feeds = readFeeds(definition, readParams(definition, {}));
    const known = knownMarket(live.view, feeds, clock.now());
    const tap = new MarketTap({ trader: live, clock, waitingMax, onBehind }, known);
    const balances = { USDT: '100000', BTC: '2', ETH: '40' };
    const run = 'shadow';
    const venue = paperVenue({
      config: configSchema.parse({ backtest: { balances } }),
      random: new Random(`shadow/${seed}`),
      turns,
      marketData: { events: inputs.events(tap.events), close: () => Promise.resolve() },
      instruments,
      loaded: [],
      history: [],
      open: () => this.trader?.view.openOrders() ?? [],
    });
    const tag = 'shad';
    const trader = new Trader({
      instruments,
      clock: turns,
      capabilities: hitbtc.capabilities,
      venue,
      journal: new MemoryJournal(),
      budgets: new ApiBudgets(budgetOptions.parse({}), turns),
      log: silentLogger,
      run,
      history: [],
      strategies: [
        {
          name: definition.name,
          tag,
          limits: strategyLimits.parse({}),
          open: ({ state, publish }) =>
            new ThreadHost({
              definition,
              params: {},
              state,
              clock: turns,
              publish,
              seed: `shadow/${seed}`,
              idPrefix: simOrderOptions.idPrefix,
              run,
              tag,
            }),
        },
      ],
      orderOptions: { ...simOrderOptions, limits: {} },
      gateOptions: gateOptions.parse({}),
      stateOptions: stateDefaults,
    });
    this.trader = trader;
    inputs.enter({ mark: 'halt', why: '' }, () => trader.start('paper'));
  }
}

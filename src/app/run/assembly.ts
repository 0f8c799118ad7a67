import type { Clock } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { nearest } from '../../core/base/nearest.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Logger } from '../../core/base/logger.ts';
import { silentLogger } from '../../core/base/logger.ts';
import type { VenueBudgets, VenueModule } from '../../venues/index.ts';
import { loadVenue, withVenueWindows } from '../venue/load.ts';
import type { Config } from '../config/schema.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Journal } from '../../core/journal/index.ts';
import { MemoryJournal } from '../../core/journal/index.ts';
import type { Event, MarketData, StrategyStopped } from '../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import { isDeniedExit } from '../../core/orders/controls/index.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { SummaryDeps } from '../../research/report/fold/index.ts';
import { Summary } from '../../research/report/fold/index.ts';
import type { TraderDeps } from '../../core/trader/index.ts';
import { Trader } from '../../core/trader/index.ts';
import { checkFeeCurrencies } from './fee-currencies.ts';
import { runId } from './id.ts';
import type { LoadedStrategy } from './strategy-plans.ts';
import { loadStrategies } from './load-strategies.ts';

export interface TraderSetting {
  /** Its limits, budgets and options of orders, gate and state. */
  readonly config: Pick<Config, 'budgets' | 'orders' | 'gate' | 'state'>;
  /** The venue whose budgets and capabilities count. */
  readonly module: VenueModule;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly journal: Journal;
  readonly run: string;
  readonly loaded: readonly LoadedStrategy[];
  /** Those of the venue's client, which it shares; new ones when left out. */
  readonly budgets?: VenueBudgets | undefined;
  /** None when left out. */
  readonly log?: Logger | undefined;
  /** Records of earlier runs in the journal; nothing when left out. */
  readonly history?: readonly StampedEvent[] | undefined;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live?: TraderDeps['live'];
}

/** The trader of every run: live, paper, replay and backtest differ in venue, clock, journal and history. */
export function openTrader(setting: TraderSetting): Trader {
  const { config, module, instruments, clock, venue, journal, run, loaded, live } = setting;
  return new Trader({
    instruments,
    clock,
    venue,
    journal,
    budgets: setting.budgets ?? module.budgets(config.budgets, clock),
    capabilities: module.capabilities,
    log: setting.log ?? silentLogger,
    run,
    history: setting.history ?? [],
    strategies: loaded.map((one) => one.plan),
    orderOptions: withVenueWindows(config, module.capabilities).orders,
    live,
    gateOptions: config.gate,
    stateOptions: withAskedCandles(config.state, loaded),
  });
}

export interface AssemblySetting<OneVenue extends Venue> {
  readonly config: Config;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** History that the run goes on from; nothing when left out. */
  readonly history?: readonly StampedEvent[] | undefined;
  /** The clock of strategies' timers, when it is another. */
  readonly strategyClock?: Clock | undefined;
  /** Opens the venue once it is known what the strategies trade. `summary` answers once the run is assembled. */
  readonly openVenue: (loaded: readonly LoadedStrategy[], summary: () => Summary | undefined) => OneVenue;
  /** How the summary values positions and what it collects; without it the run has none, and is faster. */
  readonly summary?:
    | ((
        trader: Trader,
        venue: OneVenue,
      ) => Omit<SummaryDeps, 'instruments' | 'waited' | 'declared' | 'figures' | 'entries'> &
        Partial<Pick<SummaryDeps, 'instruments'>>)
    | undefined;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live?: TraderDeps['live'];
  /** Shows every event that the journal keeps whole, inside the step: it must not throw. */
  readonly kept?: ((event: Event) => void) | undefined;
  /** Shows market data, after it was recorded. */
  readonly watchMarketData?: ((data: MarketData) => void) | undefined;
  /** Shows every other event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
}

/** Everything a backtest is made of besides its data. */
export interface Assembly<OneVenue extends Venue> {
  readonly trader: Trader;
  readonly venue: OneVenue;
  readonly journal: MemoryJournal;
  readonly summary: Summary | undefined;
  readonly loaded: readonly LoadedStrategy[];
  /** Why strategies were stopped by a fault, each with the event in which it happened. */
  readonly faults: readonly string[];
}

/** Joins strategies, venue, trader and summary: the same trader as live, on a given clock. */
export async function assemble<OneVenue extends Venue>(
  setting: AssemblySetting<OneVenue>,
): Promise<Assembly<OneVenue>> {
  const { config, instruments, clock, live, kept, history } = setting;
  const run = runId(clock);
  checkBenchmark(config.report.benchmark, instruments);
  const loaded = await loadStrategies(config.strategies, {
    clock: setting.strategyClock ?? clock,
    run,
    instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    host: 'thread',
  });
  checkFeeCurrencies(instruments, loaded);
  const faults: string[] = [];
  const journal = new MemoryJournal({
    kept: (event, sequence) => {
      kept?.(event);
      if (event.kind === 'strategyStopped' && event.why !== 'unloaded')
        faults.push(faultText(event, sequence, trader));
    },
  });
  const venue = setting.openVenue(loaded, () => summary);
  const module = await loadVenue(config.venue);
  const trader = openTrader({
    config,
    module,
    instruments,
    clock,
    venue,
    journal,
    run,
    loaded,
    live,
    history,
  });
  const summary =
    setting.summary &&
    new Summary({
      instruments: trader.instruments,
      waited: () => trader.waiting.waited,
      declared: declaredBy(trader),
      figures: config.report,
      entries: (event) => trader.view.entriesOf(event),
      isDeniedExit: (event) => isDeniedExit(event, trader.view),
      ...setting.summary(trader, venue),
    });
  watchRun(trader, setting, summary);
  return { trader, venue, journal, summary, loaded, faults };
}

/** Candles that a strategy asks for are built from trades where the feed has none that make them. */
function withAskedCandles(state: Config['state'], loaded: readonly LoadedStrategy[]): Config['state'] {
  const asked = loaded.flatMap(({ feeds }) => feeds.flatMap(({ candles = [] }) => candles));
  return { ...state, candlePeriods: [...new Set([...state.candlePeriods, ...asked])] };
}

/** Throws `ConfigError` when the run is to be compared with a symbol that the data lack. */
function checkBenchmark(benchmark: string | undefined, instruments: Instruments): void {
  if (benchmark === undefined || instruments.find(benchmark) !== undefined) return;
  const known = instruments.all.map(({ symbol }) => symbol);
  const near = nearest(benchmark, known);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new ConfigError(
    `report.benchmark: expected a symbol of the data (${known.slice(0, 12).join(', ')}), found ${benchmark}${hint}`,
  );
}

function watchRun<OneVenue extends Venue>(
  trader: Trader,
  { watch, watchMarketData }: AssemblySetting<OneVenue>,
  summary: Summary | undefined,
): void {
  if (summary === undefined && watch === undefined && watchMarketData === undefined) return;
  trader.watchLanes(
    (data) => {
      summary?.observeMarketData(data);
      watchMarketData?.(data);
    },
    ({ event }) => {
      summary?.observe(event);
      watch?.(event);
    },
  );
}

/** Which strategy was stopped, at which event of the run, and why. `sequence`: that of the stop itself. */
function faultText(stop: StrategyStopped, sequence: number, trader: Trader): string {
  const { strategy, why } = stop;
  // A strategy that a rule of ours stops was handling no event.
  const at = trader.stoppedAt(strategy) ?? { sequence, event: stop };
  const time = timeText(at.event.receiveTime);
  return `strategy ${strategy} was stopped: at event ${at.sequence} (${at.event.kind}, ${time}): ${why}`;
}

/** Instruments that each strategy declared first. */
export function declaredBy(trader: Trader): readonly InstrumentId[] {
  const symbols = trader.hosts.flatMap(({ feeds }) => feeds.slice(0, 1).map(({ symbol }) => symbol));
  return [...new Set(symbols)].map((symbol) => trader.instruments.get(symbol).id);
}

/** Title of a report: strategies, and what they traded. */
export function titleOf(names: readonly string[], summary: Summary): string {
  const markets = summary.markets().map(({ symbol }) => symbol);
  const title = [names.join(', '), markets.join(', ')].filter((part) => part !== '').join(' on ');
  return summary.holdings().length > 0 ? title : `${title}, no fills`;
}

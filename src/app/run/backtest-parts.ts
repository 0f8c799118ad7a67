import type { Amount } from '../../core/base/amount.ts';
import type { Clock } from '../../core/base/clock.ts';
import { silentLogger } from '../../core/base/logger.ts';
import { loadVenue } from '../venue/load.ts';
import type { Config } from '../config/schema.ts';
import type { Venue } from '../../core/bus/venue.ts';
import { MemoryJournal } from '../../core/journal/memory.ts';
import type { Event, MarketData } from '../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import { runAtOf } from '../../research/report/second-ends.ts';
import { Summary } from '../../research/report/summary.ts';
import type { TraderParts } from '../../core/trader/parts.ts';
import { Trader } from '../../core/trader/trader.ts';
import { faultText } from './fault-text.ts';
import { runId } from './id.ts';
import type { LoadedStrategy } from './strategy-plans.ts';
import { loadStrategies } from './strategy-plans.ts';

export interface BacktestPartsSetting<OneVenue extends Venue> {
  readonly config: Config;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** The clock of strategies' timers, when it is another. */
  readonly strategyClock?: Clock | undefined;
  /** Opens the venue once it is known what the strategies trade. */
  readonly openVenue: (loaded: readonly LoadedStrategy[]) => OneVenue;
  /** Shows what the market said, after it was recorded. */
  readonly watchMarketData?: ((data: MarketData) => void) | undefined;
  /** Shows every other event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
  /** What the account holds at the start, where its first reading does not tell. */
  readonly opening?: ReadonlyMap<string, Amount> | undefined;
}

/** Everything a backtest is made of besides its data. */
export interface BacktestParts<OneVenue extends Venue> {
  readonly trader: Trader;
  readonly venue: OneVenue;
  readonly journal: MemoryJournal;
  readonly summary: Summary;
  readonly loaded: readonly LoadedStrategy[];
  /** Why strategies were stopped by a fault, each with the event in which it happened. */
  readonly faults: readonly string[];
}

/** Joins strategies, venue, trader and report: the same trader as live, on a given clock. */
export async function backtestParts<OneVenue extends Venue>(
  setting: BacktestPartsSetting<OneVenue>,
): Promise<BacktestParts<OneVenue>> {
  const { config, instruments, clock } = setting;
  const run = runId(clock);
  const loaded = await loadStrategies(config.strategies, {
    clock: setting.strategyClock ?? clock,
    run,
    instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    host: 'thread',
  });
  const venue = setting.openVenue(loaded);
  const journal = new MemoryJournal();
  const trader = await backtestTrader({ config, instruments, clock, venue, journal, run, loaded });
  const summary = new Summary({
    instruments: trader.instruments,
    book: (id) => trader.view.book(id),
    details: setting.details,
    opening: setting.opening,
    waited: () => trader.waiting.waited,
    declared: declaredBy(trader),
    at: runAtOf(clock),
  });
  const faults: string[] = [];
  const { watch, watchMarketData } = setting;
  trader.watchLanes(
    (data) => {
      summary.observeMarketData(data);
      watchMarketData?.(data);
    },
    ({ event, sequence }) => {
      summary.observe(event);
      if (event.kind === 'strategyStopped' && event.why !== 'unloaded')
        faults.push(faultText(event, sequence, trader));
      watch?.(event);
    },
  );
  return { trader, venue, journal, summary, loaded, faults };
}

export interface BacktestTraderSetting {
  /** Its limits, budgets and options of orders, gate and state. */
  readonly config: Pick<Config, 'venue' | 'budgets' | 'orders' | 'gate' | 'state'>;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly journal: MemoryJournal;
  readonly run: string;
  readonly loaded: readonly LoadedStrategy[];
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live?: TraderParts['live'];
}

/** The trader as live, without a log and without a past. */
export async function backtestTrader(setting: BacktestTraderSetting): Promise<Trader> {
  const { config, instruments, clock, venue, journal, run, loaded, live } = setting;
  const module = await loadVenue(config.venue);
  return new Trader({
    instruments,
    clock,
    venue,
    journal,
    budgets: module.budgets(config.budgets, clock),
    capabilities: module.capabilities,
    log: silentLogger,
    run,
    history: [],
    strategies: loaded.map((one) => one.plan),
    orderOptions: config.orders,
    live,
    gateOptions: config.gate,
    stateOptions: config.state,
  });
}

/** What each strategy declared first. */
export function declaredBy(trader: Trader): readonly InstrumentId[] {
  const symbols = trader.hosts.flatMap(({ feeds }) => feeds.slice(0, 1).map(({ symbol }) => symbol));
  return [...new Set(symbols)].map((symbol) => trader.instruments.get(symbol).id);
}

/** What a report is called: strategies, and what they traded. */
export function titleOf(names: readonly string[], summary: Summary): string {
  const markets = summary.markets().map(({ symbol }) => symbol);
  const title = [names.join(', '), markets.join(', ')].filter((part) => part !== '').join(' on ');
  return summary.ledgers().length > 0 ? title : `${title}, no fills`;
}

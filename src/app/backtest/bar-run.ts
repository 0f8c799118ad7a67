import type { Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import { MemoryJournal } from '../../core/journal/memory.ts';
import type { CandlesChanged, Event } from '../../core/model/event.ts';
import type { Instruments, Lots } from '../../core/model/instrument.ts';
import { LiveDenials } from '../../core/orders/live-denials.ts';
import type { OrderCounts } from '../../research/report/order-tally.ts';
import { OrderTally } from '../../research/report/order-tally.ts';
import type { StatisticsOptions, Statistics } from '../../research/statistics/statistics.ts';
import { statisticsOf } from '../../research/statistics/statistics.ts';
import type { Summary } from '../../research/report/summary.ts';
import type { BarRules } from '../../sim/bars/rules.ts';
import type { AccountFigures } from '../../sim/bars/account.ts';
import type { BarUpkeep } from '../../sim/bars/upkeep.ts';
import { BarVenue } from '../../sim/bars/venue.ts';
import { backtestTrader, declaredBy } from '../run/backtest-parts.ts';
import { BarBooks } from './bar-books.ts';
import { barOrderOptions, liveOrderOptions } from './bar-controls.ts';
import { liveNotes, upkeepNotes } from './bar-notes.ts';
import { barSummary, slipRounding } from './bar-summary.ts';
import { beginBars, driveBars, endedEarly } from './drive-bars.ts';
import { faultText } from '../run/fault-text.ts';
import { amountsOf, balancesOf } from '../run/opening-balances.ts';
import { runId } from '../run/id.ts';
import { withStrays } from '../run/strays.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { loadStrategies } from '../run/strategy-plans.ts';

/** How to make statistics of a bar run. */
export interface BarStatisticsOptions extends StatisticsOptions {
  /** From which bar on holding is measured; 0 when left out. */
  readonly holdFrom?: number;
}

export interface BarRunSetting {
  /** Strategies, seed, and the sections orders, gate, budgets and state. */
  readonly config: Config;
  readonly instruments: Instruments;
  /** Bars or trades in the order of time, such as `Recording.events()` of bars; other events are passed over. */
  readonly events: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>;
  /** Bars that had closed by the time when the first of `events` begins: told then, before strategies start. */
  readonly history?: ((time: Micros) => readonly CandlesChanged[]) | undefined;
  readonly rules: BarRules;
  /** What the account starts with, by currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  readonly onProgress?: ((bars: number, time: Micros) => void) | undefined;
  readonly statistics?: BarStatisticsOptions | undefined;
  /** Also collects what a full report shows, and hands it over when the run has ended. */
  readonly details?: ((summary: Summary) => void) | undefined;
}

export interface BarRunResult {
  /** Chain hash over everything that happened: same data, rules, configuration, seed and code, same digest. */
  readonly digest: string;
  /** When the first bar began, or the first trade happened. */
  readonly start: Micros;
  readonly bars: number;
  readonly orders: OrderCounts;
  readonly denials: readonly { readonly code: string; readonly count: number }[];
  /** What live trading with the same settings would have denied of them. */
  readonly live: LiveDenials;
  /** Why the data ended early, and why strategies were stopped before the end, each with the event in which it happened. */
  readonly problems: readonly string[];
  /** By quote currency, in order of the instruments. */
  readonly accounts: readonly AccountFigures[];
  /** Signed lots at the end, by symbol. */
  readonly positions: ReadonlyMap<string, string>;
  readonly books: BarBooks;
  /** Liquidations and funding, where the rules ask for them. */
  readonly upkeep: BarUpkeep;
  readonly statistics: Statistics;
  readonly strategies: readonly LoadedStrategy[];
}

/** Virtual time for the last cancels and reports after the data has ended. */
const epilogue = seconds(5);

/** Runs strategies on bars or trades alone: the same trader as live, a virtual clock, and the bar venue. */
export async function runBars(setting: BarRunSetting): Promise<BarRunResult> {
  return await withStrays(
    async () => await runThrough(setting),
    (result, strays) => ({ ...result, problems: [...result.problems, ...strays] }),
  );
}

async function runThrough(setting: BarRunSetting): Promise<BarRunResult> {
  const batches = await beginBars(setting.events);
  const clock = new VirtualClock(batches.start);
  const tally = new OrderTally();
  const stopped: string[] = [];
  const journal = new MemoryJournal({
    kept: (event, sequence) => {
      tally.observe(event);
      if (event.kind === 'strategyStopped') stopped.push(faultText(event, sequence, trader));
    },
  });
  const { trader, venue, books, summary, loaded, live } = await assemble(setting, clock, journal);
  if (summary !== undefined || setting.watch !== undefined) {
    trader.watch(({ event }) => {
      summary?.observe(event);
      setting.watch?.(event);
    });
  }
  trader.start('backtest');
  for (const event of setting.history?.(batches.start) ?? []) venue.remember(event);
  // The reads that compare the account come back before the first bar.
  clock.drain(clock.now());
  const cut = await driveBars(batches.all, venue, () => setting.onProgress?.(books.bars, clock.now()));
  // Nothing has happened yet: the data does not fit the scenario, and there is nothing to keep.
  if (cut !== undefined && books.bars === 0) throw cut;
  const problems = cut === undefined ? stopped.slice() : [endedEarly(cut, clock.now()), ...stopped];
  trader.stop('the data ended');
  clock.drain(later(clock.now(), epilogue));
  await trader.close();
  books.end(clock.now());
  summary?.finish();
  summary?.remarks.push(...upkeepNotes(venue.upkeep), ...liveNotes(live));
  if (summary !== undefined) setting.details?.(summary);
  const { instruments, statistics } = setting;
  return {
    digest: journal.digest(),
    start: batches.start,
    bars: books.bars,
    orders: tally.counts(),
    denials: [...tally.denials].map(([code, count]) => ({ code, count })),
    live,
    problems,
    accounts: quoteCurrencies(instruments).map((currency) => venue.account.figures(currency)),
    positions: new Map(
      instruments.all.map((one) => [one.symbol, one.quantityText(venue.account.position(one) as Lots)]),
    ),
    books,
    upkeep: venue.upkeep,
    statistics: statisticsOf({ ...books.series(), holdFrom: statistics?.holdFrom }, statistics),
    strategies: loaded,
  };
}

async function assemble(setting: BarRunSetting, clock: VirtualClock, journal: MemoryJournal) {
  const { config, instruments, rules, balances } = setting;
  const run = runId(clock);
  // A quote of one level a side comes whole with every price: a ring would be wiped from end to end each time.
  const stateOptions = { ...config.state, ladder: 'sorted' } as const;
  const loaded = await loadStrategies(config.strategies, {
    clock,
    run,
    instruments,
    stateOptions,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    host: 'thread',
  });
  const books = new BarBooks();
  const venue = new BarVenue({
    clock,
    instruments,
    rules,
    balances: balancesOf(balances),
    executed: (fill) => {
      books.executed(fill);
      const { quoteCurrency } = fill.instrument.spec;
      const market = venue.account.price(fill.instrument);
      summary?.details?.roundOff(quoteCurrency, slipRounding(fill, market, rules.slippage));
    },
    funded: (instrument, amount) => summary?.fund(instrument, amount),
    sampled: (time) => {
      books.sample(time);
      summary?.sample(time);
    },
  });
  books.follow(instruments, venue.account);
  const live = new LiveDenials(liveOrderOptions(config.orders, rules));
  const trader = await backtestTrader({
    live,
    config: { ...config, orders: barOrderOptions(config.orders), state: stateOptions },
    instruments,
    clock,
    venue,
    journal,
    run,
    loaded,
  });
  const summary =
    setting.details === undefined
      ? undefined
      : barSummary({
          instruments,
          account: venue.account,
          waited: () => trader.waiting.waited,
          opening: amountsOf(balances),
          declared: declaredBy(trader),
        });
  return { trader, venue, books, summary, loaded, live };
}

function quoteCurrencies(instruments: Instruments): readonly string[] {
  return [...new Set(instruments.all.map(({ spec }) => spec.quoteCurrency))];
}

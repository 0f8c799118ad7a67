import { zero } from '../../core/base/amount.ts';
import type { Cancel, Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import { runReport } from '../../research/report/run.ts';
import { FillLog } from '../../research/scenario/fill-log.ts';
import { LateClock } from '../../research/checks/late-clock.ts';
import type { ScenarioData } from '../../research/scenario/recording.ts';
import { feedSetupOf, notesOfData, openScenarioData } from '../../research/scenario/recording.ts';
import { checkTerms, fundingNotes, idleMax, idleNotes } from '../../research/scenario/terms.ts';
import { engineOf } from '../../research/scenario/engine.ts';
import { scenarioWays } from '../../research/scenario/ways.ts';
import type { SampleValue } from '../../research/scenario/sampler.ts';
import { Sampler } from '../../research/scenario/sampler.ts';
import type { Span } from '../../research/scenario/split.ts';
import type { TickFeed } from '../../research/scenario/tick-feed.ts';
import { openTickFeed } from '../../research/scenario/tick-feed.ts';
import type { Funded } from '../../sim/funding-rules.ts';
import { LiquidationLog } from '../../sim/liquidation-log.ts';
import type { OpenEngine } from '../../sim/engine.ts';
import { SimVenue } from '../../sim/venue.ts';
import type { BacktestParts } from '../run/backtest-parts.ts';
import { backtestParts } from '../run/backtest-parts.ts';
import { fundingPaid, paidNotes } from '../run/funding-notes.ts';
import { liquidationNotes, liquidationsJson } from '../run/liquidation-notes.ts';
import { amountsOf, balancesOf } from '../run/opening-balances.ts';
import type { OpenRun } from '../run/open.ts';
import { runThrough } from '../run/open.ts';
import { scenarioConfig, scenarioIdentity } from '../run/scenario-config.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { untoldOf } from '../run/untold.ts';

/** Virtual time for the last cancels and reports after the clock has ended. */
const epilogue = seconds(5);
const rowsMax = 5_000_000;

/** Runs a scenario on books and trades: the same trader as live, a virtual clock, the fill model it names. */
export async function runTickScenario(run: ScenarioRun): Promise<ScenarioResult> {
  return await runThrough(
    async () => await openTickScenario(run),
    (result, strays) => ({ ...result, complete: false, problems: [...result.problems, ...strays] }),
  );
}

/** The run up to the first fact: its market built, its strategies started. */
export async function openTickScenario(run: ScenarioRun): Promise<OpenRun<ScenarioResult>> {
  const { loaded, home } = run;
  const { scenario } = loaded;
  const config = scenarioConfig(loaded, home);
  const liquidations = new LiquidationLog();
  const funded: Funded = (instrument, amount) => parts.summary.fund(instrument, amount, clock.now());
  const openEngine = engineOf(loaded, { funded, liquidations });
  const data = run.data ?? (await openScenarioData(loaded));
  const feed = data.feed ?? (await openTickFeed(feedSetupOf(loaded, data, config.state.candlesMax)));
  checkTerms(loaded, data.recording.instruments, feed);
  const clock = new VirtualClock(feed.start);
  const late = new LateClock(clock);
  const log = new FillLog(data.recording.instruments);
  const parts = await backtestParts({
    config,
    instruments: data.recording.instruments,
    clock,
    strategyClock: late,
    openVenue: () => openVenue({ run, config, data, clock, openEngine }),
    watch: (event) => {
      for (const heard of [log, sampler]) heard?.observe(event);
      run.watch?.(event);
    },
    watchMarketData: (marketEvent) => {
      sampler?.observeMarketData(marketEvent);
      run.watch?.(marketEvent);
    },
    details: run.details !== undefined,
    opening: amountsOf(scenario.balances),
  });
  const sampler = samplerOf(run, { data, config, parts, start: feed.start });
  const rows: (readonly SampleValue[])[] = [];
  prelude(parts, clock, feed);
  const stopSampling = sample({ run, late, sampler, rows });
  let cut: string | undefined;
  return {
    drive: async () => {
      cut = await drive(run, parts.venue, clock, feed);
    },
    finish: async () => {
      stopSampling();
      const idle = idleNotes(cut === undefined ? scenario.clock.end : undefined, clock.now());
      if (scenario.sample?.last === true) rows.push(...(sampler?.lastRow(clock.now()) ?? []));
      parts.summary.end();
      parts.trader.stop('the clock of the scenario ended');
      clock.drain(later(clock.now(), epilogue));
      await parts.trader.close();
      const remarks = remarksOf(parts, loaded, { from: feed.start, to: clock.now() });
      parts.summary.remarks.push(...remarks, ...liquidationNotes(liquidations));
      parts.summary.finish();
      for (const tell of [run.details, run.summed]) tell?.(parts.summary);
      const digest = parts.journal.digest();
      const identity = scenarioIdentity({ loaded, config, data, strategies: parts.loaded, digest });
      const problems = cut === undefined ? parts.faults : [cut, ...parts.faults];
      return {
        name: scenario.name,
        identity,
        complete: problems.length === 0,
        problems,
        notes: [...notesOfData(data.recording, scenario), ...notesOf(log, rows.length), ...idle],
        columns: sampler?.names ?? [],
        rows,
        fills: log.fills,
        orders: log.orders,
        report: runReport(parts.summary, { identity }),
        liquidations: scenario.instrument?.liquidation && liquidationsJson(liquidations),
      };
    },
  };
}

/** What a reader must know of the run besides its figures. */
function remarksOf(
  { summary, trader, loaded: strategies }: BacktestParts<SimVenue>,
  loaded: ScenarioRun['loaded'],
  { from, to }: Span,
): readonly string[] {
  const ledgers = summary.ledgers();
  const funding = [...fundingNotes(loaded, from, to), ...paidNotes(fundingPaid(ledgers))];
  return [...untoldOf(strategies, summary, trader.view), ...(ledgers.length === 0 ? [] : funding)];
}

function openVenue(setup: {
  readonly run: ScenarioRun;
  readonly config: Config;
  readonly data: ScenarioData;
  readonly clock: VirtualClock;
  readonly openEngine: OpenEngine;
}): SimVenue {
  const { run, config, data, clock, openEngine } = setup;
  const { scenario } = run.loaded;
  const random = new Random(config.run.seed).fork('sim');
  return new SimVenue({
    clock,
    instruments: data.recording.instruments,
    options: config.sim,
    random,
    ...scenarioWays(run.loaded, random.fork('latency')),
    openEngine,
    orders: data.recording.orders,
    outages: scenario.outages,
    balances: balancesOf(scenario.balances),
  });
}

function notesOf(log: FillLog, rows: number): readonly string[] {
  const left = log.left > 0 ? [`${log.left} orders and fills are not listed`] : [];
  const full = rows >= rowsMax ? [`samples end with the ${rowsMax}th: more are not kept`] : [];
  return [...left, ...full];
}

/** The account is compared with the venue before the clock starts, and strategies start with it, on a built market. */
function prelude({ trader, venue }: BacktestParts<SimVenue>, clock: VirtualClock, feed: TickFeed): void {
  venue.prelude = true;
  trader.start('backtest');
  for (const event of feed.opening) venue.accept(event);
  clock.advanceTo(feed.start);
  venue.prelude = false;
}

/** Each fact meets the market at its exchange time; what is due before happens first, what is due then behind it. */
async function drive(
  { loaded, onProgress }: ScenarioRun,
  venue: SimVenue,
  clock: VirtualClock,
  feed: TickFeed,
): Promise<string | undefined> {
  const end = loaded.scenario.clock.end ?? Number.POSITIVE_INFINITY;
  let last: number = feed.start;
  try {
    for await (const { events, orders } of feed.marketData) {
      for (let i = 0; i < events.length; i++) {
        const event = events[i] as (typeof events)[number];
        if (event.exchangeTime > end) {
          clock.advanceTo(end as Micros);
          return undefined;
        }
        clock.advanceTo((event.exchangeTime - 1) as Micros);
        venue.accept(event, orders[i]);
        if (event.receiveTime > last) last = event.receiveTime;
      }
      onProgress?.(clock.now());
    }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    clock.advanceTo(Math.min(last, end) as Micros);
    return `the data ended early: ${error.message}`;
  }
  clock.advanceTo((end - last <= idleMax ? end : last) as Micros);
  return undefined;
}

interface Sampled {
  readonly data: ScenarioData;
  readonly config: Config;
  readonly parts: BacktestParts<SimVenue>;
  readonly start: Micros;
}

function samplerOf({ loaded }: ScenarioRun, { data, config, parts, start }: Sampled): Sampler | undefined {
  const { sample: wanted, instrument } = loaded.scenario;
  if (wanted === undefined) return undefined;
  const { trader } = parts;
  const symbol = instrument?.symbol ?? parts.loaded[0]?.feeds[0]?.symbol;
  if (symbol === undefined)
    throw new ConfigError(
      `${loaded.file}: sample: expected an instrument, or a strategy that listens to one`,
    );
  return new Sampler({
    columns: wanted.columns,
    view: trader.view,
    instrument: data.recording.instruments.get(symbol),
    strategy: config.strategies[0]?.name ?? '',
    funding: (id) => parts.summary.ledger(id)?.funding ?? zero,
    start,
  });
}

interface Sampling {
  readonly run: ScenarioRun;
  readonly late: LateClock;
  readonly sampler: Sampler | undefined;
  readonly rows: (readonly SampleValue[])[];
}

/** One row at each step of the clock, the first one step after its start. */
function sample({ run, late, sampler, rows }: Sampling): Cancel {
  const every = run.loaded.scenario.sample?.every;
  if (sampler === undefined || every === undefined) return () => {};
  let cancel: Cancel = () => {};
  const step = (): void => {
    cancel = late.after(every, step);
    if (rows.length < rowsMax) rows.push(sampler.row(late.now()));
  };
  cancel = late.after(every, step);
  return () => cancel();
}

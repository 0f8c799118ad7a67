import { fail } from '../../core/base/assert.ts';
import type { Micros } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import type { Event, MarketData, MarketEvent } from '../../core/model/event.ts';
import type { Summary } from '../../research/report/fold/index.ts';
import { TickSigns, runAtOf } from '../../research/report/fold/index.ts';
import { runReport } from '../../research/report/sections/run.ts';
import { FillLog } from '../../research/scenario/fill-log.ts';
import { notesOfData } from '../../research/scenario/recording-notes.ts';
import type { ScenarioData, PositionEvents } from '../../research/scenario/index.ts';
import { idleNotes } from '../../research/scenario/terms.ts';
import { scenarioWays } from '../../research/scenario/latency-ways.ts';
import { anywhere, saidInstruments } from '../../research/scenario/sources.ts';
import type { OpenEngine } from '../../sim/index.ts';
import { openShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import { LiquidationLog, SimVenue } from '../../sim/index.ts';
import { openingAccount, fundingRemarks, namedOpening, noSharesOf } from '../run/account.ts';
import { titleOf } from '../run/assembly.ts';
import type { EndedRun, OpenRun } from '../run/drive.ts';
import { openRun } from '../run/drive.ts';
import { loadFillModel } from '../run/fill-module.ts';
import { identityOf } from '../run/identity.ts';
import { liquidationNotes, liquidationsJson } from '../run/position-notes.ts';
import { marginSources } from '../run/margin-setup.ts';
import { missingFeedsOf } from '../run/missing-feeds.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { FedMarket, RunFeed } from './run-feed.ts';
import { openReceivedFeed } from './received-feed.ts';
import type { Samples } from './samples.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';

/**
 * Opens a scenario on books and trades up to the first event: its market is built, its strategies are started. Throws `BadInput` when
 * there is no event, `ConfigError` where terms, data and strategies do not fit.
 */
export async function openTickRun(run: ScenarioRun): Promise<OpenRun<ScenarioResult>> {
  const { loaded, details, exportRows: rows, onProgress } = run;
  const { scenario, config } = loaded;
  const liquidations = new LiquidationLog();
  let summaryOf = (): Summary | undefined => undefined;
  const openEngine = await engineFor(loaded, {
    funded: ({ id }, amount) => summaryOf()?.fund(reported.at(id), amount, feed.clock.now()),
    liquidations,
  });
  const data = await dataOf(run);
  const feed = await feedOf(run, data);
  const { clock, late } = feed;
  const { instruments, orders } = data.recording;
  // Without sources they are one object with those of the state, which costs less.
  const reported = scenario.sources === undefined ? instruments : anywhere(instruments);
  const log = loaded.lists ? new FillLog(instruments) : undefined;
  const samples = await samplesOf(loaded, feed);
  const ticks = new TickSigns(feed.until);
  let market: FedMarket | undefined;
  const open = await openRun<MarketEvent, SimVenue, ScenarioResult>({
    config,
    instruments,
    clock,
    source: feed.source,
    series: loaded,
    strategyClock: late,
    openVenue: (strategies, summary) => {
      summaryOf = summary;
      const random = new Random(config.run.seed).fork('sim');
      return new SimVenue({
        clock,
        instruments,
        options: config.sim,
        random,
        ...scenarioWays(loaded, random.fork('latency')),
        openEngine,
        orders,
        outages: scenario.outages,
        ...openingAccount(loaded, instruments, strategies),
      });
    },
    summary: (trader, venue) => ({
      details,
      rows,
      ticks,
      instruments: reported,
      opening: namedOpening(loaded),
      at: runAtOf(clock),
      book: (id) => trader.view.book(id),
      ...marginSources(venue.margin),
    }),
    ...watchesOf(run, log, samples),
    market: (parts) => {
      samples?.open(parts);
      return (market = feed.market(parts));
    },
    ending: feed.ending,
    onBatch: onProgress && ((time) => onProgress(time, market?.changes)),
    atEnd: samples && ((time) => samples.end(time)),
    result: (ended) => {
      const { changes } = market ?? {};
      return resultOf(loaded, ended, { data, log, samples, liquidations, changes, closed: clock.now() });
    },
  });
  samples?.start();
  return open;
}

/** Fill models and account models are loaded when they are needed: every thread of a sweep pays for what it loads. */
async function engineFor(loaded: ConfiguredScenario, positions: PositionEvents): Promise<OpenEngine> {
  const { scenario } = loaded;
  if (scenario.fills.model === 'shadow' && saidInstruments(scenario).length === 0) return openShadowEngine;
  const { engineOf } = await import('../../research/scenario/engine.ts');
  return engineOf(loaded, positions, await loadFillModel(loaded));
}

async function dataOf({ loaded, data }: ScenarioRun): Promise<ScenarioData> {
  if (data !== undefined) return data;
  const { openScenarioData } = await import('../../research/scenario/recording.ts');
  return await openScenarioData(loaded);
}

async function feedOf({ loaded, watch }: ScenarioRun, data: ScenarioData): Promise<RunFeed> {
  if (loaded.order === 'receipt')
    return await openReceivedFeed(data.recording, {
      start: loaded.scenario.clock.start,
      until: loaded.scenario.clock.end,
      candlesMax: loaded.config.state.candlesMax,
      keepsEvents: watch !== undefined,
    });
  const { openClockedFeed } = await import('./clocked-feed.ts');
  return await openClockedFeed(loaded, data);
}

async function samplesOf(loaded: ConfiguredScenario, feed: RunFeed): Promise<Samples | undefined> {
  if (loaded.scenario.sample === undefined) return undefined;
  const { Samples: SamplesOf } = await import('./samples.ts');
  return new SamplesOf(loaded, feed);
}

interface RunWatches {
  readonly watch: ((event: Event) => void) | undefined;
  readonly watchMarketData: ((data: MarketData) => void) | undefined;
}

function watchesOf(
  { watch }: ScenarioRun,
  log: FillLog | undefined,
  samples: Samples | undefined,
): RunWatches {
  const watchMarketData: RunWatches['watchMarketData'] =
    samples === undefined
      ? watch
      : (data) => {
          samples.observeMarketData(data);
          watch?.(data);
        };
  if (log === undefined && samples === undefined) return { watch, watchMarketData };
  return {
    watchMarketData,
    watch: (event) => {
      log?.observe(event);
      samples?.observe(event);
      watch?.(event);
    },
  };
}

interface Collected {
  readonly data: ScenarioData;
  readonly log: FillLog | undefined;
  readonly samples: Samples | undefined;
  readonly liquidations: LiquidationLog;
  readonly changes: number | undefined;
  /** When everything was closed. */
  readonly closed: Micros;
}

function resultOf(
  loaded: ConfiguredScenario,
  ended: EndedRun<SimVenue>,
  { data, log, samples, liquidations, changes, closed }: Collected,
): ScenarioResult {
  const { scenario, config } = loaded;
  const { recording } = data;
  const { trader, loaded: strategies, start, end, digest, cut, problems } = ended;
  const summary = ended.summary ?? fail('a backtest ended without its summary');
  summary.remarks.push(
    ...missingFeedsOf(strategies, summary, trader.view),
    ...fundingRemarks(loaded, summary.holdings(), { start, closed }),
    ...liquidationNotes(liquidations),
  );
  summary.finish();
  const identity = identityOf({ loaded, recording, strategies, digest });
  const idle = idleNotes(cut === undefined ? scenario.clock.end : undefined, end);
  const left = log !== undefined && log.left > 0 ? [`${log.left} orders and fills are not listed`] : [];
  const names = config.strategies.map(({ name }) => name);
  return {
    name: scenario.name === '' ? titleOf(names, summary) : scenario.name,
    identity,
    complete: problems.length === 0,
    problems,
    notes: [...notesOfData(recording, scenario), ...left, ...(samples?.notes ?? []), ...idle],
    columns: samples?.columns ?? [],
    rows: samples?.rows ?? [],
    fills: log?.fills ?? [],
    orders: log?.orders ?? [],
    report: runReport(summary, { identity, noShares: noSharesOf(loaded) }),
    liquidations: saidInstruments(scenario).some(({ liquidation }) => liquidation !== undefined)
      ? liquidationsJson(liquidations)
      : undefined,
    summary,
    start,
    digest,
    changes,
    cut,
  };
}

import { createHash } from 'node:crypto';
import type { Micros } from '../base/clock.ts';
import { later, seconds } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { Random } from '../base/random.ts';
import { VirtualClock } from '../base/virtual-clock.ts';
import { ApiBudgets } from '../budgets/api-budgets.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import { levelStride } from '../model/level-arena.ts';
import type { RunReport } from '../report/run-report.ts';
import { runReport } from '../report/run-report.ts';
import { Summary } from '../report/summary.ts';
import { SimVenue } from '../sim/sim-venue.ts';
import { Trader } from '../trader/trader.ts';
import { openingBalances } from './opening-balances.ts';
import { runId } from './run-id.ts';
import { loadStrategies } from './strategy-plans.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

export interface BacktestSetting {
  readonly config: Config;
  readonly recording: Recording;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Told now and then how many level changes have passed. */
  readonly onProgress?: ((levelChanges: number, time: Micros) => void) | undefined;
}

export interface BacktestResult {
  readonly report: RunReport;
  /** Chain hash over everything that happened: same recording, configuration, seed and code, same digest. */
  readonly digest: string;
  readonly levelChanges: number;
}

/** Virtual time for the last cancels and reports after the recording has ended. */
const epilogue = seconds(5);

/** Runs the strategies on a recording: the same trader as live, on a virtual clock and the simulated venue. */
export async function runBacktest(setting: BacktestSetting): Promise<BacktestResult> {
  const { config, recording } = setting;
  const batches = recording.events();
  const first = await batches.next();
  const start = first.done === true ? undefined : first.value[0]?.exchangeTime;
  if (start === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const clock = new VirtualClock(start);
  const run = runId(clock);
  const loaded = await loadStrategies(config.strategies, {
    clock,
    run,
    instruments: recording.instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    host: 'thread',
  });
  const venue = new SimVenue({
    clock,
    instruments: recording.instruments,
    options: config.sim,
    random: new Random(config.run.seed).fork('sim'),
    balances: openingBalances(config.backtest.balances, recording.instruments, loaded),
  });
  const journal = new MemoryJournal();
  const trader = new Trader({
    instruments: recording.instruments,
    clock,
    venue,
    journal,
    budgets: new ApiBudgets(config.budgets, clock),
    log: silentLogger,
    run,
    history: [],
    strategies: loaded.map((one) => one.plan),
    orderOptions: config.orders,
    gateOptions: config.gate,
    stateOptions: config.state,
  });
  const summary = new Summary({ instruments: trader.instruments, book: (id) => trader.view.book(id) });
  trader.watch(({ event }) => {
    summary.observe(event);
    setting.watch?.(event);
  });
  trader.start('backtest');
  let levelChanges = drive(clock, venue, first.value);
  for await (const batch of batches) {
    levelChanges += drive(clock, venue, batch);
    setting.onProgress?.(levelChanges, clock.now());
  }
  trader.stop('the recording ended');
  clock.drain(later(clock.now(), epilogue));
  await trader.close();
  summary.finish();
  const digest = journal.digest();
  return {
    report: runReport(summary, { identity: identityOf(setting, loaded, digest) }),
    digest,
    levelChanges,
  };
}

/** Each fact meets the market at its exchange time; whatever is due earlier happens first, at its own time. */
function drive(clock: VirtualClock, venue: SimVenue, events: readonly Event[]): number {
  let changes = 0;
  for (const event of events) {
    clock.advanceTo(event.exchangeTime);
    venue.accept(event as MarketEvent);
    if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot')
      changes += (event.end - event.start) / levelStride;
    else if (event.kind === 'trades') changes += event.trades.length;
  }
  return changes;
}

function identityOf(
  setting: BacktestSetting,
  loaded: readonly LoadedStrategy[],
  digest: string,
): Record<string, string | number> {
  const { config, recording } = setting;
  const { sim } = config;
  return {
    mode: 'backtest',
    data: recording.paths.map((path) => path.split(/[\\/]/).at(-1)).join(' + '),
    'data format': recording.format,
    'data grade': recording.grade,
    seed: config.run.seed,
    configuration: sha256(JSON.stringify({ ...config, run: { seed: config.run.seed } })),
    strategy: loaded.map((one) => `${one.plan.name} ${one.sha256.slice(0, 16)}`).join(', '),
    'fill model': `queue ${sim.queueModel}, recorded market as shadow orders`,
    latency: `entry ${wayText(sim.entryLatency)}, report ${wayText(sim.reportLatency)}`,
    decisions: digest,
  };
}

function wayText({ kind, ...parts }: Config['sim']['entryLatency']): string {
  const shown = Object.entries(parts).map(([name, micros]) => {
    const text = `${micros / 1_000} ms`;
    return name === 'micros' ? text : `${name} ${text}`;
  });
  return `${kind} ${shown.join(' ')}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

import { createHash } from 'node:crypto';
import type { Micros } from '../base/clock.ts';
import { later, seconds } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { Random } from '../base/random.ts';
import { VirtualClock } from '../base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import { levelStride } from '../model/level-arena.ts';
import type { RunReport } from '../report/run-report.ts';
import { runReport } from '../report/run-report.ts';
import type { Summary } from '../report/summary.ts';
import { inOrder } from '../research/tick-feed.ts';
import { SimVenue } from '../sim/sim-venue.ts';
import { backtestParts } from './backtest-parts.ts';
import { openingBalances } from './opening-balances.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

export interface BacktestSetting {
  readonly config: Config;
  readonly recording: Recording;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Told now and then how many level changes have passed. */
  readonly onProgress?: ((levelChanges: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows, and hands it over when the run has ended. */
  readonly details?: ((summary: Summary) => void) | undefined;
}

export interface BacktestResult {
  readonly report: RunReport;
  /** Chain hash over everything that happened: same recording, configuration, seed and code, same digest. */
  readonly digest: string;
  readonly levelChanges: number;
  /** Why the run ended before the data did, in one sentence. */
  readonly cut: string | undefined;
  /** Why strategies were stopped by a fault, each with the event in which it happened. */
  readonly faults: readonly string[];
}

/** Virtual time for the last cancels and reports after the recording has ended. */
const epilogue = seconds(5);

/**
 * Runs the strategies on a recording: the same trader as live, on a virtual clock and the simulated venue. Data that is
 * damaged on the way, or not in order, cuts the run short: what there is until then is kept, and `cut` says why.
 */
export async function runBacktest(setting: BacktestSetting): Promise<BacktestResult> {
  const { config, recording } = setting;
  const { instruments } = recording;
  let clock: VirtualClock | undefined;
  // Nobody here keeps an event, but a watcher may.
  const heard = (): number => clock?.now() ?? Number.NEGATIVE_INFINITY;
  const batches = recording.events(setting.watch === undefined ? heard : undefined);
  const first = await batches.next();
  const start = first.done === true ? undefined : first.value[0]?.exchangeTime;
  if (start === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  clock = new VirtualClock(start);
  const { trader, venue, journal, summary, loaded, faults } = await backtestParts({
    config,
    instruments,
    clock,
    openVenue: (strategies) =>
      new SimVenue({
        clock,
        instruments,
        options: config.sim,
        random: new Random(config.run.seed).fork('sim'),
        balances: openingBalances(config.backtest.balances, instruments, strategies),
      }),
    watch: setting.watch,
    details: setting.details !== undefined,
  });
  trader.start('backtest');
  const drive = new Drive(clock, venue, recording);
  let cut: string | undefined;
  try {
    drive.batch(first.value);
    for await (const batch of batches) {
      drive.batch(batch);
      setting.onProgress?.(drive.changes, clock.now());
    }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    cut = `the data ended early: ${error.message}`;
  }
  trader.stop('the recording ended');
  clock.drain(later(clock.now(), epilogue));
  await trader.close();
  summary.finish();
  setting.details?.(summary);
  const digest = journal.digest();
  return {
    report: runReport(summary, { identity: identityOf(setting, loaded, digest) }),
    digest,
    levelChanges: drive.changes,
    cut,
    faults,
  };
}

/** Each fact meets the market at its exchange time; what is due before happens first, what is due then behind it. */
class Drive {
  readonly #clock: VirtualClock;
  readonly #venue: SimVenue;
  readonly #recording: Recording;
  #latest = 0;
  /** Level changes and trades so far. */
  changes = 0;

  constructor(clock: VirtualClock, venue: SimVenue, recording: Recording) {
    this.#clock = clock;
    this.#venue = venue;
    this.#recording = recording;
  }

  batch(events: readonly Event[]): void {
    for (const event of events) {
      if (event.receiveTime >= this.#latest) this.#latest = event.receiveTime;
      else inOrder(event, this.#latest, this.#recording);
      this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
      this.#venue.accept(event as MarketEvent);
      if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot')
        this.changes += (event.end - event.start) / levelStride;
      else if (event.kind === 'trades') this.changes += event.trades.length;
    }
  }
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

import { amountToNumber } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { later, seconds } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { Random } from '../base/random.ts';
import { VirtualClock } from '../base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording-contract.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import type { RunReport } from '../report/run-report.ts';
import { runReport } from '../report/run-report.ts';
import type { Summary } from '../report/summary.ts';
import { inOrder } from '../research/tick-feed.ts';
import { SimVenue } from '../sim/sim-venue.ts';
import { backtestParts } from './backtest-parts.ts';
import { openingBalances } from './opening-balances.ts';
import type { EquityLine } from './sweep-figures.ts';

export interface RecordingTrial {
  readonly config: Config;
  readonly recording: Recording;
  /** Events received from then on are left out. */
  readonly until: Micros | undefined;
  readonly currency: string | undefined;
}

export interface RecordingOutcome {
  readonly report: RunReport;
  readonly line: EquityLine;
  readonly digest: string;
  readonly problems: readonly string[];
}

/** Virtual time for the last cancels and reports, as in a backtest. */
const epilogue = seconds(5);

/** The same run as `runBacktest`, event for event; it may end earlier, and it tells the course of equity. */
export async function runRecordingTrial(trial: RecordingTrial): Promise<RecordingOutcome> {
  const { config, recording } = trial;
  const { instruments } = recording;
  const batches = recording.events();
  const first = await batches.next();
  const start = first.done === true ? undefined : first.value[0]?.exchangeTime;
  if (start === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const clock = new VirtualClock(start);
  const { trader, venue, journal, summary, faults } = await backtestParts({
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
  });
  trader.start('backtest');
  const problems: string[] = [];
  const drive = new TrialDrive(clock, venue, trial);
  try {
    let isOver = drive.batch(first.value);
    while (!isOver) {
      const next = await batches.next();
      isOver = next.done === true || drive.batch(next.value);
    }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    problems.push(`the data ended early: ${error.message}`);
  }
  trader.stop('the recording ended');
  clock.drain(later(clock.now(), epilogue));
  await trader.close();
  summary.finish();
  return {
    report: runReport(summary, { identity: {} }),
    line: lineOf(summary, start, trial.currency),
    digest: journal.digest(),
    problems: [...problems, ...faults],
  };
}

class TrialDrive {
  readonly #clock: VirtualClock;
  readonly #venue: SimVenue;
  readonly #trial: RecordingTrial;
  readonly #until: number;
  #latest = 0;

  constructor(clock: VirtualClock, venue: SimVenue, trial: RecordingTrial) {
    this.#clock = clock;
    this.#venue = venue;
    this.#trial = trial;
    this.#until = trial.until ?? Number.POSITIVE_INFINITY;
  }

  /** Each fact meets the market at its exchange time. Returns whether the end was reached. */
  batch(events: readonly Event[]): boolean {
    for (const event of events) {
      if (event.receiveTime >= this.#until) return true;
      if (event.receiveTime >= this.#latest) this.#latest = event.receiveTime;
      else inOrder(event, this.#latest, this.#trial.recording);
      this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
      this.#venue.accept(event as MarketEvent);
    }
    return false;
  }
}

/** Profit from the start of the run to its end; before the first fill there is none. */
function lineOf(summary: Summary, start: Micros, currency: string | undefined): EquityLine {
  const curves = summary.curves();
  const curve = currency === undefined ? [...curves.values()][0] : curves.get(currency);
  const samples = curve?.samples() ?? [];
  const end = summary.span?.end ?? start;
  return {
    times: [start, ...samples.map(({ time }) => time), end],
    values: [
      0,
      ...samples.map(({ equity }) => amountToNumber(equity)),
      amountToNumber(curve?.last ?? (0n as never)),
    ],
  };
}

import type { Micros } from '../../core/base/clock.ts';
import { later, seconds, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { inOrder, startOf } from '../../research/scenario/tick-feed.ts';
import { SimVenue } from '../../sim/venue.ts';
import type { BacktestParts } from '../run/backtest-parts.ts';
import { backtestParts } from '../run/backtest-parts.ts';
import type { OpenRun } from '../run/open.ts';
import { runThrough } from '../run/open.ts';
import { openingBalances } from '../run/opening-balances.ts';
import { untoldOf } from '../run/untold.ts';

export interface DriveSetting {
  readonly config: Config;
  readonly recording: Recording;
  /** Events received from then on are left out; all are heard when not given. */
  readonly until?: Micros | undefined;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Told now and then how many level changes and trades have passed. */
  readonly onProgress?: ((changes: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
}

/** A run that has ended, with everything it was made of. */
export interface DrivenBacktest extends BacktestParts<SimVenue> {
  /** When the clock started: see `startOf`. */
  readonly start: Micros;
  /** Level changes and trades that passed. */
  readonly changes: number;
  /** Why the run ended before the data did, in one sentence. */
  readonly cut: string | undefined;
}

const gapMax = seconds(366 * 86_400);
/** Virtual time for the last cancels and reports after the recording has ended. */
const epilogue = seconds(5);

/**
 * Drives the strategies of `config` through a recording, on a virtual clock and the simulated venue, from its first event to
 * the end of the last report. Data that is damaged on the way, or not in order, cuts the run short: what there is until
 * then is kept. Throws `BadInput` when there are no events.
 */
export async function driveBacktest(setting: DriveSetting): Promise<DrivenBacktest> {
  return await runThrough(
    async () => await openDrive(setting),
    (driven, strays) => ({ ...driven, faults: [...driven.faults, ...strays] }),
  );
}

/** The run up to its first event. Throws `BadInput` when there is none. */
export async function openDrive(setting: DriveSetting): Promise<OpenRun<DrivenBacktest>> {
  const { config, recording } = setting;
  const { instruments } = recording;
  let clock: VirtualClock | undefined;
  // Nobody here keeps an event, but a watcher may.
  const heard = (): number => clock?.now() ?? Number.NEGATIVE_INFINITY;
  const batches = recording.events(setting.watch === undefined ? heard : undefined);
  const first = await batches.next();
  const opening = first.done === true ? undefined : first.value[0];
  if (opening === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const start = startOf(opening);
  clock = new VirtualClock(start);
  const parts = await backtestParts({
    config,
    instruments,
    clock,
    openVenue: (strategies) =>
      new SimVenue({
        clock,
        instruments,
        options: config.sim,
        orders: recording.orders,
        random: new Random(config.run.seed).fork('sim'),
        balances: openingBalances(config.backtest.balances, instruments, strategies),
      }),
    watch: setting.watch,
    watchMarketData: setting.watch,
    details: setting.details,
  });
  const { trader, venue, summary, loaded } = parts;
  trader.start('backtest');
  const drive = new Drive(clock, venue, setting);
  let cut: string | undefined;
  return {
    drive: async () => {
      cut = await driveAll(drive, first.value, batches);
    },
    finish: async () => {
      summary.end();
      trader.stop('the recording ended');
      clock.drain(later(clock.now(), epilogue));
      await trader.close();
      summary.remarks.push(...untoldOf(loaded, summary, trader.view));
      summary.finish();
      return { ...parts, start, changes: drive.changes, cut };
    },
  };
}

/** Why the data ended early, if it did. */
async function driveAll(
  drive: Drive,
  first: readonly Event[],
  rest: AsyncIterable<readonly Event[]>,
): Promise<string | undefined> {
  try {
    if (!drive.batch(first)) return undefined;
    for await (const batch of rest) if (!drive.batch(batch)) return undefined;
    return undefined;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return `the data ended early: ${error.message}`;
  }
}

/** Each fact meets the market at its exchange time; what is due before happens first, what is due then behind it. */
class Drive {
  readonly #clock: VirtualClock;
  readonly #venue: SimVenue;
  readonly #recording: Recording;
  readonly #until: number;
  readonly #onProgress: DriveSetting['onProgress'];
  #latest = 0;
  /** Level changes and trades so far. */
  changes = 0;

  constructor(clock: VirtualClock, venue: SimVenue, { recording, until, onProgress }: DriveSetting) {
    this.#clock = clock;
    this.#venue = venue;
    this.#recording = recording;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.#onProgress = onProgress;
  }

  /** Returns whether there may be more before the end of the run. */
  batch(events: readonly Event[]): boolean {
    for (const event of events) {
      if (event.receiveTime >= this.#until) return false;
      if (event.receiveTime >= this.#latest) this.#latest = event.receiveTime;
      else inOrder(event, this.#latest, this.#recording);
      if (event.exchangeTime - this.#clock.now() > gapMax) this.#jumps(event);
      this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
      this.#venue.accept(event as MarketEvent);
      if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot')
        this.changes += (event.end - event.start) / levelStride;
      else if (event.kind === 'trades') this.changes += event.trades.length;
    }
    this.#onProgress?.(this.changes, this.#clock.now());
    return true;
  }

  /** Every timer of every strategy would fire through it. */
  #jumps({ exchangeTime }: Event): never {
    const [before, after] = [this.#clock.now(), exchangeTime].map((time) => timeText(time));
    const { paths } = this.#recording;
    throw new BadInput(
      `${paths.join(', ')}: expected no gap longer than a year, found ${after} after ${before}: run the parts one by one`,
    );
  }
}

import type { Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Assembly, AssemblySetting } from './assembly.ts';
import { assemble } from './assembly.ts';
import type { RunSigns } from '../../research/report/index.ts';
import type { ConfiguredScenario } from './scenario.ts';
import type { SeriesTrack } from './series-files.ts';
import type { SeriesPlayer } from './series.ts';
import { smallSizes } from './small-sizes.ts';
import { withUncaughtErrors } from './uncaught-errors.ts';

/** Items in the order in which they meet the venue. */
export interface Batch<Item> {
  readonly events: readonly Item[];
  /** The place of each in the order of receipt, where that is another order. */
  readonly orders?: readonly number[] | undefined;
}

/** Venue that a source is driven into: a venue, and how its clock moves with the source. */
export interface DrivenVenue<Item> {
  /**
   * Moves the clock to the time of an item, then takes it. `order` is its place in the order of receipt. Returns false where the
   * run ends before this item, which is then not taken.
   */
  accept(item: Item, order: number): boolean;
}

/**
 * Lets a source pass through a venue, item by item: market data of a recording or a scenario, bars, or the frames of a recorded
 * session. Ends with the source, or at the item that the venue refuses. Returns the damage that ended the source early, if any did.
 */
export async function drive<Item>(
  source: AsyncIterable<Batch<Item>> | Iterable<Batch<Item>>,
  venue: DrivenVenue<Item>,
  onBatch?: () => void,
): Promise<BadInput | undefined> {
  try {
    for await (const { events, orders } of source) {
      for (let i = 0; i < events.length; i++) {
        if (!venue.accept(events[i] as Item, orders === undefined ? 0 : (orders[i] as number)))
          return undefined;
      }
      onBatch?.();
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return error;
  }
}

/** The market of a backtest: where `drive` puts market data, and what stands at both ends of it. */
export interface BacktestMarket<Item> extends DrivenVenue<Item> {
  /** Starts the trader, and publishes the market as it stands at the start. */
  beginRun(): void;
  /** The data have ended, where `damage` says so early: moves the clock to the end. Returns in a sentence why it was early. */
  endRun(damage: BadInput | undefined): string | undefined;
}

/** Plan of one backtest. Backtests differ in this, and in no stage of `openRun`. */
export interface RunPlan<
  Item,
  OneVenue extends Venue,
  Result extends RunResult,
> extends AssemblySetting<OneVenue> {
  /** Stands at the start. */
  readonly clock: VirtualClock;
  readonly source: AsyncIterable<Batch<Item>> | Iterable<Batch<Item>>;
  readonly market: (parts: Assembly<OneVenue>) => BacktestMarket<Item>;
  /** The scenario that names the series of the run, or the series themselves; none when left out. */
  readonly series?: ConfiguredScenario | readonly SeriesTrack[] | undefined;
  /** Signs of doubt that the run collects, where it has no summary to hold them. */
  readonly signs?: RunSigns | undefined;
  /** Why strategies are stopped at the end. */
  readonly ending: string;
  /** Called after each batch. */
  readonly onBatch?: ((time: Micros) => void) | undefined;
  /** The data have ended, and strategies still run. */
  readonly atEnd?: ((time: Micros) => void) | undefined;
  /** Makes the result once everything is closed. */
  readonly result: (ended: EndedRun<OneVenue>) => Result;
}

/** A run that has ended, with everything it was made of. */
export interface EndedRun<OneVenue extends Venue> extends Assembly<OneVenue> {
  /** When its clock started, and when its data had passed. */
  readonly start: Micros;
  readonly end: Micros;
  /** Chain hash over everything that happened: same data, configuration, seed and code, same digest. */
  readonly digest: string;
  /** Why it ended before its data did, in one sentence. */
  readonly cut: string | undefined;
  /** The same, and why strategies were stopped by a fault, one sentence each. */
  readonly problems: readonly string[];
}

/** Members of every result of a run. */
export interface RunResult {
  /** Whether nothing cut the run short. */
  readonly complete: boolean;
  /** What did, one sentence each. */
  readonly problems: readonly string[];
}

/** A run with everything joined and the clock at its start. Driven once, then finished. */
export interface OpenRun<Result> {
  /** Lets the data pass. */
  drive(): Promise<void>;
  /** Ends the run, and returns its result. */
  finish(): Promise<Result>;
}

/** Virtual time for the last cancels and reports after the data have ended. */
const epilogue = seconds(5);

/** Assembles a run, and begins it: strategies, venue and trader stand, and no data have passed. */
export async function openRun<Item, OneVenue extends Venue, Result extends RunResult>(
  plan: RunPlan<Item, OneVenue, Result>,
): Promise<OpenRun<Result>> {
  const { clock, source, onBatch } = plan;
  const start = clock.now();
  const parts = await assemble(plan);
  const market = plan.market(parts);
  const series = await playSeries(plan, parts);
  const progress = onBatch && (() => onBatch(clock.now()));
  let cut: string | undefined;
  market.beginRun();
  return {
    drive: async () => {
      cut = market.endRun(await drive(source, market, progress));
    },
    finish: async () => {
      const { trader, summary, journal, faults, loaded } = parts;
      const end = clock.now();
      series?.close();
      plan.atEnd?.(end);
      summary?.endRun();
      trader.stop(plan.ending);
      clock.drain(later(end, epilogue));
      await trader.close();
      const signs = plan.signs ?? summary?.signs;
      signs?.closeSizes(smallSizes(loaded, plan.config.strategies, plan.instruments));
      const problems = cut === undefined ? faults : [cut, ...faults];
      return plan.result({ ...parts, start, end, digest: journal.digest(), cut, problems });
    },
  };
}

/** Lets the series of a run begin with it, where it has any. What plays them is loaded when it is needed. */
async function playSeries<Item, OneVenue extends Venue, Result extends RunResult>(
  { series, clock }: RunPlan<Item, OneVenue, Result>,
  { loaded, trader }: Assembly<OneVenue>,
): Promise<SeriesPlayer | undefined> {
  if (series === undefined || isWithout(series, loaded)) return undefined;
  const { SeriesPlayer: Player, tracksOf } = await import('./series.ts');
  const tracks = 'config' in series ? await tracksOf(series, loaded) : series;
  return new Player({ tracks, clock, publish: (event) => trader.hearSeries(event) });
}

/** Whether a run has no series: its strategies declare none, and none is named. */
function isWithout(
  series: ConfiguredScenario | readonly SeriesTrack[],
  loaded: Assembly<Venue>['loaded'],
): boolean {
  if (!('config' in series)) return series.length === 0;
  return series.config.series === undefined && loaded.every((one) => one.series.length === 0);
}

/** Opens a run, and runs it to its end. What its strategies threw outside of their handlers is a problem of it, too. */
export async function runToEnd<Result extends RunResult>(
  open: () => Promise<OpenRun<Result>>,
): Promise<Result> {
  return await withUncaughtErrors(
    async () => {
      const run = await open();
      await run.drive();
      return await run.finish();
    },
    (result, errors) => ({ ...result, complete: false, problems: [...result.problems, ...errors] }),
  );
}

/** Why a run ended before its data should have. */
export function endedEarly(damage: BadInput | undefined): string | undefined {
  return damage === undefined ? undefined : `the data ended early: ${damage.message}`;
}

import { createHash } from 'node:crypto';
import type { Micros } from '../../core/base/clock.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { fail } from '../../core/base/assert.ts';
import { BadInput } from '../../core/base/errors.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { RunReport } from '../../research/report/sections/run.ts';
import { runReport } from '../../research/report/sections/run.ts';
import { TickSigns } from '../../research/report/fold/tick-signs.ts';
import { runAtOf } from '../../research/report/fold/second-ends.ts';
import type { RunRows } from '../../research/report/fold/run-rows.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import { inOrder, runStart } from '../../research/scenario/tick-feed.ts';
import { openShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import { SimVenue } from '../../sim/venue.ts';
import type { Assembly } from '../run/assembly.ts';
import type { BacktestMarket, Batch, EndedRun, OpenRun, RunResult } from '../run/drive.ts';
import { endedEarly, openRun, runToEnd } from '../run/drive.ts';
import { marginSetupFor, marginSources } from '../run/margin-setup.ts';
import { assumedOnly, openingBalances } from '../run/opening-balances.ts';
import { strategiesText } from '../run/strategy-plans.ts';
import { missingFeedsOf } from '../run/missing-feeds.ts';

/** The default scenario: a recording as it was received, its market as shadow orders, and what the configuration says. */
export interface BacktestSetting {
  readonly config: Config;
  readonly recording: Recording;
  /** Events received from then on are left out; all are run when not given. */
  readonly until?: Micros | undefined;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Called now and then with how many level changes and trades have passed. */
  readonly onProgress?: ((changes: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
  /** Takes every row of the run, for an export; with details. */
  readonly rows?: RunRows | undefined;
}

export interface BacktestResult extends RunResult {
  readonly report: RunReport;
  readonly summary: Summary;
  /** When the clock started: see `startOf`. */
  readonly start: Micros;
  /** Chain hash over everything that happened: same recording, configuration, seed and code, same digest. */
  readonly digest: string;
  /** Level changes and trades that passed. */
  readonly changes: number;
  /** Why the run ended before the data did, in one sentence. */
  readonly cut: string | undefined;
}

/**
 * Runs the strategies on a recording: the same trader as live, on a virtual clock and the simulated venue. Data that are
 * damaged on the way, or not in order, cut the run short: what there is until then is kept, and `problems` says why.
 * Throws `BadInput` when there are no events.
 */
export async function runBacktest(setting: BacktestSetting): Promise<BacktestResult> {
  return await runToEnd(async () => await openBacktest(setting));
}

/** The run up to its first event. Throws `BadInput` when there is none. */
export async function openBacktest(setting: BacktestSetting): Promise<OpenRun<BacktestResult>> {
  const { config, recording, watch, details, rows, onProgress } = setting;
  const { instruments } = recording;
  let now = (): number => Number.NEGATIVE_INFINITY;
  // No event is kept here, but a watcher may keep some.
  const batches = recording.events(watch === undefined ? () => now() : undefined);
  const first = await batches.next();
  const opening = first.done === true ? undefined : first.value[0];
  if (opening === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const clock = new VirtualClock(runStart(opening));
  now = () => clock.now();
  let market: RecordedMarket | undefined;
  const ticks = new TickSigns(undefined);
  return await openRun<Event, SimVenue, BacktestResult>({
    config,
    instruments,
    clock,
    source: behind(first.value, batches),
    openVenue: (loaded) =>
      new SimVenue({
        openEngine: openShadowEngine,
        clock,
        instruments,
        options: config.sim,
        orders: recording.orders,
        random: new Random(config.run.seed).fork('sim'),
        balances: openingBalances(config.backtest.balances, instruments, loaded),
        margin: marginSetupFor(config, instruments, loaded),
      }),
    summary: (trader, venue) => ({
      book: (id) => trader.view.book(id),
      details,
      rows,
      ticks,
      at: runAtOf(clock),
      ...marginSources(venue.margin),
    }),
    watch,
    watchMarketData: watch,
    market: (parts) => (market = new RecordedMarket(clock, parts, setting)),
    ending: 'the recording ended',
    onBatch: onProgress && ((time) => onProgress(market?.changes ?? 0, time)),
    result: (ended) => resultOf(setting, ended, market?.changes ?? 0),
  });
}

async function* behind(
  first: readonly Event[],
  rest: AsyncIterable<readonly Event[]>,
): AsyncGenerator<Batch<Event>, void, undefined> {
  yield { events: first };
  for await (const events of rest) yield { events };
}

const gapMax = seconds(366 * 86_400);

/**
 * Takes events in the order of receipt, those received from `until` on not. Each meets the market at its exchange time: what is due before happens first, what is
 * due then behind it.
 */
class RecordedMarket implements BacktestMarket<Event> {
  readonly #clock: VirtualClock;
  readonly #venue: SimVenue;
  readonly #trader: Assembly<SimVenue>['trader'];
  readonly #recording: Recording;
  readonly #until: number;
  #latest = 0;
  /** Level changes and trades so far. */
  changes = 0;

  constructor(
    clock: VirtualClock,
    { venue, trader }: Assembly<SimVenue>,
    { recording, until }: Pick<BacktestSetting, 'recording' | 'until'>,
  ) {
    this.#clock = clock;
    this.#venue = venue;
    this.#trader = trader;
    this.#recording = recording;
    this.#until = until ?? Number.POSITIVE_INFINITY;
  }

  begin(): void {
    this.#trader.start('backtest');
  }

  accept(event: Event): boolean {
    if (event.receiveTime >= this.#until) return false;
    if (event.receiveTime >= this.#latest) this.#latest = event.receiveTime;
    else inOrder(event, this.#latest, this.#recording);
    if (event.exchangeTime - this.#clock.now() > gapMax) this.#jumps(event);
    this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
    this.#venue.accept(event as MarketEvent);
    if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot')
      this.changes += (event.end - event.start) / levelStride;
    else if (event.kind === 'trades') this.changes += event.trades.length;
    return true;
  }

  end(damage: BadInput | undefined): string | undefined {
    return endedEarly(damage);
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

function resultOf(
  { config, recording }: BacktestSetting,
  ended: EndedRun<SimVenue>,
  changes: number,
): BacktestResult {
  const { loaded, trader, start, digest, cut, problems } = ended;
  const summary = ended.summary ?? fail('a backtest ended without its summary');
  summary.remarks.push(...missingFeedsOf(loaded, summary, trader.view));
  summary.finish();
  const hasBalances = Object.keys(config.backtest.balances).length > 0;
  return {
    report: runReport(summary, {
      identity: identityOf({ config, recording }, ended),
      noShares: hasBalances ? undefined : assumedOnly,
    }),
    summary,
    start,
    digest,
    changes,
    cut,
    complete: problems.length === 0,
    problems,
  };
}

function identityOf(
  { config, recording }: Pick<BacktestSetting, 'config' | 'recording'>,
  { loaded, digest }: EndedRun<SimVenue>,
): Record<string, string | number> {
  const { sim } = config;
  // How figures are made decides nothing of the run.
  const { report: _, ...deciding } = config;
  return {
    mode: 'backtest',
    data: recording.paths.map((path) => path.split(/[\\/]/).at(-1)).join(' + '),
    'data format': recording.format,
    'data grade': recording.grade,
    seed: config.run.seed,
    configuration: sha256(JSON.stringify({ ...deciding, run: { seed: config.run.seed } })),
    strategy: strategiesText(loaded),
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

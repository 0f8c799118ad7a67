import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import { fail } from '../../core/base/assert.ts';
import type { Cancel, Micros } from '../../core/base/clock.ts';
import type { BadInput } from '../../core/base/errors.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import { runReport } from '../../research/report/sections/run.ts';
import { TickSigns } from '../../research/report/fold/tick-signs.ts';
import { runAtOf } from '../../research/report/fold/second-ends.ts';
import { FillLog } from '../../research/scenario/fill-log.ts';
import { LateClock } from '../../research/checks/late-clock.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import type { ScenarioData } from '../../research/scenario/recording.ts';
import { feedSetupOf, notesOfData, openScenarioData } from '../../research/scenario/recording.ts';
import { checkTerms, fundingNotes, idleMax, idleNotes } from '../../research/scenario/terms.ts';
import type { PositionEvents } from '../../research/scenario/engine.ts';
import { engineOf } from '../../research/scenario/engine.ts';
import { productsOf } from '../../research/scenario/margin-checks.ts';
import { marginSetupOf } from '../../research/scenario/margin-setup.ts';
import { scenarioWays } from '../../research/scenario/latency-ways.ts';
import { amountsAnywhere, anywhere, saidInstruments } from '../../research/scenario/sources.ts';
import type { SampleValue, Sampler } from '../../research/scenario/sampler.ts';
import { rowsMax } from '../../research/scenario/sampler.ts';
import type { TickFeed } from '../../research/scenario/tick-feed.ts';
import { openTickFeed } from '../../research/scenario/tick-feed.ts';
import { LiquidationLog } from '../../sim/liquidation-log.ts';
import { SimVenue } from '../../sim/venue.ts';
import type { Assembly } from '../run/assembly.ts';
import type { BacktestMarket, EndedRun, OpenRun } from '../run/drive.ts';
import { endedEarly, openRun } from '../run/drive.ts';
import { loadFillModel } from '../run/fill-module.ts';
import { fundingPaid, paidNotes, liquidationNotes, liquidationsJson } from '../run/position-notes.ts';
import { marginSources } from '../run/margin-setup.ts';
import { missingFeedsOf } from '../run/missing-feeds.ts';
import { amountsOf, balancesOf } from '../run/opening-balances.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { scenarioConfig, scenarioIdentity } from '../run/scenario-config.ts';
import { openSampler } from './open-sampler.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';

/**
 * Opens a scenario on books and trades up to the first event: its market is built, its strategies are started. Timers of
 * strategies run behind everything else that is due at their time.
 */
export async function openTickScenario(run: ScenarioRun): Promise<OpenRun<ScenarioResult>> {
  const { loaded, home } = run;
  const { scenario } = loaded;
  const config = scenarioConfig(loaded, home);
  const liquidations = new LiquidationLog();
  let summaryOf = (): Summary | undefined => undefined;
  const positionEvents: PositionEvents = {
    funded: ({ id }, amount) => summaryOf()?.fund(reported.instruments.at(id), amount, clock.now()),
    liquidations,
  };
  const openEngine = engineOf(loaded, positionEvents, await loadFillModel(loaded));
  const data = run.data ?? (await openScenarioData(loaded));
  const feed = data.feed ?? (await openTickFeed(feedSetupOf(loaded, data, config.state.candlesMax)));
  const { instruments } = data.recording;
  checkTerms(loaded, instruments, feed);
  const clock = new VirtualClock(feed.start);
  const reported = reportedOf(run, instruments, clock);
  const late = new LateClock(clock);
  const log = new FillLog(instruments);
  const samples = new Samples(run, late);
  const open = await openRun<MarketEvent, SimVenue, ScenarioResult>({
    config,
    instruments,
    clock,
    source: feed.marketData,
    strategyClock: late,
    openVenue: (strategies, summary) => {
      summaryOf = summary;
      checkProducts(loaded, strategies);
      const random = new Random(config.run.seed).fork('sim');
      return new SimVenue({
        clock,
        instruments,
        options: config.sim,
        random,
        ...scenarioWays(loaded, random.fork('latency')),
        openEngine,
        orders: data.recording.orders,
        outages: scenario.outages,
        balances: balancesOf(scenario.balances),
        margin: marginSetupOf(loaded, instruments, balancesOf(scenario.futuresBalances ?? {})),
      });
    },
    summary: (trader, venue) => ({
      ...reported,
      ...marginSources(venue.margin),
      book: (id) => trader.view.book(id),
    }),
    watch: (event) => {
      log.observe(event);
      samples.sampler?.observe(event);
      run.watch?.(event);
    },
    watchMarketData: (marketEvent) => {
      samples.sampler?.observeMarketData(marketEvent);
      run.watch?.(marketEvent);
    },
    market: (parts) => {
      samples.open(config, parts);
      return new TickMarket(clock, parts, { feed, end: scenario.clock.end });
    },
    ending: 'the clock of the scenario ended',
    onBatch: run.onProgress,
    atEnd: (time) => samples.end(time),
    result: (ended) =>
      resultOf(run, ended, { config, data, log, samples, liquidations, closed: clock.now() }),
  });
  samples.start();
  return open;
}

/** Throws `ConfigError` when a strategy trades what the simulated venue of the scenario does not offer. */
function checkProducts({ scenario, file }: LoadedScenario, strategies: readonly LoadedStrategy[]): void {
  for (const { plan, products } of strategies) {
    const offered = productsOf(scenario);
    const missing = products.find((product) => !offered.includes(product));
    if (missing === undefined) continue;
    throw new ConfigError(
      `${file}: products: expected ${missing} among them, because strategy ${plan.name} trades it, found ${offered.join(', ')}`,
    );
  }
}

/** What the summary of a run collects: a report counts a currency over all venues. */
function reportedOf(
  { loaded, details, exportRows: rows }: ScenarioRun,
  instruments: Instruments,
  clock: VirtualClock,
) {
  const {
    balances,
    futuresBalances = {},
    clock: { end },
  } = loaded.scenario;
  const opening = sumOf(amountsAnywhere(amountsOf(balances)), amountsAnywhere(amountsOf(futuresBalances)));
  // Without sources they are one object with those of the state, which costs less.
  const counted = loaded.scenario.sources === undefined ? instruments : anywhere(instruments);
  const ticks = new TickSigns(end);
  return { details, rows, instruments: counted, opening, ticks, at: runAtOf(clock) };
}

/** Amounts of both accounts, by currency. */
function sumOf(
  one: ReadonlyMap<string, Amount>,
  other: ReadonlyMap<string, Amount>,
): ReadonlyMap<string, Amount> {
  const sum = new Map(one);
  for (const [currency, amount] of other) sum.set(currency, add(sum.get(currency) ?? zero, amount));
  return sum;
}

/** Each event meets the market at its exchange time, as far as the clock of the scenario goes; what is due before happens first, what is due then behind it. */
class TickMarket implements BacktestMarket<MarketEvent> {
  readonly #clock: VirtualClock;
  readonly #parts: Assembly<SimVenue>;
  readonly #venue: SimVenue;
  readonly #feed: TickFeed;
  readonly #end: number;
  #last = 0;
  #isPast = false;

  constructor(
    clock: VirtualClock,
    parts: Assembly<SimVenue>,
    { feed, end }: { readonly feed: TickFeed; readonly end: Micros | undefined },
  ) {
    this.#clock = clock;
    this.#parts = parts;
    this.#venue = parts.venue;
    this.#feed = feed;
    this.#end = end ?? Number.POSITIVE_INFINITY;
    this.#last = feed.start;
  }

  /** The account is compared with the venue before the clock starts, and strategies start with it, on a built market. */
  begin(): void {
    this.#venue.prelude = true;
    this.#parts.trader.start('backtest');
    for (const event of this.#feed.opening) this.#venue.accept(event);
    this.#clock.advanceTo(this.#feed.start);
    this.#venue.prelude = false;
  }

  accept(event: MarketEvent, order: number): boolean {
    if (event.exchangeTime > this.#end) {
      this.#isPast = true;
      return false;
    }
    this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
    this.#venue.accept(event, order);
    if (event.receiveTime > this.#last) this.#last = event.receiveTime;
    return true;
  }

  end(damage: BadInput | undefined): string | undefined {
    this.#clock.advanceTo(this.#endOfClock(damage !== undefined) as Micros);
    return endedEarly(damage);
  }

  #endOfClock(isDamaged: boolean): number {
    if (this.#isPast) return this.#end;
    if (isDamaged) return Math.min(this.#last, this.#end);
    return this.#end - this.#last <= idleMax ? this.#end : this.#last;
  }
}

/** The rows that a scenario samples: one at each step of the clock, the first one step after its start. */
class Samples {
  readonly rows: (readonly SampleValue[])[] = [];
  readonly #run: ScenarioRun;
  readonly #clock: LateClock;
  #cancel: Cancel = () => {};
  sampler: Sampler | undefined;

  constructor(run: ScenarioRun, clock: LateClock) {
    this.#run = run;
    this.#clock = clock;
  }

  open(config: Config, parts: Assembly<SimVenue>): void {
    this.sampler = openSampler(this.#run.loaded, parts, {
      strategy: config.strategies[0]?.name ?? '',
      funding: (id) => parts.summary?.held(id).funding ?? zero,
      start: this.#clock.now(),
    });
  }

  start(): void {
    const every = this.#run.loaded.scenario.sample?.every;
    const { sampler, rows } = this;
    if (sampler === undefined || every === undefined) return;
    const step = (): void => {
      this.#cancel = this.#clock.after(every, step);
      if (rows.length < rowsMax) rows.push(sampler.row(this.#clock.now()));
    };
    this.#cancel = this.#clock.after(every, step);
  }

  end(time: Micros): void {
    this.#cancel();
    if (this.#run.loaded.scenario.sample?.last === true)
      this.rows.push(...(this.sampler?.lastRow(time) ?? []));
  }
}

interface Collected {
  readonly config: Config;
  readonly data: ScenarioData;
  readonly log: FillLog;
  readonly samples: Samples;
  readonly liquidations: LiquidationLog;
  /** When everything was closed. */
  readonly closed: Micros;
}

function resultOf(
  { loaded, onSummary }: ScenarioRun,
  ended: EndedRun<SimVenue>,
  { config, data, log, samples, liquidations, closed }: Collected,
): ScenarioResult {
  const { scenario } = loaded;
  const { trader, loaded: strategies, start, end, digest, problems } = ended;
  const summary = ended.summary ?? fail('a scenario ended without its summary');
  const holdings = summary.holdings();
  const funding = [...fundingNotes(loaded, start, closed), ...paidNotes(fundingPaid(holdings))];
  summary.remarks.push(
    ...missingFeedsOf(strategies, summary, trader.view),
    ...(holdings.length === 0 ? [] : funding),
    ...liquidationNotes(liquidations),
  );
  summary.finish();
  onSummary?.(summary);
  const identity = scenarioIdentity({ loaded, config, data, strategies, digest });
  const idle = idleNotes(ended.cut === undefined ? scenario.clock.end : undefined, end);
  const { rows } = samples;
  return {
    name: scenario.name,
    identity,
    complete: problems.length === 0,
    problems,
    notes: [...notesOfData(data.recording, scenario), ...notesOf(log, rows.length), ...idle],
    columns: samples.sampler?.names ?? [],
    rows,
    fills: log.fills,
    orders: log.orders,
    report: runReport(summary, { identity }),
    liquidations: saidInstruments(scenario).some(({ liquidation }) => liquidation !== undefined)
      ? liquidationsJson(liquidations)
      : undefined,
  };
}

function notesOf(log: FillLog, rows: number): readonly string[] {
  const left = log.left > 0 ? [`${log.left} orders and fills are not listed`] : [];
  const full = rows >= rowsMax ? [`samples end with the ${rowsMax}th: more are not kept`] : [];
  return [...left, ...full];
}

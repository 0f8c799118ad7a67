import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, formatAmount, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { CandlesChanged, Event } from '../../core/model/event.ts';
import { knownOf, KnownCandles } from '../../core/model/known-candle.ts';
import type { BarSpec } from '../../core/model/market.ts';
import type { Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { isDeniedExit } from '../../core/orders/controls/index.ts';
import { LiveDenials } from '../../core/orders/index.ts';
import type { OrderCounts, Doubt, RunRows, Summary } from '../../research/report/index.ts';
import { OrderTally, trialDoubts, RunSigns } from '../../research/report/index.ts';
import type { Statistics } from '../../research/statistics/index.ts';
import { statisticsOf } from '../../research/statistics/index.ts';
import type { BarRules, AccountFigures, BarFill, SessionRoll } from '../../sim/fill-models/bars/index.ts';
import { BarVenue } from '../../sim/fill-models/bars/index.ts';
import type { Assembly } from '../run/assembly.ts';
import type { BacktestMarket, Batch, EndedRun, OpenRun, RunPlan, RunResult } from '../run/drive.ts';
import { openRun, runToEnd } from '../run/drive.ts';
import { checkKinds } from './bar-source.ts';
import { BarBooks } from './bar-books.ts';
import { barOrderOptions, liveNotes, liveOrderOptions } from './bar-controls.ts';
import type { BarSamples } from './bar-samples.ts';
import { amountsOf, balancesOf } from '../run/opening-balances.ts';
import { paidNotes, liquidationNotes, liquidationsJson } from '../run/position-notes.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

export interface BarRunSetting {
  /** Strategies, seed, and the sections orders, gate, budgets and state. */
  readonly config: Config;
  readonly instruments: Instruments;
  /** Bars or trades in the order of time, such as `Recording.events()` of bars; other events are passed over. */
  readonly events: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>;
  /** Bars that had closed by the time when the first of `events` begins: they are given then, before strategies start. */
  readonly history?: ((time: Micros) => readonly CandlesChanged[]) | undefined;
  readonly rules: BarRules;
  /** Series that the strategies declare; none when left out. */
  readonly series?: RunPlan<Event, BarVenue, BarRunResult>['series'];
  /** Where the clock ends, where one is named. */
  readonly until?: Micros | undefined;
  /** Balances that the account starts with, by currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  readonly onProgress?: ((bars: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows: a summary, which costs more than half of the speed. */
  readonly details?: boolean | undefined;
  /** Takes the samples of a scenario. */
  readonly samples?: BarSamples | undefined;
  /** Takes every row of the run, for an export; with details. */
  readonly exportRows?: RunRows | undefined;
}

/** `problems` also says why strategies were stopped before the end, each with the event in which it happened. */
export interface BarRunResult extends RunResult {
  /** Chain hash over everything that happened: same data, rules, configuration, seed and code, same digest. */
  readonly digest: string;
  /** When the first bar began, or the first trade happened. */
  readonly start: Micros;
  readonly bars: number;
  readonly orders: OrderCounts;
  readonly denials: readonly { readonly code: string; readonly count: number }[];
  /** Denials that live trading with the same settings would have made. */
  readonly live: LiveDenials;
  /** Figures by quote currency, in order of the instruments. */
  readonly accounts: readonly AccountFigures[];
  /** Signed lots at the end, by symbol. */
  readonly positions: ReadonlyMap<string, string>;
  readonly books: BarBooks;
  /** Doubts about the result. */
  readonly doubts: readonly Doubt[];
  /** Liquidations and funding, where the rules ask for them. */
  readonly sessionRoll: SessionRoll;
  readonly statistics: Statistics;
  readonly strategies: readonly LoadedStrategy[];
  readonly cut: EndedRun<BarVenue>['cut'];
  /** There when details were asked for. */
  readonly summary: Summary | undefined;
}

/** Runs strategies on bars or trades alone: the same trader as live, a virtual clock, and the bar venue. */
export async function runBars(setting: BarRunSetting): Promise<BarRunResult> {
  return await runToEnd(async () => await openBars(setting));
}

async function openBars(setting: BarRunSetting): Promise<OpenRun<BarRunResult>> {
  const { instruments, rules, balances, details, samples, exportRows, onProgress } = setting;
  const batches = await beginBars(setting.events);
  const clock = new VirtualClock(batches.start);
  const tally = new OrderTally();
  const books = new BarBooks();
  const signs = new RunSigns({ feeRate: rules.fees.rate });
  const live = new LiveDenials(liveOrderOptions(setting.config.orders, rules));
  // A quote of one level a side comes whole with every price: a ring would be wiped from end to end each time.
  const state = { ...setting.config.state, ladder: 'sorted' } as const;
  const config = { ...setting.config, orders: barOrderOptions(setting.config.orders), state };
  return await openRun<Event, BarVenue, BarRunResult>({
    config,
    instruments,
    clock,
    source: batches.all,
    series: setting.series,
    live,
    openVenue: (_, summary) => {
      const venue = new BarVenue({
        clock,
        instruments,
        rules,
        balances: balancesOf(balances),
        executed: (fill) => noteFill(fill, venue, { books, rules, signs, summary: summary() }),
        funded: (instrument, amount) => {
          samples?.funded(instrument, amount);
          summary()?.fund(instrument, amount, clock.now());
        },
        sampled: (time) => {
          books.sample(time);
          signs.sampled(time, venue.account, instruments.all);
          summary()?.sample(time);
          samples?.barEnded(time);
        },
      });
      books.followInstruments(instruments, venue.account, config.report.benchmark);
      return venue;
    },
    // Valued at the prices of the bars, sampled at their ends.
    summary:
      details === true
        ? (_, { account }) => ({
            details,
            rows: exportRows,
            signs,
            feesNamed: rules.fees.rate !== undefined,
            bars: (id) => account.price(instruments.at(id)),
            opening: amountsOf(balances),
          })
        : undefined,
    kept: (event) => tally.observe(event),
    ...watchesOf(setting),
    market: (parts) => {
      tally.isDeniedExit = (event) => isDeniedExit(event, parts.trader.view);
      checkKinds(parts.loaded, batches.period, rules);
      samples?.open(parts, config.strategies[0]?.name ?? '', clock.now());
      return new BarMarket(clock, parts, { books, signs, rules, history: setting.history });
    },
    signs,
    ending: 'the data ended',
    onBatch: onProgress && ((time) => onProgress(books.bars, time)),
    atEnd: samples && ((time) => samples.end(time)),
    result: (ended) => {
      books.endRun(clock.now());
      return resultOf(setting, ended, { books, live, signs, tally });
    },
  });
}

interface FillNotes {
  readonly books: BarBooks;
  readonly rules: BarRules;
  readonly signs: RunSigns;
  readonly summary: Summary | undefined;
}

/** Books an execution, and notes how large it was beside its bar, and what it lost by rounding, where a summary is kept. */
function noteFill(fill: BarFill, venue: BarVenue, { books, rules, signs, summary }: FillNotes): void {
  books.executed(fill);
  const bar = venue.barOf(fill.instrument);
  if (bar !== undefined) signs.executed(fill, bar.time, bar.volume);
  const market = venue.account.price(fill.instrument);
  const lost = slipRounding(fill, market, rules.slippage);
  summary?.details?.roundOff(fill.instrument.spec.quoteCurrency, lost);
}

function watchesOf({
  watch,
  samples,
}: BarRunSetting): Record<'watch' | 'watchMarketData', BarRunSetting['watch']> {
  if (samples === undefined) return { watch, watchMarketData: watch };
  const both = (event: Event): void => {
    samples.observe(event);
    watch?.(event);
  };
  return { watch: both, watchMarketData: both };
}

interface BarMarketDeps extends Pick<BarRunSetting, 'history' | 'rules'> {
  readonly books: BarBooks;
  readonly signs: RunSigns;
}

/** Bars and trades: the venue moves the clock itself, along the path that each bar is taken to have gone. */
class BarMarket implements BacktestMarket<Event> {
  readonly #clock: VirtualClock;
  readonly #parts: Assembly<BarVenue>;
  readonly #venue: BarVenue;
  readonly #books: BarBooks;
  readonly #history: BarRunSetting['history'];
  readonly #signs: RunSigns;
  readonly #tellsOpen: boolean;

  constructor(
    clock: VirtualClock,
    parts: Assembly<BarVenue>,
    { books, history, rules, signs }: BarMarketDeps,
  ) {
    this.#signs = signs;
    this.#tellsOpen = rules.market === 'open';
    this.#clock = clock;
    this.#parts = parts;
    this.#venue = parts.venue;
    this.#books = books;
    this.#history = history;
  }

  beginRun(): void {
    this.#parts.trader.start('backtest');
    for (const event of this.#history?.(this.#clock.now()) ?? []) this.#venue.remember(event);
    // The reads that compare the account come back before the first bar.
    this.#clock.drain(this.#clock.now());
  }

  accept(event: Event): boolean {
    if (event.kind === 'candles') {
      this.#signs.openIsTold = this.#tellsOpen;
      this.#signs.seen(event);
    }
    this.#venue.accept(event);
    return true;
  }

  endRun(damage: BadInput | undefined): string | undefined {
    let cut = damage;
    try {
      this.#venue.finish();
    } catch (error) {
      // A bar that cannot be walked to its end stays where it was found out.
      if (!(error instanceof BadInput)) throw error;
      cut ??= error;
    }
    if (cut === undefined) return undefined;
    // Nothing has happened yet: the data do not fit the scenario, and there is nothing to keep.
    if (this.#books.bars === 0) throw cut;
    return `the data ended early, at ${timeText(this.#clock.now())}: ${cut.message}`;
  }
}

/** Batches with bars or trades in them. */
interface BarBatches {
  readonly start: Micros;
  /** Period of the first bar; `undefined` of trades alone. */
  readonly period: BarSpec | undefined;
  readonly all: AsyncIterable<Batch<Event>>;
}

/** The first bar's begin, or the first trade's time, and all batches from the first on. Throws `BadInput` without. */
async function beginBars(events: BarRunSetting['events']): Promise<BarBatches> {
  const iterator =
    Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const start = firstTime(next.value);
    if (start === undefined) continue;
    const first = next.value;
    const known = withNumbers(new KnownCandles());
    return {
      start,
      period: periodIn(first),
      all: (async function* () {
        yield { events: known(first) };
        for (let more = await iterator.next(); more.done !== true; more = await iterator.next())
          yield { events: known(more.value) };
      })(),
    };
  }
  throw new BadInput('expected bars or trades in the data, found none');
}

function periodIn(batch: readonly Event[]): BarSpec | undefined {
  return batch
    .map((event) => (event.kind === 'candles' ? event.candles[0]?.period : undefined))
    .find(Boolean);
}

/** Bars as tables have them, whatever they were read from: a check and a trial run what a backtest runs. */
function withNumbers(candles: KnownCandles): (batch: readonly Event[]) => readonly Event[] {
  return (batch) =>
    batch.map((event) =>
      event.kind !== 'candles' || event.candles.every((candle) => knownOf(candle) !== undefined)
        ? event
        : { ...event, candles: event.candles.map((candle) => knownOf(candle) ?? candles.know(candle)) },
    );
}

function firstTime(batch: readonly Event[]): Micros | undefined {
  for (const event of batch) {
    if (event.kind === 'candles' && event.candles[0] !== undefined) return event.candles[0].time;
    if (event.kind === 'trades' && event.trades.length > 0) return event.exchangeTime;
  }
  return undefined;
}

interface Counted {
  readonly books: BarBooks;
  readonly live: LiveDenials;
  readonly signs: RunSigns;
  readonly tally: OrderTally;
}

function resultOf(
  { instruments, config, until }: BarRunSetting,
  { summary, venue, loaded, start, digest, cut, problems }: EndedRun<BarVenue>,
  { books, live, signs, tally }: Counted,
): BarRunResult {
  signs.endRun(venue.account, instruments.all, until);
  summary?.finish();
  summary?.remarks.push(...sessionRollNotes(venue.sessionRoll), ...liveNotes(live));
  return {
    digest,
    start,
    bars: books.bars,
    orders: tally.counts(),
    denials: [...tally.denials].map(([code, count]) => ({ code, count })),
    live,
    complete: problems.length === 0,
    problems,
    accounts: quoteCurrencies(instruments).map((currency) => venue.account.figures(currency)),
    positions: new Map(
      instruments.all.map((one) => [one.symbol, one.quantityText(venue.account.position(one) as Lots)]),
    ),
    books,
    doubts: trialDoubts(signs, tally),
    sessionRoll: venue.sessionRoll,
    statistics: statisticsOf({ ...books.series(), holdFrom: config.report.holdFrom }, config.report),
    strategies: loaded,
    cut,
    summary,
  };
}

function quoteCurrencies(instruments: Instruments): readonly string[] {
  return [...new Set(instruments.all.map(({ spec }) => spec.quoteCurrency))];
}

/** Notes for a reader on liquidations and funding, one sentence each. */
export function sessionRollNotes({ liquidation, funding }: SessionRoll): readonly string[] {
  return [
    ...(liquidation === undefined ? [] : liquidationNotes(liquidation.log)),
    ...(funding === undefined ? [] : paidNotes(funding.paid)),
  ];
}

/** Liquidations and funding as plain JSON; nothing of what the rules do not ask for. */
export function sessionRollJson({ liquidation, funding }: SessionRoll): object {
  return {
    ...(liquidation === undefined ? {} : { liquidations: liquidationsJson(liquidation.log) }),
    ...(funding === undefined
      ? {}
      : {
          funding: {
            times: funding.count,
            paid: Object.fromEntries(
              [...funding.paid].map(([currency, paid]) => [currency, formatAmount(paid)]),
            ),
          },
        }),
  };
}

const one = 10n ** BigInt(amountDecimals);

/**
 * Loss of an execution in quote currency because its slipped price went on to the next tick. `market`: the price in
 * ticks before slippage, of which `slippage` is a share. 0 for an execution that did not slip.
 */
export function slipRounding(fill: BarFill, market: number, slippage: Amount): Amount {
  const away = Math.abs(fill.price - market);
  if (away === 0) return zero;
  const broken = BigInt(away) * one - BigInt(market) * slippage;
  const lotAtOneTick = fill.instrument.notional(1 as Ticks, fill.quantity as Lots);
  return ((broken * lotAtOneTick) / one) as Amount;
}

import { setImmediate } from 'node:timers/promises';
import type { LabelValues } from '@prometheus-io/client';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@prometheus-io/client';
import type { Cancel } from '../core/base/clock.ts';
import { microsPerSecond } from '../core/base/clock.ts';
import type { Event } from '../core/model/event.ts';
import type { Instrument } from '../core/model/instrument.ts';
import { safeStateKinds } from '../core/model/safe-state.ts';
import { LongestTurn } from './longest-turn.ts';
import type { OperatedRun, OperatedSentinel } from './run.ts';
import type { RunView } from './run-view.ts';
import { views } from './views/all.ts';
import { balanceRows } from './views/balances.ts';
import { budgetRows } from './views/budgets.ts';
import { shownFeeds } from './views/feeds.ts';

/** Seconds from the record of a command until its answer. */
const answerBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Characters of text after which the rest of the metrics is left to another turn of the loop. */
const turnLengthMax = 16_384;
/** Characters that a metric counts for beside its text: what is read for a short one may be long. */
const readLength = 2_048;
/** Commands without an answer whose time is remembered. */
const waitingMax = 30_000;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Default metrics of the library whose names break rules that `promtool check metrics` holds: `_total` is a counter's, and a type is no name. */
const illNamed = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_eventloop_utilization_summary',
  'nodejs_eventloop_utilization_histogram',
];

/**
 * Metrics for Prometheus: gauges are read from the state when they are asked for, counters and answer times follow the events.
 * Labels are symbols, strategies, lanes and codes: their number is bounded by the run.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers: Histogram<'lane'>;
  readonly #refusals: Counter<'code' | 'by'>;
  readonly #fills: Counter<'strategy' | 'symbol'>;
  /** When commands were recorded, by their number. */
  readonly #waiting = new Map<number, number>();
  readonly #turns: LongestTurn;
  readonly #unwatch: Cancel;

  constructor(run: OperatedRun, view: RunView) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    for (const name of illNamed) this.#registry.removeSingleMetric(name);
    this.#answers = new Histogram({
      name: 'godwit_answer_seconds',
      help: 'time from the record of a command until its answer, by lane; the wait at the gate included',
      labelNames: ['lane'],
      buckets: answerBuckets,
      registers,
    });
    this.#refusals = new Counter({
      name: 'godwit_refusals_total',
      help: 'orders refused, by code, and by whom: us or the venue',
      labelNames: ['code', 'by'],
      registers,
    });
    this.#fills = new Counter({
      name: 'godwit_fills_total',
      help: 'own executions',
      labelNames: ['strategy', 'symbol'],
      registers,
    });
    this.#turns = new LongestTurn(run.clock);
    this.#gauge(
      'godwit_longest_turn_seconds',
      'longest turn of the event loop in the last minute at least, pauses of the collector included',
      [],
      () => [[{}, this.#turns.value()]],
    );
    this.#states(run, view);
    this.#rows(view);
    this.#journal(run);
    this.#money(view);
    this.#drift(run);
    this.#sentinel(run);
    this.#unwatch = run.trader.watchLanes(
      () => {},
      ({ event }) => this.#observe(event, run),
    );
  }

  /** The text of all metrics, and its type. A long one is made in several turns of the loop. */
  async text(): Promise<{ readonly type: string; readonly text: string }> {
    const texts: string[] = [];
    let inTurn = 0;
    for (const { name } of this.#registry.getMetricsAsArray()) {
      const one = await this.#registry.getSingleMetricAsString(name);
      texts.push(one);
      inTurn += one.length + readLength;
      if (inTurn < turnLengthMax) continue;
      inTurn = 0;
      await setImmediate();
    }
    return { type: this.#registry.contentType, text: `${texts.join('\n\n')}\n` };
  }

  close(): void {
    this.#unwatch();
    this.#turns.close();
    this.#registry.clear();
  }

  /** The gauge of each list of `operate/views`. */
  #rows(view: RunView): void {
    for (const { metric, rows } of views) {
      if (metric === undefined) continue;
      const { name, text, by, values } = metric;
      this.#gauge(name, text, [by], () => {
        const counts = new Map<string, number>(values.map((value) => [value, 0]));
        for (const row of rows(view))
          if (counts.has(String(row[by])))
            counts.set(String(row[by]), (counts.get(String(row[by])) ?? 0) + 1);
        return [...counts].map(([value, count]) => [{ [by]: value }, count]);
      });
    }
  }

  #states(run: OperatedRun, view: RunView): void {
    this.#gauge(
      'godwit_up',
      '1 while trading is active, 0.5 while it only reduces, 0 while it is halted',
      [],
      () => {
        const { mode } = view.status().trading;
        return [[{}, mode === 'active' ? 1 : mode === 'reducing' ? 0.5 : 0]];
      },
    );
    this.#gauge('godwit_session_up', 'whether a session is up', ['session'], () =>
      Object.entries(view.status().sessions).map(([session, isUp]) => [{ session }, isUp ? 1 : 0]),
    );
    this.#gauge(
      'godwit_strategy_running',
      'whether a strategy runs: not paused, not stopped',
      ['strategy'],
      () => view.strategyStates().map(({ name, state }) => [{ strategy: name }, state === 'running' ? 1 : 0]),
    );
    this.#gauge('godwit_safe_states', 'what holds orders or feeds back, by kind', ['kind'], () => {
      const counts = new Map<string, number>(safeStateKinds.map((kind) => [kind, 0]));
      for (const { kind } of run.trader.safeStates) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return [...counts].map(([kind, count]) => [{ kind }, count]);
    });
    this.#gauge('godwit_loss_limits_reached', 'limits on loss that hold', [], () => [
      [{}, view.status().lossLimits.length],
    ]);
    this.#gauge('godwit_feed_live', 'whether a book may be traded on', ['symbol'], () =>
      shownFeeds(view).map(({ instrument, book }) => [namesOf(instrument), book.unfit === undefined ? 1 : 0]),
    );
    this.#gauge('godwit_feed_age_seconds', 'since the last message of a book', ['symbol'], () =>
      shownFeeds(view).flatMap(({ instrument, ageMs }) =>
        ageMs === null ? [] : [[namesOf(instrument), ageMs / 1_000] as const],
      ),
    );
    this.#gauge('godwit_feed_gaps', 'sequence gaps of a book since the start', ['symbol'], () =>
      shownFeeds(view).map(({ instrument, gaps }) => [namesOf(instrument), gaps]),
    );
    this.#gauge('godwit_market_lag_seconds', 'how late the last book update came', [], () =>
      secondsOf(view.status().marketLagMs),
    );
    this.#gauge('godwit_clock_offset_seconds', "the venue's clock less ours", [], () =>
      secondsOf(view.status().clockOffsetMs),
    );
    this.#gauge('godwit_orders', 'orders that may be live, by state', ['state'], () => ordersByState(run));
    this.#gauge('godwit_budget_used', 'requests that count against the tightest limit', ['lane'], () =>
      budgetRows(view).map(({ lane, used }) => [{ lane }, used]),
    );
    this.#gauge('godwit_budget_capacity', 'requests that the tightest limit allows', ['lane'], () =>
      budgetRows(view).map(({ lane, capacity }) => [{ lane }, capacity]),
    );
    this.#gauge('godwit_gate_waiting', 'commands that wait at the gate', ['lane'], () =>
      budgetRows(view).map(({ lane, waiting }) => [{ lane }, waiting]),
    );
    this.#gauge(
      'godwit_gate_wait_seconds',
      'from decision to wire: all waits at the gate added up',
      [],
      () => [[{}, run.trader.waiting.waited.total / microsPerSecond]],
    );
    this.#gauge('godwit_gate_commands', 'commands that have left the gate', [], () => [
      [{}, run.trader.waiting.waited.count],
    ]);
  }

  #journal(run: OperatedRun): void {
    this.#gauge('godwit_journal_waiting', 'records that wait for the disk', [], () => [
      [{}, run.journal().waiting],
    ]);
    this.#gauge(
      'godwit_journal_synced_seconds',
      'when records were on disk last, in seconds since 1970',
      [],
      () => syncOf(run, 'at'),
    );
    this.#gauge(
      'godwit_journal_sync_seconds',
      'how long the records of the last sync had waited for it',
      [],
      () => syncOf(run, 'took'),
    );
  }

  #money(view: RunView): void {
    this.#gauge('godwit_position', 'what a strategy holds', ['strategy', 'symbol', 'account'], () =>
      view
        .positions()
        .map(({ strategy, symbol, account, quantity }) => [{ strategy, symbol, account }, Number(quantity)]),
    );
    this.#gauge('godwit_profit', 'realised and unrealised, fees and charges counted', ['currency'], () =>
      [...view.profits()].map(([currency, profit]) => [{ currency }, profit]),
    );
    this.#gauge(
      'godwit_drawdown',
      'the highest profit of the run, earlier sessions counted, less the profit',
      ['currency'],
      () => [...view.drawdowns()].map(([currency, drawdown]) => [{ currency }, drawdown]),
    );
    const wallets = () => balanceRows(view.trader).filter(({ account }) => account === null);
    this.#gauge('godwit_balance', 'available money of a wallet', ['wallet', 'currency'], () =>
      wallets().map(({ wallet, currency, available }) => [{ wallet, currency }, Number(available)]),
    );
    this.#gauge('godwit_balance_reserved', 'money of a wallet that orders hold', ['wallet', 'currency'], () =>
      wallets().map(({ wallet, currency, reserved }) => [{ wallet, currency }, Number(reserved)]),
    );
    const accounts = (of: 'available' | 'reserved'): readonly Sample[] =>
      balanceRows(view.trader).flatMap(({ account, currency, [of]: amount }) =>
        account === null ? [] : [[{ account, currency }, Number(amount)]],
      );
    const free = 'money of a margin account that nothing holds';
    this.#gauge('godwit_margin_available', free, ['account', 'currency'], () => accounts('available'));
    const held = 'money of a margin account that orders and positions hold';
    this.#gauge('godwit_margin_reserved', held, ['account', 'currency'], () => accounts('reserved'));
  }

  #drift({ drift }: OperatedRun): void {
    const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [[{}, value]]);
    this.#gauge(
      'godwit_drift_score',
      'the last day beside its backtest: the difference in profit as a share of what was traded',
      [],
      () => one(drift?.().result?.score),
    );
    this.#gauge('godwit_drift_limit', 'a score above it is an alert', [], () => one(drift?.().limit));
    this.#gauge(
      'godwit_drift_ended_seconds',
      'when the last comparison with a backtest ended, well or not, in seconds since 1970',
      [],
      () => {
        const endedAt = drift?.().endedAt;
        return one(endedAt === undefined ? undefined : endedAt / microsPerSecond);
      },
    );
    this.#gauge('godwit_drift_failures', 'comparisons with a backtest that failed', [], () =>
      one(drift?.().failures),
    );
  }

  #sentinel({ sentinel, clock }: OperatedRun): void {
    const of = (value: (state: OperatedSentinel) => number | undefined): (() => readonly Sample[]) => {
      return () => {
        const state = sentinel?.();
        const found = state === undefined ? undefined : value(state);
        return found === undefined ? [] : [[{}, found]];
      };
    };
    this.#gauge(
      'godwit_sentinel_up',
      'whether the process watches that cancels own orders when the daemon is gone',
      [],
      of(({ isUp }) => (isUp ? 1 : 0)),
    );
    this.#gauge(
      'godwit_sentinel_look_age_seconds',
      'how long ago the sentinel looked at the daemon',
      [],
      of(({ lastLook }) =>
        lastLook === undefined ? undefined : Math.max(0, clock.now() - lastLook) / microsPerSecond,
      ),
    );
    this.#gauge(
      'godwit_sentinel_acts',
      'how often the sentinel acted under this daemon',
      [],
      of(({ acts }) => acts),
    );
    this.#gauge(
      'godwit_sentinel_canceled',
      'orders that the sentinel cancelled under this daemon',
      [],
      of(({ canceled }) => canceled),
    );
  }

  #gauge(name: string, help: string, labelNames: readonly string[], samples: () => Iterable<Sample>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      collect(): void {
        this.reset();
        // A reset leaves 0 where there are no labels: what is not known has no value.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of samples()) this.set(labels as LabelValues<string>, value);
      },
    });
    this.#registry.registerMetric(gauge);
  }

  #observe(event: Event, { trader }: OperatedRun): void {
    switch (event.kind) {
      case 'orderPending':
      case 'cancelPending':
      case 'replacePending':
      case 'readPending':
      case 'marginPending':
        if (this.#waiting.size >= waitingMax) this.#waiting.clear();
        this.#waiting.set(event.command.commandId, event.receiveTime);
        return;
      case 'commandSettled': {
        const since = this.#waiting.get(event.commandId);
        this.#waiting.delete(event.commandId);
        if (since !== undefined)
          this.#answers.observe({ lane: event.lane }, (event.receiveTime - since) / microsPerSecond);
        return;
      }
      case 'orderDenied':
        this.#refusals.inc({ code: event.denial.code, by: 'us' });
        return;
      case 'orderRejected':
        this.#refusals.inc({ code: String(event.code), by: 'venue' });
        return;
      case 'orderReport':
      case 'readAnswered':
        for (const { instrument, clientOrderId } of trader.view.tradesOf(event))
          this.#fills.inc({
            strategy: trader.view.order(clientOrderId)?.strategy ?? 'external',
            symbol: trader.instruments.at(instrument).symbol,
          });
    }
  }
}

function namesOf({ symbol }: Instrument): Sample[0] {
  return { symbol };
}

function ordersByState({ trader }: OperatedRun): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const { state } of trader.view.openOrders()) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => [{ state }, count]);
}

function syncOf({ journal }: OperatedRun, which: 'at' | 'took'): readonly Sample[] {
  const { synced } = journal();
  return synced === undefined ? [] : [[{}, synced[which] / microsPerSecond]];
}

function secondsOf(milliseconds: number | null): readonly Sample[] {
  return milliseconds === null ? [] : [[{}, milliseconds / 1_000]];
}

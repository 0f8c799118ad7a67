import type { Amount } from '../core/base/amount.ts';
import { amountToNumber } from '../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { microsPerMilli, timeText } from '../core/base/clock.ts';
import type { DenialCode } from '../core/model/denial.ts';
import type { Correction } from '../core/model/difference.ts';
import type { MarginDenied, OrderDenied, OwnTrade } from '../core/model/event.ts';
import type { Ticks } from '../core/model/instrument.ts';
import type { Order } from '../core/model/order.ts';
import { equities } from '../core/orders/base/equity.ts';
import { runProfits } from '../core/orders/base/profit.ts';
import type { KeptHistory } from './history/index.ts';
import { ChartHistory, chartPeriods, Days, fillCharts } from './history/index.ts';
import { KeptAlerts, KeptFills } from './kept-lists.ts';
import { JournalTail } from './journal-tail.ts';
import { accountProfits, profitsOf } from './profits.ts';
import type { OperatedRun, OperatedStrategy } from './run.ts';
import type { BookText, CandlesText, Status, StrategyProfit, StrategyRow } from './schemas.ts';
import { shownParams, shownSchema, schemaDefaults } from './shown-params.ts';
import {
  driftRow,
  sentinelRow,
  fillsOf,
  latchRow,
  profitByCurrency,
  safeStateRow,
  otherGodwitRows,
  tradingRow,
} from './status-rows.ts';
import type { Alert } from './views/alerts.ts';
import { alertRow } from './views/alerts.ts';
import type { OrderRow } from './views/orders.ts';
import { orderRow } from './views/orders.ts';
import type { HeldRow } from './views/positions.ts';
import { heldRows } from './views/positions.ts';
import type { FillRow } from './views/trades.ts';
import { fillRow } from './views/trades.ts';
import type { KeptDenial, ViewedRun } from './views/view.ts';
import { priceText } from './views/view.ts';

const levelsMax = 50;

/**
 * Read side of a run for its operator. It reads the state of the trader and keeps only what the state forgets; lists are made from it by
 * `operate/views`.
 */
export class RunView implements ViewedRun {
  /** Records that the journal took last. */
  readonly tail: JournalTail;
  readonly gaps = new Map<string, number>();
  readonly denials = new Map<DenialCode, KeptDenial>();
  readonly #run: OperatedRun;
  readonly #fills: KeptFills;
  readonly #alerts: KeptAlerts;
  readonly #days: Days;
  /** Candles of its symbols. */
  readonly charts: ChartHistory;
  readonly #startedAt: Micros;
  readonly #unwatch: Cancel;
  readonly #unfill: Cancel;
  #onFill: (fill: FillRow) => void = () => {};
  #onAlert: (alert: Alert) => void = () => {};

  constructor(run: OperatedRun, kept: KeptHistory) {
    this.#run = run;
    this.#fills = new KeptFills(kept);
    this.#alerts = new KeptAlerts(kept);
    this.#days = new Days({
      view: run.trader.view,
      clock: run.clock,
      kept,
      equities: () => this.equities(),
    });
    this.tail = new JournalTail(run);
    this.charts = new ChartHistory(run.trader.instruments, run.clock, kept);
    const { candles: ask, shown, clock } = run;
    this.#unfill = ask === undefined ? () => {} : fillCharts({ charts: this.charts, shown, ask, clock });
    this.#startedAt = run.clock.now();
    this.#unwatch = run.trader.watchLanes(
      (data) => this.charts.accept(data),
      ({ event }) => {
        if (event.kind === 'orderReport' || event.kind === 'readAnswered') {
          for (const trade of run.trader.view.tradesOf(event)) this.#booked(trade);
        } else if (event.kind === 'executionCorrected') {
          this.#corrected(event.correction);
        } else if (event.kind === 'bookStale' && event.reason === 'gap') {
          const { symbol } = run.trader.instruments.at(event.instrument);
          this.gaps.set(symbol, (this.gaps.get(symbol) ?? 0) + 1);
        } else if (event.kind === 'orderDenied' || event.kind === 'marginDenied') {
          this.#denied(event);
        }
      },
    );
  }

  get trader(): OperatedRun['trader'] {
    return this.#run.trader;
  }

  get clock(): Clock {
    return this.#run.clock;
  }

  get strategies(): readonly OperatedStrategy[] {
    return this.#run.strategies;
  }

  get orders(): ViewedRun['orders'] {
    return this.#run.orders;
  }

  get shown(): ViewedRun['shown'] {
    return this.#run.shown;
  }

  get budgets(): ViewedRun['budgets'] {
    return this.#run.budgets;
  }

  get fills(): readonly FillRow[] {
    return this.#fills.rows;
  }

  get alerts(): ViewedRun['alerts'] {
    return this.#alerts.rows;
  }

  readonly days = (): Days => {
    this.#days.lookAtRun();
    return this.#days;
  };

  readonly equities = (): ReadonlyMap<string, Amount> => {
    const { trader, shown } = this.#run;
    return equities(
      trader.view,
      shown().map((id) => trader.instruments.at(id)),
    );
  };

  get records(): ViewedRun['records'] {
    return this.tail.records;
  }

  /** Called with every fill and every alert as it comes. */
  onNews(fill: (fill: FillRow) => void, alert: (alert: Alert) => void): void {
    this.#onFill = fill;
    this.#onAlert = alert;
  }

  alert(text: string): void {
    const alert = { time: this.#run.clock.now(), text };
    this.#alerts.add(alert);
    this.#onAlert(alertRow(alert));
  }

  close(): void {
    this.#unwatch();
    this.#unfill();
    this.#days.close();
    this.tail.close();
  }

  status(positions: readonly HeldRow[] = this.positions()): Status {
    const { trader, clock, run, mode, account, venue } = this.#run;
    const { view } = trader;
    return {
      run,
      mode,
      account: account ?? null,
      venue,
      startedAt: timeText(this.#startedAt),
      now: timeText(clock.now()),
      trading: tradingRow(view),
      sessions: { market: view.sessionUp('market'), trading: view.sessionUp('trading') },
      started: trader.started,
      marketLagMs: milliseconds(view.marketLag),
      clockOffsetMs: milliseconds(view.clockOffset),
      orders: { open: view.openCount(), unknown: view.unknownCount(), inFlight: trader.waiting.inFlight },
      strategies: this.strategyStates(positions),
      lossLimits: view.losses.latches.map(latchRow),
      safeStates: trader.safeStates.map(safeStateRow),
      otherGodwits: otherGodwitRows(trader.differences),
      drift: driftRow(this.#run.drift?.()),
      sentinel: sentinelRow(this.#run.sentinel?.()),
    };
  }

  /** Strategies as they stand, each with its shadow. */
  strategyStates(positions: readonly HeldRow[] = this.positions()): Status['strategies'] {
    const { trader, strategies, strategyActs, shadows } = this.#run;
    const inShadow = shadows?.trader === undefined ? [] : heldRows(shadows.trader);
    return strategies.map(({ name }) => {
      const stopped = trader.view.stopped(name);
      const paused = trader.view.paused(name);
      const symbols =
        trader.hosts.find((host) => host.name === name)?.feeds.map(({ symbol }) => symbol) ?? [];
      const running = trader.started ? 'running' : 'starting';
      const state = stopped === undefined ? (paused === undefined ? running : 'paused') : 'stopped';
      const params = shownParams(strategyActs.params(name));
      const why = stopped ?? paused ?? '';
      const shadow = shadows?.of(name);
      return {
        name,
        kind: 'live',
        state,
        why,
        off: trader.view.off(name) !== undefined,
        symbols: [...symbols],
        params,
        fills: fillsOf(trader.view, name),
        profit: profitByCurrency(positions, name),
        shadow:
          shadow === undefined
            ? null
            : {
                kind: 'shadow',
                state: shadow.state,
                why: shadow.why,
                path: shadow.path,
                params: shownParams(shadow.params),
                fills: shadows?.trader === undefined ? 0 : fillsOf(shadows.trader.view, name),
                profit: profitByCurrency(inShadow, name),
              },
      };
    });
  }

  /** As `strategyStates`, with what a form for the parameters needs. */
  strategyRows(): StrategyRow[] {
    const rows = this.strategyStates();
    return rows.map((row) => {
      const { path, schema } = this.#run.strategyActs.code(row.name);
      const params = { ...shownParams(schemaDefaults(schema)), ...row.params };
      return { ...row, path, params, schema: shownSchema(schema) };
    });
  }

  /** `undefined` when there is no such symbol. */
  book(symbol: string): BookText | undefined {
    const { trader } = this.#run;
    const instrument = trader.instruments.find(symbol);
    if (instrument === undefined) return undefined;
    const book = trader.view.book(instrument.id);
    const side = (which: 'buy' | 'sell'): [string, string][] =>
      book
        .levels(which, levelsMax)
        .map(({ price, quantity }) => [instrument.priceText(price), instrument.quantityText(quantity)]);
    const [bid, ask] = [book.bestBid, book.bestAsk];
    const spread = bid === undefined || ask === undefined ? undefined : ((ask - bid) as Ticks);
    return {
      symbol,
      status: book.status,
      tick: instrument.spec.tickSize,
      spread: priceText(instrument, spread),
      spreadBp: spread === undefined ? null : spreadBp(bid as Ticks, ask as Ticks),
      bids: side('buy'),
      asks: side('sell'),
    };
  }

  /** `undefined` when there is no such symbol, or no such period. `from`: as `ChartHistory.columns`. */
  candles(symbol: string, name: string, from?: number): CandlesText | undefined {
    const instrument = this.#run.trader.instruments.find(symbol)?.id;
    const period = chartPeriods.find((one) => one === name);
    if (instrument === undefined || period === undefined) return undefined;
    return { symbol, period, ...this.charts.columns({ instrument, period }, from) };
  }

  order(id: string): OrderRow | undefined {
    const order = this.#run.trader.view.order(id as Order['clientOrderId']);
    return order === undefined ? undefined : orderRow(order, this.#run);
  }

  positions(): HeldRow[] {
    return heldRows(this.#run.trader);
  }

  /** Positions of the shadows that run. */
  #shadowPositions(): HeldRow[] {
    const { shadows } = this.#run;
    if (shadows?.trader === undefined) return [];
    return heldRows(shadows.trader).filter(({ strategy }) => {
      const shadow = shadows.of(strategy);
      return shadow !== undefined && shadow.state !== 'stopped';
    });
  }

  /** Profit of each strategy, and of each shadow that runs, by quote currency, in doubles. What has no price is left out. */
  strategyProfits(positions: readonly HeldRow[] = this.positions()): StrategyProfit[] {
    return [...profitsOf(positions, 'live'), ...profitsOf(this.#shadowPositions(), 'shadow')];
  }

  /** How far the profit of the run is below its peak, over restarts, by quote currency. What has no price is left out. */
  drawdowns(): ReadonlyMap<string, number> {
    const falls = runProfits(this.#run.trader.view);
    return new Map(
      falls.flatMap(({ currency, drawdown }) =>
        drawdown === undefined ? [] : [[currency, amountToNumber(drawdown)]],
      ),
    );
  }

  /** Profit of the account by quote currency: what its strategies come to. */
  profits(positions: readonly HeldRow[] = this.positions()): ReadonlyMap<string, number> {
    return accountProfits(positions);
  }

  #denied({ strategy, denial: { code, why }, receiveTime }: OrderDenied | MarginDenied): void {
    const denied = (this.denials.get(code)?.denied ?? 0) + 1;
    this.denials.set(code, { denied, strategy, time: receiveTime, why });
  }

  /** A fill is shown as it is, and not at all where it never was. */
  #corrected({ trade, holds }: Correction): void {
    this.#fills.correct(trade, holds === undefined ? undefined : this.#fillRow(holds));
  }

  #booked(trade: OwnTrade): void {
    const fill = this.#fillRow(trade);
    this.#fills.add(fill);
    this.#days.lookAtRun();
    this.#onFill(fill);
  }

  #fillRow(trade: OwnTrade): FillRow {
    const { view, instruments } = this.trader;
    return fillRow(trade, view.order(trade.clientOrderId)?.strategy ?? 'external', instruments);
  }
}

function spreadBp(bid: Ticks, ask: Ticks): number {
  return Number((((ask - bid) / (ask + bid)) * 20_000).toFixed(1));
}

function milliseconds(time: Micros | undefined): number | null {
  return time === undefined ? null : Math.round(time / microsPerMilli);
}

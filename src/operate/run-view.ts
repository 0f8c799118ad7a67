import { amountToNumber, formatAmount } from '../core/base/amount.ts';
import type { Cancel, Micros } from '../core/base/clock.ts';
import { microsPerMilli, timeText } from '../core/base/clock.ts';
import type { DenialCode } from '../core/model/denial.ts';
import { denialCodes } from '../core/model/denial.ts';
import type { Correction } from '../core/model/difference.ts';
import type { MarginDenied, OrderDenied, OwnTrade } from '../core/model/event.ts';
import type { Lots } from '../core/model/instrument.ts';
import type { Order } from '../core/model/order.ts';
import { runProfits } from '../core/orders/base/profit.ts';
import { balanceRows, fillsOf, heldRows, marginRows, priceText } from './held-rows.ts';
import { accountProfits, profitsOf } from './profits.ts';
import { driftRow, latchRow, orderRow, profitIn, safeStateRow } from './status-rows.ts';
import { viewRows } from './views/all.ts';
import { shownParams, shownSchema, usualParams } from './shown-params.ts';
import { JournalTail } from './journal-tail.ts';
import type { OperatedRun } from './run.ts';
import type {
  Alert,
  BalanceRow,
  BookText,
  BudgetRow,
  ControlRow,
  FeedRow,
  FillRow,
  LimitUse,
  OrderRow,
  HeldRow,
  MarginRow,
  Status,
  StrategyProfit,
  StrategyRow,
} from './schemas.ts';

const fillsMax = 1_000;
const alertsMax = 200;
const levelsMax = 50;

/** What an operator is shown of a run, in text. It reads the state of the trader and keeps only what the state forgets. */
export class RunView {
  /** What the journal took last. */
  readonly tail: JournalTail;
  readonly #run: OperatedRun;
  readonly #startedAt: Micros;
  readonly #fills: FillRow[] = [];
  readonly #alerts: Alert[] = [];
  readonly #gaps = new Map<string, number>();
  readonly #denials = new Map<DenialCode, Omit<ControlRow, 'code'>>();
  readonly #unwatch: Cancel;
  #onFill: (fill: FillRow) => void = () => {};
  #onAlert: (alert: Alert) => void = () => {};

  constructor(run: OperatedRun) {
    this.#run = run;
    this.tail = new JournalTail(run);
    this.#startedAt = run.clock.now();
    this.#unwatch = run.trader.watchLanes(
      () => {},
      ({ event }) => {
        if (event.kind === 'orderReport' || event.kind === 'readAnswered') {
          for (const trade of run.trader.view.tradesOf(event)) this.#booked(trade);
        } else if (event.kind === 'executionCorrected') {
          this.#corrected(event.correction);
        } else if (event.kind === 'bookStale' && event.reason === 'gap') {
          const { symbol } = run.trader.instruments.at(event.instrument);
          this.#gaps.set(symbol, (this.#gaps.get(symbol) ?? 0) + 1);
        } else if (event.kind === 'orderDenied' || event.kind === 'marginDenied') {
          this.#denied(event);
        }
      },
    );
  }

  /** Called with every fill and every alert as it comes. */
  onNews(fill: (fill: FillRow) => void, alert: (alert: Alert) => void): void {
    this.#onFill = fill;
    this.#onAlert = alert;
  }

  alert(text: string): void {
    const alert = { time: timeText(this.#run.clock.now()), text };
    this.#alerts.push(alert);
    if (this.#alerts.length > alertsMax) this.#alerts.shift();
    this.#onAlert(alert);
  }

  close(): void {
    this.#unwatch();
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
      trading: { mode: view.mode, why: view.modeWhy, latched: view.modeLatched },
      sessions: { market: view.sessionUp('market'), trading: view.sessionUp('trading') },
      started: trader.started,
      marketLagMs: milliseconds(view.marketLag),
      clockOffsetMs: milliseconds(view.clockOffset),
      orders: { open: view.openCount(), unknown: view.unknownCount(), inFlight: trader.waiting.inFlight },
      strategies: this.strategies(positions),
      lossLimits: view.losses.latches.map(latchRow),
      safeStates: trader.safeStates.map(safeStateRow),
      drift: driftRow(this.#run.drift?.()),
    };
  }

  strategies(positions: readonly HeldRow[] = this.positions()): Status['strategies'] {
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
        symbols: [...symbols],
        params,
        fills: fillsOf(trader.view, name),
        profit: profitIn(positions, name),
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
                profit: profitIn(inShadow, name),
              },
      };
    });
  }

  /** As `strategies`, with what a form for the parameters needs. */
  strategyRows(): StrategyRow[] {
    const rows = this.strategies();
    return rows.map((row) => {
      const { path, schema } = this.#run.strategyActs.code(row.name);
      const params = { ...shownParams(usualParams(schema)), ...row.params };
      return { ...row, path, params, schema: shownSchema(schema) };
    });
  }

  feeds(): FeedRow[] {
    const { trader, clock, shown } = this.#run;
    return shown().map((id) => {
      const instrument = trader.instruments.at(id);
      const book = trader.view.book(id);
      const age = book.receiveTime > 0 ? clock.now() - book.receiveTime : undefined;
      return {
        symbol: instrument.symbol,
        status: book.status,
        reason: book.unfit ?? null,
        bid: priceText(instrument, book.bestBid),
        ask: priceText(instrument, book.bestAsk),
        middle:
          book.bestBid === undefined || book.bestAsk === undefined
            ? null
            : formatAmount(instrument.midAmount(book.bestBid, book.bestAsk)),
        sequence: book.sequence,
        ageMs: milliseconds(age as Micros | undefined),
        gaps: this.#gaps.get(instrument.symbol) ?? 0,
      };
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
    return { symbol, status: book.status, bids: side('buy'), asks: side('sell') };
  }

  /** Those that may be live, in order of creation: the first `most` of them. */
  orders(most?: number): OrderRow[] {
    const { trader } = this.#run;
    const orders = trader.view.openOrders().slice(0, most);
    return orders.map((order) => orderRow(order, trader.instruments.at(order.instrument)));
  }

  order(id: string): OrderRow | undefined {
    const { view, instruments } = this.#run.trader;
    const order = view.order(id as Order['clientOrderId']);
    return order === undefined ? undefined : orderRow(order, instruments.at(order.instrument));
  }

  /** The newest first. */
  fills(): FillRow[] {
    return this.#fills.toReversed();
  }

  /** The newest first. */
  alerts(): Alert[] {
    return this.#alerts.toReversed();
  }

  positions(): HeldRow[] {
    return heldRows(this.#run.trader);
  }

  /** Margin accounts that are open, as the venue reports them. */
  margin(): MarginRow[] {
    return marginRows(this.#run.trader);
  }

  /** Rows of the lists of `operate/views`, by name. */
  viewRows(): ReturnType<typeof viewRows> {
    return viewRows(this.#run.trader);
  }

  /** Every code that denies, the most frequent first. */
  controls(): ControlRow[] {
    const none = { denied: 0, strategy: null, time: null, why: null };
    const rows = denialCodes.map((code) => ({ code, ...(this.#denials.get(code) ?? none) }));
    return rows.toSorted((one, other) => other.denied - one.denied);
  }

  /** What the shadows hold and have held that run. */
  #shadowPositions(): HeldRow[] {
    const { shadows } = this.#run;
    if (shadows?.trader === undefined) return [];
    return heldRows(shadows.trader).filter(({ strategy }) => {
      const shadow = shadows.of(strategy);
      return shadow !== undefined && shadow.state !== 'stopped';
    });
  }

  /** Profit, positions and orders in one line. */
  summary(): string {
    const profits = [...this.profits()].map(([currency, profit]) => `${profit.toPrecision(6)} ${currency}`);
    const held = this.positions().filter(({ quantity }) => Number(quantity) !== 0);
    const positions = held.map(({ symbol, quantity }) => `${symbol} ${quantity}`);
    const { orders } = this.status();
    return `profit ${profits.join(', ') || 'none'}; positions ${positions.join(', ') || 'none'}; ${orders.open} open orders, ${orders.unknown} unknown`;
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

  balances(): BalanceRow[] {
    return balanceRows(this.#run.trader);
  }

  /** How much of each limit is used. A limit that is not set has no row. */
  limits(): LimitUse[] {
    const { trader, strategies } = this.#run;
    const orders = this.#run.orders();
    const { view } = trader;
    const count = (name: string, of: string, used: number, limit: number): LimitUse => ({
      name,
      of,
      used: String(used),
      limit: String(limit),
      unit: 'orders',
    });
    return [
      count('orders.openOrdersAccountMax', 'account', view.openCount(), orders.openOrdersAccountMax),
      count('orders.unknownOrdersMax', 'account', view.unknownCount(), orders.unknownOrdersMax),
      ...this.#run.shown().flatMap((id) => {
        const instrument = trader.instruments.at(id);
        const most = (orders.limits[instrument.symbol] ?? orders.limits['*'])?.positionMax;
        const net = Math.abs(view.netPosition(id)) as Lots;
        const { symbol, unit } = instrument;
        return [
          count('orders.openOrdersSymbolMax', symbol, view.openCountOf(id), orders.openOrdersSymbolMax),
          ...(most === undefined
            ? []
            : [
                {
                  name: 'orders.limits.positionMax',
                  of: symbol,
                  used: instrument.quantityText(net),
                  limit: most,
                  unit,
                },
              ]),
        ];
      }),
      ...strategies.map(({ name, limits }) =>
        count('limits.openOrdersMax', name, view.openCountBy(name), limits.openOrdersMax),
      ),
    ];
  }

  budgets(): BudgetRow[] {
    const usage = this.#run.budgets();
    const { waiting } = this.#run.trader;
    return (['cancel', 'read', 'replace', 'new'] as const).map((lane) => ({
      lane,
      used: usage[lane].used,
      capacity: usage[lane].capacity,
      waiting: waiting[lane],
    }));
  }

  #denied({ strategy, denial: { code, why }, receiveTime }: OrderDenied | MarginDenied): void {
    const denied = (this.#denials.get(code)?.denied ?? 0) + 1;
    this.#denials.set(code, { denied, strategy, time: timeText(receiveTime), why });
  }

  /** A fill is shown as it is, and not at all where it never was. */
  #corrected({ trade, holds }: Correction): void {
    const at = this.#fills.findIndex(
      ({ tradeId, clientOrderId }) => tradeId === trade.tradeId && clientOrderId === trade.clientOrderId,
    );
    if (at >= 0) this.#fills.splice(at, 1, ...(holds === undefined ? [] : [this.#fillRow(holds)]));
  }

  #booked(trade: OwnTrade): void {
    const fill = this.#fillRow(trade);
    this.#fills.push(fill);
    if (this.#fills.length > fillsMax) this.#fills.shift();
    this.#onFill(fill);
  }

  #fillRow(trade: OwnTrade): FillRow {
    const { trader } = this.#run;
    const instrument = trader.instruments.at(trade.instrument);
    return {
      tradeId: trade.tradeId,
      clientOrderId: trade.clientOrderId,
      strategy: trader.view.order(trade.clientOrderId)?.strategy ?? 'external',
      symbol: instrument.symbol,
      side: trade.side,
      quantity: instrument.quantityText(trade.quantity),
      price: instrument.priceText(trade.price),
      fee: formatAmount(trade.fee),
      feeCurrency: instrument.spec.feeCurrency,
      taker: trade.taker,
      time: timeText(trade.time),
    };
  }
}

function milliseconds(time: Micros | undefined): number | null {
  return time === undefined ? null : Math.round(time / microsPerMilli);
}

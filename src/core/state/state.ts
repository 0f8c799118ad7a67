import { fail } from '../base/assert.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedState } from '../model/carried-state.ts';
import type { Event, MarketData, ReadAnswered } from '../model/event.ts';
import { isMarketData } from '../model/market-data.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Product } from '../model/product.ts';
import type { BalanceStore } from './balances.ts';
import { stateDefaults } from './options.ts';
import type { StateOptions } from './options.ts';
import { StateReader } from './reader.ts';
import { Stores } from './stores.ts';

export type { StateOptions } from './options.ts';

export interface StateDeps {
  readonly instruments: Instruments;
  readonly options?: Partial<StateOptions>;
}

/**
 * Everything known, folded from events: same events, same state, in any process. Nothing but `apply` and `fold`
 * writes it; hand out as `StateView` what others may read.
 */
export class State extends StateReader {
  readonly #stores: Stores;

  constructor(setup: StateDeps) {
    const stores = new Stores(setup.instruments, { ...stateDefaults, ...setup.options });
    super(setup.instruments, stores);
    this.#stores = stores;
  }

  /**
   * Folds one event. Throws `BrokenInvariant` when the event breaks a promise of an order's life (an order that
   * was called dead lives); the state is whole nevertheless, and shows the order, so that it can be cancelled.
   */
  apply(event: Event): void {
    const violation = this.fold(event);
    if (violation !== undefined) fail(violation);
  }

  /**
   * Like `apply`, but returns the violation instead of throwing: for replays, which must get past it as live did. `isVerdict`: the event
   * belongs to the step of the one before, and both may be asked what they booked.
   */
  fold(event: Event, isVerdict = false): string | undefined {
    if (isMarketData(event)) {
      this.foldMarketData(event);
      return undefined;
    }
    if (!isVerdict) this.#stores.ledger.beginStep();
    this.#stores.time = event.receiveTime;
    switch (event.kind) {
      case 'bookStale':
        this.#stores.books.apply(event);
        return undefined;
      case 'contractInfo':
        this.#stores.contracts.set(event.instrument, event);
        return undefined;
      case 'seriesRow':
      case 'seriesStale':
        this.#stores.series.apply(event);
        return undefined;
      case 'stateCarried':
        if (this.#stores.blank) this.#stores.takeState(event.state);
        this.#stores.blank = false;
        return undefined;
      default:
        this.#stores.blank = false;
        this.#foldRest(event);
        return this.#stores.orders.takeViolation();
    }
  }

  /** Folds what the market said. */
  foldMarketData(data: MarketData): void {
    this.#stores.time = data.receiveTime;
    switch (data.kind) {
      case 'bookUpdate':
        this.#stores.delay = data.receiveTime - data.exchangeTime;
        return this.#stores.books.apply(data);
      case 'bookSnapshot':
        this.#heardSnapshot(data);
        return this.#stores.books.apply(data);
      case 'trades':
        return this.#stores.addTrades(data);
      case 'ticker':
        return this.#stores.tickers.apply(data);
      case 'candles':
        return this.#stores.candles.apply(data);
    }
  }

  /**
   * Result of all events so far, for a `stateCarried`: a blank state that folds it answers and goes on as
   * this one, but for market data and for ended orders and fills beyond the options' bounds.
   */
  carry(): CarriedState {
    return this.#stores.carry();
  }

  /** A snapshot is stamped with the last change, so it proves that the line is quick, and never that it is slow. */
  #heardSnapshot({ receiveTime, exchangeTime }: MarketData): void {
    const delay = receiveTime - exchangeTime;
    if (delay < this.#stores.delay) this.#stores.delay = delay;
  }

  #foldRest(event: Event): void {
    switch (event.kind) {
      case 'balances':
        return this.#balancesOf(event.wallet).apply(event);
      case 'readAnswered':
        return this.#foldRead(event);
      case 'marginAccount':
        this.#stores.ledger.beginEvent(event);
        this.#stores.margin.apply(event, this.clockOffset ?? (0 as Micros));
        return this.#stores.ledger.settleLosses();
      case 'readPending':
        return this.#stores.ledger.wallets.asked(event.command.what, event.receiveTime);
      case 'sessionUp':
      case 'sessionDown':
        if (event.session === 'trading') this.#stores.ledger.wallets.beginRun();
        return this.#stores.sessions.apply(event);
      case 'clockMeasured':
        return this.#stores.sessions.applyClock(event);
      case 'instrumentChanged':
        return this.#stores.sessions.applyStatus(event);
      case 'modeChanged':
        return this.#stores.mode.applyMode(event);
      case 'strategyStopped':
        return this.#stores.mode.applyStop(event);
      case 'strategyStarted':
        return this.#stores.mode.applyStart(event);
      case 'operatorActed':
        return this.#stores.mode.applyOperator(event);
      case 'profitMarked':
        return this.#stores.losses.applyMark(event);
      case 'profitCourseMarked':
        return this.#stores.ledger.courses.mark(event.course);
      case 'lossLimitReached':
        return this.#stores.losses.applyReached(event);
      case 'lossLimitCleared':
        return this.#stores.losses.applyCleared(event, this.#stores.ledger.openUntil);
      case 'differenceFound':
        return this.#stores.differences.applyFound(event);
      case 'differenceEnded':
        return this.#stores.differences.applyEnded(event);
      case 'executionCorrected':
        this.#stores.ledger.beginEvent(event);
        this.#stores.ledger.correct(event);
        return this.#stores.orders.applyCorrected(event);
      case 'moneyMoved':
        this.#stores.ledger.beginEvent(event);
        return this.#stores.ledger.bookMove(event);
      case 'runStarted':
        this.#stores.runs.began(event.run);
        this.#stores.ledger.executions.beginRun(event.mode !== 'backtest', event.receiveTime);
        this.#stores.mode.beginRun();
        this.#stores.series.beginRun();
        this.#stores.balances.beginRun();
        this.#stores.futuresBalances.beginRun();
        this.#stores.margin.beginRun(event.receiveTime);
        this.#stores.ledger.wallets.beginRun(event.mode);
        return this.#stores.sessions.beginRun();
      default:
        return this.#foldOrder(event);
    }
  }

  #balancesOf(wallet: Product | undefined): BalanceStore {
    return wallet === 'futures' ? this.#stores.futuresBalances : this.#stores.balances;
  }

  #foldRead(event: ReadAnswered): void {
    const { what } = event;
    this.#stores.ledger.beginEvent(event);
    if (what.of === 'tradeHistory') for (const row of event.fills) this.#stores.ledger.confirm(row);
    if (what.of === 'balances') this.#balancesOf(what.product).applyRead(event);
    else if (what.of === 'marginAccounts') this.#stores.margin.applyRead(what.product, event);
    this.#stores.orders.applyRead(event);
    this.#stores.ledger.settleLosses();
    this.#stores.ledger.wallets.answered(event, this.clockOffset ?? (0 as Micros));
  }

  #foldOrder(event: Event): void {
    switch (event.kind) {
      case 'intent':
        if (event.intent.action === 'changeMargin') return this.#stores.margin.declare(event.intent);
        return this.#stores.orders.applyIntent(event);
      case 'orderPending':
        return this.#stores.orders.applyPending(event);
      case 'cancelPending':
        return this.#stores.orders.applyCancelPending(event);
      case 'replacePending':
        return this.#stores.orders.applyReplacePending(event);
      case 'orderReport':
        this.#stores.ledger.beginEvent(event);
        this.#stores.orders.applyReport(event);
        return this.#stores.ledger.settleLosses();
      case 'orderRejected':
        return this.#stores.orders.applyRejected(event);
      case 'cancelRejected':
        return this.#stores.orders.applyCancelRejected(event);
      case 'commandSettled':
        this.#stores.margin.applySettled(event);
        return this.#stores.orders.applySettled(event);
      case 'orderDenied':
        return this.#stores.orders.applyDenied(event);
      case 'orderUnknown':
        return this.#stores.orders.applyUnknown(event);
      case 'orderProvenAbsent':
        return this.#stores.orders.applyProvenAbsent(event);
      case 'orderFoundAlive':
        return this.#stores.orders.applyFoundAlive(event);
      case 'orderAssigned':
        return this.#stores.orders.applyAssigned(event);
      case 'marginPending':
        return this.#stores.margin.applyPending(event);
      case 'marginDenied':
        return this.#stores.margin.applyDenied(event);
      case 'marginRejected':
        return this.#stores.margin.applyRejected(event);
      case 'marginFound':
        this.#stores.ledger.beginEvent(event);
        this.#stores.ledger.adopt(event);
        return this.#stores.mode.applyFinding(event);
      case 'chargeFound':
        this.#stores.ledger.beginEvent(event);
        return this.#stores.ledger.findCharge(event);
      default:
        // Timers and notes change no store.
        return undefined;
    }
  }
}

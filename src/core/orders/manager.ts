import type { Cancel, Clock, Micros } from '../base/clock.ts';
import type { Capabilities } from '../model/capabilities.ts';
import type {
  Event,
  MarketData,
  ModeChanged,
  OperatorActed,
  OrderReport,
  ReadAnswered,
  RunStarted,
} from '../model/event.ts';
import { evidenceHaltOf } from '../model/evidence-halt.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import type { HeldOrder, NextLooks } from '../model/safe-state.ts';
import { opposite } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import { BookComparison } from './books.ts';
import { Cancels } from './base/cancels.ts';
import { Clearing } from './clearing.ts';
import { Differences } from './base/differences.ts';
import { ExecutionComparison } from './executions.ts';
import { InFlightTracker } from './in-flight-tracker.ts';
import { FoundOrders } from './found.ts';
import { OrderReservations } from './reservation-keeper.ts';
import { HeldExits } from './held-exits.ts';
import { Intents } from './intents.ts';
import type { LastLook } from './last-look.ts';
import type { StrategyEntry } from './base/limits.ts';
import type { StrategyFunds } from './base/share.ts';
import { fundsOf } from './base/share.ts';
import type { LiveDenials } from './live-denials.ts';
import { loosened } from './loosened.ts';
import { LossWatch } from './loss-watch.ts';
import { MarginChangeTracker, MarginComparison } from './margin/index.ts';
import { Memory } from './base/memory.ts';
import { MissingOrders } from './missing.ts';
import type { LimitSettings, OrderOptions } from './options.ts';
import { limitsOf } from './options.ts';
import {
  inputsOf,
  reducesPosition,
  selfTrade,
  rememberedStates,
  UnexplainedMoney,
} from './controls/index.ts';
import { Outbox } from './base/outbox.ts';
import { ReadShare } from './base/read-share.ts';
import { Reconciler } from './reconcile.ts';
import { isOurs } from './base/owners.ts';
import { WalletComparison } from './wallets.ts';
import { Watches } from './watches.ts';

export interface OrderManagerDeps {
  readonly view: StateView;
  readonly options: OrderOptions;
  readonly clock: Clock;
  /** Base 36 of the start second; part of every client order id of the run. */
  readonly run: string;
  /** Takes a verdict: recorded in state and journal before it returns. Called inside `observe` and from timers. */
  readonly emit: (event: Event) => void;
  readonly strategies: readonly StrategyEntry[];
  /** Abilities of the venue; everything when left out. */
  readonly capabilities?: Capabilities | undefined;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live?: LiveDenials | undefined;
  /** Reads that the venue's limit sustains in a second, where it tells. */
  readonly readRate?: number | undefined;
  /** Calls a book stale and fetches it anew; absent where the venue cannot. */
  readonly refetchBook?: ((instrument: InstrumentId) => void) | undefined;
  /** Shows market data from now on, until it is cancelled. */
  readonly watchMarketData?: ((watcher: (data: MarketData) => void) => Cancel) | undefined;
}

/**
 * Judges what strategies want and keeps track of what became of it. Reads the state, writes nothing but verdicts.
 *
 * Call `observe` in every step after the state has applied the event. Nothing here is ever sent twice: silence
 * makes an order unknown, and only evidence ends that.
 */
export class OrderManager {
  /** Look at the venue's own list before a halt is over. */
  readonly lastLook: LastLook;
  readonly journalWaits: Reconciler['journalWaits'];
  readonly #view: StateView;
  readonly #memory: Memory;
  readonly #orderReservations: OrderReservations;
  readonly #cancels: Cancels;
  readonly #tracker: InFlightTracker;
  readonly #intents: Intents;
  readonly #held: HeldExits;
  readonly #clearing: Clearing;
  readonly #reconciler: Reconciler;
  readonly #books: BookComparison;
  readonly #watches: Watches;
  readonly #marginChanges: MarginChangeTracker;
  readonly #margin: MarginComparison;
  readonly #losses: LossWatch;
  readonly #executions: ExecutionComparison;
  readonly #unexplained: UnexplainedMoney;

  /** Throws `BadInput` when limits and strategies do not fit the instruments. */
  constructor(parts: OrderManagerDeps) {
    const { view, options, clock, emit, live, refetchBook, watchMarketData } = parts;
    const memory = new Memory({
      ...parts,
      instruments: view.instruments,
      states: rememberedStates,
      also: live?.options,
    });
    const outbox = new Outbox(clock, emit);
    const orderReservations = new OrderReservations(view, memory);
    // A failed cancel leaves an order in doubt, and doubt may halt trading, which cancels: this closure ends the circle.
    const doubt = (id: ClientOrderId, isUrgent: boolean): void => {
      missing.doubt(id);
      watches.inDoubt(isUrgent);
    };
    const cancels = new Cancels({ view, outbox, clock, memory, doubt });
    const differences = new Differences({ view, outbox, clock });
    const shared = { view, memory, outbox, clock, cancels, orderReservations, differences };
    const missing = new MissingOrders({ ...shared, options: options.reconcile });
    const found = new FoundOrders(shared);
    const changes = new MarginChangeTracker({ ...shared, doubt: () => watches.inDoubt() });
    const margin = new MarginComparison({ ...shared, changes });
    const losses = new LossWatch(shared);
    const executions = new ExecutionComparison({ ...shared, losses });
    const unexplained = new UnexplainedMoney(shared);
    const wallets = new WalletComparison({ ...shared, booked: () => unexplained.settle() });
    const clearing = new Clearing(shared);
    const comparisons = { missing, found, margin, wallets, executions, unexplained };
    const share = new ReadShare(clock, parts.readRate);
    const reconciler = new Reconciler({ ...shared, ...comparisons, clearing, share });
    this.#books = new BookComparison({ ...shared, share, refetchBook, watchMarketData });
    const watches = new Watches({ ...shared, reconciler, clearing });
    const tracker = new InFlightTracker({ ...shared, missing, found, watches });
    this.lastLook = found.lastLook;
    this.journalWaits = (why) => reconciler.journalWaits(why);
    this.#clearing = clearing;
    this.#view = view;
    this.#memory = memory;
    this.#orderReservations = orderReservations;
    this.#cancels = cancels;
    this.#tracker = tracker;
    this.#held = new HeldExits({ ...shared, losses, judge: (intent) => this.#intents.judgeIntent(intent) });
    this.#intents = new Intents({ ...shared, live, tracker, marginChanges: changes, held: this.#held });
    this.#marginChanges = changes;
    this.#margin = margin;
    this.#reconciler = reconciler;
    this.#watches = watches;
    this.#losses = losses;
    this.#executions = executions;
    this.#unexplained = unexplained;
    // The clock may have been set back since the earlier run: what happens from now on is not known yet.
    if (view.time > 0) reconciler.tradesKnownTo(Math.min(view.time, clock.now()) as Micros);
  }

  /** Whether the reconciliation after the last start or outage is complete. */
  get reconciled(): boolean {
    return this.#memory.reconciled;
  }

  /** The instruments whose books a command needs that is about to leave. */
  inputsOf(command: Parameters<typeof inputsOf>[0]): readonly InstrumentId[] {
    return inputsOf(command, this.#view, this.#memory);
  }

  /** Orders that wait for own orders to end, the oldest first. */
  get held(): readonly HeldOrder[] {
    return this.#held.states;
  }

  /** When the account, and a book beside its stream, are read next. */
  get looks(): Pick<NextLooks, 'account' | 'bookRead'> {
    return {
      account: () => this.#reconciler.nextLook,
      bookRead: (instrument) => this.#books.lookAt(instrument),
    };
  }

  /** When the last complete look at the account began, by `uptime`, if that was after `time`; asks for one otherwise. */
  lookSince(time: number): number | undefined {
    if (this.#reconciler.lookedAt > time) return this.#reconciler.lookedAt;
    return this.#reconciler.lookSoon(true);
  }

  /** Orders that stay at the venue when the run ends, and may be live. */
  get kept(): readonly Order[] {
    return this.#clearing.kept;
  }

  /** Money of a strategy in a currency, where it has a share of the balance. */
  fundsOf(strategy: string, currency: string): StrategyFunds | undefined {
    return fundsOf(this.#view, this.#memory, strategy, currency);
  }

  /** In what other limits allow more than the present ones, in words. Throws `BadInput` when they do not fit the instruments. */
  loosenedBy(limits: LimitSettings): readonly string[] {
    return loosened(this.#view.instruments, this.#memory.limits, this.#memory.resolve(limits));
  }

  observe(event: Event): void {
    this.#judge(event);
    if (event.kind === 'marginFound' || event.kind === 'chargeFound') this.#losses.valueAgain();
    if (this.#memory.held.length > 0) this.#held.lookAtExits(event);
    if (this.lastLook.isDue && this.lastLook.follow()) this.#watches.inDoubt();
  }

  #judge(event: Event): void {
    switch (event.kind) {
      case 'intent':
        this.#losses.check();
        this.#intents.judgeIntent(event.intent);
        return;
      case 'orderReport':
        this.#reported(event);
        return;
      case 'orderRejected':
        this.#tracker.rejected(event);
        this.#watches.refused(event);
        return;
      case 'cancelRejected':
        // Code 0 is our own: the cancel never left.
        this.#cancels.refused(event.clientOrderId, event.code !== 0);
        this.#watches.refused(event);
        return;
      case 'orderDenied':
        this.#tracker.denied(event);
        return;
      case 'commandSettled':
        if (event.lane === 'read') {
          this.#reconciler.settled(event);
          this.#books.settled(event);
        } else {
          this.#tracker.settled(event);
          this.#marginChanges.settled(event);
        }
        return;
      case 'marginDenied':
      case 'marginRejected':
        this.#marginChanges.refused(event);
        if (event.kind === 'marginRejected') this.#watches.refused(event);
        return;
      case 'marginAccount':
        this.#orderReservations.accountCame(event);
        this.#margin.reported(event);
        return;
      case 'balances':
        this.#orderReservations.balancesCame(event);
        return;
      case 'readAnswered':
        this.#readAnswered(event);
        return;
      case 'sessionUp':
        if (event.session === 'trading') this.#sessionUp();
        return;
      case 'sessionDown':
        if (event.session === 'trading') this.#sessionDown(event.why);
        return;
      case 'runStarted':
        this.#beginRun(event);
        return;
      case 'modeChanged':
        this.#modeChanged(event);
        return;
      case 'operatorActed':
        this.#operatorActed(event);
        return;
      case 'strategyStopped':
        if (event.why === 'unloaded') this.#clearing.cancelEnded(event.strategy);
        else this.#clearing.cancelAll(`the strategy was stopped: ${event.why}`, event.strategy);
        return;
      case 'strategyStarted':
        this.#watches.forget(event.strategy);
        return;
    }
  }

  #modeChanged(event: ModeChanged): void {
    const evidence = evidenceHaltOf(event);
    this.lastLook.changed(event);
    if (evidence?.begins === true) this.#reconciler.halted();
    else if (evidence === undefined && event.mode === 'active') this.#unexplained.clear(event.why);
    if (evidence === undefined && this.#view.mode !== 'halted') this.#clearing.haltOver(true);
    if (event.mode === 'halted') this.#losses.halted();
    if (event.mode === 'halted') this.#clearing.halted(event);
    else if (event.mode === 'reducing') this.#cancels.requestThose((order) => !this.#reduces(order));
  }

  #beginRun(event: RunStarted): void {
    this.#clearing.beginRun(event);
    this.#intents.endUnsent();
    this.lastLook.beginRun(event);
    this.#losses.beginRun(event);
  }

  #sessionUp(): void {
    this.#tracker.takeUp();
    this.#marginChanges.takeUp();
    this.#watches.haltIfLost();
    this.#reconciler.up();
    this.#books.up();
  }

  #sessionDown(why: string): void {
    this.#reconciler.down();
    this.#books.down();
    this.#tracker.sessionLost(why);
    this.#marginChanges.sessionLost();
  }

  /** Stops every timer. Orders stay as they are. */
  close(): void {
    this.#reconciler.close();
    this.#books.close();
    this.#tracker.close();
    this.#losses.close();
    this.#held.close();
  }

  #operatorActed({ act }: OperatorActed): void {
    if (act.act === 'cancelAll') {
      this.#held.cancelAll(act.strategy, act.instrument);
      this.#clearing.cancelAll('cancelled by an operator', act.strategy, act.instrument);
    } else if (act.act === 'flatten') {
      this.#held.cancelAll(act.strategy);
      this.#cancels.requestAll(act.strategy);
    } else if (act.act === 'cancel') {
      this.#held.dropExits(({ requests }) => requests.some((one) => one.clientOrderId === act.clientOrderId));
      this.#held.dropReplacementOf(undefined, act.clientOrderId);
      const order = this.#view.order(act.clientOrderId);
      if (order !== undefined && !isTerminal(order.state)) {
        this.#clearing.cancelOne(order, 'cancelled by an operator');
      }
    } else if (act.act === 'reload') {
      this.#memory.takeLimits(this.#memory.resolve(limitsOf(act.limits)));
      this.#losses.limitsChanged();
    }
  }

  /** Whether a live order makes its strategy's position smaller. */
  #reduces(order: Order): boolean {
    return reducesPosition(order, this.#view, this.#memory);
  }

  /** A stop that was triggered meets what of ours stands on the other side: that is cancelled. */
  #triggered(id: ClientOrderId): void {
    const order = this.#view.order(id);
    if (order?.stopPrice === undefined || selfTrade.settings.of(this.#memory.options).selfTrades) return;
    if (order.state !== 'new' && order.state !== 'partiallyFilled') return;
    for (const met of this.#view.ownResting(order.instrument, opposite(order.side), order.price))
      if (isOurs(met, this.#view, this.#memory)) this.#cancels.requestWhole(met);
  }

  #reported(event: OrderReport): void {
    this.#tracker.reported(event);
    this.#triggered(event.order.clientOrderId);
    this.#books.reported(event.order.instrument);
    if (event.fill === undefined) return;
    const { order } = event;
    const { strategies } = this.#memory;
    this.#orderReservations.filled(event);
    this.#margin.booked(this.#view.booked);
    this.#executions.booked();
    const strategy = this.#view.order(order.clientOrderId)?.strategy;
    if (strategy !== undefined && strategies.has(strategy)) {
      this.#watches.executed(strategy, event);
    }
    this.#losses.filled();
  }

  #readAnswered(event: ReadAnswered): void {
    this.#orderReservations.readCame(event);
    this.#margin.booked(this.#view.booked);
    for (const { clientOrderId } of event.orders) {
      this.#orderReservations.refresh(clientOrderId);
      this.#triggered(clientOrderId);
    }
    // Of a history most is known already, and changes no hold.
    for (const { clientOrderId } of this.#view.booked) {
      this.#orderReservations.refresh(clientOrderId);
      this.#cancels.overIfEnded(clientOrderId);
    }
    this.#tracker.read(event);
    if (this.#view.booked.length > 0) {
      this.#executions.booked();
      this.#losses.filled();
    }
    this.#reconciler.answered(event);
    this.#books.answered(event);
  }
}

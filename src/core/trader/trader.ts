import { fail } from '../base/assert.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import { Bus } from '../bus/index.ts';
import { Gate } from '../gate/index.ts';
import type {
  Event,
  MarketData,
  RunStarted,
  SeriesEvent,
  StrategyStarted,
  StrategyStopped,
  TradingMode,
} from '../model/event.ts';
import { timesAt } from '../model/event-times.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Order } from '../model/order.ts';
import type { OperatorAct } from '../model/operator.ts';
import { keptBy } from '../model/operator.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import { OrderManager } from '../orders/index.ts';
import type { NextLooks, SafeState } from '../model/safe-state.ts';
import type { ShownDifference, State, StateView } from '../state/index.ts';
import { shownDifferences, safeStates } from '../state/index.ts';
import type { StrategyHost } from '../strategy/framework.ts';
import { Carrier, sinceCarried, stateAfter } from './carrier.ts';
import { Flattener } from './flatten.ts';
import { HostGroup } from './host-group.ts';
import type { StrategyPlan, TraderDeps } from './parts.ts';
import { followedBy, strategyEntries } from './strategy-entries.ts';

/**
 * The whole order of work, one event at a time: record it (state, then journal), judge it (orders), send (gate), then notify
 * strategies, whose intents wait in the mailbox. A throw in here halts trading: cancels and reads only.
 */
export class Trader {
  readonly instruments: Instruments;
  /** Without the history of earlier runs, which may be long and is folded once. */
  readonly #parts: Omit<TraderDeps, 'history'>;
  readonly #clock: Clock;
  readonly #state: State;
  readonly #bus: Bus;
  readonly #orders: OrderManager;
  readonly #gate: Gate;
  readonly #strategies: HostGroup;
  readonly #flattener: Flattener;
  /** From `start` on, but not in a backtest, which is not restarted. */
  #carrier: Carrier | undefined;
  #disconnect: Cancel | undefined;
  /** Plan that a strategy restarts with after it stops, by name. */
  readonly #restartPlans = new Map<string, StrategyPlan>();
  /** Strategies that were told to end and have not yet. */
  readonly #ending = new Set<string>();
  /** Verdicts of the present step, for strategies after its event. */
  readonly #verdicts: Event[] = [];
  #started = false;
  #stopping = false;

  constructor({ history: journaled, ...parts }: TraderDeps) {
    const { instruments, clock, venue, journal } = parts;
    const history = sinceCarried(journaled);
    this.instruments = instruments;
    this.#parts = parts;
    this.#clock = clock;
    this.#state = stateAfter(history, { instruments, options: parts.stateOptions });
    this.#bus = new Bus({
      start: history.at(-1)?.sequence ?? 0,
      step: (event, sequence) => this.#step(event, sequence),
      stepMarketData: (data, sequence) => this.#stepMarketData(data, sequence),
      onBroken: (error, event) => this.#broken(error, event),
      onSourceEnd: (error) => this.#sourceEnded(error),
      onWatcherError: (error) => parts.log.error({ error: String(error) }, 'a watcher of the bus threw'),
    });
    const publish = (event: Event): void => this.#bus.publish(event);
    this.#strategies = new HostGroup({
      plans: parts.strategies,
      state: this.#state,
      clock,
      publish,
      fundsOf: (strategy, currency) => this.#orders.fundsOf(strategy, currency),
    });
    this.#orders = new OrderManager({
      ...parts,
      view: this.#state,
      options: parts.orderOptions,
      strategies: strategyEntries(parts.strategies, this.hosts, instruments),
      emit: (event) => this.#emit(event),
      readRate: parts.budgets.readRate,
      refetchBook: venue.refetchBook && ((id) => venue.refetchBook?.(id)),
      watchMarketData: (watcher) => this.#bus.watch(watcher, () => {}),
    });
    this.#gate = new Gate({
      ...parts,
      view: this.#state,
      options: parts.gateOptions,
      marketLagMsMax: parts.orderOptions.marketLagMsMax,
      reconciled: () => this.#orders.reconciled,
      send: (command) => venue.send(command),
      publish,
      inputsOf: (command) => this.#orders.inputsOf(command),
    });
    this.#flattener = new Flattener({ ...parts, view: this.#state, publish, orders: this.#orders });
    journal.onFailure((error) => this.halt(`the journal failed: ${error.message}`));
    journal.onWaiting((why) => this.#orders.journalWaits(why));
    for (const stamped of history) for (const host of this.hosts) host.notify(stamped.event);
  }

  get view(): StateView {
    return this.#state;
  }

  /** Every safe state that holds: what keeps orders from leaving, with its cause and what ends it. */
  get safeStates(): readonly SafeState[] {
    const { orderOptions, instruments } = this.#parts;
    return safeStates({
      view: this.#state,
      followed: followedBy(this.hosts, instruments),
      marketLagMax: millis(orderOptions.marketLagMsMax),
      reconciled: this.#orders.reconciled,
      held: this.#orders.held,
      looks: this.#looks,
    });
  }

  /** Differences between our books and the venue that are open, the oldest first. */
  get differences(): readonly ShownDifference[] {
    return shownDifferences(this.#state.differences.all, this.#looks);
  }

  get #looks(): NextLooks {
    return { ...this.#parts.venue.looks, ...this.#orders.looks, journal: () => this.#parts.journal.nextTry };
  }

  get hosts(): readonly StrategyHost[] {
    return this.#strategies.all;
  }

  /** Commands waiting at the gate by lane, and those on the wire. */
  get waiting(): Gate['waiting'] {
    return this.#gate.waiting;
  }

  /** Whether strategies run: the account has been compared with the venue. */
  get started(): boolean {
    return this.#started;
  }

  /** The event that a strategy was handling when it ended, if any. */
  stoppedAt(strategy: string): StampedEvent | undefined {
    return this.#strategies.stoppedAt(strategy);
  }

  /** Takes a row of a series, or that one is stale, from outside of the venue. */
  hearSeries(event: SeriesEvent): void {
    this.#bus.publish(event);
  }

  /** Shows every event, verdicts included, after it was recorded. */
  watch(watcher: (stamped: StampedEvent) => void): Cancel {
    return this.#bus.on(watcher);
  }

  /** As `watch`, with market data apart and unstamped. */
  watchLanes(marketData: (data: MarketData) => void, others: (stamped: StampedEvent) => void): Cancel {
    return this.#bus.watch(marketData, others);
  }

  /**
   * Publishes the run and the carried state of earlier ones, then connects the venue. Strategies start when the
   * account is reconciled. `clearHalt`: the operator has seen why an earlier run latched a halt, and ends it.
   */
  start(mode: RunStarted['mode'], clearHalt = false): void {
    const now = this.#clock.now();
    const goesOn = this.#state.time > 0;
    this.#bus.publish({ kind: 'runStarted', ...timesAt(now), run: this.#parts.run, mode });
    if (clearHalt) this.#clearHalts('cleared by the operator');
    if (mode !== 'backtest') {
      const every = this.#parts.stateOptions.carryEvery;
      this.#carrier = new Carrier({ clock: this.#clock, every, carry: () => this.#carry() });
      if (goesOn) this.#carry();
    }
    this.#disconnect = this.#bus.join(this.#parts.venue);
  }

  /** Ends strategies and asks for the cancel of every own order. `quiet` is true when all are gone. */
  stop(why: string): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#flattener.close();
    this.#strategies.stop();
    this.#setMode('halted', why, false);
  }

  /** Latched: cancels and reads only, until an operator clears it. Own orders are cancelled. */
  halt(why: string): void {
    this.#setMode('halted', why, true);
  }

  /**
   * A message about the own account could not be read: what it said is lost. Cancels and reads only, until the account was read
   * completely. Own orders are cancelled but for those that only reduce.
   */
  unread(why: string): void {
    this.#setMode('halted', why, false, 'unread');
  }

  /**
   * Does what an operator asks for. The act is recorded first, with who asked and why; what it leads to are events of their own.
   * An order or strategy that is not known is passed over: whoever asks looks first. `plan`: what the strategy begins anew with,
   * of the same name and with the same feeds.
   */
  act(act: OperatorAct, who: string, why: string, plan?: StrategyPlan): void {
    this.#bus.publish({ kind: 'operatorActed', ...timesAt(this.#clock.now()), act, who, why });
    const reason = why === '' ? `by ${who}` : `${why}, by ${who}`;
    switch (act.act) {
      case 'reduce':
        this.#setMode('reducing', reason, true);
        return;
      case 'halt':
      case 'kill':
        this.#setMode('halted', reason, true, keptBy(act));
        return;
      case 'clear':
        this.#clearHalts(`cleared ${reason}`);
        return;
      case 'flatten':
        this.#flattener.beginScope(act.strategy);
        return;
      case 'resume':
        this.#flattener.endScope(act.strategy);
        return;
      case 'startStrategy':
        if (plan === undefined) return;
        this.#restartPlans.set(act.strategy, plan);
        if (!this.#ending.has(act.strategy)) this.#startNext(act.strategy);
        return;
      case 'stopStrategy':
        this.#restartPlans.delete(act.strategy);
        this.#endStrategy(act.strategy);
        return;
      case 'setParams':
      case 'promote':
        if (plan === undefined || this.#state.stoppedOrEnding(act.strategy) !== undefined) return;
        this.#restartPlans.set(act.strategy, plan);
        this.#endStrategy(act.strategy);
        return;
      case 'pause':
      case 'cancel':
      case 'cancelAll':
      case 'reload':
      case 'sentinel':
    }
  }

  /** Limits that hold now: what others would allow more, and what of a share of the balance is left. */
  get limits(): Pick<OrderManager, 'loosenedBy' | 'fundsOf'> {
    return this.#orders;
  }

  #endStrategy(strategy: string): void {
    if (this.#state.stopped(strategy) !== undefined) return;
    this.#ending.add(strategy);
    this.#strategies.stop(strategy);
  }

  /** Lets a strategy begin anew that has ended, if it is to. */
  #startNext(strategy: string): void {
    if (this.#stopping || !this.#restartPlans.has(strategy)) return;
    this.#bus.publish({ kind: 'strategyStarted', ...timesAt(this.#clock.now()), strategy });
  }

  /** A strategy has said that it ended, or begins anew. */
  #strategyChanged(event: StrategyStopped | StrategyStarted, sequence: number): void {
    const { strategy } = event;
    if (event.kind === 'strategyStopped') {
      this.#ending.delete(strategy);
      this.#startNext(strategy);
      return;
    }
    const plan = this.#restartPlans.get(strategy);
    this.#restartPlans.delete(strategy);
    if (plan !== undefined) this.#strategies.restart(plan, event, sequence);
  }

  /** Whether nothing of ours may be live at the venue any more, by reports and by its own list. */
  get quiet(): boolean {
    const { kept, lastLook } = this.#orders;
    return lastLook.ourCount === kept.length && this.#gate.waiting.inFlight === 0 && lastLook.isOver;
  }

  /** Orders that stay at the venue when the run ends (`orders.onStop`), once it does. */
  get kept(): readonly Order[] {
    return this.#orders.kept;
  }

  /** Client ids of our orders that may be live and do not stay, and of those that the venue's last list shows though they were reported ended. */
  get unresolved(): readonly string[] {
    const { kept, lastLook } = this.#orders;
    const stays = new Set(kept);
    const going = lastLook.ours.filter((order) => !stays.has(order));
    return [...going.map(({ clientOrderId }) => clientOrderId), ...lastLook.listed];
  }

  /** Releases the venue, the strategies and the journal, in this order. */
  async close(): Promise<void> {
    this.#carrier?.close();
    this.#flattener.close();
    this.#orders.close();
    await this.#parts.venue.close();
    this.#disconnect?.();
    await this.#strategies.close();
    this.#bus.close();
    await this.#parts.journal.close();
  }

  #step(event: Event, sequence: number): void {
    // A step that failed may have left some.
    if (this.#verdicts.length > 0) this.#verdicts.length = 0;
    this.#record(event, sequence);
    this.#gate.recordIntent(event);
    this.#orders.observe(event);
    this.#gate.observe(event);
    this.#strategies.notify(event, sequence);
    // Verdicts of a step have the sequences after it.
    for (let i = 0; i < this.#verdicts.length; i++)
      this.#strategies.notify(this.#verdicts[i] as Event, sequence + 1 + i);
    if (event.kind === 'strategyStopped' || event.kind === 'strategyStarted')
      this.#strategyChanged(event, sequence);
    if (!this.#started) this.#startIfReady(event, sequence);
  }

  /** Market data needs no judgement and causes no command by itself. */
  #stepMarketData(data: MarketData, sequence: number): void {
    this.#state.foldMarketData(data);
    this.#parts.journal.appendMarketData(data, sequence);
    this.#carrier?.stepped(false);
    this.#strategies.notifyMarketData(data, sequence);
    if (!this.#started) this.#startIfReady(data, sequence);
  }

  #startIfReady(event: Event, sequence: number): void {
    if (this.#stopping || !this.#orders.reconciled) return;
    this.#started = true;
    this.#strategies.start(event, sequence);
  }

  #record(event: Event, sequence: number, isVerdict = false): void {
    const violation = this.#state.fold(event, isVerdict);
    this.#parts.journal.append(event, sequence);
    this.#carrier?.stepped(true);
    if (violation !== undefined) fail(violation);
  }

  /** Whether it was possible: with events waiting, the state would be older than its place in the journal. */
  #carry(): boolean {
    if (this.#bus.stepping || this.#bus.waiting > 0) return false;
    const now = this.#clock.now();
    const state = this.#state.carry();
    this.#bus.publish({ kind: 'stateCarried', exchangeTime: now, receiveTime: now, state });
    return true;
  }

  // A verdict is recorded before the next intent is judged, so limits count it; from a timer it is an event. It is reported
  // after what it answers: a replica that met it first would hold the intent for one that waits, its order for pending.
  #emit(event: Event): void {
    if (!this.#bus.stepping) {
      this.#bus.publish(event);
      return;
    }
    this.#record(event, this.#bus.stamp(event), true);
    this.#gate.observe(event);
    this.#verdicts.push(event);
  }

  #clearHalts(why: string): void {
    this.#setMode('active', why, false);
    const cleared = { kind: 'lossLimitCleared', ...timesAt(this.#clock.now()) } as const;
    for (const { strategy, currency, limit } of this.#state.losses.latches)
      this.#bus.publish({ ...cleared, strategy, currency, limit, why, profit: undefined });
  }

  #setMode(mode: TradingMode, why: string, latched: boolean, flag?: 'unread' | 'keepsExits'): void {
    const flags = flag === undefined ? {} : { [flag]: true };
    this.#bus.publish({ kind: 'modeChanged', ...timesAt(this.#clock.now()), mode, why, latched, ...flags });
  }

  #broken(error: unknown, event: Event): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#parts.log.error({ event: event.kind, error: why }, 'a step failed; trading halts');
    if (this.#state.mode !== 'halted') this.halt(`a step failed on ${event.kind}: ${why}`);
  }

  #sourceEnded(error: unknown): void {
    if (this.#stopping) return;
    const why = error instanceof Error ? error.message : 'it completed';
    this.#parts.log.warn({ why }, 'the stream of venue events ended');
  }
}

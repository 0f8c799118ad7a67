import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../src/venues/hitbtc/budgets/options.ts';
import { Gate } from '../../../../src/core/gate/gate.ts';
import { gateOptions } from '../../../../src/core/gate/options.ts';
import { MemoryJournal } from '../../../../src/core/journal/records/run-digest.ts';
import type { Command, ReadTarget } from '../../../../src/core/model/command.ts';
import type { Event, OrderDenied } from '../../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../../src/core/model/order.ts';
import { stateDefaults } from '../../../../src/core/state/options.ts';
import { State } from '../../../../src/core/state/state.ts';
import { oneMarket } from '../../../support/markets.ts';

export const instrument = 0 as InstrumentId;
const start = 1_700_000_000_000_000 as Micros;

/** A journal whose syncs and failures come when the test says so. */
class SlowJournal extends MemoryJournal {
  readonly #waiting: (() => void)[] = [];
  readonly #failures: ((error: Error) => void)[] = [];
  slow = false;

  override whenDurable(task: () => void): void {
    if (this.slow) this.#waiting.push(task);
    else task();
  }

  override onFailure(task?: (error: Error) => void): void {
    if (task !== undefined) this.#failures.push(task);
  }

  sync(): void {
    for (const task of this.#waiting.splice(0)) task();
  }

  fail(): void {
    this.#waiting.length = 0;
    for (const task of this.#failures) task(new Error('the disk is full'));
  }
}

export interface GateRigParts {
  readonly gate?: Parameters<typeof gateOptions.parse>[0];
  readonly budgets?: Parameters<typeof budgetOptions.parse>[0];
  /** The books that orders need. */
  readonly inputs?: readonly InstrumentId[];
}

/** The gate with the real state, budgets and clock around it, joined as the trader joins them. */
export class GateRig {
  readonly clock = new VirtualClock(start);
  readonly state = new State({ instruments: oneMarket(), options: stateDefaults });
  readonly journal = new SlowJournal();
  readonly budgets: ApiBudgets;
  readonly gate: Gate;
  readonly sent: Command[] = [];
  readonly published: Event[] = [];
  /** Whether the account is compared with the venue. */
  reconciled = true;
  #commandId = 0;
  #sequence = 0;

  constructor({ gate = {}, budgets = {}, inputs = [instrument] }: GateRigParts = {}) {
    this.budgets = new ApiBudgets(budgetOptions.parse(budgets), this.clock);
    this.gate = new Gate({
      view: this.state,
      journal: this.journal,
      clock: this.clock,
      budgets: this.budgets,
      options: gateOptions.parse(gate),
      marketLagMsMax: 3_000,
      reconciled: () => this.reconciled,
      send: (command) => this.sent.push(command),
      publish: (event) => {
        this.published.push(event);
        this.step(event);
      },
      inputsOf: () => inputs,
    });
    this.step({ kind: 'sessionUp', session: 'trading', ...this.times });
    this.book(99, 101);
  }

  get times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    return { exchangeTime: this.clock.now(), receiveTime: this.clock.now() };
  }

  step(event: Event): void {
    this.#sequence += 1;
    this.state.apply(event);
    this.journal.append(event, this.#sequence);
    this.gate.recordIntent(event);
    this.gate.observe(event);
  }

  book(bid: number, ask: number): void {
    const levels = Float64Array.from([0, bid, 5, 1, ask, 5]);
    const sequence = this.#sequence + 1;
    this.step({ kind: 'bookSnapshot', instrument, sequence, levels, start: 0, end: 6, ...this.times });
  }

  /** An update that came so long after its stamp; the clocks are known to be equal. */
  late(lag: Micros): void {
    this.step({ kind: 'clockMeasured', offset: 0 as Micros, ...this.times });
    const levels = Float64Array.from([0, 99, 6]);
    const sequence = this.#sequence + 1;
    const exchangeTime = (this.clock.now() - lag) as Micros;
    const times = { receiveTime: this.clock.now(), exchangeTime };
    this.step({ kind: 'bookUpdate', instrument, sequence, levels, start: 0, end: 3, ...times });
  }

  stale(): void {
    this.step({ kind: 'bookStale', instrument, reason: 'gap', expected: 2, found: 4, ...this.times });
  }

  halt(): void {
    this.step({ kind: 'modeChanged', mode: 'halted', why: 'a test says so', latched: false, ...this.times });
  }

  /** A declared and judged order; returns its command id. `changes` come between intent and verdict. */
  order(changes: Partial<OrderRequest> = {}): number {
    const request = this.request();
    this.step({ kind: 'intent', intent: { action: 'place', strategy: 'maker', request }, ...this.times });
    return this.pendingOrder({ ...request, ...changes });
  }

  /** The verdict alone. */
  pendingOrder(request: OrderRequest): number {
    const commandId = this.#nextId();
    const command: Command = { kind: 'newOrder', commandId, strategy: 'maker', request };
    this.step({ kind: 'orderPending', command, ...this.times });
    return commandId;
  }

  replace(clientOrderId: ClientOrderId): number {
    const commandId = this.#nextId();
    const newClientOrderId = this.#idOf(commandId);
    const terms = { quantity: 2 as Lots, price: 98 as Ticks, stopPrice: undefined };
    const names = { strategy: 'maker', clientOrderId, newClientOrderId };
    this.step({ kind: 'intent', intent: { action: 'replace', ...names, ...terms }, ...this.times });
    const command: Command = {
      kind: 'replaceOrder',
      commandId,
      ...names,
      ...terms,
      instrument,
      side: 'buy',
    };
    this.step({ kind: 'replacePending', command, ...this.times });
    return commandId;
  }

  /** More margin is asked for, and accepted. */
  margin(): number {
    const commandId = this.#nextId();
    const change = {
      product: 'margin',
      mode: 'isolated',
      instrument,
      currency: 'BBB',
      balance: parseAmount('10'),
      leverage: undefined,
    } as const;
    const strategy = 'maker';
    this.step({ kind: 'intent', intent: { action: 'changeMargin', strategy, change }, ...this.times });
    const command = { kind: 'changeMargin', commandId, strategy, change } as const;
    this.step({ kind: 'marginPending', command, ...this.times });
    return commandId;
  }

  cancel(clientOrderId: ClientOrderId): number {
    const commandId = this.#nextId();
    const command: Command = { kind: 'cancelOrder', commandId, strategy: 'maker', clientOrderId, instrument };
    this.step({ kind: 'cancelPending', command, ...this.times });
    return commandId;
  }

  read(what: ReadTarget = { of: 'balances' }): number {
    const commandId = this.#nextId();
    this.step({ kind: 'readPending', command: { kind: 'read', commandId, what }, ...this.times });
    return commandId;
  }

  settle(commandId: number, outcome: 'acknowledged' | 'limited' = 'acknowledged'): void {
    const lane = 'new';
    const clientOrderId = undefined;
    this.step({ kind: 'commandSettled', commandId, lane, outcome, clientOrderId, ...this.times });
  }

  request(): OrderRequest {
    return {
      clientOrderId: this.#idOf(this.#commandId + 1),
      instrument,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 1 as Lots,
      price: 99 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    };
  }

  get sentIds(): readonly number[] {
    return this.sent.map((command) => command.commandId);
  }

  get denials(): readonly OrderDenied[] {
    return this.published.filter((event): event is OrderDenied => event.kind === 'orderDenied');
  }

  get denialCodes(): readonly string[] {
    return this.denials.map(({ denial }) => denial.code);
  }

  #nextId(): number {
    this.#commandId += 1;
    return this.#commandId;
  }

  #idOf(commandId: number): ClientOrderId {
    return `gw-r1-maker-${String(commandId).padStart(5, '0')}` as ClientOrderId;
  }
}

export const someId = 'gw-r1-maker-00001' as ClientOrderId;

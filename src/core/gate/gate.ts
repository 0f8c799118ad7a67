import type { Cancel, Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import { SmallMap } from '../base/small-map.ts';
import type {
  CancelGroup,
  CancelOrderCommand,
  CancelOrdersCommand,
  Command,
  Lane,
  NewOrderCommand,
  NewOrderListCommand,
  ReadCommand,
} from '../model/command.ts';
import { laneOf, lanes } from '../model/command.ts';
import type { Denial } from '../model/denial.ts';
import type { CommandSettled, Event } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { isOperatorOrder } from '../model/operator.ts';
import type { OrderRequest } from '../model/order.ts';
import { lateMarket, unfitInput } from '../state/index.ts';
import type { StateView } from '../state/index.ts';
import { Comparator } from './comparator.ts';
import { commandDenied, deniedMargin, halted, unansweredRead } from './events.ts';
import type { LaneWaits, Waiting } from './lane-queue.ts';
import { LaneQueue, joinWaits } from './lane-queue.ts';
import type { GateDeps } from './parts.ts';

/**
 * The last step before the venue: holds a command until its record is durable, its inputs are fresh and its lane
 * has budget. Nothing else calls `venue.send`. Commands are never retried.
 *
 * Cancels and reads wait for budget only: they raise no exposure, so they leave even when the journal cannot.
 */
export class Gate {
  readonly #parts: GateDeps;
  readonly #comparator = new Comparator();
  readonly #lists = new ListAssembly();
  readonly #groups = new CancelAssembly();
  readonly #queues: Readonly<Record<Lane, LaneQueue>>;
  /** Slot of every command on the wire, by command id; -1 of a cancel whose request holds another's. */
  readonly #inFlight = new SmallMap<number, number>();
  readonly #deadlines: Readonly<Record<Lane, Micros>>;
  #journalFailed = false;
  #alarm: { readonly time: Micros; readonly cancel: Cancel } | undefined;

  constructor(parts: GateDeps) {
    this.#parts = parts;
    const { options } = parts;
    this.#queues = {
      cancel: new LaneQueue(),
      read: new LaneQueue(),
      replace: new LaneQueue(),
      new: new LaneQueue(),
    };
    this.#deadlines = {
      cancel: millis(options.cancelDeadlineMs),
      read: millis(options.readDeadlineMs),
      replace: millis(options.replaceDeadlineMs),
      new: millis(options.newDeadlineMs),
    };
    parts.journal.onFailure(() => {
      this.#journalFailed = true;
      this.#flush();
    });
  }

  /** How many commands wait in each lane, how many are on the wire; `waited`: how those that left had to, reads aside. */
  get waiting(): Readonly<Record<Lane | 'inFlight', number>> & { readonly waited: LaneWaits } {
    const { cancel, read, replace, new: fresh } = this.#queues;
    return {
      cancel: cancel.size,
      read: read.size,
      replace: replace.size,
      new: fresh.size,
      inFlight: this.#inFlight.size,
      waited: joinWaits([cancel.waits, replace.waits, fresh.waits]),
    };
  }

  /** Keeps what a strategy declared before it is judged: the comparator's own record. */
  recordIntent(event: Event): void {
    if (event.kind === 'intent') this.#comparator.remember(event.intent);
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'orderDenied':
        // A denied cancel ends nothing: the order it names may still wait here.
        if (event.action !== 'cancel') this.#comparator.forget(event.clientOrderId);
        return;
      case 'orderPending':
        this.#place(event.command);
        return;
      case 'cancelPending':
        this.#cancel(event.command);
        return;
      case 'marginDenied':
        this.#comparator.forgetMargin(event.strategy, event.change);
        return;
      case 'replacePending':
      case 'readPending':
      case 'marginPending':
        this.#admit(event.command);
        return;
      case 'commandSettled':
        this.#settleCommand(event);
        return;
      case 'modeChanged':
      case 'operatorActed':
        this.#flush();
    }
  }

  /** An order of a list waits for the others: they leave together. */
  #place(command: NewOrderCommand): void {
    const whole = command.request.list === undefined ? command : this.#lists.add(command);
    if (whole !== undefined) this.#admit(whole);
  }

  /** An order or a replacement that is to go and has not left stays here, and its cancel has nothing left to do. */
  #cancel(command: CancelOrderCommand): void {
    if (command.together !== undefined) {
      this.#cancelTogether(this.#groups.add(command, command.together), command);
      return;
    }
    const { new: fresh, replace } = this.#queues;
    const waiting = fresh.takeOut(command.clientOrderId) ?? replace.takeOut(command.clientOrderId);
    if (waiting === undefined) this.#admit(command);
    else this.#refuse(waiting.command, { code: 'CANCELED_UNSENT', why: 'it was canceled before it left' });
  }

  #cancelTogether(group: AssembledCancels, command: CancelOrderCommand): void {
    const { whole } = group;
    if (whole.commandId === command.commandId) group.denial = this.#admit(whole);
    else if (group.denial !== undefined) this.#refuse(command, group.denial);
    else if (this.#inFlight.get(whole.commandId) !== undefined) this.#inFlight.set(command.commandId, -1);
  }

  /** Returns why there is no room for it, in which case it was refused. */
  #admit(command: Command): Denial | undefined {
    const lane = laneOf(command);
    const queue = this.#queues[lane];
    if (queue.size >= this.#parts.options.queueMax) {
      const why = `expected at most ${queue.size} commands waiting in lane ${lane}`;
      const denial: Denial = { code: 'GATE_OVERFLOW', why };
      this.#refuse(command, denial);
      return denial;
    }
    const raises = lane === 'new' || lane === 'replace';
    const now = this.#parts.clock.uptime();
    const deadline = (now + this.#deadlines[lane]) as Micros;
    const waiting: Waiting = { command, deadline, readyAt: raises ? undefined : now };
    queue.push(waiting);
    // After a failure no task of the journal ever runs: what waits for one is refused at once.
    if (raises && !this.#journalFailed) {
      this.#parts.journal.whenDurable(() => {
        waiting.readyAt = this.#parts.clock.uptime();
        this.#flush();
      });
      // A journal that never answers must not hold the command beyond its deadline.
      if (waiting.readyAt === undefined) this.#wakeIn(this.#deadlines[lane]);
    } else {
      this.#flush();
    }
    return undefined;
  }

  #settleCommand(event: CommandSettled): void {
    const slot = this.#inFlight.get(event.commandId);
    if (slot === undefined) return;
    this.#inFlight.delete(event.commandId);
    if (slot >= 0) this.#parts.budgets.settle(slot, event.outcome);
    this.#flush();
  }

  /** Lets out whatever may leave now, most urgent lane first, and sets the alarm for what must wait. */
  #flush(): void {
    let wake = Number.POSITIVE_INFINITY;
    for (const lane of lanes) if (this.#queues[lane].size > 0) wake = Math.min(wake, this.#flushLane(lane));
    if (wake !== Number.POSITIVE_INFINITY) this.#wakeIn(wake as Micros);
  }

  /** Returns how long until the lane wants to be looked at again. */
  #flushLane(lane: Lane): number {
    const queue = this.#queues[lane];
    for (let waiting = queue.peek(); waiting !== undefined; waiting = queue.peek()) {
      const refusal = this.#refusal(waiting, lane);
      if (refusal !== undefined) {
        queue.shift(this.#parts.clock.uptime());
        this.#refuse(waiting.command, refusal);
        continue;
      }
      const now = this.#parts.clock.uptime();
      const left = waiting.deadline - now;
      if (waiting.readyAt === undefined) return left;
      const slot = this.#parts.budgets.take(waiting.command);
      if (slot < 0) return Math.min(left, Math.max(1, this.#parts.budgets.wait(waiting.command)));
      queue.shift(now);
      this.#sendCommand(waiting.command, slot);
    }
    return Number.POSITIVE_INFINITY;
  }

  #refusal(waiting: Waiting, lane: Lane): Denial | undefined {
    const { view, clock, inputsOf } = this.#parts;
    if (clock.uptime() >= waiting.deadline) {
      const cause = waiting.readyAt !== undefined ? 'rate budget' : 'durable record';
      return {
        code: 'BUDGET_DEADLINE',
        why: `no ${cause} for lane ${lane} within ${this.#deadlines[lane] / 1_000} ms`,
      };
    }
    if (lane === 'cancel' || lane === 'read') return undefined;
    if (this.#journalFailed) {
      return { code: 'JOURNAL_FAILED', why: 'the journal can no longer make a record durable' };
    }
    if (view.mode === 'halted') return { code: 'MODE_HALTED', why: `trading halted: ${view.modeWhy}` };
    const { command } = waiting;
    const paused = pausedBy(view, command);
    if (paused !== undefined) return paused;
    // More margin is not decided on a book, and may be needed most when one is gone.
    if (!raisesExposure(command) || waiting.readyAt === undefined) return undefined;
    const stale =
      command.kind === 'changeMargin'
        ? undefined
        : staleInput(view, inputsOf(command), millis(this.#parts.marketLagMsMax));
    if (stale !== undefined || this.#parts.reconciled()) return stale;
    return {
      code: 'NOT_RECONCILED',
      why: 'the trading session was lost while the order waited, and the account is not compared with the venue yet',
    };
  }

  #sendCommand(command: Command, slot: number): void {
    if (raisesExposure(command)) {
      const difference = this.#comparator.differs(command);
      if (difference !== undefined) {
        this.#parts.budgets.settle(slot, 'refused');
        this.#refuse(command, { code: 'COMPARATOR', why: difference });
        this.#parts.publish(
          halted(this.#parts.clock.now(), `the comparator found a mismatch: ${difference}`),
        );
        return;
      }
    }
    // Never answered inline, so what has left may be noted down after it.
    try {
      this.#parts.send(command);
    } finally {
      if (command.kind === 'cancelOrders')
        for (const one of command.cancels) this.#inFlight.set(one.commandId, -1);
      this.#inFlight.set(command.commandId, slot);
    }
  }

  #refuse(command: Command, denial: Denial): void {
    const now = this.#parts.clock.now();
    if (command.kind === 'read') this.#parts.publish(unansweredRead(now, command));
    else if (command.kind === 'changeMargin') this.#parts.publish(deniedMargin(now, command, denial));
    else for (const event of commandDenied(now, command, denial)) this.#parts.publish(event);
  }

  /** One alarm at a time, the earliest asked for. */
  #wakeIn(delay: Micros): void {
    const time = (this.#parts.clock.uptime() + delay) as Micros;
    if (this.#alarm !== undefined) {
      if (this.#alarm.time <= time) return;
      this.#alarm.cancel();
    }
    const cancel = this.#parts.clock.after(delay, () => {
      this.#alarm = undefined;
      this.#flush();
    });
    this.#alarm = { time, cancel };
  }
}

/** Denial of an order or a replacement whose strategy is paused; those by which an operator closes its positions pass. */
function pausedBy(view: StateView, command: Command): Denial | undefined {
  if (command.kind !== 'newOrder' && command.kind !== 'newOrderList' && command.kind !== 'replaceOrder')
    return undefined;
  const why = view.paused(command.strategy);
  if (why === undefined) return undefined;
  if (command.kind === 'newOrder' && isOperatorOrder(command.request.clientOrderId)) return undefined;
  return { code: 'PAUSED', why: `strategy ${command.strategy} is paused: ${why}` };
}

/** Whether a command may add to what is at risk: cancels and reads never do. */
function raisesExposure(
  command: Command,
): command is Exclude<Command, CancelOrderCommand | CancelOrdersCommand | ReadCommand> {
  return laneOf(command) === 'new' || laneOf(command) === 'replace';
}

/**
 * Whether an exposure-raising command may leave on what is known: the trading session is up and every book it needs is
 * live, not crossed and delivered in time. `undefined` means yes. Source: faults, I9 and control 14.
 */
function staleInput(
  view: StateView,
  inputs: readonly InstrumentId[],
  marketLagMax: Micros,
): Denial | undefined {
  if (!view.sessionUp('trading')) {
    return {
      code: 'SESSION_DOWN',
      why: 'expected the trading session to be up when the order was to leave; it is down',
    };
  }
  const late = lateMarket(view, marketLagMax);
  if (late !== undefined) return { code: 'INPUT_STALE', why: late };
  for (const id of inputs) {
    const found = unfitInput(view, id);
    if (found !== undefined) {
      return {
        code: 'INPUT_STALE',
        why: `expected the book of ${view.instruments.at(id).symbol} to be live when the order was to leave; it is ${found}`,
      };
    }
  }
  return undefined;
}

/**
 * Puts the orders of a list back together: they were recorded as pending one by one, one right after the other, and
 * leave in one message. A list of which one order was denied on the way never becomes whole.
 */
class ListAssembly {
  #commandId = -1;
  #requests: OrderRequest[] = [];

  /** The whole list, once its last order has come. */
  add({ commandId, strategy, request }: NewOrderCommand): NewOrderListCommand | undefined {
    const { list } = request;
    if (list === undefined) return undefined;
    if (commandId !== this.#commandId) {
      this.#commandId = commandId;
      this.#requests = [];
    }
    this.#requests.push(request);
    if (this.#requests.length < list.orders.length) return undefined;
    const requests = this.#requests;
    this.#commandId = -1;
    return { kind: 'newOrderList', commandId, strategy, contingency: list.contingency, requests };
  }
}

/** A request that cancels several orders, and why there was no room for it, if there was none. */
interface AssembledCancels {
  readonly whole: CancelOrdersCommand;
  denial: Denial | undefined;
}

/**
 * Puts cancels back together that were recorded one by one and leave in one request. It leaves with the first of them, as what is sent
 * names no order: of thousands the last is recorded much later. All are recorded in one turn, so before an answer comes.
 */
class CancelAssembly {
  readonly #open = new Map<number, AssembledCancels & { readonly cancels: CancelOrderCommand[] }>();

  /** The request that the cancel belongs to. */
  add(command: CancelOrderCommand, { first, count, scope }: CancelGroup): AssembledCancels {
    const { instrument, product } = command;
    let group = this.#open.get(first);
    if (group === undefined) {
      const cancels: CancelOrderCommand[] = [];
      const of = scope === 'symbol' ? instrument : undefined;
      const whole = { kind: 'cancelOrders', commandId: first, instrument: of, product, cancels } as const;
      group = { whole, cancels, denial: undefined };
      this.#open.set(first, group);
    }
    group.cancels.push(command);
    if (group.cancels.length === count) this.#open.delete(first);
    return group;
  }
}

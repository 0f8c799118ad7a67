import { unreachable } from '../base/assert.ts';
import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { Denial } from '../model/denial.ts';
import type { Lots } from '../model/instrument.ts';
import type {
  CancelIntent,
  Intent,
  PlaceIntent,
  ReplaceIntent,
  ChangeMarginIntent,
} from '../model/intent.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Order, OrderRequest } from '../model/order.ts';
import { paidFrom } from '../model/order.ts';
import { tradedOn } from '../model/product.ts';
import { deny, shownValue } from './base/candidate.ts';
import { controlTable, judgeCandidate, renewalTable } from './controls/index.ts';
import type { IntentDeps } from './intent-parts.ts';
import { denied, noStrategy, answerPlaceList } from './list-intents.ts';
import { changeDenial } from './margin/index.ts';
import type { StrategyMemory } from './base/memory.ts';
import { notePlaced, noteReplaced } from './base/memory.ts';
import { isOurs } from './base/owners.ts';
import { identity } from './rules/index.ts';

/** Answers every intent with verdicts: pending commands, or one denial. */
export class Intents {
  readonly #parts: IntentDeps;

  constructor(parts: IntentDeps) {
    this.#parts = parts;
  }

  judgeIntent(intent: Intent): void {
    switch (intent.action) {
      case 'place':
        this.#place(intent);
        return;
      case 'placeList':
        answerPlaceList(this.#parts, intent);
        return;
      case 'replace':
        this.#replace(intent);
        return;
      case 'cancel':
        this.#cancel(intent);
        return;
      case 'cancelAll':
        this.#parts.held.cancelAll(intent.strategy, intent.instrument);
        this.#parts.cancels.wishAll(intent.strategy, intent.instrument);
        return;
      case 'changeMargin':
        this.#changeMargin(intent);
        return;
      default:
        unreachable(intent);
    }
  }

  #changeMargin({ strategy, change }: ChangeMarginIntent): void {
    const { memory, outbox, view, marginChanges } = this.#parts;
    const owner = memory.strategies.get(strategy);
    const denial = owner === undefined ? noStrategy(strategy) : changeDenial(change, owner, view, memory);
    if (denial !== undefined || owner === undefined) {
      outbox.marginDenied(strategy, change, denial ?? noStrategy(strategy));
      return;
    }
    this.#count(owner);
    const command = { kind: 'changeMargin', commandId: outbox.nextCommandId(), strategy, change } as const;
    // It is known before anything can answer it.
    marginChanges.sent(command);
    outbox.pending(command);
  }

  #place(intent: PlaceIntent): void {
    const { memory, outbox } = this.#parts;
    const { strategy, request } = intent;
    const id = request.clientOrderId;
    const owner = memory.strategies.get(strategy);
    const denial = this.#denialOf(intent, owner, request, undefined);
    if (denial === 'held') return;
    if (denial !== undefined || owner === undefined) {
      const about = {
        strategy,
        action: 'place',
        clientOrderId: id,
        originalClientOrderId: undefined,
      } as const;
      outbox.denied(about, denial ?? noStrategy(strategy));
      return;
    }
    this.#sendCommand({ kind: 'newOrder', commandId: outbox.nextCommandId(), strategy, request }, owner);
    notePlaced(owner, request, memory.uptime);
  }

  #replace(intent: ReplaceIntent): void {
    const { memory, outbox, view } = this.#parts;
    const { strategy, clientOrderId, newClientOrderId, quantity, price, stopPrice } = intent;
    const order = view.order(clientOrderId);
    const owner = memory.strategies.get(strategy);
    if (this.#parts.held.canceled === clientOrderId) {
      this.#renew(intent, owner, order);
      return;
    }
    const denial = this.#replaceDenial(intent, owner, order);
    if (denial === 'held') return;
    if (denial !== undefined || owner === undefined || order === undefined) {
      this.#replaceDenied(intent, denial ?? noStrategy(strategy));
      return;
    }
    if (!memory.capabilities.replace) {
      this.#cancelFirst(intent, owner, order);
      return;
    }
    const command = {
      kind: 'replaceOrder',
      commandId: outbox.nextCommandId(),
      strategy,
      clientOrderId,
      newClientOrderId,
      instrument: order.instrument,
      side: order.side,
      ...tradedOn(view.instruments.at(order.instrument), order),
      quantity,
      price,
      stopPrice,
      ...(intent.alias !== undefined && { alias: intent.alias }),
    } as const;
    this.#sendCommand(command, owner);
    noteReplaced(owner, intent, memory.uptime);
  }

  #replaceDenied({ strategy, clientOrderId, newClientOrderId }: ReplaceIntent, denial: Denial): void {
    const about = { strategy, clientOrderId: newClientOrderId, originalClientOrderId: clientOrderId };
    this.#parts.outbox.denied({ action: 'replace', ...about }, denial);
  }

  /** The venue replaces no orders: the order is cancelled, and what is left of it is a new order once that one has ended. */
  #cancelFirst(intent: ReplaceIntent, owner: StrategyMemory, order: Order): void {
    const isFirst = this.#parts.held.canceled === undefined;
    const denial = this.#parts.held.takeReplacement(intent, replacementOf(intent, order));
    if (denial !== undefined) this.#replaceDenied(intent, denial);
    else if (isFirst) {
      this.#count(owner);
      noteReplaced(owner, intent, this.#parts.memory.uptime);
    }
  }

  /** A replacement for which its order was cancelled. It leaves as a new order of what the other did not execute, or waits on. */
  #renew(intent: ReplaceIntent, owner: StrategyMemory | undefined, order: Order | undefined): void {
    const { outbox } = this.#parts;
    const { strategy, clientOrderId } = intent;
    if (owner === undefined || order === undefined) {
      const gone = deny('ORDER_NOT_FOUND', `there is no order ${clientOrderId}`);
      this.#replaceDenied(intent, owner === undefined ? noStrategy(strategy) : gone);
      return;
    }
    const asked = replacementOf(intent, order);
    if (!isTerminal(order.state)) {
      const denial = this.#denialOf(intent, owner, asked, order, renewalTable);
      if (denial === undefined) this.#cancelFirst(intent, owner, order);
      else if (denial !== 'held') this.#replaceDenied(intent, denial);
      return;
    }
    if (order.state !== 'canceled') {
      this.#replaceDenied(intent, notLive(order));
      return;
    }
    if (order.cumulative > 0 && intent.quantity <= order.cumulative) {
      const why = `expected more than the ${order.cumulative} lots already executed, found ${intent.quantity}`;
      this.#replaceDenied(intent, deny('QUANTITY_NOT_POSITIVE', why));
      return;
    }
    const request = { ...asked, quantity: (intent.quantity - order.cumulative) as Lots };
    const denial = this.#denialOf(intent, owner, request, undefined, renewalTable);
    if (denial === 'held') return;
    if (denial !== undefined) {
      this.#replaceDenied(intent, denial);
      return;
    }
    const command = { kind: 'newOrder', commandId: outbox.nextCommandId(), strategy, request } as const;
    this.#sendCommand(command, undefined);
  }

  /** Ends intents of an earlier run that have no verdict: they never left, and never will. */
  endUnsent(): void {
    const { view } = this.#parts;
    const denial = deny('CANCELED_UNSENT', 'the run that was asked for it ended before it left');
    for (const intent of view.inFlight.intents()) {
      if (intent.action === 'replace') this.#replaceDenied(intent, denial);
      if (intent.action === 'place')
        denied(this.#parts, intent.strategy, intent.request.clientOrderId, denial);
    }
  }

  #replaceDenial(
    intent: ReplaceIntent,
    owner: StrategyMemory | undefined,
    order: Order | undefined,
  ): Denial | 'held' | undefined {
    const { cancels, view, memory, held } = this.#parts;
    const { strategy, clientOrderId, newClientOrderId } = intent;
    const badId = this.#identityOf(newClientOrderId, owner);
    if (badId !== undefined) return badId;
    if (held.find(clientOrderId)?.intent.strategy === strategy)
      return deny('ORDER_NOT_LIVE', `expected a live order, found ${clientOrderId} pending`);
    const notOurs = this.#ownership(clientOrderId, order, strategy);
    if (notOurs !== undefined || order === undefined) return notOurs;
    if (isTerminal(order.state) || order.state === 'pending' || order.state === 'unknown') {
      return notLive(order);
    }
    if (!memory.capabilities.replace && order.list !== undefined) {
      const why = `the venue replaces no orders, and the cancel of ${clientOrderId} could end others of its list`;
      return deny('REPLACE_NOT_OFFERED', why);
    }
    if (cancels.underWay(clientOrderId) || cancels.isRequested(clientOrderId)) {
      return deny('CANCEL_UNDER_WAY', `order ${clientOrderId} is being cancelled`);
    }
    if (order.replacePending !== undefined || view.inFlight.replacementOf(clientOrderId) !== undefined) {
      return deny('REPLACE_UNDER_WAY', `order ${clientOrderId} is being replaced`);
    }
    return this.#denialOf(intent, owner, replacementOf(intent, order), order);
  }

  /** Why the order may not leave; `held` when it is an exit that waits until it may. */
  #denialOf(
    intent: PlaceIntent | ReplaceIntent,
    owner: StrategyMemory | undefined,
    request: OrderRequest,
    replaces: Order | undefined,
    table = controlTable,
  ): Denial | 'held' | undefined {
    const { view, memory, held } = this.#parts;
    const badId = this.#identityOf(request.clientOrderId, owner);
    if (badId !== undefined) return badId;
    if (owner === undefined) return noStrategy(intent.strategy);
    const instrument = view.instruments.all[request.instrument];
    if (instrument === undefined) {
      return deny('SYMBOL_NOT_ALLOWED', `there is no instrument number ${shownValue(request.instrument)}`);
    }
    const lots = (request.quantity - (replaces?.cumulative ?? 0)) as Lots;
    const candidate = { strategy: owner, instrument, request, lots, replaces };
    const denial = judgeCandidate(candidate, view, memory, table);
    if (denial === undefined) this.#parts.live?.judge([{ candidate }], view, memory);
    else if (held.takeExit(intent, candidate, [request], denial)) return 'held';
    return denial;
  }

  #identityOf(id: ClientOrderId, owner: StrategyMemory | undefined): Denial | undefined {
    const { view, memory } = this.#parts;
    const denial = identity(id, owner, view, memory);
    if (denial !== undefined) return denial;
    return view.inFlight.sentOrder(id) === undefined
      ? undefined
      : deny('ID_REUSED', `order ${id} is on its way`);
  }

  #ownership(id: ClientOrderId, order: Order | undefined, strategy: string): Denial | undefined {
    const { view, memory } = this.#parts;
    if (order === undefined) return deny('ORDER_NOT_FOUND', `there is no order ${shownValue(id)}`);
    if (order.strategy !== strategy)
      return deny('ORDER_NOT_OWN', `order ${id} belongs to ${order.strategy}, not to ${strategy}`);
    // Others may have placed an order to close what a strategy holds on margin: what it executes is of the strategy.
    return isOurs(order, view, memory)
      ? undefined
      : deny('ORDER_NOT_OWN', `order ${id} was placed by others, and orders.others leaves it`);
  }

  #cancel({ strategy, clientOrderId }: CancelIntent): void {
    const { view, cancels, outbox, held } = this.#parts;
    if (held.cancel(strategy, clientOrderId)) return;
    held.dropReplacementOf(strategy, clientOrderId);
    const order = view.order(clientOrderId);
    let denial = this.#ownership(clientOrderId, order, strategy);
    if (order !== undefined && denial === undefined) {
      if (isTerminal(order.state)) {
        denial = notLive(order);
      } else if (cancels.underWay(clientOrderId)) {
        denial = deny('CANCEL_UNDER_WAY', `order ${clientOrderId} is being cancelled`);
      } else if (cancels.exhausted(clientOrderId)) {
        cancels.push(clientOrderId);
        denial = deny('CANCEL_UNDER_WAY', `cancels of ${clientOrderId} failed; it is being read first`);
      }
    }
    if (denial === undefined && order !== undefined) cancels.requestWhole(order);
    else if (denial !== undefined) {
      const about = { strategy, action: 'cancel', clientOrderId, originalClientOrderId: undefined } as const;
      outbox.denied(about, denial);
    }
  }

  /**
   * The order may be on the wire when `pending` returns; what is recorded after it is not read before. `owner`: whose messages it
   * counts among, unless it was counted.
   */
  #sendCommand(command: NewOrderCommand | ReplaceOrderCommand, owner: StrategyMemory | undefined): void {
    const { view, memory, outbox, tracker } = this.#parts;
    try {
      outbox.pending(command);
    } finally {
      view.inFlight.send(command, memory.uptime);
      if (owner !== undefined) this.#count(owner);
    }
    tracker.sent(command);
  }

  #count(owner: StrategyMemory): void {
    const { memory } = this.#parts;
    owner.messages.count(memory.uptime);
    memory.messages.count(memory.uptime);
  }
}

/** The values that an order is to be replaced with; the quantity is the total, executed part included. */
function replacementOf(
  { newClientOrderId, quantity, price, stopPrice, alias }: ReplaceIntent,
  order: Order,
): OrderRequest {
  return {
    clientOrderId: newClientOrderId,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity,
    price,
    stopPrice,
    expireTime: order.expireTime,
    postOnly: order.postOnly,
    ...paidFrom(order),
    ...(alias !== undefined && { alias }),
  };
}

function notLive({ clientOrderId, state }: Order): Denial {
  return deny('ORDER_NOT_LIVE', `expected a live order, found ${clientOrderId} ${state}`);
}

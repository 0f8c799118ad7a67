import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { AccountId, ExchangeCommand } from '../matching/command.ts';
import type { Exchange } from '../matching/exchange.ts';
import type { Outcome, RefusedOutcome } from '../matching/outcome.ts';
import type { Command, ReadCommand } from '../model/command.ts';
import { laneOf } from '../model/command.ts';
import type { Event } from '../model/event.ts';
import type { Balance } from '../model/market.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { OwnHistory } from './own-history.ts';
import { rejectionCodes } from './rejection-codes.ts';

export interface AnswersSetup {
  readonly exchange: Exchange;
  readonly account: AccountId;
  readonly history: OwnHistory;
}

/** When something happened at the venue and when we hear of it. */
export interface Times {
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

/** A command that changes something. */
export type OrderCommand = Exclude<Command, ReadCommand>;

/** Puts what the engine says into events, and our commands into the engine's words. */
export class Answers {
  readonly #exchange: Exchange;
  readonly #account: AccountId;
  readonly #history: OwnHistory;

  constructor(setup: AnswersSetup) {
    this.#exchange = setup.exchange;
    this.#account = setup.account;
    this.#history = setup.history;
  }

  /** Both sessions are up, and these are the balances. */
  sessionEvents(now: Micros): Event[] {
    const times = { exchangeTime: now, receiveTime: now };
    const balances = this.#exchange.balances(this.#account);
    return [
      { kind: 'sessionUp', session: 'market', ...times },
      { kind: 'sessionUp', session: 'trading', ...times },
      { kind: 'balances', complete: true, balances, ...times },
    ];
  }

  exchangeCommand(command: OrderCommand): ExchangeCommand {
    const account = this.#account;
    switch (command.kind) {
      case 'newOrder':
        return { kind: 'place', account, request: command.request, takeMarkup: zero, makeMarkup: zero };
      case 'cancelOrder':
        return { kind: 'cancel', account, clientOrderId: command.clientOrderId };
      case 'replaceOrder': {
        const { clientOrderId, newClientOrderId, quantity, price, stopPrice } = command;
        return { kind: 'replace', account, clientOrderId, newClientOrderId, quantity, price, stopPrice };
      }
    }
  }

  /** Reports, fills and balances; then the answer to the command itself. */
  toCommand(command: OrderCommand, outcomes: readonly Outcome[], times: Times): Event[] {
    const events = this.toOutcomes(outcomes, times);
    const refusal = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refusal !== undefined) events.push(rejectionOf(command, refusal, times));
    else if (command.kind === 'replaceOrder' && !this.#isPlaced(command.newClientOrderId, outcomes))
      events.push(rejectionOf(command, replacementFailed, times));
    events.push({
      kind: 'commandSettled',
      commandId: command.commandId,
      lane: laneOf(command),
      outcome: refusal === undefined ? 'acknowledged' : 'refused',
      clientOrderId: idOf(command),
      ...times,
    });
    return events;
  }

  toOutcomes(outcomes: readonly Outcome[], times: Times): Event[] {
    const events: Event[] = [];
    const balances: Balance[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'report') {
        const { reportType, order, fill } = outcome;
        this.#history.take(outcome);
        events.push({ kind: 'orderReport', reportType, order, fill, ...times });
      } else if (outcome.kind === 'balance') {
        const { currency, available, reserved } = outcome;
        balances.push({ currency, available, reserved });
      }
    }
    if (balances.length > 0) events.push({ kind: 'balances', complete: false, balances, ...times });
    return events;
  }

  toRead(command: ReadCommand, askedAt: Micros, times: Times): Event[] {
    const { commandId, what } = command;
    const answer = {
      orders: this.#ordersFor(what),
      fills: this.#fillsFor(what),
      balances: this.#balancesFor(what),
    };
    return [
      { kind: 'readAnswered', commandId, what, askedAt, ...answer, ...times },
      {
        kind: 'commandSettled',
        commandId,
        lane: 'read',
        outcome: 'acknowledged',
        clientOrderId: undefined,
        ...times,
      },
    ];
  }

  #ordersFor(what: ReadCommand['what']) {
    if (what.of === 'activeOrders') return this.#exchange.activeOrders(this.#account);
    return what.of === 'orderHistory' ? this.#history.orders(what.clientOrderId) : [];
  }

  #fillsFor(what: ReadCommand['what']) {
    return what.of === 'tradeHistory' ? this.#history.trades(what.since) : [];
  }

  #balancesFor(what: ReadCommand['what']) {
    return what.of === 'balances' ? this.#exchange.balances(this.#account) : [];
  }

  #isPlaced(clientOrderId: ClientOrderId, outcomes: readonly Outcome[]): boolean {
    return outcomes.some(
      (outcome) => outcome.kind === 'report' && outcome.order.clientOrderId === clientOrderId,
    );
  }
}

type Reason = Pick<RefusedOutcome, 'code' | 'why'>;

/** The old order has been canceled and reported; the new one never came to be. Source: v3-gaps, section 10. */
const replacementFailed: Reason = {
  code: 'INSUFFICIENT_FUNDS',
  why: 'the replacement could not be placed; the old order was canceled',
};

function rejectionOf(command: OrderCommand, { code, why }: Reason, times: Times): Event {
  const number = rejectionCodes[code];
  if (command.kind === 'cancelOrder')
    return { kind: 'cancelRejected', clientOrderId: command.clientOrderId, code: number, why, ...times };
  const originalClientOrderId = command.kind === 'replaceOrder' ? command.clientOrderId : undefined;
  const clientOrderId = idOf(command);
  return { kind: 'orderRejected', clientOrderId, originalClientOrderId, code: number, why, ...times };
}

/** The order a command is about: for a replacement the new one. */
function idOf(command: OrderCommand): ClientOrderId {
  switch (command.kind) {
    case 'newOrder':
      return command.request.clientOrderId;
    case 'replaceOrder':
      return command.newClientOrderId;
    case 'cancelOrder':
      return command.clientOrderId;
  }
}

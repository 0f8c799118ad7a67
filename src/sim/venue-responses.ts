import type { Micros } from '../core/base/clock.ts';
import type { Outcome, RefusedOutcome } from '../exchange/matching/outcome.ts';
import { refusalNumbers } from '../exchange/matching/refusal-numbers.ts';
import type { OrderCommand, ReadCommand, ChangeMarginCommand } from '../core/model/command.ts';
import { laneOf, orderIdOf } from '../core/model/command.ts';
import type { ClientOrderId } from '../core/model/order.ts';
import type { Event } from '../core/model/event.ts';
import type { Balance } from '../core/model/market.ts';
import type { SimEngine } from './engine.ts';
import type { AccountHistory } from './account-history.ts';

export interface VenueResponsesSetup {
  readonly engine: Pick<SimEngine, 'balances' | 'activeOrders'>;
  readonly history: AccountHistory;
}

/** When something happened at the venue and when we hear of it. */
export interface Times {
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

/** Puts what the engine says into events. */
export class VenueResponses {
  readonly #engine: VenueResponsesSetup['engine'];
  readonly #history: AccountHistory;

  constructor(setup: VenueResponsesSetup) {
    this.#engine = setup.engine;
    this.#history = setup.history;
  }

  /** Both sessions are up, and these are the balances. */
  sessionEvents(now: Micros): Event[] {
    const times = { exchangeTime: now, receiveTime: now };
    const balances = this.#engine.balances();
    return [
      { kind: 'sessionUp', session: 'market', ...times },
      { kind: 'sessionUp', session: 'trading', ...times },
      { kind: 'balances', complete: true, balances, ...times },
    ];
  }

  /** Reports, fills and balances; then the answer to the command itself. */
  toCommand(command: OrderCommand, outcomes: readonly Outcome[], times: Times): Event[] {
    const { exchangeTime, receiveTime } = times;
    const events = this.toOutcomes(outcomes, times);
    const refusal = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refusal !== undefined) events.push(...rejectionsOf(command, refusal, times));
    else if (command.kind === 'replaceOrder' && !this.#isPlaced(command.newClientOrderId, outcomes))
      events.push(...rejectionsOf(command, replacementFailed, times));
    events.push({
      kind: 'commandSettled',
      commandId: command.commandId,
      lane: laneOf(command),
      outcome: refusal === undefined ? 'acknowledged' : 'refused',
      clientOrderId: orderIdOf(command),
      exchangeTime,
      receiveTime,
    });
    return events;
  }

  /** One event for each report, and one for the balances that stand side by side. */
  toOutcomes(outcomes: readonly Outcome[], { exchangeTime, receiveTime }: Times): Event[] {
    const events: Event[] = [];
    let balances: Balance[] | undefined;
    for (const outcome of outcomes) {
      if (outcome.kind === 'report') {
        const { reportType, order, fill } = outcome;
        this.#history.take(outcome);
        events.push({ kind: 'orderReport', reportType, order, fill, exchangeTime, receiveTime });
        balances = undefined;
      } else if (outcome.kind === 'balance') {
        const { currency, available, reserved, buyingPower } = outcome;
        if (balances === undefined) {
          balances = [];
          events.push({ kind: 'balances', complete: false, balances, exchangeTime, receiveTime });
        }
        const balance = { currency, available, reserved };
        balances.push(buyingPower === undefined ? balance : { ...balance, buyingPower });
      }
    }
    return events;
  }

  /** Accounts of spot alone have no margin. */
  toMargin({ commandId, strategy, change }: ChangeMarginCommand, times: Times): Event[] {
    const code = refusalNumbers.MARGIN_FORBIDDEN;
    const why = 'the simulated account has no margin';
    return [
      { kind: 'marginRejected', strategy, change, code, why, ...times },
      {
        kind: 'commandSettled',
        commandId,
        lane: 'replace',
        outcome: 'refused',
        clientOrderId: undefined,
        ...times,
      },
    ];
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
    if (what.of === 'activeOrders') return this.#engine.activeOrders();
    return what.of === 'orderHistory' ? this.#history.orders(what.clientOrderId) : [];
  }

  #fillsFor(what: ReadCommand['what']) {
    return what.of === 'tradeHistory' ? this.#history.trades(what.since) : [];
  }

  #balancesFor(what: ReadCommand['what']) {
    return what.of === 'balances' ? this.#engine.balances() : [];
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

/** One for each order of a list. */
function rejectionsOf(command: OrderCommand, { code, why }: Reason, times: Times): Event[] {
  const number = refusalNumbers[code];
  if (command.kind === 'cancelOrder')
    return [{ kind: 'cancelRejected', clientOrderId: command.clientOrderId, code: number, why, ...times }];
  const originalClientOrderId = command.kind === 'replaceOrder' ? command.clientOrderId : undefined;
  const ids =
    command.kind === 'newOrderList'
      ? command.requests.map(({ clientOrderId }) => clientOrderId)
      : [orderIdOf(command)];
  return ids.map((clientOrderId) => ({
    kind: 'orderRejected',
    clientOrderId,
    originalClientOrderId,
    code: number,
    why,
    ...times,
  }));
}

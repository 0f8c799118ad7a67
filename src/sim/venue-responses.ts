import { assert } from '../core/base/assert.ts';
import type { Micros } from '../core/base/clock.ts';
import type { AccountId, Outcome, RefusedOutcome, ReportOutcome } from '../exchange/matching/index.ts';
import { isFuturesAccount, refusalNumbers } from '../exchange/matching/index.ts';
import type { OrderCommand, ReadCommand, ChangeMarginCommand } from '../core/model/command.ts';
import { laneOf, orderIdOf } from '../core/model/command.ts';
import type { ClientOrderId } from '../core/model/order.ts';
import type { Event, OrderReport } from '../core/model/event.ts';
import type { Balance } from '../core/model/market.ts';
import type { Product } from '../core/model/product.ts';
import type { SimEngine } from './engine.ts';
import type { AccountHistory } from './account-history.ts';
import type { ProductAccounts } from './product-accounts.ts';
import { ourAccount, productOfAccount } from './product-accounts.ts';

export interface VenueResponsesDeps {
  readonly engine: Pick<SimEngine, 'balances' | 'activeOrders' | 'products'>;
  /** Opens what is remembered of one product. */
  readonly openHistory: () => AccountHistory;
}

/** When something happened at the venue and when we hear of it. */
export interface Times {
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

/** Puts what the engine says into events. */
export class VenueResponses {
  readonly #engine: VenueResponsesDeps['engine'];
  readonly #histories: Readonly<Record<Product, AccountHistory>>;

  constructor({ engine, openHistory }: VenueResponsesDeps) {
    this.#engine = engine;
    this.#histories = { spot: openHistory(), margin: openHistory(), futures: openHistory() };
  }

  /** Both sessions are up, and these are the balances and the margin accounts. */
  sessionEvents(now: Micros): Event[] {
    const times = { exchangeTime: now, receiveTime: now };
    const balances = this.#engine.balances();
    const { products } = this.#engine;
    return [
      { kind: 'sessionUp', session: 'market', ...times },
      { kind: 'sessionUp', session: 'trading', ...times },
      { kind: 'balances', complete: true, balances, ...times },
      ...(products === undefined ? [] : productEvents(products, times)),
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

  /** One event for each report and each change of a margin account, and one for the balances that stand side by side. */
  toOutcomes(outcomes: readonly Outcome[], { exchangeTime, receiveTime }: Times): Event[] {
    const events: Event[] = [];
    let balances: Balance[] | undefined;
    let account: AccountId | undefined;
    for (const outcome of outcomes) {
      if (outcome.kind === 'report') {
        events.push(this.#report(outcome, exchangeTime, receiveTime));
        balances = undefined;
      } else if (outcome.kind === 'margin') {
        const { reportType, reason, view, charged } = outcome;
        const product = productOfAccount(outcome.account);
        assert(product !== 'spot', 'a spot account has no margin');
        events.push({
          kind: 'marginAccount',
          product,
          reportType,
          reason,
          account: view,
          ...(charged !== undefined && { charged }),
          exchangeTime,
          receiveTime,
        });
        balances = undefined;
      } else if (outcome.kind === 'balance') {
        const { currency, available, reserved, buyingPower } = outcome;
        if (balances === undefined || account !== outcome.account) {
          balances = [];
          account = outcome.account;
          const wallet = isFuturesAccount(account) ? ({ wallet: 'futures' } as const) : {};
          events.push({ kind: 'balances', ...wallet, complete: false, balances, exchangeTime, receiveTime });
        }
        const balance = { currency, available, reserved };
        balances.push(buyingPower === undefined ? balance : { ...balance, buyingPower });
      }
    }
    return events;
  }

  /** Outcome of a change of margin; accounts of spot alone have none. */
  toMargin(
    { commandId, strategy, change }: ChangeMarginCommand,
    outcomes: readonly Outcome[],
    times: Times,
  ): Event[] {
    const events = this.toOutcomes(outcomes, times);
    const refusal = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refusal !== undefined) {
      const code = refusalNumbers[refusal.code];
      events.push({ kind: 'marginRejected', strategy, change, code, why: refusal.why, ...times });
    }
    events.push({
      kind: 'commandSettled',
      commandId,
      lane: 'replace',
      outcome: refusal === undefined ? 'acknowledged' : 'refused',
      clientOrderId: undefined,
      ...times,
    });
    return events;
  }

  toRead(command: ReadCommand, askedAt: Micros, times: Times): Event[] {
    const { commandId, what } = command;
    const answer = {
      orders: this.#ordersFor(what),
      fills: this.#fillsFor(what),
      balances: this.#balancesFor(what),
      ...(what.of === 'marginAccounts' && {
        marginAccounts: this.#engine.products?.accounts(what.product) ?? [],
      }),
      ...(what.of === 'fundingRates' && { fundingRates: [] }),
      ...(what.of === 'transfers' && { transfers: [] }),
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

  #report(outcome: ReportOutcome, exchangeTime: Micros, receiveTime: Micros): OrderReport {
    const { reportType, order: plain, fill: execution, margin, account } = outcome;
    const history = this.#histories[productOfAccount(account)];
    if (margin === undefined) {
      history.takeReport(outcome);
      return { kind: 'orderReport', reportType, order: plain, fill: execution, exchangeTime, receiveTime };
    }
    const { mode, reduceOnly, closePosition, auto, positionId } = margin;
    const order = { ...plain, margin: { mode, reduceOnly, closePosition, auto } };
    const fill =
      execution === undefined || positionId === undefined ? execution : { ...execution, positionId };
    history.takeReport({ reportType, order, fill, margin });
    return { kind: 'orderReport', reportType, order, fill, exchangeTime, receiveTime };
  }

  #ordersFor(what: ReadCommand['what']) {
    if (what.of === 'activeOrders') {
      const { product = 'spot' } = what;
      const { products } = this.#engine;
      if (product === 'spot') return this.#engine.activeOrders();
      return products?.activeOrders(product) ?? [];
    }
    return what.of === 'orderHistory'
      ? this.#histories[what.product ?? 'spot'].orders(what.clientOrderId)
      : [];
  }

  #fillsFor(what: ReadCommand['what']) {
    return what.of === 'tradeHistory' ? this.#histories[what.product ?? 'spot'].trades(what.since) : [];
  }

  #balancesFor(what: ReadCommand['what']) {
    if (what.of !== 'balances') return [];
    if (what.product !== 'futures') return this.#engine.balances();
    return this.#engine.products?.balances('futures') ?? [];
  }

  #isPlaced(clientOrderId: ClientOrderId, outcomes: readonly Outcome[]): boolean {
    return outcomes.some(
      (outcome) => outcome.kind === 'report' && outcome.order.clientOrderId === clientOrderId,
    );
  }
}

/** Outcome of a change of margin where the account has none. */
export const noMargin: readonly Outcome[] = [
  {
    kind: 'refused',
    account: ourAccount,
    clientOrderId: undefined,
    code: 'MARGIN_FORBIDDEN',
    why: 'the simulated account has no margin',
  },
];

/** The money of contracts, and every margin account, as they are at the start. */
function productEvents(products: ProductAccounts, times: Times): Event[] {
  const balances = products.balances('futures');
  const accounts = (['margin', 'futures'] as const).flatMap((product) =>
    products.accounts(product).map((account) => ({ product, account })),
  );
  return [
    { kind: 'balances', wallet: 'futures', complete: true, balances, ...times },
    ...accounts.map((one) => ({
      kind: 'marginAccount' as const,
      reportType: 'status' as const,
      reason: 'status' as const,
      ...one,
      ...times,
    })),
  ];
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

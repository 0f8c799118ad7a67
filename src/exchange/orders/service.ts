import type { Random } from '../../core/base/random.ts';
import type { AccountId, ListedOrder, PlaceListCommand, Outcome, ReportOutcome } from '../matching/index.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import type {
  OrderListParams,
  OrderParams,
  ReplaceParams,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { listedIds, toOrderRequest, toReplacement } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Faults } from '../base/index.ts';
import { instrumentOf, isEnded, Refusal, refusalOf, refuse } from '../base/index.ts';

const idAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Turns requests of clients into commands of the core, and the core's answers into reports or refusals. */
export class OrderService {
  readonly #core: Core;
  readonly #random: Random;

  constructor(core: Core, random: Random) {
    this.#core = core;
    this.#random = random;
  }

  /** Places an order. Answers the last report the order has after it: resting, executed or expired. */
  place(account: AccountId, params: OrderParams): ReportOutcome | Refusal {
    const instrument = instrumentOf(this.#core.instruments, 'spot', params.symbol);
    if (instrument instanceof Refusal) return instrument;
    const clientOrderId = params.clientOrderId ?? this.newId();
    const request = toOrderRequest(params, instrument, clientOrderId as ClientOrderId);
    if (!request.ok) return new Refusal(request.error);
    const outcomes = this.#core.handle({
      kind: 'place',
      account,
      request: request.value,
      takeMarkup: params.takeMarkup,
      makeMarkup: params.makeMarkup,
    });
    return answerOf(outcomes, account, clientOrderId);
  }

  /** Places a list of orders. Answers the last report of each of them, in the order of the request. */
  placeList(account: AccountId, params: OrderListParams): readonly ReportOutcome[] | Refusal {
    const read = listRequests(params, {
      instruments: this.#core.instruments,
      newId: () => this.newId(),
    });
    if (read instanceof Refusal) return read;
    const outcomes = this.#core.handle({ kind: 'placeList', account, ...read });
    const reports: ReportOutcome[] = [];
    for (const { request } of read.orders) {
      const report = answerOf(outcomes, account, request.clientOrderId);
      if (report instanceof Refusal) return report;
      reports.push(report);
    }
    return reports;
  }

  cancel(account: AccountId, clientOrderId: string): ReportOutcome | Refusal {
    return answerOf(this.#core.handle({ kind: 'cancel', account, clientOrderId }), account, clientOrderId);
  }

  /** Cancels every order, or those of one symbol; answers their reports, oldest order first. */
  cancelAll(account: AccountId, instrument: Instrument | undefined): readonly ReportOutcome[] {
    const outcomes = this.#core.handle({ kind: 'cancelAll', account, instrument: instrument?.id });
    return outcomes.filter(
      (outcome): outcome is ReportOutcome =>
        outcome.kind === 'report' && outcome.account === account && outcome.reportType === 'canceled',
    );
  }

  /**
   * Replaces an order. Answers the report of the new one; when it could not be placed, the report of the old
   * one, now canceled. `faults` may have the old one live on. Source: v3-gaps, section 10 ("Replace").
   */
  replace(
    account: AccountId,
    params: ReplaceParams,
    faults?: Pick<Faults, 'takeOriginalKept'>,
  ): ReportOutcome | Refusal {
    const order = this.#core.exchange.order(account, params.clientOrderId);
    if (order === undefined || isEnded(order)) return refuse(20_002);
    const newClientOrderId = params.newClientOrderId ?? this.newId();
    const replacement = toReplacement(params, this.#core.instruments.at(order.instrument), order.type);
    if (!replacement.ok) return new Refusal(replacement.error);
    const { quantity, price, stopPrice } = replacement.value;
    const outcomes = this.#core.handle({
      kind: 'replace',
      account,
      clientOrderId: params.clientOrderId,
      newClientOrderId,
      quantity,
      price,
      stopPrice: stopPrice ?? order.stopPrice,
      keepsOriginal: faults?.takeOriginalKept() === true,
    });
    const replaced = answerOf(outcomes, account, newClientOrderId);
    if (replaced instanceof Refusal) return lastReport(outcomes, account, params.clientOrderId) ?? replaced;
    return replacedReport(outcomes, account, newClientOrderId) ?? replaced;
  }

  /** A client order id of 32 characters, for orders that came without one. */
  newId(): string {
    let id = '';
    for (let i = 0; i < 32; i++) id += idAlphabet[this.#random.between(0, idAlphabet.length - 1)] as string;
    return id;
  }
}

/** What the core said last of an order in one command: its report, or why it was refused. */
export function answerOf(
  outcomes: readonly Outcome[],
  account: AccountId,
  clientOrderId: string,
): ReportOutcome | Refusal {
  const report = lastReport(outcomes, account, clientOrderId);
  if (report !== undefined) return report;
  for (const outcome of outcomes) if (outcome.kind === 'refused') return refusalOf(outcome.code, outcome.why);
  return refuse(20_002);
}

function lastReport(
  outcomes: readonly Outcome[],
  account: AccountId,
  clientOrderId: string,
): ReportOutcome | undefined {
  for (let i = outcomes.length - 1; i >= 0; i--) {
    const outcome = outcomes[i] as Outcome;
    if (
      outcome.kind === 'report' &&
      outcome.account === account &&
      outcome.order.clientOrderId === clientOrderId
    ) {
      return outcome;
    }
  }
  return undefined;
}

function replacedReport(
  outcomes: readonly Outcome[],
  account: AccountId,
  clientOrderId: string,
): ReportOutcome | undefined {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'report' || outcome.reportType !== 'replaced') continue;
    if (outcome.account === account && outcome.order.clientOrderId === clientOrderId) return outcome;
  }
  return undefined;
}

/** What is made of the words of a client: everything of the command but the account. */
type ListRequests = Pick<PlaceListCommand, 'listId' | 'contingency' | 'orders'>;

/**
 * The orders of a list in ticks and lots. Missing client order ids are made; a list id without a client order id of
 * the first order names that one too, because both must be the same. Source: API v3, order_list_id.
 */
function listRequests(
  params: OrderListParams,
  made: { readonly instruments: Instruments; readonly newId: () => string },
): ListRequests | Refusal {
  const orders: ListedOrder[] = [];
  const ids = listedIds(params);
  for (const [index, order] of params.orders.entries()) {
    const instrument = instrumentOf(made.instruments, 'spot', order.symbol);
    if (instrument instanceof Refusal) return instrument;
    const request = toOrderRequest(order, instrument, (ids[index] ?? made.newId()) as ClientOrderId);
    if (!request.ok) return new Refusal(request.error);
    const { takeMarkup, makeMarkup } = order;
    orders.push({ request: request.value, takeMarkup, makeMarkup });
  }
  const listId = params.orderListId ?? orders[0]?.request.clientOrderId ?? '';
  return { listId, contingency: params.contingencyType, orders };
}

import type { AccountId, ListedOrder, MarginOutcome, ReportOutcome, Outcome } from '../matching/index.ts';
import { futuresAccountOf, marginAccountOf } from '../matching/index.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import type {
  MarginOrderParams,
  OrderListParams,
  MarginAccountParams,
} from '../../venues/hitbtc/wire/resources/index.ts';
import {
  listedIds,
  MarginObjects,
  spellingOf,
  toMarginMark,
  toOrderRequest,
  toPriceTicks,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { Amount } from '../../core/base/amount.ts';
import { zero, parseAmount } from '../../core/base/amount.ts';
import type { MarginAccountView, MarginMode, PositionView } from '../../core/model/margin.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import type { Core } from '../base/index.ts';
import type { OrderService } from '../orders/index.ts';
import { answerOf } from '../orders/index.ts';
import { Refusal, refuse, refusalOf, badParameter, instrumentOf, isOfProduct } from '../base/index.ts';
import { Decimal } from '../../core/base/decimal.ts';

/** Margin trading of symbols, or trading of contracts: one engine, two product accounts beside each trading account. */
export interface MarginProduct {
  readonly name: 'margin' | 'futures';
  of(account: AccountId): AccountId;
  trades(instrument: Instrument): boolean;
}

export const margin: MarginProduct = {
  name: 'margin',
  of: marginAccountOf,
  trades: (instrument) => isOfProduct(instrument, 'margin'),
};

export const futures: MarginProduct = {
  name: 'futures',
  of: futuresAccountOf,
  trades: (instrument) => isOfProduct(instrument, 'futures'),
};

/** Turns requests of margin trading, or of contracts, into commands of the core. */
export class MarginProductService {
  readonly product: MarginProduct;
  /** Printed accounts and positions of each version. */
  readonly objects: { readonly v3: MarginObjects; readonly v2: MarginObjects };
  readonly #core: Core;
  readonly #orders: OrderService;
  readonly #currencies: ReadonlySet<string>;

  constructor(
    product: MarginProduct,
    setup: { readonly core: Core; readonly orders: OrderService; readonly currencies: ReadonlySet<string> },
  ) {
    const { core, orders, currencies } = setup;
    this.product = product;
    this.objects = {
      v3: new MarginObjects('v3', core.instruments, spellingOf[product.name]),
      v2: new MarginObjects('v2', core.instruments),
    };
    this.#core = core;
    this.#orders = orders;
    this.#currencies = currencies;
  }

  /** Places an order; answers the last report it has after it. */
  place(account: AccountId, params: MarginOrderParams): ReportOutcome | Refusal {
    const order = this.#orderOf(account, params, params.clientOrderId);
    if (order instanceof Refusal) return order;
    const outcomes = this.#core.handle({ kind: 'place', account: this.product.of(account), ...order });
    return answerOf(outcomes, this.product.of(account), order.request.clientOrderId);
  }

  /** Places a list; answers the last report of each order. */
  placeList(
    account: AccountId,
    params: OrderListParams<MarginOrderParams>,
  ): readonly ReportOutcome[] | Refusal {
    const orders: ListedOrder[] = [];
    const ids = listedIds(params);
    for (const [index, one] of params.orders.entries()) {
      const order = this.#orderOf(account, one, ids[index]);
      if (order instanceof Refusal) return order;
      orders.push(order);
    }
    const owner = this.product.of(account);
    const listId = params.orderListId ?? orders[0]?.request.clientOrderId ?? '';
    const command = {
      kind: 'placeList',
      account: owner,
      listId,
      contingency: params.contingencyType,
    } as const;
    const outcomes = this.#core.handle({ ...command, orders });
    const reports: ReportOutcome[] = [];
    for (const { request } of orders) {
      const report = answerOf(outcomes, owner, request.clientOrderId);
      if (report instanceof Refusal) return report;
      reports.push(report);
    }
    return reports;
  }

  /** Opens an account, changes it, or closes it; answers what was reported of it. */
  setAccount(account: AccountId, params: MarginAccountParams): MarginOutcome | Refusal {
    const target = this.target(params.marginMode, params.instrument);
    if (target instanceof Refusal) return target;
    const terms = marginTermsOf(this.product.name, target, params);
    if (terms instanceof Refusal) return terms;
    const outcomes = this.#core.handle({
      kind: 'setMargin',
      account: this.product.of(account),
      ...marginTargetKey(target),
      ...terms,
    });
    return changeOf(outcomes, this.product.of(account));
  }

  /** Switches replenishment; answers nothing but a refusal. Source: API v3, "AMR rules". */
  setAmr(account: AccountId, target: MarginTarget, amr: boolean): Refusal | undefined {
    const owner = this.product.of(account);
    return refusalIn(this.#core.handle({ kind: 'setAmr', account: owner, ...marginTargetKey(target), amr }));
  }

  /** Closes a position; answers it as it is then, its quantity 0 when nothing is left. */
  close(
    account: AccountId,
    where: { readonly mode: MarginMode; readonly instrument: Instrument },
    price: { readonly text: string | undefined; readonly strict: boolean },
  ): PositionView | Refusal {
    const { mode, instrument } = where;
    const owner = this.product.of(account);
    const target = { mode, instrument, currency: instrument.spec.quoteCurrency };
    const before = this.account(account, target)?.positions.find((one) => one.instrument === instrument.id);
    if (before === undefined) return refuse(20_032);
    let ticks: Ticks | undefined;
    if (price.text !== undefined) {
      const read = toPriceTicks(price.text, instrument, price.strict);
      if (!read.ok) return new Refusal(read.error);
      ticks = read.value;
    }
    const outcomes = this.#core.handle({
      kind: 'closePosition',
      account: owner,
      mode,
      instrument: instrument.id,
      price: ticks,
      clientOrderId: this.#orders.newId(),
    });
    const refusal = refusalIn(outcomes);
    if (refusal !== undefined) return refusal;
    const after = this.account(account, target)?.positions.find((one) => one.id === before.id);
    return after ?? closedView(before, outcomes, this.#core.now());
  }

  /** Closes every position at market; answers them as they are then. */
  closeAll(account: AccountId): readonly PositionView[] {
    const closed: PositionView[] = [];
    for (const { mode, positions } of this.accounts(account)) {
      for (const position of positions) {
        const instrument = this.#core.instruments.at(position.instrument);
        const done = this.close(account, { mode, instrument }, { text: undefined, strict: false });
        if (!(done instanceof Refusal)) closed.push(done);
      }
    }
    return closed;
  }

  /** Cancels every order, closes every position as far as the book goes, and every account that has none then. */
  shutDown(account: AccountId): void {
    const owner = this.product.of(account);
    this.#core.handle({ kind: 'cancelAll', account: owner, instrument: undefined });
    this.closeAll(account);
    for (const { mode, instrument, currency } of this.accounts(account)) {
      const key = { mode, instrument, currency };
      this.#core.handle({ kind: 'setMargin', account: owner, ...key, balance: zero, leverage: undefined });
    }
  }

  /** Sets the leverage of the isolated account of a contract; answers what was reported of it. */
  setLeverage(account: AccountId, symbol: string, text: string | undefined): MarginOutcome | Refusal {
    const target = this.target('isolated', symbol);
    if (target instanceof Refusal) return target;
    const leverage = leverageOf(target.instrument, text);
    if (leverage instanceof Refusal) return leverage;
    const owner = this.product.of(account);
    return changeOf(
      this.#core.handle({ kind: 'setLeverage', account: owner, ...marginTargetKey(target), leverage }),
      owner,
    );
  }

  /** Switches automatic management; answers nothing but a refusal. */
  setAuto(account: AccountId, target: MarginTarget, auto: boolean): Refusal | undefined {
    const owner = this.product.of(account);
    return refusalIn(
      this.#core.handle({ kind: 'setAutoMargin', account: owner, ...marginTargetKey(target), auto }),
    );
  }

  account(account: AccountId, target: MarginTarget): MarginAccountView | undefined {
    return this.#core.exchange.marginAccount(this.product.of(account), marginTargetKey(target));
  }

  accounts(account: AccountId): readonly MarginAccountView[] {
    return this.#core.exchange.marginAccounts(this.product.of(account));
  }

  /** The margin of a symbol (isolated) or of a currency (cross). */
  target(mode: string, name: string): MarginTarget | Refusal {
    if (mode === 'cross') {
      if (!this.#currencies.has(name)) return refuse(2_002);
      return { mode, instrument: undefined, currency: name };
    }
    if (mode !== 'isolated') return refuse(2_024);
    const instrument = this.instrument(name);
    if (instrument instanceof Refusal) return instrument;
    return { mode, instrument, currency: instrument.spec.quoteCurrency };
  }

  /** A symbol of this product. */
  instrument(symbol: string): Instrument | Refusal {
    return instrumentOf(this.#core.instruments, this.product.name, symbol);
  }

  #orderOf(
    account: AccountId,
    params: MarginOrderParams,
    clientOrderId: string | undefined,
  ): ListedOrder | Refusal {
    const instrument = this.instrument(params.symbol);
    if (instrument instanceof Refusal) return instrument;
    const { takeMarkup, makeMarkup } = params;
    const margin = toMarginMark(params);
    if (margin === undefined) return refuse(2_024);
    const id = (clientOrderId ?? this.#orders.newId()) as ClientOrderId;
    const quantity = margin.closePosition
      ? this.#openQuantity(account, margin.mode, instrument)
      : params.quantity;
    const request = toOrderRequest({ ...params, quantity }, instrument, id);
    if (!request.ok) return new Refusal(request.error);
    return {
      request: request.value,
      takeMarkup,
      makeMarkup,
      margin,
    };
  }

  /** The quantity that closes the position there is, or one increment; when the order is triggered it is counted anew. */
  #openQuantity(account: AccountId, mode: MarginMode, instrument: Instrument): string {
    const target = { mode, instrument, currency: instrument.spec.quoteCurrency };
    const open = this.account(account, target)?.positions.find((one) => one.instrument === instrument.id);
    if (open === undefined) return instrument.quantityText(1 as Lots);
    const size = open.quantity < zero ? -open.quantity : open.quantity;
    return instrument.quantityText(Number(size / instrument.quantityAmount(1 as Lots)) as Lots);
  }
}

/** Which margin is meant. */
export interface MarginTarget {
  readonly mode: MarginMode;
  readonly instrument: Instrument | undefined;
  readonly currency: string | undefined;
}

/** The account meant, as commands of the core name it. */
export function marginTargetKey({ mode, instrument, currency }: MarginTarget) {
  return { mode, instrument: mode === 'isolated' ? instrument?.id : undefined, currency };
}

/** Report of a margin account, or why nothing was done. */
function changeOf(outcomes: readonly Outcome[], owner: AccountId): MarginOutcome | Refusal {
  for (const outcome of outcomes) if (outcome.kind === 'margin' && outcome.account === owner) return outcome;
  return refusalIn(outcomes) ?? refuse(20_033);
}

/** The first refusal there is. */
function refusalIn(outcomes: readonly Outcome[]): Refusal | undefined {
  for (const outcome of outcomes) if (outcome.kind === 'refused') return refusalOf(outcome.code, outcome.why);
  return undefined;
}

/** A position that is no more, with what its closing realized. Source: v3-gaps, section 8 ("Closing a position"). */
function closedView(
  before: PositionView,
  outcomes: readonly Outcome[],
  now: PositionView['updatedAt'],
): PositionView {
  let { feeCumulative } = before;
  let pnl = zero;
  for (const outcome of outcomes) {
    if (outcome.kind !== 'report' || outcome.margin?.positionId !== before.id) continue;
    pnl = (pnl + (outcome.margin.pnl ?? zero)) as Amount;
    feeCumulative = (feeCumulative + (outcome.fill?.fee ?? zero)) as Amount;
  }
  return { ...closedPosition(before, now), pnl, feeCumulative };
}

/** A position of which nothing is left. */
export function closedPosition(before: PositionView, now: PositionView['updatedAt']): PositionView {
  const gone = { quantity: zero, entry: zero, marginCall: undefined, liquidation: undefined };
  return { ...before, ...gone, updatedAt: now };
}

/** Balance and leverage that a client asks for an account; only isolated margin of contracts has a leverage to choose. */
export function marginTermsOf(
  product: MarginProduct['name'],
  { mode, instrument }: Pick<MarginTarget, 'mode' | 'instrument'>,
  { marginBalance, leverage: given, strictValidate }: MarginAccountParams,
): { readonly balance: Amount; readonly leverage: Amount | undefined } | Refusal {
  const balance = readAmount('margin_balance', marginBalance, strictValidate);
  if (balance instanceof Refusal) return balance;
  if (product !== 'futures' || mode !== 'isolated') return { balance, leverage: undefined };
  const leverage = leverageOf(instrument, given);
  return leverage instanceof Refusal ? leverage : { balance, leverage };
}

const exponential = /^\d{1,30}(\.\d{1,40})?[eE][+-]?\d{1,2}$/;

/** A margin balance; strictly, neither in exponential form nor finer than it is kept. Source: v2-gaps, section 2. */
function readAmount(name: string, given: string, strict: boolean): Amount | Refusal {
  const text = strict || !exponential.test(given) ? given : new Decimal(given).toFixed();
  const match = /^(\d{1,30})(?:\.(\d{1,40}))?$/.exec(text);
  if (match === null) return badParameter(name, 'Expected a plain decimal');
  const [, whole = '0', fraction = ''] = match;
  if (strict && fraction.length > 12) return badParameter(name, 'Expected at most 12 decimals');
  return parseAmount(`${whole}.${fraction.slice(0, 12).padEnd(1, '0')}`);
}

/** A leverage of at most two decimals, from 1 to what the contract allows. */
export function leverageOf(instrument: Instrument | undefined, text: string | undefined): Amount | Refusal {
  if (text === undefined) return badParameter('leverage', 'Parameter is required');
  const most = parseAmount(instrument?.spec.maxInitialLeverage ?? '10');
  const leverage = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? parseAmount(text) : zero;
  if (leverage >= parseAmount('1') && leverage <= most) return leverage;
  const range = `[1, ${instrument?.spec.maxInitialLeverage ?? '10'}]`;
  return badParameter('leverage', `Parameter must be in ${range}`);
}

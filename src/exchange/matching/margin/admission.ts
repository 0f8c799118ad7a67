import type { Lots } from '../../../core/model/instrument.ts';
import type { MarginMark } from '../../../core/model/margin.ts';
import type { OrderRequest } from '../../../core/model/order.ts';
import type { Account, ExchangeState, ExchangeMarket } from '../state/index.ts';
import type { OrderRefusal } from '../execution/index.ts';
import type { ListedOrder, AccountInstrument, AccountId, Wallet } from '../accounts/index.ts';
import {
  drawsOnBalance,
  MarginAccount,
  isFuturesAccount,
  isProductAccount,
  spotAccountOf,
} from '../accounts/index.ts';

/** Mark of a margin order when nothing else is said. Source: API v3, "POST /api/3/margin/order". */
const plain: MarginMark = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false };

export interface OrderContext {
  readonly context: AccountInstrument;
  readonly margin: MarginMark | undefined;
}

/** Where an order of an account pays from, or why it may not be placed: the margin account must exist, or be made. */
export function contextFor(
  exchange: ExchangeState,
  account: Account,
  market: ExchangeMarket,
  order: ListedOrder,
): OrderContext | OrderRefusal {
  const { takeMarkup, makeMarkup, request } = order;
  if (!isProductAccount(account.id))
    return { context: exchange.context(account, market, takeMarkup, makeMarkup), margin: undefined };
  const margin = order.margin ?? plain;
  const found = marginAccountFor(exchange, account.id, market, margin);
  if ('code' in found) return found;
  const refusal = checkClosing(margin, request) ?? checkCalled(found, request);
  if (refusal !== undefined) return refusal;
  const { baseCurrency, quoteCurrency } = market.instrument.spec;
  const context: AccountInstrument = {
    account: account.id,
    base: exchange.wallet(account, baseCurrency),
    quote: exchange.wallet(account, quoteCurrency),
    terms: market.terms(takeMarkup, makeMarkup),
    margin: found,
    port: undefined,
    third: undefined,
    isFree: false,
    integers: undefined,
  };
  return { context, margin };
}

/** The balance that margin comes from: trading money for margin, money for derivatives for futures. */
export function fundingOf(exchange: ExchangeState, owner: AccountId, currency: string): Wallet {
  const payer = isFuturesAccount(owner) ? owner : spotAccountOf(owner);
  return exchange.wallet(exchange.account(payer), currency);
}

function marginAccountFor(
  exchange: ExchangeState,
  owner: AccountId,
  market: ExchangeMarket,
  margin: MarginMark,
): MarginAccount | OrderRefusal {
  const { instrument } = market;
  const currency = instrument.spec.quoteCurrency;
  if (!isTraded(exchange, owner, market))
    return { code: 'MARGIN_FORBIDDEN', why: `${instrument.symbol} is not traded on margin here` };
  const key = { mode: margin.mode, instrument: instrument.id, currency };
  const known = exchange.margin.find(owner, key);
  if (known !== undefined) {
    if (margin.auto) known.auto = true;
    return known;
  }
  const onlyReduces = margin.reduceOnly || margin.closePosition;
  if (!margin.auto && (onlyReduces || !drawsOnBalance(owner, margin.mode)))
    return { code: 'MARGIN_NOT_FOUND', why: `there is no ${margin.mode} margin for ${instrument.symbol}` };
  const made = new MarginAccount({
    owner,
    mode: margin.mode,
    instrument: margin.mode === 'isolated' ? instrument.id : undefined,
    funding: fundingOf(exchange, owner, currency),
    leverage: margin.mode === 'isolated' ? exchange.options.marginRule(instrument)?.leverage : undefined,
    auto: true,
    now: exchange.now,
  });
  exchange.margin.open(made);
  exchange.margin.noteReport(made, 'created', 'created');
  return made;
}

/** Margin is traded where a rule says how; contracts in their own product account only. */
export function isTraded(exchange: ExchangeState, owner: AccountId, { instrument }: ExchangeMarket): boolean {
  const isContract = instrument.spec.type === 'futures';
  return isContract === isFuturesAccount(owner) && exchange.options.marginRule(instrument) !== undefined;
}

/** Source: API v3, "Margin order" (close_position); API v2, newOrder params. */
function checkClosing({ closePosition }: MarginMark, { type }: OrderRequest): OrderRefusal | undefined {
  if (!closePosition || type === 'stopMarket') return undefined;
  return {
    code: 'ORDER_TYPE_INVALID',
    why: `only a stopMarket order can be bound to close a position, found ${type}`,
  };
}

/** While a margin call stands, only orders that make the position smaller are taken. */
function checkCalled(
  account: MarginAccount,
  { side, instrument, quantity }: OrderRequest,
): OrderRefusal | undefined {
  if (!account.called) return undefined;
  const open: number = account.positions.get(instrument)?.quantity ?? (0 as Lots);
  const closable = side === 'buy' ? -open : open;
  if (quantity <= closable) return undefined;
  return { code: 'CLOSE_ONLY', why: 'a margin call stands: only orders that close the position are taken' };
}

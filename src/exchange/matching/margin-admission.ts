import type { Lots } from '../../core/model/instrument.ts';
import type { MarginMark } from '../../core/model/margin.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type { Account } from './account.ts';
import type { Refusal } from './admission.ts';
import type { ListedOrder } from './command.ts';
import type { Desk } from './desk.ts';
import { drawsOnBalance, MarginAccount } from './margin-account.ts';
import type { Market } from './market.ts';
import type { Seat } from './seat.ts';
import { isFuturesWing, isWing, tradingOf } from './wings.ts';
import type { AccountId } from './command.ts';
import type { Purse } from './ledger.ts';

/** What a margin order is when nothing else is said. Source: API v3, "POST /api/3/margin/order". */
const plain: MarginMark = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false };

export interface Seated {
  readonly seat: Seat;
  readonly margin: MarginMark | undefined;
}

/** Where an order of an account pays from, or why it may not be placed: the margin account must exist, or be made. */
export function seatOrder(
  desk: Desk,
  account: Account,
  market: Market,
  order: ListedOrder,
): Seated | Refusal {
  const { takeMarkup, makeMarkup, request } = order;
  if (!isWing(account.id))
    return { seat: desk.seat(account, market, takeMarkup, makeMarkup), margin: undefined };
  const margin = order.margin ?? plain;
  const found = marginAccountFor(desk, account.id, market, margin);
  if ('code' in found) return found;
  const refusal = checkClosing(margin, request) ?? checkCalled(found, request);
  if (refusal !== undefined) return refusal;
  const { baseCurrency, quoteCurrency } = market.instrument.spec;
  const seat: Seat = {
    account: account.id,
    base: desk.purse(account, baseCurrency),
    quote: desk.purse(account, quoteCurrency),
    terms: market.terms(takeMarkup, makeMarkup),
    margin: found,
    port: undefined,
    isFree: false,
    tills: undefined,
  };
  return { seat, margin };
}

/** The balance that margin comes from: trading money for margin, money for derivatives for futures. */
export function fundingOf(desk: Desk, owner: AccountId, currency: string): Purse {
  const payer = isFuturesWing(owner) ? owner : tradingOf(owner);
  return desk.purse(desk.account(payer), currency);
}

function marginAccountFor(
  desk: Desk,
  owner: AccountId,
  market: Market,
  margin: MarginMark,
): MarginAccount | Refusal {
  const { instrument } = market;
  const currency = instrument.spec.quoteCurrency;
  if (!isTraded(desk, owner, market))
    return { code: 'MARGIN_FORBIDDEN', why: `${instrument.symbol} is not traded on margin here` };
  const key = { mode: margin.mode, instrument: instrument.id, currency };
  const known = desk.margin.find(owner, key);
  if (known !== undefined) {
    if (margin.auto) known.auto = true;
    return known;
  }
  if (!margin.auto && (margin.reduceOnly || !drawsOnBalance(owner, margin.mode)))
    return { code: 'MARGIN_NOT_FOUND', why: `there is no ${margin.mode} margin for ${instrument.symbol}` };
  const made = new MarginAccount({
    owner,
    mode: margin.mode,
    instrument: margin.mode === 'isolated' ? instrument.id : undefined,
    funding: fundingOf(desk, owner, currency),
    leverage: margin.mode === 'isolated' ? desk.options.marginRule(instrument)?.leverage : undefined,
    auto: true,
    now: desk.now,
  });
  desk.margin.open(made);
  desk.margin.note(made, 'created', 'created');
  return made;
}

/** Margin is traded where a rule says how; contracts in their own wing only. */
export function isTraded(desk: Desk, owner: AccountId, { instrument }: Market): boolean {
  const isContract = instrument.spec.type === 'futures';
  return isContract === isFuturesWing(owner) && desk.options.marginRule(instrument) !== undefined;
}

function checkClosing({ closePosition }: MarginMark, { type }: OrderRequest): Refusal | undefined {
  if (!closePosition || type === 'stopMarket' || type === 'takeProfitMarket') return undefined;
  return { code: 'ORDER_TYPE_INVALID', why: `a ${type} order cannot be bound to close a position` };
}

/** While a margin call stands, only orders that make the position smaller are taken. */
function checkCalled(
  account: MarginAccount,
  { side, instrument, quantity }: OrderRequest,
): Refusal | undefined {
  if (!account.called) return undefined;
  const open: number = account.positions.get(instrument)?.quantity ?? (0 as Lots);
  const closable = side === 'buy' ? -open : open;
  if (quantity <= closable) return undefined;
  return { code: 'CLOSE_ONLY', why: 'a margin call stands: only orders that close the position are taken' };
}

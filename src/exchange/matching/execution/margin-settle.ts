import type { Amount } from '../../../core/base/amount.ts';
import { add, multiply, negate, subtract, zero } from '../../../core/base/amount.ts';
import { assert } from '../../../core/base/assert.ts';
import type { Lots } from '../../../core/model/instrument.ts';
import type { MarginReason } from '../../../core/model/margin.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import type { Execution, MarginAccount, MarginPosition } from '../accounts/index.ts';
import type { OrderRecord } from '../orders/index.ts';

/** Result of an execution for a margin order. */
export interface MarginFill {
  readonly fee: Amount;
  readonly positionId: number;
  /** Profit that it realized; the fee is not counted. */
  readonly pnl: Amount;
}

/**
 * Books one execution of a margin order: the exchange takes the place of the order's owner, whose position changes.
 *
 * The fee is taken from the margin at once, and so is (or there goes) the result of what the execution closes. An
 * order larger than the position it opposes closes it and opens the other way round; fees accumulated stay with the
 * position then. A liquidation costs a fee more, as far as there is margin. What an account cannot pay when its last
 * position is closed is the exchange's loss.
 * Source: v3-gaps, section 8.1; API v3, fee_cumulative.
 */
export function settleMargin(
  exchange: ExchangeState,
  record: OrderRecord,
  execution: Execution,
  taker: boolean,
): MarginFill {
  const account = record.context.margin;
  assert(account !== undefined, 'a spot order was settled with margin');
  const market = exchange.market(record.instrument);
  const { price, quantity } = execution;
  const { terms } = record.context;
  const volume = terms.volume(price, quantity);
  const position = account.positions.get(record.instrument) ?? openPosition(exchange, account, market);
  const before = position.quantity;
  const signed = record.side === 'buy' ? quantity : -quantity;
  const closing = before * signed < 0 ? Math.min(Math.abs(before), quantity) : 0;
  const opening = quantity - closing;
  let pnl = zero;
  if (closing > 0) {
    const released = partOf(position.cost, closing, Math.abs(before));
    const closed = terms.volume(price, closing as Lots);
    pnl = before > 0 ? subtract(closed, released) : subtract(released, closed);
    position.cost = subtract(position.cost, released);
  }
  if (opening > 0) position.cost = add(position.cost, terms.volume(price, opening as Lots));
  const tradeFee = terms.fee(price, quantity, taker);
  const left = add(account.balance, subtract(pnl, tradeFee));
  const fee = record.liquidates ? add(tradeFee, forceCloseFee(position, volume, left)) : tradeFee;
  position.quantity = (before + signed) as Lots;
  position.feeCumulative = add(position.feeCumulative, fee);
  position.updatedAt = exchange.now;
  account.balance = add(account.balance, subtract(pnl, fee));
  account.updatedAt = exchange.now;
  lend(exchange, market, { lots: market.instrument.quantityAmount(quantity), volume, isBuy: signed > 0 });
  exchange.margin.lend(account.currency, negate(pnl));
  exchange.wallets.collect(account.currency, fee);
  if (position.quantity === 0) forgetPosition(exchange, account, market);
  noteChange(exchange, record, { account, before, after: position.quantity });
  return { fee, positionId: position.id, pnl };
}

function openPosition(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
): MarginPosition {
  const { instrument } = market;
  const rule = exchange.options.marginRule(instrument);
  assert(rule !== undefined, 'a position was opened where margin is not traded');
  const position: MarginPosition = {
    id: exchange.margin.nextPositionNumber(),
    market,
    rule,
    terms: { leverage: account.leverage ?? rule.leverage, takeRate: instrument.takeRate },
    quantity: 0 as Lots,
    cost: zero,
    feeCumulative: zero,
    createdAt: exchange.now,
    updatedAt: exchange.now,
  };
  account.positions.set(instrument.id, position);
  market.exposed.add(account);
  return position;
}

/** A position has become zero. What the account cannot pay with its last one is the exchange's loss. */
export function forgetPosition(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
): void {
  account.positions.delete(market.instrument.id);
  market.exposed.delete(account);
  account.called = false;
  if (account.positions.size > 0 || account.balance >= zero) return;
  exchange.margin.lend(account.currency, account.balance);
  account.balance = zero;
}

function forceCloseFee({ rule }: MarginPosition, volume: Amount, left: Amount): Amount {
  if (left <= zero || rule.forceCloseRate === undefined) return zero;
  const whole = multiply(volume, rule.forceCloseRate);
  return whole < left ? whole : left;
}

/**
 * The exchange pays for what is bought on margin and keeps it, and the other way round: so every change of a balance
 * has its counter-account. A contract has no base, but participants without margin trade it as if it had.
 */
function lend(
  exchange: ExchangeState,
  { instrument }: ExchangeMarket,
  trade: { readonly lots: Amount; readonly volume: Amount; readonly isBuy: boolean },
): void {
  const { lots, volume, isBuy } = trade;
  const { quoteCurrency, baseCurrency } = instrument.spec;
  exchange.margin.lend(quoteCurrency, isBuy ? negate(volume) : volume);
  exchange.margin.lend(baseCurrency, isBuy ? lots : negate(lots));
}

function noteChange(
  exchange: ExchangeState,
  record: OrderRecord,
  change: { readonly account: MarginAccount; readonly before: number; readonly after: number },
): void {
  const { account, before, after } = change;
  if (after === 0) exchange.margin.noteReport(account, 'closed', record.liquidates ? 'liquidated' : 'closed');
  else if (before * after < 0) exchange.margin.noteReport(account, 'created', 'flipTrade');
  else {
    const reason: MarginReason = Math.abs(after) > Math.abs(before) ? 'openTrade' : 'closeTrade';
    exchange.margin.noteReport(account, 'updated', reason);
  }
}

function partOf(amount: Amount, part: number, whole: number): Amount {
  return part === whole ? amount : (((amount * BigInt(part)) / BigInt(whole)) as Amount);
}

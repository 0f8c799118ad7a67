import type { Amount } from '../../../core/base/amount.ts';
import { add, subtract, zero, multiply, negate } from '../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import { assert } from '../../../core/base/assert.ts';
import type { MarginReason } from '../../../core/model/margin.ts';
import type { ExchangeState, ExchangeMarket, OrderRecord } from '../state/index.ts';
import { endOrder, followTrade, decide, giveBackPart, payUnits, releaseSpare } from './reservations.ts';
import type { Execution, MarginAccount, MarginPosition } from '../accounts/index.ts';
import { marginLeft, takeThird } from './needs.ts';

/** Books one execution for one of its parties and reports it; ends the order when it is filled. */
export function settleExecution(
  exchange: ExchangeState,
  record: OrderRecord,
  execution: Execution,
  taker: boolean,
): void {
  if (record.list?.exclusive === true) decide(exchange, record);
  const { price, quantity } = execution;
  const booked: MarginFill | undefined =
    record.context.margin === undefined ? undefined : settleMargin(exchange, record, execution, taker);
  const fee = booked?.fee ?? pay(exchange, record, execution, taker);
  record.cumulative = (record.cumulative + quantity) as Lots;
  record.updatedAt = exchange.now;
  if (record.remaining === 0) endOrder(exchange, record, 'filled');
  else {
    record.state = 'partiallyFilled';
    if (!taker) adjustHeld(exchange, record);
  }
  exchange.report(
    record,
    'trade',
    { tradeId: execution.tradeId, price, quantity, fee, taker, time: exchange.now },
    booked,
  );
  if (record.list !== undefined) followTrade(exchange, record);
}

/** Pays for one execution of a spot order; its fee. */
function pay(exchange: ExchangeState, record: OrderRecord, execution: Execution, taker: boolean): Amount {
  if (record.counted) return payUnits(exchange, record, execution, taker);
  if (record.context.isFree) return zero;
  const { port } = record.context;
  if (port !== undefined) {
    if (record.held !== zero) {
      const part = (record.held * BigInt(execution.quantity)) / BigInt(record.remaining);
      giveBackPart(exchange, record, part as Amount);
    }
    return port.settle(record, execution, taker);
  }
  const { wallets } = exchange;
  const { instrument } = exchange.market(record.instrument);
  const { price, quantity } = execution;
  const { base, quote, third, terms } = record.context;
  const volume = terms.volume(price, quantity);
  const lots = instrument.quantityAmount(quantity);
  const charged = terms.fee(price, quantity, taker);
  const isBuy = record.side === 'buy';
  const [gives, given, gets, gotten] = isBuy ? [quote, volume, base, lots] : [base, lots, quote, volume];
  // A fee in the currency that is given adds to it, one in the other is less of what the order brings.
  const isOfGiven = isBuy !== terms.feesInBase;
  const fee = third === undefined ? charged : zero;
  const paid = isOfGiven ? add(given, fee) : given;
  wallets.spend(gives, paid);
  record.held = subtract(record.held, paid);
  wallets.receive(gets, isOfGiven ? gotten : subtract(gotten, fee));
  if (third !== undefined) return takeThird(exchange, instrument, third, charged);
  wallets.collect(instrument.spec.feeCurrency, fee);
  return fee;
}

/** The public hears of an execution. */
export function reportTrade(
  exchange: ExchangeState,
  market: ExchangeMarket,
  side: 'buy' | 'sell',
  execution: Execution,
): void {
  if (!exchange.options.publicOutcomes) return;
  exchange.outcomes.push({
    kind: 'trade',
    instrument: market.instrument.id,
    tradeId: execution.number,
    price: execution.price,
    quantity: execution.quantity,
    side,
    time: exchange.now,
  });
}

/** Gives back what an order no longer needs: better prices of a buy, and the fee that was not paid. */
export function adjustHeld(exchange: ExchangeState, record: OrderRecord): void {
  if (record.counted) {
    releaseSpare(exchange, record);
    return;
  }
  if (record.context.isFree || record.context.port !== undefined) return;
  const { side, price } = record;
  if (record.context.margin !== undefined) {
    giveBackPart(exchange, record, subtract(record.held, marginLeft(exchange, record)));
    return;
  }
  const { base, quote, terms } = record.context;
  const isSell = side === 'sell';
  if (isSell ? !terms.feesInBase : price === undefined) return;
  const needed = isSell ? terms.sellNeed(record.remaining) : terms.need(price as Ticks, record.remaining);
  if (needed === record.held) return;
  exchange.wallets.release(isSell ? base : quote, subtract(record.held, needed));
  record.held = needed;
}

/** Result of an execution for a margin order. */
interface MarginFill {
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
function settleMargin(
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

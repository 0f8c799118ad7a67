import type { Amount } from '../../../core/base/amount.ts';
import { multiply, negate, subtract, zero, add } from '../../../core/base/amount.ts';
import type { Lots, InstrumentId, InstrumentStatus } from '../../../core/model/instrument.ts';
import { resultAt } from '../../../core/model/margin-math.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';
import type {
  SettleFundingCommand,
  TakeInterestCommand,
  MarginAccount,
  MarginPosition,
  ExpireContractCommand,
  SettleContractCommand,
} from '../accounts/index.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { endOrder, endAndReport, forgetPosition } from '../execution/index.ts';
import { openReducing } from './commands.ts';

/**
 * Takes one period of interest: every position pays the rate of its symbol on the volume it was opened with, to the
 * exchange that lends. Source: API v2, "Margin account report" (interestTaken); rate and base: docs/assumptions.md.
 */
export function takeInterest(
  exchange: ExchangeState,
  { instrument: only }: Pick<TakeInterestCommand, 'instrument'>,
): void {
  for (const account of exchange.margin.all()) {
    for (const position of account.positions.values()) {
      const { cost, rule, market } = position;
      if (only !== undefined && market.instrument.id !== only) continue;
      const interest = multiply(cost, rule.interestRate ?? zero);
      if (interest > zero) charge(exchange, account, position, interest);
      if (interest > zero) exchange.margin.moved.add(exchange.market(market.instrument.id));
    }
  }
}

/**
 * Settles funding of a contract: longs pay `rate` × quantity × price, shorts get as much. The exchange stands between
 * them, and for participants without margin. Source: v3-gaps, section 4.5.
 */
export function settleFunding(
  exchange: ExchangeState,
  { instrument, price, rate }: SettleFundingCommand,
): void {
  const market = exchange.market(instrument);
  for (const account of market.exposed) {
    const position = account.positions.get(instrument);
    if (position === undefined) continue;
    const quantity: number = position.quantity;
    const worth = market.instrument.notional(price, Math.abs(quantity) as Lots);
    const paid = multiply(worth, rate);
    if (paid !== zero) charge(exchange, account, position, quantity > 0 ? paid : negate(paid));
  }
  if (market.exposed.size > 0) exchange.margin.moved.add(market);
}

/** What an account pays the exchange for a position, or gets of it: it comes from the margin at once. */
function charge(
  exchange: ExchangeState,
  account: MarginAccount,
  position: MarginPosition,
  amount: Amount,
): void {
  account.balance = subtract(account.balance, amount);
  account.updatedAt = exchange.now;
  position.updatedAt = exchange.now;
  exchange.margin.lend(account.currency, amount);
  exchange.margin.noteAmount(account, 'interestTaken');
}

// The end of a cash-settled contract. No source describes the run: docs/assumptions.md.

/** A contract has come to its expiry: trading ends, its orders are canceled, its positions are valued at the price. */
export function expireContract(exchange: ExchangeState, { instrument, price }: ExpireContractCommand): void {
  const market = exchange.market(instrument);
  setStatus(exchange, instrument, 'clearing');
  for (const account of exchange.accounts.values()) {
    for (const record of account.orders())
      if (record.instrument === instrument) endAndReport(exchange, record, 'canceled');
  }
  market.mark = price;
  if (market.exposed.size > 0) exchange.margin.moved.add(market);
}

/** Closes every position of a contract at the price, for cash and without a fee; it is out of trading then. */
export function settleContract(exchange: ExchangeState, command: SettleContractCommand): void {
  const market = exchange.market(command.instrument);
  for (const account of market.exposed) {
    const position = account.positions.get(command.instrument);
    if (position !== undefined) settlePosition(exchange, { account, position, market }, command);
  }
  setStatus(exchange, command.instrument, 'expired');
}

/** A symbol has another status; positions that could not be liquidated before are looked at again. */
export function setStatus(exchange: ExchangeState, instrument: InstrumentId, status: InstrumentStatus): void {
  const market = exchange.market(instrument);
  market.status = status;
  if (status === 'working' && market.exposed.size > 0) exchange.margin.moved.add(market);
  exchange.outcomes.push({ kind: 'status', instrument });
}

/**
 * An order of the exchange's own making fills for the whole position, so that reports and histories show what happened.
 * It meets no other order: the exchange, which took the other side of every execution, pays the result or gets it.
 */
function settlePosition(
  exchange: ExchangeState,
  held: {
    readonly account: MarginAccount;
    readonly position: MarginPosition;
    readonly market: ExchangeMarket;
  },
  { price }: SettleContractCommand,
): void {
  const { account, position, market } = held;
  const { instrument } = market;
  const quantity = Math.abs(position.quantity) as Lots;
  const record = openReducing(exchange, account, market, {
    liquidates: false,
    request: {
      clientOrderId: `settlement-${exchange.nextOrderNumber()}` as ClientOrderId,
      instrument: instrument.id,
      side: position.quantity > 0 ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'IOC',
      quantity,
      price: undefined,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
  exchange.report(record, 'new', undefined);
  const { tradeId } = exchange.execution(price, quantity);
  const pnl = resultAt(instrument, position.quantity, position.cost, price);
  account.balance = add(account.balance, pnl);
  account.updatedAt = exchange.now;
  position.updatedAt = exchange.now;
  exchange.margin.lend(account.currency, negate(pnl));
  position.quantity = 0 as Lots;
  forgetPosition(exchange, account, market);
  record.cumulative = quantity;
  endOrder(exchange, record, 'filled');
  const fill = { tradeId, price, quantity, fee: zero, taker: false, time: exchange.now };
  exchange.report(record, 'trade', fill, { positionId: position.id, pnl });
  exchange.margin.noteReport(account, 'closed', 'closed');
}

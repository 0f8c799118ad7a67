import { add, negate, zero } from '../../../core/base/amount.ts';
import type { InstrumentId, InstrumentStatus, Lots } from '../../../core/model/instrument.ts';
import { resultAt } from '../../../core/model/margin-math.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';
import type {
  ExpireContractCommand,
  SettleContractCommand,
  MarginAccount,
  MarginPosition,
} from '../accounts/index.ts';
import { endOrder, endAndReport, forgetPosition } from '../execution/index.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { openReducing } from './closing.ts';

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

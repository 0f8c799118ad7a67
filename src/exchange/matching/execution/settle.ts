import type { Amount } from '../../../core/base/amount.ts';
import { add, subtract, zero } from '../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { endOrder, followTrade } from './ending.ts';
import type { Execution } from '../accounts/index.ts';
import { decide, giveBackPart } from './reservations.ts';
import { marginLeft } from './margin-need.ts';
import type { MarginFill } from './margin-settle.ts';
import { settleMargin } from './margin-settle.ts';
import type { OrderRecord } from '../orders/index.ts';
import { payUnits, releaseSpare } from './integer-reservations.ts';
import { takeThird } from './third-fee.ts';

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

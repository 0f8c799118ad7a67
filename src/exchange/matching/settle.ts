import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { Desk } from './desk.ts';
import { end, followTrade } from './ending.ts';
import type { Execution } from './execution.ts';
import { decide, giveBackPart } from './holding.ts';
import { marginLeft } from './margin-need.ts';
import type { MarginFill } from './margin-settle.ts';
import { settleMargin } from './margin-settle.ts';
import type { Market } from './market.ts';
import type { OrderRecord } from './order-record.ts';
import { payUnits, releaseSpare } from './unit-holding.ts';

/** Books one execution for one of its parties and reports it; ends the order when it is filled. */
export function settle(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): void {
  if (record.list?.exclusive === true) decide(desk, record);
  const { price, quantity } = execution;
  const booked: MarginFill | undefined =
    record.seat.margin === undefined ? undefined : settleMargin(desk, record, execution, taker);
  const fee = booked?.fee ?? pay(desk, record, execution, taker);
  record.cumulative = (record.cumulative + quantity) as Lots;
  record.updatedAt = desk.now;
  if (record.remaining === 0) end(desk, record, 'filled');
  else {
    record.state = 'partiallyFilled';
    if (!taker) adjustHeld(desk, record);
  }
  desk.report(
    record,
    'trade',
    { tradeId: execution.tradeId, price, quantity, fee, taker, time: desk.now },
    booked,
  );
  if (record.list !== undefined) followTrade(desk, record);
}

/** Pays for one execution of a spot order; its fee. */
function pay(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): Amount {
  if (record.counted) return payUnits(desk, record, execution, taker);
  if (record.seat.isFree) return zero;
  const { port } = record.seat;
  if (port !== undefined) {
    const part = (record.held * BigInt(execution.quantity)) / BigInt(record.remaining);
    giveBackPart(desk, record, part as Amount);
    return port.settle(record, execution, taker);
  }
  const { ledger } = desk;
  const { instrument } = desk.market(record.instrument);
  const { price, quantity } = execution;
  const { base, quote, terms } = record.seat;
  const volume = terms.volume(price, quantity);
  const fee = terms.fee(price, quantity, taker);
  const lots = instrument.quantityAmount(quantity);
  if (record.side === 'buy') {
    const paid = add(volume, fee);
    ledger.spend(quote, paid);
    record.held = subtract(record.held, paid);
    ledger.receive(base, lots);
  } else {
    ledger.spend(base, lots);
    record.held = subtract(record.held, lots);
    ledger.receive(quote, subtract(volume, fee));
  }
  ledger.collect(instrument.spec.quoteCurrency, fee);
  return fee;
}

/** The public hears of an execution. */
export function tell(desk: Desk, market: Market, side: 'buy' | 'sell', execution: Execution): void {
  if (!desk.options.publicOutcomes) return;
  desk.outcomes.push({
    kind: 'trade',
    instrument: market.instrument.id,
    tradeId: execution.number,
    price: execution.price,
    quantity: execution.quantity,
    side,
    time: desk.now,
  });
}

/** Gives back what a buy with a price no longer needs: better prices, and the fee it did not pay. */
export function adjustHeld(desk: Desk, record: OrderRecord): void {
  if (record.counted) {
    releaseSpare(desk, record);
    return;
  }
  if (record.seat.isFree || record.seat.port !== undefined) return;
  const { side, price } = record;
  if (record.seat.margin !== undefined) {
    giveBackPart(desk, record, subtract(record.held, marginLeft(desk, record)));
    return;
  }
  if (side === 'sell' || price === undefined) return;
  const { quote, terms } = record.seat;
  const needed = terms.need(price, record.remaining);
  if (needed === record.held) return;
  desk.ledger.release(quote, subtract(record.held, needed));
  record.held = needed;
}

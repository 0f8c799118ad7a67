import { parseAmount, zero } from '../../../src/base/amount.ts';
import { micros } from '../../../src/base/clock.ts';
import type { AccountId, ExchangeCommand } from '../../../src/matching/command.ts';
import { Exchange } from '../../../src/matching/exchange.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/model/instrument.ts';
import type { ClientOrderId } from '../../../src/model/order.ts';
import { oneMarket } from '../../support/markets.ts';
import type { Heard } from '../support/order-passes.ts';
import { measurePasses } from '../support/order-passes.ts';
import { operation, orderStream } from '../support/order-stream.ts';

// The exchange that the embedded exchange, paper trading and backtests run, with nothing left out: client ids (taken for
// a minute after an order's end), funds, fees, a report of everything that happens to an order, public trades, changed
// levels, changed balances. Every report is looked at.

const account = 1 as AccountId;
const stream = orderStream(200_000);
const instruments = oneMarket({
  tickSize: '0.01',
  quantityIncrement: '0.001',
  takeRate: '0.0025',
  makeRate: '0.001',
});
const limits = { ordersPerSymbolMax: 1_000_000, ordersPerAccountMax: 1_000_000 };

function commandOf(i: number): ExchangeCommand {
  const { kind, isBuy, price, quantity, id } = stream;
  const clientOrderId = id[i] as ClientOrderId;
  if (kind[i] === operation.cancel) return { kind: 'cancel', account, clientOrderId };
  return {
    kind: 'place',
    account,
    request: {
      clientOrderId,
      instrument: 0 as InstrumentId,
      side: isBuy[i] === 1 ? 'buy' : 'sell',
      type: 'limit',
      timeInForce: kind[i] === operation.take ? 'IOC' : 'GTC',
      quantity: quantity[i] as Lots,
      price: price[i] as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
    takeMarkup: zero,
    makeMarkup: zero,
  };
}

function open(): Exchange {
  const exchange = new Exchange({ instruments, options: { windowTicks: 16_384, ...limits } });
  for (const currency of ['AAA', 'BBB']) {
    const change = parseAmount('1000000000000');
    exchange.handle({ kind: 'adjustBalance', account, currency, change }, micros(0));
  }
  return exchange;
}

function play(exchange: Exchange): Heard {
  let [traded, told] = [0, 0];
  for (let i = 0; i < stream.length; i++) {
    for (const outcome of exchange.handle(commandOf(i), micros(i))) {
      if (outcome.kind !== 'report') continue;
      const { fill, order } = outcome;
      if (fill?.taker === true) traded += fill.quantity;
      if (order.clientOrderId.length > 0 && order.quantity >= order.cumulative) told += 1;
    }
  }
  return { traded, told };
}

measurePasses(stream.length, () => {
  const exchange = open();
  return () => play(exchange);
});

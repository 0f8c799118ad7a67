import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { micros } from '../../../src/core/base/clock.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { MatchingOptions } from '../../../src/exchange/matching/state/options.ts';
import type { ExchangeOutcome } from '../../../src/exchange/matching/state/outcome.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { oneMarket } from '../../support/markets.ts';
import type { Pass } from '../support/order-passes.ts';
import { measurePasses } from '../support/order-passes.ts';
import { clientIds, operation, orderStream } from '../support/order-stream.ts';

// The exchange that the embedded exchange, paper trading and backtests run. `exchange`: with nothing left out: client ids
// (taken for a minute after an order's end), funds, fees, a report of everything that happens to an order, public trades,
// changed levels, changed balances. Without: what the peer does too, books, client ids (free again at once) and reports.
// Every report is looked at.

const account = 1 as AccountId;
const isWhole = process.argv.includes('exchange');
const stream = orderStream(200_000);
const instruments = oneMarket({
  tickSize: '0.01',
  quantityIncrement: '0.001',
  takeRate: '0.0025',
  makeRate: '0.001',
});
const limits = { ordersPerSymbolMax: 1_000_000, ordersPerAccountMax: 1_000_000, windowTicks: 16_384 };
const booksOnly: Partial<MatchingOptions> = {
  idReuseAfter: micros(0),
  spotFunds: false,
  publicOutcomes: false,
};

function open(): Exchange {
  const exchange = new Exchange({ instruments, options: isWhole ? limits : { ...limits, ...booksOnly } });
  if (!isWhole) return exchange;
  for (const currency of ['AAA', 'BBB']) {
    const change = parseAmount('1000000000000');
    exchange.handle({ kind: 'adjustBalance', account, currency, change }, micros(0));
  }
  return exchange;
}

/** One for all orders: the exchange reads it and does not keep it. */
const request: { -readonly [Member in keyof OrderRequest]: OrderRequest[Member] } = {
  clientOrderId: '' as ClientOrderId,
  instrument: 0 as InstrumentId,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 1 as Lots,
  price: 1 as Ticks,
  stopPrice: undefined,
  expireTime: undefined,
  postOnly: false,
};

class OurPass implements Pass {
  readonly #exchange = open();
  readonly #ids = clientIds(stream) as readonly ClientOrderId[];
  #traded = 0;
  #noted = 0;

  play(): { traded: number; noted: number } {
    const { kind, isBuy, price, quantity, length } = stream;
    for (let i = 0; i < length; i++) {
      const clientOrderId = this.#ids[i] as ClientOrderId;
      const now: Micros = micros(i);
      if (kind[i] === operation.cancel) {
        this.#hear(this.#exchange.cancel(account, clientOrderId, now));
        continue;
      }
      request.clientOrderId = clientOrderId;
      request.side = isBuy[i] === 1 ? 'buy' : 'sell';
      request.timeInForce = kind[i] === operation.take ? 'IOC' : 'GTC';
      request.quantity = quantity[i] as Lots;
      request.price = price[i] as Ticks;
      this.#hear(this.#exchange.place(account, request, now));
    }
    return { traded: this.#traded, noted: this.#noted };
  }

  standing(): { resting: number; lots: number; volume: number } {
    let [resting, lots, volume] = [0, 0, 0];
    for (const { quantity, cumulative, price = Number.NaN } of this.#exchange.activeOrders(account)) {
      resting += 1;
      lots += quantity - cumulative;
      volume += (quantity - cumulative) * price;
    }
    return { resting, lots, volume };
  }

  #hear(outcomes: readonly ExchangeOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'report') continue;
      const { fill, clientOrderId, quantity, cumulative } = outcome;
      if (fill?.taker === true) this.#traded += fill.quantity;
      if (clientOrderId.length > 0 && quantity >= cumulative) this.#noted += 1;
    }
  }
}

measurePasses(stream, () => new OurPass());

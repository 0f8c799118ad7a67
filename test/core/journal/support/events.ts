import type { Amount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type {
  BookUpdate,
  Event,
  OrderPending,
  OrderReport,
  StateCarried,
  StrategyNoted,
  TickerChanged,
} from '../../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../../src/core/model/order.ts';

export function at(time: number): { exchangeTime: Micros; receiveTime: Micros } {
  return { exchangeTime: time as Micros, receiveTime: (time + 900) as Micros };
}

export function request(index: number): OrderRequest {
  return {
    clientOrderId: `gw-run001-a-${String(index).padStart(6, '0')}` as ClientOrderId,
    instrument: (index % 3) as InstrumentId,
    side: index % 2 === 0 ? 'buy' : 'sell',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: (100 + index) as Lots,
    price: (50_000 + index) as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: true,
  };
}

/** The verdict on order number `index`. */
export function pending(index: number): OrderPending {
  const time = 1_700_000_000_000_000 + index;
  const command = { kind: 'newOrder', commandId: index, strategy: 'maker', request: request(index) } as const;
  return { kind: 'orderPending', ...at(time), command };
}

/** A fill of one lot of order number `index`. */
export function filled(index: number): OrderReport {
  const time = (1_700_000_000_000_000 + index) as Micros;
  return {
    kind: 'orderReport',
    ...at(time),
    reportType: 'trade',
    order: {
      ...request(index),
      venueOrderId: `70000000${index}`,
      state: 'partiallyFilled',
      cumulative: 1 as Lots,
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: time,
      updatedAt: time,
    },
    fill: {
      tradeId: String(index),
      price: 50_000 as Ticks,
      quantity: 1 as Lots,
      fee: (-15_030_000_000_000_000_000n - BigInt(index)) as Amount,
      taker: false,
      time,
    },
  };
}

export function update(index: number, price = 50_000): BookUpdate {
  const levels = new Float64Array([0, price, 5 + index, 1, price + 3, 0]);
  const instrument = (index % 3) as InstrumentId;
  return {
    kind: 'bookUpdate',
    ...at(index),
    instrument,
    sequence: index,
    levels,
    start: 0,
    end: levels.length,
  };
}

export function ticker(last: bigint): TickerChanged {
  const instrument = 0 as InstrumentId;
  return {
    kind: 'ticker',
    ...at(5),
    instrument,
    ticker: {
      instrument,
      time: 5 as Micros,
      bid: 1 as Ticks,
      bidQuantity: 1 as Lots,
      ask: undefined,
      askQuantity: undefined,
      last: last as Amount,
      open: undefined,
      high: undefined,
      low: undefined,
      volume: undefined,
      volumeQuote: undefined,
    },
  };
}

/** A carried state with `count` live orders. */
export function carried(count: number): StateCarried {
  const time = (1_700_000_000_000_000 + count) as Micros;
  const live = Array.from({ length: count }, (_, index) => ({
    order: {
      ...request(index),
      strategy: 'maker',
      state: 'new' as const,
      cumulative: 0 as Lots,
      venueOrderId: `70000000${index}`,
      originalClientOrderId: undefined,
      createdAt: time,
      updatedAt: time,
      code: undefined,
      why: undefined,
      cancelPending: false,
      replacePending: undefined,
    },
    booked: 0,
    inherited: 0,
    told: true,
    replaces: undefined,
    replacement: undefined,
    endedAt: 0 as Micros,
  }));
  return {
    kind: 'stateCarried',
    ...at(time),
    state: {
      orders: { live, closed: [undefined], buried: [], unjudged: [] },
      fills: { keys: ['0:1'], times: [time], horizon: -1 as Micros },
      positions: [],
      balances: [],
      mode: { mode: 'active', why: '', latched: false, stopped: [] },
      sessions: { market: true, trading: false, status: ['working'] },
    },
  };
}

/** A run of kept events with market events between them. */
export function mixed(count: number): Event[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 4 === 0) return pending(index);
    return index % 4 === 1 ? filled(index) : update(index);
  });
}

/** A line that a strategy logged, `length` characters long. */
export function noted(index: number, length: number): StrategyNoted {
  const text = `line ${index} `.padEnd(length, '.');
  return {
    kind: 'strategyNoted',
    ...at(1_700_000_000_000_000 + index),
    strategy: 'maker',
    level: 'info',
    text,
  };
}

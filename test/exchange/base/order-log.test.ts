import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import type { ReportOutcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, VenueOrder } from '../../../src/core/model/order.ts';
import { isPurged, OrderLog } from '../../../src/exchange/base/order-log.ts';

const limits = { ordersMax: 100, tradesMax: 100, publicTradesMax: 1_000, candlesMax: 1_000 };

function report(
  number: number,
  change: Partial<VenueOrder>,
  type: ReportOutcome['reportType'] = 'new',
): ReportOutcome {
  const order: VenueOrder = {
    clientOrderId: `order-${number}` as ClientOrderId,
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 10 as Lots,
    price: 5 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
    venueOrderId: String(number),
    state: 'new',
    cumulative: 0 as Lots,
    originalClientOrderId: undefined,
    orderListId: undefined,
    createdAt: number as Micros,
    updatedAt: number as Micros,
    ...change,
  };
  const fill =
    type === 'trade'
      ? {
          tradeId: String(number),
          price: 5 as Ticks,
          quantity: 1 as Lots,
          fee: 0n as Amount,
          taker: true,
          time: 1 as Micros,
        }
      : undefined;
  return { kind: 'report', account: 0 as AccountId, reportType: type, order, fill };
}

describe('an order log', () => {
  test('keeps active orders by client id until they end', () => {
    const log = new OrderLog(limits);
    log.takeOutcome(report(1, {}));
    log.takeOutcome(report(2, {}));
    expect([log.active('order-1')?.number, log.active('order-2')?.number]).toEqual([1, 2]);
    log.takeOutcome(report(1, { state: 'canceled' }, 'canceled'));
    expect(log.active('order-1')).toBeUndefined();
    expect(log.records.map((record) => record.order.state)).toEqual(['canceled', 'new']);
  });

  test('finds each order by its number, also those reported before the order that they wait for', () => {
    const log = new OrderLog(limits);
    log.takeOutcome(report(1, {}));
    for (const number of [3, 4, 2]) log.takeOutcome(report(number, {}));
    for (let i = 5; i < 9; i++) log.takeOutcome(report(i, {}));
    expect(log.records.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (let i = 1; i < 9; i++) expect(log.record(String(i))?.order.clientOrderId).toBe(`order-${i}`);
    expect(log.record('9')).toBeUndefined();
  });

  test('a replacement inherits executions and its predecessor ends as canceled', () => {
    const log = new OrderLog(limits);
    log.takeOutcome(report(1, {}));
    log.takeOutcome(report(1, { state: 'partiallyFilled', cumulative: 1 as Lots }, 'trade'));
    log.takeOutcome(
      report(2, { originalClientOrderId: 'order-1' as ClientOrderId, cumulative: 1 as Lots }, 'replaced'),
    );
    expect(log.records[0]?.order.state).toBe('canceled');
    expect(log.active('order-1')).toBeUndefined();
    expect(log.active('order-2')?.fills).toHaveLength(1);
    expect(log.trades.size).toBe(1);
  });

  test('orders that ended without executions vanish from the history after 24 hours, others stay', () => {
    const log = new OrderLog(limits);
    const canceled = log.takeOutcome(report(1, { state: 'canceled' }, 'canceled'));
    const filled = log.takeOutcome(report(2, { state: 'filled', cumulative: 10 as Lots }, 'trade'));
    const active = log.takeOutcome(report(3, {}));
    const dayLater = seconds(86_400 + 1);
    expect([canceled, filled, active].map((record) => isPurged(record, dayLater))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isPurged(canceled, seconds(86_399))).toBe(false);
  });

  test('stays bounded, and gives up orders without executions first', () => {
    const log = new OrderLog(limits);
    log.takeOutcome(report(1, { state: 'filled', cumulative: 10 as Lots }, 'trade'));
    log.takeOutcome(report(2, {}));
    for (let i = 3; i < 5_000; i++) log.takeOutcome(report(i, { state: 'canceled' }, 'canceled'));
    expect(log.records.length).toBeLessThanOrEqual(190);
    expect(log.records.slice(0, 2).map((record) => record.number)).toEqual([1, 2]);
  });
});

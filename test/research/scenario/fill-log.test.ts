import { expect, test } from 'vitest';
import { FillLog } from '../../../src/research/scenario/fill-log.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { oneMarket } from '../../support/markets.ts';

const times = { exchangeTime: 5 as Micros, receiveTime: 5 as Micros };
const clientOrderId = 'gw-1-a-00001' as ClientOrderId;

test('a denied cancel is no state of the order it names, a denied order is', () => {
  const log = new FillLog(oneMarket());
  const request = {
    clientOrderId,
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 2 as Lots,
    price: 90 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  } as const;
  log.observe({
    kind: 'orderPending',
    command: { kind: 'newOrder', commandId: 1, strategy: 'a', request },
    ...times,
  } as Event);
  const denied = {
    kind: 'orderDenied',
    strategy: 'a',
    clientOrderId,
    originalClientOrderId: undefined,
  } as const;
  const late = { code: 'BUDGET_DEADLINE', why: 'no rate budget' } as const;
  log.observe({ ...denied, action: 'cancel', denial: { code: 'CANCEL_UNDER_WAY', why: 'twice' }, ...times });
  expect(log.orders[0]?.states).toEqual([]);
  log.observe({ ...denied, action: 'place', denial: late, ...times });
  expect(log.orders[0]?.states).toEqual([{ time: 5, state: 'denied', why: 'no rate budget' }]);
});

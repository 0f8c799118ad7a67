import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import type { SimHarnessSetup } from '../support/sim-harness.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

const ids = ['entry-01', 'profit-01', 'stop-001'] as unknown as readonly ClientOrderId[];

function request(at: number, terms: Partial<OrderRequest>): OrderRequest {
  return {
    clientOrderId: ids[at] as ClientOrderId,
    instrument,
    side: 'sell',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 4 as Lots,
    price: undefined,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
    list: { contingency: 'oneTriggerOneCancelOther', orders: ids },
    ...terms,
  };
}

/** Buys 4 at 100; then sells at 105, or at 90 once 95 is printed. */
function sendBracket(harness: SimHarness): void {
  harness.book([[99, 10]], [[103, 10]], 'bookSnapshot');
  harness.venue.send({
    kind: 'newOrderList',
    commandId: 77,
    strategy: 'test',
    contingency: 'oneTriggerOneCancelOther',
    requests: [
      request(0, { side: 'buy', price: 100 as Ticks }),
      request(1, { price: 105 as Ticks }),
      request(2, { type: 'stopLimit', stopPrice: 95 as Ticks, price: 90 as Ticks }),
    ],
  });
  harness.settle();
}

const settlements = (harness: SimHarness) =>
  harness.noted.flatMap(({ event }) =>
    event.kind === 'commandSettled' ? [`${event.commandId} ${event.outcome}`] : [],
  );

const estimating: OpenEngine = (setup) =>
  openQueueEngine(setup, {
    account: new SpotAccount(setup.balances),
    ruleOf: () => riskAverse,
    fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
    partial: true,
    impact: false,
  });
const engines: readonly (readonly [name: string, setup: SimHarnessSetup])[] = [
  ['shadow', {}],
  ['queue', { openEngine: estimating }],
];

describe.each(engines)('a list in the simulated venue (%s)', (_name, setup) => {
  test('waits, wakes and ends as in the exchange, with one answer for all', () => {
    const harness = new SimHarness(setup);
    sendBracket(harness);
    expect(settlements(harness)).toEqual(['77 acknowledged']);
    expect([...harness.received()].sort()).toEqual([
      'entry-01 new',
      'profit-01 suspended',
      'stop-001 suspended',
    ]);
    harness.trade('sell', 4, 100);
    expect(harness.received()[0]).toBe('entry-01 trade 4@100 filled');
    harness.book([[99, 0]], [[103, 0]]);
    harness.book([[104, 10]], [[106, 10]]);
    harness.trade('buy', 4, 105);
    const [filled, canceled] = harness.received().slice(-2);
    expect(filled).toBe('profit-01 trade 4@105 filled');
    expect(canceled).toBe('stop-001 canceled');
  });

  test('that it refuses is rejected order by order', () => {
    const harness = new SimHarness({ ...setup, funds: '0' });
    sendBracket(harness);
    const rejected = harness.noted.flatMap(({ event }) =>
      event.kind === 'orderRejected' ? [`${event.clientOrderId} ${event.code}`] : [],
    );
    expect(rejected).toEqual(ids.map((id) => `${id} 20001`));
    expect(settlements(harness)).toEqual(['77 refused']);
  });
});

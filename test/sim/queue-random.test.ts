import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zero } from '../../src/core/base/amount.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import { contingencyTypes } from '../../src/core/model/order-list.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import { needsPrice, needsStopPrice, orderTypes } from '../../src/core/model/order.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { PerpetualAccount } from '../../src/sim/perpetual-account.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

const price = fc.integer({ min: 95, max: 105 });
const leg = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom(...orderTypes),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'GTD'),
  price,
  stopPrice: price,
  lots: fc.integer({ min: 1, max: 9 }),
});
type Leg = typeof leg extends fc.Arbitrary<infer One> ? One : never;

const step = fc.oneof(
  fc.record({ what: fc.constant('place' as const), leg }),
  fc.record({
    what: fc.constant('list' as const),
    contingency: fc.constantFrom(...contingencyTypes),
    legs: fc.array(leg, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({ what: fc.constantFrom('cancel' as const, 'replace' as const), pick: fc.nat(30), leg }),
  fc.record({ what: fc.constantFrom('trade' as const, 'book' as const), leg }),
  fc.record({ what: fc.constantFrom('trade' as const, 'wait' as const), leg }),
);

/** A market, an account, and all orders that were ever reported. */
class Run {
  readonly harness: SimHarness;
  readonly states = new Map<string, string>();
  #count = 0;

  constructor(openEngine: OpenEngine) {
    this.harness = new SimHarness({ openEngine, funds: '3000' });
    this.harness.book([[99, 20], [98, 20]], [[101, 20], [102, 20]], 'bookSnapshot'); // prettier-ignore
  }

  step(one: typeof step extends fc.Arbitrary<infer One> ? One : never): void {
    const { harness } = this;
    switch (one.what) {
      case 'place': {
        const request = this.#request(one.leg);
        harness.send({ kind: 'newOrder', commandId: 1, strategy: 'test', request });
        break;
      }
      case 'list': {
        const { contingency, legs } = one;
        const requests = legs.map((each) => this.#request(each));
        harness.send({ kind: 'newOrderList', commandId: 1, strategy: 'test', contingency, requests });
        break;
      }
      case 'cancel':
        harness.cancel(this.#picked(one.pick));
        break;
      case 'replace':
        harness.send({
          kind: 'replaceOrder',
          commandId: 1,
          strategy: 'test',
          clientOrderId: this.#picked(one.pick),
          newClientOrderId: this.#id(),
          instrument,
          side: one.leg.side as 'buy',
          quantity: one.leg.lots as Lots,
          price: one.leg.price as Ticks,
          stopPrice: undefined,
        });
        break;
      case 'trade':
        harness.trade(one.leg.side as 'buy', one.leg.lots, one.leg.price);
        break;
      case 'book':
        if (one.leg.price < 100) harness.book([[one.leg.price, one.leg.lots - 1]], []);
        else harness.book([], [[one.leg.price + 1, one.leg.lots - 1]]);
        break;
      case 'wait':
        harness.clock.advanceTo((harness.clock.now() + 300) as never);
        break;
    }
    this.#listen();
  }

  endAll(): void {
    for (const [id, state] of this.states) if (isLive(state)) this.harness.cancel(id);
    this.#listen();
  }

  /** Orders are reported from their beginning to their end, and never again. */
  #listen(): void {
    for (const { order } of this.harness.only('orderReport')) {
      expect(['filled', 'canceled', 'expired']).not.toContain(this.states.get(order.clientOrderId));
      expect(order.cumulative).toBeLessThanOrEqual(order.quantity);
      this.states.set(order.clientOrderId, order.state);
      if (order.originalClientOrderId !== undefined) this.states.set(order.originalClientOrderId, 'canceled');
    }
    this.#balances();
    this.harness.noted.length = 0;
  }

  #balances(): void {
    for (const { balances } of this.harness.only('balances')) {
      for (const { currency, reserved } of balances) {
        expect(reserved).toBeGreaterThanOrEqual(zero);
        this.reserved.set(currency, reserved);
      }
    }
  }

  readonly reserved = new Map<string, bigint>();

  #id(): ClientOrderId {
    this.#count += 1;
    return `order-${this.#count}` as ClientOrderId;
  }

  #picked(pick: number): ClientOrderId {
    return ([...this.states.keys()][pick % Math.max(1, this.states.size)] ?? 'nobody') as ClientOrderId;
  }

  #request({ side, type, timeInForce, price: at, stopPrice, lots }: Leg): OrderRequest {
    return {
      clientOrderId: this.#id(),
      instrument,
      side: side as 'buy',
      type,
      timeInForce: timeInForce as 'GTC',
      quantity: lots as Lots,
      price: needsPrice(type) ? (at as Ticks) : undefined,
      stopPrice: needsStopPrice(type) ? (stopPrice as Ticks) : undefined,
      expireTime: timeInForce === 'GTD' ? ((this.harness.clock.now() + 500) as never) : undefined,
      postOnly: false,
    };
  }
}

function isLive(state: string): boolean {
  return state === 'new' || state === 'suspended' || state === 'partiallyFilled';
}

const accounts = {
  spot: (setup: Parameters<OpenEngine>[0]) => new SpotAccount(setup.balances),
  perpetual: (setup: Parameters<OpenEngine>[0]) =>
    new PerpetualAccount(setup.instruments, setup.balances, () => 3),
} as const;

test.each(['spot', 'perpetual'] as const)(
  'whatever is asked and happens, orders end once and nothing stays reserved (%s)',
  (kind) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), fc.boolean(), (steps, partial) => {
        const run = new Run((setup) =>
          openQueueEngine(setup, {
            account: accounts[kind](setup),
            ruleOf: () => riskAverse,
            fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
            partial,
            impact: partial,
          }),
        );
        for (const one of steps) run.step(one);
        for (const state of run.states.values()) seen.add(state);
        run.endAll();
        expect([...run.states.values()].filter(isLive)).toEqual([]);
        expect([...run.reserved.values()].filter((amount) => amount !== zero)).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(seen.size).toBeGreaterThanOrEqual(5);
  },
);

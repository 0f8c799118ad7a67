import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { InFlightOrders } from '../../../src/core/state/in-flight.ts';

const strategy = 'maker';
const id = (name: string): ClientOrderId => `order-${name}` as ClientOrderId;
const at = (time: number): Micros => time as Micros;

function request(name: string): OrderRequest {
  return {
    clientOrderId: id(name),
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1 as Lots,
    price: 100 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  };
}

const place = (name: string) => ({ action: 'place', strategy, request: request(name) }) as const;
const command = (name: string, commandId: number) =>
  ({ kind: 'newOrder', commandId, strategy, request: request(name) }) as const;

describe('the table of orders in flight', () => {
  test('follows an order from the proposal to the answer', () => {
    const table = new InFlightOrders();
    table.propose(strategy, request('a'), undefined, at(1));
    expect(table.proposals(strategy, undefined)).toMatchObject([
      { clientOrderId: id('a'), state: 'pending' },
    ]);
    expect(table.intents()).toEqual([]);
    table.declare(place('a'));
    expect(table.intents()).toEqual([place('a')]);
    const order = table.accept(request('a'), strategy, at(2));
    expect(table.proposed).toBe(0);
    expect(table.sentOrder(id('a'))).toBeUndefined();
    table.send(command('a', 7), at(30));
    table.entered(order);
    expect(table.ofCommand(7)).toMatchObject([{ clientOrderId: id('a'), stage: 'sent', sentAt: 30 }]);
    expect([table.sent, table.oldestSentAt]).toEqual([1, 30]);
    expect(table.takeOrder(id('a'))?.strategy).toBe(strategy);
    expect(table.takeOrder(id('a'))).toBeUndefined();
    expect([table.sent, table.oldestSentAt]).toEqual([0, undefined]);
  });

  test('in a replica, which sends nothing, keeps no order that the records have', () => {
    const table = new InFlightOrders();
    table.declare(place('a'));
    const order = table.accept(request('a'), strategy, at(2));
    table.entered(order);
    table.declare(place('a'));
    expect(table.answer('place', id('a'))).toEqual(place('a'));
    expect([table.proposed, table.intents()]).toEqual([0, []]);
  });

  test('an intent under the id of an order that was sent is answered by its own denial', () => {
    const table = new InFlightOrders();
    table.declare(place('a'));
    table.accept(request('a'), strategy, at(2));
    table.send(command('a', 7), at(30));
    table.declare(place('a'));
    expect(table.answer('place', id('a'))).toEqual(place('a'));
    expect(table.answer('place', id('a'))).toBeUndefined();
    expect(table.sentOrder(id('a'))).toBeDefined();
  });

  test('intents under one id are answered in the order of their declaration', () => {
    const table = new InFlightOrders();
    const twin = (price: number) =>
      ({ ...place('a'), request: { ...request('a'), price: price as Ticks } }) as const;
    table.declare(twin(1));
    table.declare(twin(2));
    table.entered(table.accept(twin(1).request, strategy, at(2)));
    table.declare(twin(3));
    expect(table.answer('place', id('a'))).toEqual(twin(2));
    expect(table.answer('place', id('a'))).toEqual(twin(3));
    expect([table.proposed, table.intents()]).toEqual([0, []]);
  });

  test('a strategy asks for one cancel until it receives the verdict', () => {
    const table = new InFlightOrders();
    const cancel = { action: 'cancel', strategy, clientOrderId: id('a') } as const;
    expect([table.proposeCancel(strategy, id('a')), table.proposeCancel(strategy, id('a'))]).toEqual([
      true,
      false,
    ]);
    table.declare(cancel);
    expect(table.answer('cancel', id('a'))).toEqual(cancel);
    table.cancelReported('another', id('a'));
    expect(table.proposeCancel(strategy, id('a'))).toBe(false);
    table.cancelReported(strategy, id('a'));
    expect(table.proposeCancel(strategy, id('a'))).toBe(true);
  });

  test('what an ended strategy asked for is dropped, unless it is an event', () => {
    const table = new InFlightOrders();
    for (const name of ['a', 'b']) table.propose(strategy, request(name), undefined, at(1));
    table.declare(place('b'));
    table.proposeCancel(strategy, id('c'));
    table.drop(strategy);
    expect(table.proposals(strategy, undefined)).toMatchObject([{ clientOrderId: id('b') }]);
    expect(table.proposeCancel(strategy, id('c'))).toBe(true);
  });

  test('is walked in order, and finds what is overdue and what replaces an order', () => {
    const table = new InFlightOrders();
    for (const [name, commandId, time] of [
      ['a', 1, 10],
      ['b', 2, 20],
    ] as const) {
      table.declare(place(name));
      table.accept(request(name), strategy, at(time));
      table.send(command(name, commandId), at(time));
    }
    const replace = { kind: 'replaceOrder', commandId: 3, strategy, clientOrderId: id('a') } as const;
    const terms = {
      instrument: 0 as InstrumentId,
      side: 'buy',
      quantity: 2 as Lots,
      price: 99 as Ticks,
    } as const;
    table.send({ ...replace, ...terms, newClientOrderId: id('c'), stopPrice: undefined }, at(30));
    expect(table.until(20).map(({ clientOrderId }) => clientOrderId)).toEqual([id('a'), id('b')]);
    expect(table.replacementOf(id('a'))?.clientOrderId).toBe(id('c'));
    table.takeOrder(id('c'));
    expect(table.replacementOf(id('a'))).toBeUndefined();
  });
});

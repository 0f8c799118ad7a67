import { describe, expect, test } from 'vitest';
import type { Capabilities } from '../../../src/core/model/capabilities.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { World } from './support/world.ts';

const worldOf = (changes: Partial<Capabilities>): World =>
  new World({ capabilities: { ...fullCapabilities, ...changes } });

function listVerdicts(world: World, contingency: 'oneCancelOther' | 'allOrNone') {
  const plain = [world.request(), world.request({ side: 'sell', price: 10_200 as Ticks })];
  const orders = plain.map(({ clientOrderId }) => clientOrderId);
  const requests = plain.map((request) => ({ ...request, list: { contingency, orders } }));
  return world.want({ action: 'placeList', strategy: 'maker', contingency, requests });
}

describe('what a venue cannot do', () => {
  test('order lists are denied, one denial for each order', () => {
    const verdicts = listVerdicts(worldOf({ orderLists: [] }), 'oneCancelOther');
    expect(verdicts.map((event) => event.kind === 'orderDenied' && event.denial)).toEqual(
      Array.from({ length: 2 }, () => ({
        code: 'LIST_NOT_OFFERED',
        why: 'the venue takes no order lists, found oneCancelOther',
      })),
    );
  });

  test('of lists the venue takes some kinds, the others are denied', () => {
    const world = worldOf({ orderLists: ['oneCancelOther'] });
    expect(listVerdicts(world, 'oneCancelOther').map(({ kind }) => kind)).toEqual([
      'orderPending',
      'orderPending',
    ]);
    const denied = listVerdicts(world, 'allOrNone')[0];
    expect(denied?.kind === 'orderDenied' && denied.denial.why).toBe(
      'the venue takes oneCancelOther alone, found allOrNone',
    );
  });

  test('a replacement is denied, and the order stays as it is', () => {
    const world = worldOf({ replace: false });
    const order = world.rest();
    const [verdict] = world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: order,
      newClientOrderId: world.ids.next(),
      quantity: 3 as Lots,
      price: 9_950 as Ticks,
      stopPrice: undefined,
    });
    expect(verdict?.kind === 'orderDenied' && verdict.denial).toEqual({
      code: 'REPLACE_NOT_OFFERED',
      why: 'the venue replaces no orders: cancel the order and place another',
    });
    expect(world.state.order(order)?.replacePending).toBeUndefined();
  });

  test('an order below the smallest notional is denied, one at it passes', () => {
    const world = worldOf({ minimumNotional: { BBB: '49.5' } });
    expect(world.place({ quantity: 4 as Lots })).toBe('NOTIONAL_MIN');
    expect(world.place({ quantity: 5 as Lots })).toMatch(/^gw-/);
  });

  test('an id that the venue does not take is denied; one of ours passes', () => {
    const clientOrderId = { pattern: /^gw-r1-[a-z0-9-]+$/, lengthMax: 20, text: 'at most 20 small letters' };
    const world = worldOf({ clientOrderId });
    const of = (id: string) =>
      world.want({
        action: 'place',
        strategy: 'maker',
        request: world.request({ clientOrderId: id as ClientOrderId }),
      })[0];
    expect(of('gw-r1-maker-00001')?.kind).toBe('orderPending');
    const denied = of('gw-r1-maker-0000000001');
    expect(denied?.kind === 'orderDenied' && denied.denial).toEqual({
      code: 'ID_MALFORMED',
      why: 'the venue takes at most 20 small letters, found "gw-r1-maker-0000000001"',
    });
  });

  test('a run whose ids the venue does not take is refused before it begins', () => {
    const clientOrderId = { pattern: /^[0-9]+$/, lengthMax: 20, text: 'at most 20 digits' };
    expect(() => worldOf({ clientOrderId })).toThrow(
      'strategy maker: its order ids begin gw-r1-maker-00001, and the venue takes at most 20 digits',
    );
  });
});

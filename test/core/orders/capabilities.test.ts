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

  const replacing = (parts: Partial<Capabilities> = { replace: false }) => {
    const world = worldOf(parts);
    const original = world.rest();
    const next = world.ids.next();
    const changes = { quantity: 12 as Lots, price: 9_850 as Ticks, stopPrice: undefined };
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: original,
      newClientOrderId: next,
      ...changes,
    });
    return { world, original, next };
  };
  const codeOf = (world: World, id: ClientOrderId) => world.state.order(id)?.code;

  test('a replacement is a cancel, evidence of the end, and a new order of what was not executed', () => {
    const { world, original, next } = replacing();
    expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([original]);
    expect(world.state.order(next)).toBeUndefined();
    world.fill(original, 4);
    expect(world.state.order(next)).toBeUndefined();
    expect(world.state.openCountBy('maker')).toBe(1);
    world.report(original, 'canceled');
    expect(world.state.order(next)).toMatchObject({ state: 'pending', quantity: 8, price: 9_850 });
    expect(world.state.openCountBy('maker')).toBe(1);
    expect(world.ofKind('replacePending')).toEqual([]);
    expect(world.state.inFlight.intents()).toEqual([]);
  });

  test('a replacement of an order that fills whole before its cancel is never sent', () => {
    const { world, original, next } = replacing();
    world.fill(original, 10);
    expect(codeOf(world, next)).toBe('ORDER_NOT_LIVE');
    expect(world.ofKind('orderPending')).toHaveLength(1);
  });

  test.each<[string, (world: World, original: ClientOrderId, next: ClientOrderId) => void, string]>([
    [
      'its cancel',
      (world, _, id) => void world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    [
      'a cancel of the other',
      (world, id) => void world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    [
      'an operator',
      (world, id) => void world.operate({ act: 'cancel', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    ['a pause', (world) => void world.operate({ act: 'pause', strategy: undefined }), 'PAUSED'],
  ])('a replacement that waits is dropped by %s', (_, drop, code) => {
    const { world, original, next } = replacing();
    drop(world, original, next);
    world.report(original, 'canceled');
    expect(codeOf(world, next)).toBe(code);
    expect(world.ofKind('orderPending')).toHaveLength(1);
  });

  test('a replacement that waits when its run is killed ends as unsent in the next', () => {
    const { world, original, next } = replacing();
    const later = new World({
      capabilities: { ...fullCapabilities, replace: false },
      after: world,
      run: 'r2',
      ready: false,
    });
    later.step({ kind: 'runStarted', ...later.times, run: 'r2', mode: 'sim' });
    expect(codeOf(later, next)).toBe('CANCELED_UNSENT');
    later.report(original, 'canceled');
    expect(later.ofKind('orderPending')).toHaveLength(1);
    expect(later.state.inFlight.intents()).toEqual([]);
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

import { describe, expect, test } from 'vitest';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import { World } from './support/world.ts';

const canceled = (world: World): readonly ClientOrderId[] =>
  world.ofKind('cancelPending').map(({ command }) => command.clientOrderId);

describe('what an operator asks for', () => {
  test('pause: new orders and replacements are denied, live orders stay, cancels pass; resume ends it', () => {
    const world = new World();
    const live = world.rest();
    world.operate({ act: 'pause', strategy: undefined }, 'lunch');
    const [denied] = world.want({ action: 'place', strategy: 'maker', request: world.request() });
    expect(denied?.kind === 'orderDenied' && denied.denial).toEqual({
      code: 'PAUSED',
      why: 'strategy maker is paused: lunch, by ann',
    });
    const [replaced] = world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: live,
      newClientOrderId: world.ids.next(),
      quantity: 3 as Lots,
      price: 9_950 as Ticks,
      stopPrice: undefined,
    });
    expect(replaced?.kind === 'orderDenied' && replaced.denial.code).toBe('PAUSED');
    expect(canceled(world)).toEqual([]);
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: live });
    expect(canceled(world)).toEqual([live]);
    world.operate({ act: 'resume', strategy: undefined });
    expect(world.place({ price: 9_850 as Ticks })).toMatch(/^gw-/);
  });

  test('a replacement that is canceled and never left takes its original along', () => {
    const world = new World();
    const live = world.rest();
    const next = world.ids.next();
    const replace = {
      action: 'replace',
      strategy: 'maker',
      clientOrderId: live,
      newClientOrderId: next,
    } as const;
    world.want({ ...replace, quantity: 3 as Lots, price: 9_850 as Ticks, stopPrice: undefined });
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: next });
    expect(canceled(world)).toEqual([next]);
    const denial = { code: 'CANCELED_UNSENT', why: 'it was canceled before it left' } as const;
    const ids = { clientOrderId: next, originalClientOrderId: live };
    world.step({ kind: 'orderDenied', ...world.times, strategy: 'maker', action: 'replace', ...ids, denial });
    expect(canceled(world)).toEqual([next, live]);
  });

  test('a pause of one strategy leaves the others alone, and holds over a restart', () => {
    const before = new World();
    before.operate({ act: 'pause', strategy: 'maker' });
    const world = new World({ after: before, run: 'r2' });
    expect(world.place()).toBe('PAUSED');
    expect(world.place({ clientOrderId: world.idOf('taker') }, 'taker')).toMatch(/^gw-/);
  });

  test('cancel ends one order, of whichever strategy; an id that is not known changes nothing', () => {
    const world = new World();
    const one = world.rest();
    const other = world.rest({ clientOrderId: world.idOf('taker'), price: 9_800 as Ticks }, 'taker');
    expect(world.operate({ act: 'cancel', clientOrderId: 'gw-r1-maker-zzzzz' as ClientOrderId })).toEqual([]);
    world.operate({ act: 'cancel', clientOrderId: other });
    expect(canceled(world)).toEqual([other]);
    world.operate({ act: 'cancelAll', strategy: undefined, instrument: world.instrument(1).id });
    expect(canceled(world)).toEqual([other]);
    world.operate({ act: 'cancelAll', strategy: 'maker', instrument: undefined });
    expect(canceled(world)).toEqual([other, one]);
  });

  test('reducing: what makes the position larger is canceled and denied', () => {
    const world = new World();
    world.hold(10);
    const bid = world.rest({ price: 9_800 as Ticks });
    const ask = world.rest({ side: 'sell', price: 10_200 as Ticks });
    world.step({ kind: 'modeChanged', ...world.times, mode: 'reducing', why: 'by ann', latched: true });
    expect(canceled(world)).toEqual([bid]);
    expect(world.state.order(ask)?.state).toBe('new');
    expect(world.place({ price: 9_900 as Ticks })).toBe('MODE_REDUCING');
  });

  test('no strategy may have the tag of the operator', () => {
    expect(() => new World({ tag: 'op' })).toThrow(
      new BadInput("strategy maker: the order id tag op is the operator's; choose another name"),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { add, formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { MovedMoney } from '../../../src/core/model/difference.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { heldStates } from '../../../src/core/state/safe-states.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { World } from './support/world.ts';

/** An equity of 1,000,000 BBB and 1,000 AAA and 1,000 CCC at 100 BBB each: 1,200,000 BBB. */
function running(): { world: World; venue: FakeVenue } {
  const world = new World({ ready: false });
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  const venue = new FakeVenue(world);
  world.market();
  world.money({ AAA: '1000', BBB: '1000000', CCC: '1000' });
  venue.up();
  world.clock.advance(seconds(1));
  return { world, venue };
}

/** Money moves, and the balances show it. */
function moves(world: World, entry: MovedMoney['entry'], currency: string, amount: string): void {
  move(world, entry, currency, amount);
  const after = add(world.state.balance(currency).available, parseAmount(amount));
  world.money({ [currency]: formatAmount(after) });
}

function move(world: World, entry: MovedMoney['entry'], currency: string, amount: string): void {
  const moved = {
    entry,
    wallet: 'spot',
    currency,
    amount: parseAmount(amount),
    time: world.clock.now(),
    why: '',
  } as const;
  world.step({ kind: 'moneyMoved', ...world.times, moved });
}

const look = (world: World): void => {
  world.clock.advance(seconds(61));
  world.market();
};
const holds = (world: World) => world.state.differences.all.map((row) => row.holds);

describe('money that nothing explains', () => {
  test('does nothing up to a thousandth of the equity, in whatever currency it is', () => {
    const { world } = running();
    moves(world, 'unexplained', 'AAA', '-11.9');
    look(world);
    expect(world.state.differences.all).toEqual([]);
    expect(world.state.order(world.place() as ClientOrderId)?.state).toBe('pending');
  });

  test('lets only orders that reduce leave beyond it, cancels the others, and ends when it is explained', () => {
    const { world, venue } = running();
    const id = world.place({ quantity: 20 as Lots }) as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.fillSilently(id, 10);
    world.money({ AAA: '1001', BBB: '999901' });
    look(world);
    moves(world, 'unexplained', 'BBB', '-1300');
    look(world);
    expect(holds(world)).toContain('reducing');
    expect(world.state.order(id)?.state).toBe('canceled');
    expect(world.place()).toBe('UNEXPLAINED_MONEY');
    const exit = world.place({ side: 'sell', price: 10_050 as Ticks, quantity: 10 as Lots });
    expect(world.state.order(exit as ClientOrderId)?.state).toBe('pending');
    expect(heldStates(world.state)).toMatchObject([
      {
        kind: 'moneyReduces',
        subject: 'BBB',
        endsWhen: 'entries explain the money, or an operator clears it',
      },
    ]);
    move(world, 'unexplained', 'BBB', '1300');
    move(world, 'transfer', 'BBB', '-1300');
    look(world);
    expect(holds(world).filter((one) => one !== undefined)).toEqual([]);
    expect(world.state.order(world.place() as ClientOrderId)?.state).toBe('pending');
  });

  test('halts beyond ten times as much, until an operator clears it, and then counts as moved by him', () => {
    const { world } = running();
    moves(world, 'unexplained', 'BBB', '13000');
    look(world);
    expect(holds(world)).toEqual(['halted']);
    expect(world.place()).toBe('UNEXPLAINED_MONEY');
    expect(heldStates(world.state)).toMatchObject([{ kind: 'moneyHalts', code: 'UNEXPLAINED_MONEY' }]);
    world.step({
      kind: 'modeChanged',
      ...world.times,
      mode: 'active',
      why: 'cleared by ann',
      latched: false,
    });
    expect(world.state.differences.all).toEqual([]);
    expect(world.state.movedMoney.of('spot', 'BBB')).toMatchObject({
      transfers: parseAmount('13000'),
      unexplained: 0n,
    });
    look(world);
    expect(world.state.differences.all).toEqual([]);
  });

  test('counts a balance that complete reads show otherwise before it is booked, and when it is', () => {
    const { world } = running();
    world.money({ BBB: '998000' });
    look(world);
    expect(world.ofKind('moneyMoved')).toEqual([]);
    expect(holds(world)).toContain('reducing');
    look(world);
    look(world);
    expect(world.ofKind('moneyMoved')).toMatchObject([{ moved: { entry: 'unexplained' } }]);
    expect(holds(world)).toEqual(['reducing']);
  });
});

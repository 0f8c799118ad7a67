import { describe, expect, test } from 'vitest';
import { add, formatAmount, parseAmount } from '../../../../src/core/base/amount.ts';
import { later, seconds } from '../../../../src/core/base/clock.ts';
import { fullCapabilities } from '../../../../src/core/model/capabilities.ts';
import type { MovedMoney } from '../../../../src/core/model/difference.ts';
import type { Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';
import { heldStates } from '../../../../src/core/state/safe-states.ts';
import { FakeVenue } from '../support/fake-venue.ts';
import type { WorldParts } from '../support/world.ts';
import { World } from '../support/world.ts';

const withWallet: WorldParts = { capabilities: { ...fullCapabilities, transfers: true } };

/** An equity of 1,000,000 BBB and 1,000 AAA and 1,000 CCC at 100 BBB each: 1,200,000 BBB. */
function running(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World({ ready: false, ...parts });
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
    moves(world, 'unexplained', 'BBB', '-13000');
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
      transfers: parseAmount('-13000'),
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

  test.each([
    ['that nothing names holds until it is booked as unexplained', 'halted', {}, 'unexplained'],
    ['that the history of the wallet names is booked before it holds', undefined, withWallet, 'transfer'],
  ] as const)('that came in by a deposit %s, and counts no longer', (_how, holding, parts, entry) => {
    const { world, venue } = running(parts);
    const time = world.clock.now();
    const amount = parseAmount('30000');
    venue.transfers.push({ wallet: 'spot', currency: 'BBB', amount, time: later(time, seconds(1)) });
    world.clock.advance(seconds(2));
    world.money({ BBB: '1030000' });
    world.clock.advance(seconds(holding === undefined ? 65 : 240));
    const held = world.ofKind('differenceFound').filter(({ difference }) => difference.kind === 'money');
    expect(held[0]?.difference.holds).toBe(holding);
    if (holding !== undefined)
      expect(held[0]?.difference.cause).toMatch(/: no order leaves; what came in counts until it is booked$/);
    world.market();
    expect(world.ofKind('moneyMoved').map(({ moved }) => [moved.entry, moved.amount])).toEqual([
      [entry, amount],
    ]);
    expect(world.state.differences.all).toEqual([]);
    expect(world.place()).toMatch(/^gw-/);
    look(world);
    look(world);
    expect(world.state.differences.all).toEqual([]);
  });

  test('counts what is missing after a deposit, as long as it is not booked or more is missing on the whole', () => {
    const { world } = running();
    moves(world, 'unexplained', 'BBB', '30000');
    look(world);
    expect(world.state.differences.all).toEqual([]);
    moves(world, 'unexplained', 'BBB', '-32000');
    look(world);
    expect(holds(world)).toEqual(['reducing']);
  });
});

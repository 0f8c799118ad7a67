import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount, parseAmount, subtract } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { MarginAccountChanged } from '../../../src/core/model/event.ts';
import type { MarginAccountView, MarginMode } from '../../../src/core/model/margin.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { accountOf, contract, holdMargin, margined, marginWorld, reportAccount } from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

interface Scene {
  readonly world: World;
  readonly venue: FakeVenue;
  readonly index: number;
  readonly mode: MarginMode;
  readonly lots: number;
}

/** A strategy holds a position of a margin account of 1000; two looks showed what it has. */
function held(index = contract, mode: MarginMode = 'isolated', lots = 10, parts: WorldParts = {}): Scene {
  const world = marginWorld(parts);
  const venue = new FakeVenue(world);
  world.money({ BBB: '500' }, '0', 'futures');
  holdMargin(world, lots, { index, mode, balance: '1000' });
  world.clock.advance(seconds(200));
  return { world, venue, index, mode, lots };
}

/** Reads show the account with another balance. */
function shown({ world, venue, index, mode, lots }: Scene, balance: string): void {
  venue.accounts = [accountOf(world, { index, mode, lots, balance })];
}

function chargesOf(world: World, { index, mode }: Pick<Scene, 'index' | 'mode'>): string {
  return formatAmount(world.state.position(world.instrument(index).id, 'maker', mode).charges);
}

function interestTaken(account: MarginAccountView, times: World['times']): MarginAccountChanged {
  return {
    kind: 'marginAccount',
    ...times,
    product: 'futures',
    reportType: 'updated',
    reason: 'interestTaken',
    account,
  };
}

function settled(venue: FakeVenue, world: World, rate: string): void {
  venue.fundingRates.push({ time: world.clock.now(), rate: parseAmount(rate) });
}

/** A settlement took 0.01 of a position in an outage of 20 s. */
function settledInOutage(): Scene {
  const scene = held();
  const { world, venue } = scene;
  venue.down();
  settled(venue, world, '0.0001');
  world.clock.advance(seconds(20));
  shown(scene, '999.99');
  venue.up();
  return scene;
}

describe('a charge that no report showed', () => {
  test('is distinguished from a transfer of the same gap', () => {
    const scene = held(contract, 'isolated', 10, { capabilities: { ...fullCapabilities, transfers: true } });
    const { world, venue } = scene;
    venue.down();
    world.clock.advance(seconds(60));
    settled(venue, world, '0.0001');
    const time = world.clock.now();
    venue.transfers.push({ wallet: undefined, currency: 'BBB', amount: parseAmount('333'), time });
    world.clock.advance(seconds(60));
    shown(scene, '999.9901');
    world.money({ BBB: '999667' });
    world.money({ BBB: '833' }, '0', 'futures');
    venue.up();
    world.clock.advance(seconds(400));
    expect(world.ofKind('moneyMoved').map(({ moved }) => [moved.entry, moved.wallet, moved.amount])).toEqual([
      ['transfer', 'spot', parseAmount('-333')],
      ['transfer', 'futures', parseAmount('333')],
    ]);
    expect(chargesOf(world, scene)).toBe('0.0099');
    expect(world.state.differences.all).toEqual([]);
  });

  test.each(['isolated', 'cross'] as const)(
    'is booked as derived when a second look confirms it and the public rates come to it: funding, %s',
    (mode) => {
      const scene = held(contract, mode);
      const { world, venue } = scene;
      venue.down();
      world.clock.advance(seconds(60));
      settled(venue, world, '0.0001');
      world.clock.advance(seconds(60));
      shown(scene, '999.9901');
      venue.up();
      world.clock.advance(seconds(10));
      expect(chargesOf(world, scene)).toBe('0');
      world.clock.advance(seconds(200));
      expect(chargesOf(world, scene)).toBe('0.0099');
      const [found, ...more] = world.ofKind('chargeFound');
      expect(more).toEqual([]);
      expect(found).toMatchObject({
        charged: 'funding',
        shares: [{ amount: parseAmount('0.0099'), time: venue.fundingRates[0]?.time }],
      });
      expect(world.state.wallets.differences).toEqual([]);
    },
  );

  test('is reported once: a late report of it books nothing', () => {
    const scene = held();
    const { world, venue } = scene;
    venue.down();
    settled(venue, world, '-0.0002');
    world.clock.advance(seconds(60));
    const late = accountOf(world, { index: contract, lots: 10, balance: '1000.02' });
    venue.accounts = [late];
    venue.up();
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('-0.02');
    world.step(interestTaken(late, world.times));
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('-0.02');
    // The next one is reported.
    reportAccount(world, { index: contract, lots: 10, balance: '1000.01' }, { reason: 'interestTaken' });
    expect(chargesOf(world, scene)).toBe('-0.01');
  });

  test('is booked by its report, where that comes before a second look', () => {
    const scene = held();
    const { world, venue } = scene;
    settled(venue, world, '0.0001');
    const { times } = world;
    const account = accountOf(world, { index: contract, lots: 10, balance: '999.99' });
    venue.accounts = [account];
    venue.down();
    world.clock.advance(seconds(30));
    venue.up();
    world.clock.advance(seconds(10));
    world.step(interestTaken(account, { ...world.times, exchangeTime: times.exchangeTime }));
    world.clock.advance(seconds(300));
    expect(chargesOf(world, scene)).toBe('0.01');
    expect(world.ofKind('chargeFound')).toEqual([]);
  });

  test('is found by the run after the one that missed it', () => {
    const scene = held();
    const { world, venue } = scene;
    // The run was killed: nothing of this is seen.
    venue.deafReads = Infinity;
    world.clock.advance(seconds(60));
    settled(venue, world, '0.0001');
    world.clock.advance(seconds(28_800));
    settled(venue, world, '0.0003');
    venue.deafReads = 0;
    const next = new World({
      after: world,
      run: 'r2',
      ready: false,
      products: ['spot', 'margin', 'futures'],
    });
    venue.attach(next);
    shown(scene, '999.96');
    venue.up(next);
    next.clock.advance(seconds(200));
    expect(chargesOf(next, scene)).toBe('0.04');
    expect(next.ofKind('chargeFound')).toHaveLength(1);
    expect(next.ofKind('chargeFound')[0]?.shares.map(({ amount }) => formatAmount(amount))).toEqual([
      '0.01',
      '0.03',
    ]);
  });

  test('is interest where exactly the margin of a position lacks it, and the wallet nothing', () => {
    const scene = held(margined, 'isolated');
    const { world, venue } = scene;
    venue.down();
    world.clock.advance(seconds(60));
    shown(scene, '999.987654321');
    venue.up();
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('0.012345679');
    expect(world.ofKind('chargeFound')).toMatchObject([{ charged: 'interest' }]);
  });

  test('is funding where the next settlement follows in a minute, and is reported', () => {
    const scene = settledInOutage();
    const { world, venue } = scene;
    world.clock.advance(seconds(40));
    settled(venue, world, '0.0002');
    const next = accountOf(world, { index: contract, lots: 10, balance: '999.97' });
    venue.accounts = [next];
    world.step(interestTaken(next, world.times));
    world.clock.advance(seconds(200));
    expect(world.ofKind('chargeFound').map(({ charged, shares }) => [charged, shares.length])).toEqual([
      ['funding', 1],
    ]);
    expect(chargesOf(world, scene)).toBe('0.03');
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test('is interest whatever margin is put in after the first look at it', () => {
    const scene = held(margined, 'isolated');
    const { world, venue } = scene;
    venue.down();
    world.clock.advance(seconds(60));
    shown(scene, '999.9');
    venue.up();
    world.clock.advance(seconds(30));
    const more = accountOf(world, { index: margined, lots: 10, balance: '1009.9' });
    venue.accounts = [more];
    const { available } = world.state.balance('BBB');
    world.money({ BBB: formatAmount(subtract(available, parseAmount('10'))) });
    reportAccount(world, { index: margined, lots: 10, balance: '1009.9' }, { reason: 'marginChanged' });
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('0.1');
    expect(world.ofKind('chargeFound')).toMatchObject([{ charged: 'interest' }]);
  });

  test('is interest of one account, though margin was put into another in the same gap', () => {
    const scene = held(margined, 'isolated');
    const { world, venue } = scene;
    const pays = (amount: string): void => {
      const { available } = world.state.balance('BBB');
      world.money({ BBB: formatAmount(subtract(available, parseAmount(amount))) });
    };
    pays('500');
    holdMargin(world, 5, { index: margined, mode: 'cross', balance: '500' });
    world.clock.advance(seconds(200));
    expect(world.ofKind('moneyMoved')).toEqual([]);
    venue.down();
    venue.accounts = [
      accountOf(world, { index: margined, mode: 'isolated', lots: 10, balance: '999.9' }),
      accountOf(world, { index: margined, mode: 'cross', lots: 5, balance: '510' }),
    ];
    pays('10');
    venue.up();
    world.clock.advance(seconds(200));
    expect(world.ofKind('moneyMoved')).toEqual([]);
    expect(world.ofKind('chargeFound')).toMatchObject([
      { charged: 'interest', account: { mode: 'isolated' }, shares: [{ amount: parseAmount('0.1') }] },
    ]);
  });

  test('is none where margin went to the wallet, or where rates do not come to it', () => {
    const moved = held(margined, 'isolated');
    moved.venue.down();
    shown(moved, '999');
    const { balance } = { balance: moved.world.state.balance('BBB').available };
    moved.world.money({ BBB: formatAmount(subtract(balance, parseAmount('-1') as Amount)) });
    moved.venue.up();
    moved.world.clock.advance(seconds(200));
    expect(moved.world.ofKind('chargeFound')).toEqual([]);
    expect(moved.world.state.wallets.differences).toEqual([]);

    const taken = held();
    taken.venue.down();
    settled(taken.venue, taken.world, '0.0001');
    shown(taken, '990');
    taken.venue.up();
    taken.world.clock.advance(seconds(200));
    expect(taken.world.ofKind('chargeFound')).toEqual([]);
    expect(taken.world.ofKind('moneyMoved')).toMatchObject([
      { moved: { entry: 'unexplained', wallet: 'futures', currency: 'BBB', amount: parseAmount('-10') } },
    ]);
  });

  test('is found though the first look that shows it began before it', () => {
    const scene = held();
    const { world, venue } = scene;
    venue.down();
    world.clock.advance(seconds(60));
    venue.up();
    world.clock.advance(millis(2));
    settled(venue, world, '0.0001');
    shown(scene, '999.99');
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('0.01');
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test('is none where a position is taken over as it was found, at a price that is a guess', () => {
    const scene = held(margined);
    const { world, venue } = scene;
    world.market(margined, 10_002, 10_004);
    // Somebody closed it by hand, at the price that it was bought at.
    shown({ ...scene, lots: 0 }, '1000');
    world.clock.advance(seconds(600));
    expect(venue.accounts).toHaveLength(1);
    expect(world.ofKind('marginFound')).toMatchObject([{ finding: 'positionMismatch', lots: -10 }]);
    expect(world.ofKind('chargeFound')).toEqual([]);
    expect(world.ofKind('moneyMoved').map(({ moved: { entry, amount } }) => [entry, amount])).toEqual([
      ['unexplained', parseAmount('-0.03')],
    ]);
  });

  test('is found though a position is in doubt later, as long as the difference stays the same', () => {
    const scene = settledInOutage();
    const { world, venue } = scene;
    world.clock.advance(seconds(60));
    shown({ ...scene, lots: 9 }, '999.99');
    venue.down();
    venue.up();
    world.clock.advance(seconds(2));
    expect(world.state.differences.all.map(({ kind }) => kind)).toContain('position');
    shown(scene, '999.99');
    world.clock.advance(seconds(200));
    expect(chargesOf(world, scene)).toBe('0.01');
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test('is that of the position that was open then', () => {
    const scene = held();
    const { world, venue } = scene;
    venue.down();
    world.clock.advance(seconds(60));
    settled(venue, world, '0.0001');
    world.clock.advance(seconds(60));
    // Half of it was sold in the outage, at the price it was bought at.
    venue.trades.push({
      tradeId: 'half',
      price: 10_000 as Ticks,
      quantity: 5 as Lots,
      fee: parseAmount('0'),
      taker: false,
      time: world.clock.now(),
      instrument: world.instrument(contract).id,
      clientOrderId: [...world.state.openOrders('maker')][0]?.clientOrderId ?? world.ids.next(),
      venueOrderId: 'v',
      side: 'sell',
      marginMode: 'isolated',
    });
    venue.accounts = [accountOf(world, { index: contract, lots: 5, balance: '999.99' })];
    venue.up();
    world.clock.advance(seconds(300));
    expect(world.state.netPosition(world.instrument(contract).id, 'isolated')).toBe(5);
    expect(world.ofKind('chargeFound')).toHaveLength(1);
    expect(world.state.wallets.differences).toEqual([]);
  });

  test('is interest of a position that was opened and closed in the gap', () => {
    const scene = held(margined);
    const { world, venue } = scene;
    const traded = (tradeId: string, side: 'buy' | 'sell'): void => {
      venue.trades.push({
        tradeId,
        price: 10_000 as Ticks,
        quantity: 10 as Lots,
        fee: parseAmount('0'),
        taker: false,
        time: world.clock.now(),
        instrument: world.instrument(margined).id,
        clientOrderId: world.ids.next(),
        venueOrderId: tradeId,
        side,
        marginMode: 'isolated',
      });
    };
    // Nothing is held when the gap begins.
    traded('before', 'sell');
    shown({ ...scene, lots: 0 }, '1000');
    venue.down();
    venue.up();
    world.clock.advance(seconds(400));
    expect(world.state.netPosition(world.instrument(margined).id, 'isolated')).toBe(0);
    venue.down();
    world.clock.advance(seconds(10));
    traded('opened', 'buy');
    world.clock.advance(seconds(60));
    traded('closed', 'sell');
    shown({ ...scene, lots: 0 }, '999.99');
    venue.up();
    world.clock.advance(seconds(300));
    expect(world.ofKind('chargeFound')).toMatchObject([
      { charged: 'interest', shares: [{ amount: parseAmount('0.01') }] },
    ]);
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test('is none where a position was in doubt when it was first seen, whichever run looks again', () => {
    const scene = held(margined);
    const { world, venue } = scene;
    // Somebody closed it by hand, and no history tells of it.
    shown({ ...scene, lots: 0 }, '999.94');
    venue.down();
    venue.up();
    world.clock.advance(seconds(60));
    expect(world.state.differences.all.map(({ kind }) => kind)).toContain('position');
    expect(world.state.wallets.differences[0]?.looks).toBeGreaterThan(2);
    const parts = { run: 'r2', ready: false, products: ['spot', 'margin', 'futures'] } as const;
    const next = new World({ after: world, ...parts });
    venue.attach(next);
    venue.up(next);
    next.clock.advance(seconds(400));
    expect(next.ofKind('chargeFound')).toEqual([]);
    expect(next.ofKind('marginFound')).toMatchObject([{ finding: 'positionMismatch', lots: -10 }]);
  });
});

import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, VenueOrder } from '../../../src/core/model/order.ts';
import { liquidationId, liquidationOrder } from '../../../src/core/model/liquidation.ts';
import { middleOf, runProfits } from '../../../src/core/orders/base/profit.ts';
import { FakeVenue } from './support/fake-venue.ts';
import {
  accountOf,
  contract,
  holdMargin,
  isolated,
  margined,
  marginWorld,
  reportAccount,
  settleChange,
  wantChange,
} from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { venueOrder, World } from './support/world.ts';

function joined(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = marginWorld(parts);
  const venue = new FakeVenue(world);
  return { world, venue };
}

/** A strategy holds ten lots, and the venue has no order. */
function held(): { world: World; venue: FakeVenue } {
  const world = marginWorld();
  holdMargin(world, 10, { balance: '1000' });
  return { world, venue: new FakeVenue(world) };
}

function place(world: World, changes: Partial<OrderRequest> = {}): string {
  const instrument = world.instrument(margined).id;
  return world.place({ instrument, price: 10_000 as Ticks, margin: isolated, ...changes });
}

describe('a look at the account', () => {
  test('that finds an order gone reports it as one on margin', () => {
    const { world, venue } = joined();
    venue.up();
    reportAccount(world, { balance: '1000' });
    const id = place(world) as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.orders.delete(id);
    world.clock.advance(seconds(300));
    const [report] = world.ofKind('orderReport').filter(({ reportType }) => reportType === 'canceled');
    expect(report?.order.margin).toEqual(isolated);
  });

  test('of spot alone asks what it always asked', () => {
    const world = new World();
    const venue = new FakeVenue(world);
    venue.down();
    venue.up();
    expect(venue.reads.slice(-3).map(({ what }) => what)).toEqual([
      { of: 'activeOrders' },
      { of: 'balances' },
      { of: 'tradeHistory', since: expect.any(Number) },
    ]);
  });

  test('asks for every product that is traded, and its margin accounts', () => {
    const { venue } = joined({ products: ['spot', 'futures'] });
    venue.down();
    venue.up();
    expect(venue.reads.map(({ what }) => what)).toEqual([
      { of: 'activeOrders' },
      { of: 'activeOrders', product: 'futures' },
      { of: 'balances' },
      { of: 'balances', product: 'futures' },
      { of: 'tradeHistory', since: expect.any(Number) },
      { of: 'tradeHistory', since: expect.any(Number), product: 'futures' },
      { of: 'marginAccounts', product: 'futures' },
    ]);
  });

  test('includes a product that is traded no more while an order of it may live', () => {
    const { world, venue } = joined();
    reportAccount(world, { balance: '1000' });
    const id = place(world) as ClientOrderId;
    world.clock.advance(millis(20));
    const next = new World({ after: world, run: 'r2', ready: false, options: { onStart: 'keep' } });
    venue.attach(next);
    venue.up(next);
    expect(venue.reads.map(({ what }) => what)).toContainEqual({ of: 'activeOrders', product: 'margin' });
    next.clock.advance(seconds(200));
    expect(next.state.order(id)?.state).toBe('new');
  });
});

describe('a margin order without an answer', () => {
  test('is found by the history of its product', () => {
    const { world, venue } = joined();
    reportAccount(world, { balance: '1000' });
    venue.manner = { landsAfterMs: 3, answer: 'unanswered' };
    const id = place(world) as ClientOrderId;
    world.clock.advance(millis(12));
    expect(world.state.order(id)?.state).toBe('unknown');
    world.clock.advance(seconds(2));
    expect(world.state.order(id)?.state).toBe('new');
    expect(venue.reads.map(({ what }) => what)).toContainEqual({
      of: 'orderHistory',
      clientOrderId: id,
      product: 'margin',
    });
    expect(venue.received).toEqual([id]);
  });

  test('is not absent while the account reserves what it needs', () => {
    const { world, venue } = joined();
    reportAccount(world, { balance: '1000' });
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const id = place(world) as ClientOrderId;
    world.clock.advance(millis(12));
    venue.accounts = [
      accountOf(world, { balance: '1000', changes: { reservedOrders: parseAmount('10.42') } }),
    ];
    world.clock.advance(seconds(200));
    expect(world.state.order(id)?.state).toBe('unknown');
    venue.accounts = [accountOf(world, { balance: '1000' })];
    world.clock.advance(seconds(200));
    expect(world.state.order(id)?.state).toBe('rejected');
  });

  test('is canceled over the path of its product', () => {
    const { world } = joined();
    reportAccount(world, { index: contract, balance: '1000' });
    const clientOrderId = place(world, { instrument: world.instrument(contract).id }) as ClientOrderId;
    world.clock.advance(millis(20));
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId });
    expect(world.ofKind('cancelPending').at(-1)?.command).toMatchObject({
      clientOrderId,
      product: 'futures',
    });
    const spot = place(world, {
      margin: undefined,
      price: 9_900 as Ticks,
      quantity: 1 as Lots,
    }) as ClientOrderId;
    world.clock.advance(millis(20));
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: spot });
    expect(world.ofKind('cancelPending').at(-1)?.command).not.toHaveProperty('product');
  });

  test('a liquidation meanwhile takes the position from its strategy, and the order counts until it is settled', () => {
    const { world, venue } = held();
    world.clock.advance(seconds(1));
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const unknown = place(world, {
      side: 'sell',
      margin: { ...isolated, reduceOnly: true },
      price: 10_100 as Ticks,
    }) as ClientOrderId;
    world.clock.advance(millis(12));
    expect(world.state.order(unknown)?.state).toBe('unknown');
    const instrument = world.instrument(margined).id;
    const request = liquidationOrder(1, { instrument, lots: 10 }, 'IOC');
    const order: VenueOrder = {
      ...venueOrder({ ...request, margin: { ...isolated, reduceOnly: true } }, world.clock.now()),
      state: 'filled',
      cumulative: 10 as Lots,
    };
    const fill = {
      tradeId: 'l1',
      price: 9_500 as Ticks,
      quantity: 10 as Lots,
      fee: zero,
      taker: true,
      time: world.clock.now(),
    };
    world.step({ kind: 'orderReport', ...world.times, reportType: 'trade', order, fill });
    venue.accounts = [];
    reportAccount(world, { balance: '0' }, { reportType: 'closed', reason: 'liquidated' });
    expect(order.clientOrderId).toBe(liquidationId(1));
    expect(world.state.position(instrument, 'maker', 'isolated').quantity).toBe(0);
    expect(
      place(world, { side: 'sell', margin: { ...isolated, reduceOnly: true }, quantity: 1 as Lots }),
    ).toBe('REDUCE_ONLY');
    expect(world.state.workingLots(instrument, 'sell', 'maker', 'isolated')).toBe(10);
    world.clock.advance(seconds(200));
    expect(world.state.order(unknown)?.state).toBe('rejected');
    expect(world.ofKind('marginFound')).toEqual([]);
    expect(venue.received).toEqual([unknown]);
  });
});

describe('positions against own trades', () => {
  test('a position that an execution made which never was is withdrawn with it, and nothing halts', () => {
    const world = marginWorld();
    world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
    world.makeReady();
    holdMargin(world, 10, { balance: '1000' });
    const venue = new FakeVenue(world);
    venue.accounts = [accountOf(world, { lots: 0, balance: '1000' })];
    world.clock.advance(seconds(300));
    const instrument = world.instrument(margined).id;
    expect(world.ofKind('executionCorrected').map(({ correction }) => correction.cause)).toEqual([
      'withdrawn',
    ]);
    expect(world.state.position(instrument, 'maker', 'isolated').quantity).toBe(0);
    expect(world.ofKind('marginFound').filter(({ halts }) => halts)).toEqual([]);
    expect(world.state.differences.all).toEqual([]);
  });

  test('an execution that the history does not show stays where the position at the venue has it', () => {
    const world = marginWorld();
    world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
    world.makeReady();
    holdMargin(world, 10, { balance: '1000' });
    const venue = new FakeVenue(world);
    venue.accounts = [accountOf(world, { lots: 10, balance: '1000' })];
    world.clock.advance(seconds(300));
    expect(world.ofKind('executionCorrected')).toEqual([]);
    expect(world.state.differences.all[0]?.cause).toMatch(/but the position at the venue has it$/);
  });

  test('a difference that stands for the window of evidence halts the product, and is booked to nobody of ours', () => {
    const { world, venue } = held();
    const resting = place(world, {
      side: 'sell',
      price: 10_100 as Ticks,
      quantity: 2 as Lots,
    }) as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.accounts = [accountOf(world, { lots: 7, balance: '1000' })];
    world.clock.advance(seconds(80));
    expect(world.ofKind('marginFound')).toEqual([]);
    expect(world.state.differences.all).toMatchObject([
      { key: 'position CCCBBB isolated', kind: 'position', product: 'margin', amount: parseAmount('-0.3') },
    ]);
    world.clock.advance(seconds(160));
    expect(world.state.differences.all).toEqual([]);
    const instrument = world.instrument(margined).id;
    expect(world.ofKind('marginFound')).toMatchObject([
      {
        finding: 'positionMismatch',
        account: { product: 'margin', mode: 'isolated', instrument },
        position: instrument,
        lots: -3,
        halts: true,
        why: 'the isolated margin position of CCCBBB is 7 lots at the venue, and 10 lots by own trades',
      },
    ]);
    expect(venue.cancels).toEqual([resting]);
    expect(world.state.netPosition(instrument, 'isolated')).toBe(7);
    expect(world.state.position(instrument, 'maker', 'isolated').quantity).toBe(10);
    world.market();
    world.market(contract);
    expect(place(world, { quantity: 1 as Lots })).toBe('PRODUCT_HALTED');
    expect(world.ofKind('orderDenied').at(-1)?.denial.why).toBe(
      'no margin order leaves until an operator clears it: the isolated margin position of CCCBBB is 7 lots at the venue, and 10 lots by own trades',
    );
    expect(place(world, { margin: undefined, quantity: 1 as Lots })).toMatch(/^gw-/);
  });

  test.each([
    ['a position that somebody closed', 0, { bid: 8_900, ask: 9_100 }, '90'],
    ['a part of one that somebody closed', 4, { bid: 8_900, ask: 9_100 }, '90'],
    ['a position that somebody turned over', -5, { bid: 11_900, ask: 12_100 }, '120'],
  ] as const)('%s is booked at the market, and the profit stays', (_, lots, { bid, ask }, price) => {
    const { world, venue } = held();
    world.market(margined, bid, ask);
    const before = runProfits(world.state);
    expect(before[0]?.profit).not.toBe(zero);
    venue.accounts = [accountOf(world, { lots, balance: '1000' })];
    world.clock.advance(seconds(240));
    expect(world.ofKind('marginFound')).toMatchObject([{ lots: lots - 10, price: parseAmount(price) }]);
    expect(runProfits(world.state).map(({ profit }) => profit)).toEqual(before.map(({ profit }) => profit));
  });

  test('what somebody closed is booked at its cost where no book tells a price, and what he bought at what the venue says', () => {
    const before = held().world;
    const world = new World({ products: ['spot', 'margin', 'futures'], ready: false });
    world.step({ kind: 'stateCarried', ...world.times, state: before.state.carry() });
    const venue = new FakeVenue(world);
    venue.accounts = [accountOf(world, { lots: 0, balance: '1000' })];
    world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
    venue.up();
    world.clock.advance(seconds(240));
    const instrument = world.instrument(margined).id;
    expect(middleOf(world.state, world.instrument(margined))).toBeUndefined();
    const cost = world.state.position(instrument, 'maker', 'isolated').averagePrice;
    expect(cost).toBeDefined();
    expect(world.ofKind('marginFound').at(-1)).toMatchObject({ lots: -10, price: cost });
    venue.accounts = [accountOf(world, { lots: 15, balance: '1000' })];
    world.clock.advance(seconds(240));
    const entry = world.state.venuePosition(instrument, 'isolated')?.entry;
    expect(entry).toBeDefined();
    expect(world.ofKind('marginFound').at(-1)).toMatchObject({ lots: 15, price: entry });
  });

  test('a difference is found however much is traded meanwhile', () => {
    const { world, venue } = held();
    world.clock.advance(seconds(1));
    for (let traded = 0; traded < 30 && world.ofKind('marginFound').length === 0; traded++) {
      world.market();
      const id = place(world, { price: 10_000 as Ticks, quantity: 1 as Lots }) as ClientOrderId;
      expect(id).toMatch(/^gw-/);
      world.fill(id, 1);
      venue.accounts = [accountOf(world, { lots: 8 + traded, balance: '1000' })];
      world.clock.advance(seconds(10));
    }
    expect(world.ofKind('marginFound')).toMatchObject([
      { finding: 'positionMismatch', lots: -3, halts: true },
    ]);
  });

  test('a difference is found though a trade falls into a look, which shows another number', () => {
    const { world, venue } = held();
    const amount = (): string => formatAmount(world.state.differences.all[0]?.amount ?? zero);
    const shows = (lots: number, wanted: string): void => {
      venue.accounts = [accountOf(world, { lots, balance: '1000' })];
      for (let waited = 0; amount() !== wanted && waited < 120; waited++) world.clock.advance(seconds(1));
      expect(amount()).toBe(wanted);
    };
    shows(7, '-0.3');
    world.clock.advance(seconds(40));
    shows(6, '-0.4');
    venue.accounts = [accountOf(world, { lots: 7, balance: '1000' })];
    world.clock.advance(seconds(80));
    expect(world.ofKind('marginFound')).toMatchObject([{ finding: 'positionMismatch', lots: -3 }]);
  });

  test('the halt outlives a restart, and an operator ends it', () => {
    const { world, venue } = held();
    world.clock.advance(seconds(1));
    venue.accounts = [accountOf(world, { lots: 7, balance: '1000' })];
    world.clock.advance(seconds(240));
    expect(world.state.productHalted('margin')).toBeDefined();
    const carried = new World({ ready: false });
    carried.step({ kind: 'stateCarried', ...world.times, state: world.state.carry() });
    expect(carried.state.productHalted('margin')).toBe(world.state.productHalted('margin'));
    expect(carried.state.productHalted('futures')).toBeUndefined();
    carried.step({
      kind: 'modeChanged',
      ...world.times,
      mode: 'active',
      why: 'cleared by the operator',
      latched: false,
    });
    expect(carried.state.productHalted('margin')).toBeUndefined();
  });

  test('a trade that the history shows late is no difference', () => {
    const { world, venue } = held();
    const id = place(world, { side: 'sell', price: 10_100 as Ticks, quantity: 3 as Lots }) as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.historyLagMs = 40_000;
    venue.fillSilently(id, 3);
    const trade = venue.trades[0];
    if (trade !== undefined) venue.trades[0] = { ...trade, marginMode: 'isolated' };
    venue.accounts = [accountOf(world, { lots: 7, balance: '1000' })];
    world.clock.advance(seconds(300));
    expect(world.ofKind('marginFound')).toEqual([]);
    expect(world.state.position(world.instrument(margined).id, 'maker', 'isolated').quantity).toBe(7);
  });

  test('a position from before the first journal is taken as it is, and halts nothing', () => {
    const world = new World({ products: ['spot', 'margin', 'futures'], ready: false });
    const venue = new FakeVenue(world);
    world.market();
    world.market(contract);
    world.money({ BBB: '1000' });
    venue.accounts = [accountOf(world, { index: contract, lots: -4, balance: '50' })];
    venue.up();
    world.clock.advance(seconds(1));
    const instrument = world.instrument(contract).id;
    expect(world.ofKind('marginFound')).toMatchObject([
      {
        finding: 'positionBefore',
        position: instrument,
        lots: -4,
        price: parseAmount('100'),
        halts: false,
        why: 'the isolated futures position of AAABBB_PERP is -4 lots at the venue: it was there before this journal began',
      },
    ]);
    expect(world.state.netPosition(instrument, 'isolated')).toBe(-4);
    expect(place(world, { instrument, quantity: 1 as Lots })).toMatch(/^gw-/);
    // It is nobody's of ours to close.
    const reducing = { ...isolated, reduceOnly: true };
    expect(place(world, { instrument, margin: reducing, quantity: 1 as Lots, price: 9_990 as Ticks })).toBe(
      'REDUCE_ONLY',
    );
    world.clock.advance(seconds(300));
    expect(world.ofKind('marginFound')).toHaveLength(1);
  });
});

describe('margin that was changed from outside', () => {
  const found = (world: World) =>
    world.ofKind('marginFound').map(({ finding, halts, why }) => ({ finding, halts, why }));

  test('is a finding, whatever reports it', () => {
    const { world } = joined();
    reportAccount(world, { balance: '30' }, { reason: 'created', reportType: 'created' });
    reportAccount(world, { balance: '50' }, { reason: 'marginChanged' });
    expect(found(world)).toEqual([
      {
        finding: 'externalMargin',
        halts: false,
        why: 'the isolated margin account of CCCBBB was changed from no account to 30 BBB at leverage 10, which no change of ours explains',
      },
      {
        finding: 'externalMargin',
        halts: false,
        why: 'the isolated margin account of CCCBBB was changed from 30 BBB at leverage 10 to 50 BBB at leverage 10, which no change of ours explains',
      },
    ]);
    expect(place(world)).toMatch(/^gw-/);
  });

  test('by a change of ours is none, before its answer and after', () => {
    const { world } = joined();
    expect(wantChange(world, { balance: parseAmount('30') })).toBe('pending');
    reportAccount(world, { balance: '30' }, { reason: 'created', reportType: 'created' });
    settleChange(world, 'acknowledged');
    reportAccount(world, { balance: '30' }, { reason: 'marginChanged' });
    expect(found(world)).toEqual([]);
  });

  test('by the venue itself is none: automatic accounts, trades, interest', () => {
    const { world } = joined();
    reportAccount(
      world,
      { balance: '30', changes: { auto: true } },
      { reason: 'created', reportType: 'created' },
    );
    reportAccount(world, { balance: '20', changes: { auto: true } }, { reason: 'marginChanged' });
    holdMargin(world, 10, { index: contract, balance: '30' });
    reportAccount(world, { index: contract, balance: '29', lots: 10 }, { reason: 'interestTaken' });
    expect(found(world)).toEqual([]);
  });

  test('by the fee of an execution that an update of the orders shows first is none', () => {
    const { world } = joined();
    reportAccount(world, { balance: '30' }, { reason: 'interestTaken' });
    const id = place(world) as ClientOrderId;
    world.fill(id, 10);
    reportAccount(world, { balance: '29.8', lots: 10 }, { reason: 'updated' });
    reportAccount(world, { balance: '29.8', lots: 10 }, { reason: 'openTrade' });
    expect(found(world)).toEqual([]);
    reportAccount(world, { balance: '28', lots: 10 }, { reason: 'updated' });
    expect(found(world)).toHaveLength(1);
  });

  test('during an outage is seen by the look after it', () => {
    const { world, venue } = joined();
    reportAccount(world, { balance: '30' });
    venue.down();
    world.clock.advance(seconds(5));
    venue.accounts = [accountOf(world, { balance: '10' })];
    venue.up();
    world.clock.advance(seconds(1));
    expect(found(world).map(({ finding }) => finding)).toEqual(['externalMargin']);
    expect(world.state.marginAccounts()[0]?.account.balance).toBe(parseAmount('10'));
  });
});

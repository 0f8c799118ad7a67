import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import {
  contract,
  holdMargin,
  isolated,
  margined,
  marginWorld,
  reducing,
  reportAccount,
} from './support/margin.ts';
import type { World } from './support/world.ts';

/** One unit at 100.00 reserves 100 x ((1 + 0.002) / 10 + 2 x 0.002) = 10.42. */
const oneUnit: Partial<OrderRequest> = { quantity: 10 as Lots, price: 10_000 as Ticks, margin: isolated };

function place(world: World, changes: Partial<OrderRequest> = {}, index = margined): string {
  return world.place({ ...oneUnit, instrument: world.instrument(index).id, ...changes });
}

function denialOf(world: World): string | undefined {
  return world.ofKind('orderDenied').at(-1)?.denial.why;
}

describe('buying power of a margin account', () => {
  test('an order needs an open account', () => {
    const world = marginWorld();
    expect(place(world)).toBe('MARGIN_ACCOUNT_MISSING');
    expect(denialOf(world)).toBe(
      'expected the isolated margin account of CCCBBB to be open, or an order that opens it (marginAuto); there is none',
    );
  });

  test('the last unit of margin is spent, and not one less', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '10.42' });
    expect(place(world)).toMatch(/^gw-/);
    const other = marginWorld();
    reportAccount(other, { balance: '10.419999999999' });
    expect(place(other)).toBe('MARGIN_FUNDS');
    expect(denialOf(other)).toBe(
      'expected 10.42 BBB free in the isolated margin account of CCCBBB, found 10.419999999999',
    );
  });

  test('a fee markup raises what is needed', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '10.42' });
    expect(place(world, { takeRate: parseAmount('0.001') })).toBe('MARGIN_FUNDS');
  });

  test('an account of lower leverage needs more', () => {
    const world = marginWorld();
    // 100 x (1.002 / 5 + 0.004) = 20.44
    reportAccount(world, { balance: '20.44', index: contract, changes: { leverage: parseAmount('5') } });
    expect(place(world, {}, contract)).toMatch(/^gw-/);
    const other = marginWorld();
    reportAccount(other, { balance: '20.43', index: contract, changes: { leverage: parseAmount('5') } });
    expect(place(other, {}, contract)).toBe('MARGIN_FUNDS');
  });

  test('positions and orders in flight are taken off', () => {
    const world = marginWorld();
    // A position of one unit keeps 10.22, an order in flight holds 10.42.
    holdMargin(world, 10, { balance: '30.63' });
    expect(place(world)).toMatch(/^gw-/);
    expect(place(world, { price: 9_990 as Ticks })).toBe('MARGIN_FUNDS');
    const other = marginWorld();
    holdMargin(other, 10, { balance: '31.06' });
    expect(place(other)).toMatch(/^gw-/);
    expect(place(other, { price: 9_999 as Ticks })).toMatch(/^gw-/);
  });

  test('an order without an answer keeps what it holds, one that is rejected gives it back', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '15' });
    const id = place(world) as ClientOrderId;
    world.unanswered(id);
    expect(world.state.order(id)?.state).toBe('unknown');
    expect(place(world, { price: 9_990 as Ticks })).toBe('MARGIN_FUNDS');
    world.rejected(id);
    expect(place(world, { price: 9_980 as Ticks })).toMatch(/^gw-/);
  });

  test('an order that is answered counts before the account shows what it reserves, and once', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '20.83' });
    world.rest({ ...oneUnit, instrument: world.instrument(margined).id });
    expect(place(world, { price: 9_999 as Ticks })).toBe('MARGIN_FUNDS');
    reportAccount(world, { balance: '20.84', changes: { reservedOrders: parseAmount('10.42') } });
    expect(place(world, { price: 9_998 as Ticks })).toMatch(/^gw-/);
  });

  test('a fill that the account does not show yet is taken off', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '20' });
    const id = world.rest({ ...oneUnit, instrument: world.instrument(margined).id });
    world.fill(id, 10);
    expect(place(world, { price: 9_990 as Ticks })).toBe('MARGIN_FUNDS');
    reportAccount(world, { balance: '30.9', lots: 10 }, { reason: 'openTrade' });
    expect(place(world, { price: 9_990 as Ticks })).toMatch(/^gw-/);
  });

  test('a reduce-only order needs no margin', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '20.64' });
    reportAccount(world, { balance: '1', lots: 10 });
    expect(place(world, { side: 'sell', margin: reducing })).toMatch(/^gw-/);
  });

  test('an order on the other side of the position needs margin, for it may open another', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '20.63' });
    expect(place(world, { side: 'sell' })).toBe('MARGIN_FUNDS');
  });
});

describe('orders that draw on a balance', () => {
  const auto: Partial<OrderRequest> = { margin: { ...isolated, auto: true } };
  const cross: Partial<OrderRequest> = { margin: { ...isolated, mode: 'cross' } };

  function poor(amount: string): World {
    const world = marginWorld();
    world.money({ BBB: amount });
    return world;
  }

  function futuresMoney(world: World, amount: string): void {
    const balances = [{ currency: 'BBB', available: parseAmount(amount), reserved: parseAmount('0') }];
    world.step({ kind: 'balances', ...world.times, wallet: 'futures', complete: false, balances });
  }

  test('an automatic order needs no account, but the spot balance', () => {
    expect(place(poor('10.42'), auto)).toMatch(/^gw-/);
    const world = poor('10.41');
    expect(place(world, auto)).toBe('MARGIN_FUNDS');
    expect(denialOf(world)).toBe(
      'expected 10.42 BBB free in the isolated margin account of CCCBBB and on the spot balance that it draws on, found 0 and 10.41',
    );
  });

  test('it takes only what its account lacks', () => {
    const world = poor('4.42');
    reportAccount(world, { balance: '6' });
    expect(place(world, auto)).toMatch(/^gw-/);
  });

  test('a spot order never spends what an automatic order in flight may take', () => {
    const world = poor('20');
    const spot: Partial<OrderRequest> = { margin: undefined, quantity: 1 as Lots, price: 9_950 as Ticks };
    const id = place(world, auto) as ClientOrderId;
    expect(place(world, spot)).toBe('FUNDS');
    world.rejected(id);
    expect(place(world, spot)).toMatch(/^gw-/);
  });

  test('nor once it is answered, until a balance shows it', () => {
    const world = poor('20');
    const spot: Partial<OrderRequest> = { margin: undefined, quantity: 1 as Lots, price: 9_950 as Ticks };
    const id = place(world, auto) as ClientOrderId;
    world.clock.advance(seconds(1));
    world.report(id, 'new');
    expect(place(world, spot)).toBe('FUNDS');
    world.clock.advance(seconds(1));
    world.money({ BBB: '9.58' });
    expect(place(world, { ...spot, price: 9_500 as Ticks })).toMatch(/^gw-/);
  });

  test('cross margin of contracts draws on the futures balance', () => {
    const world = poor('1000');
    futuresMoney(world, '10.41');
    expect(place(world, cross, contract)).toBe('MARGIN_FUNDS');
    futuresMoney(world, '20.83');
    expect(place(world, cross, contract)).toMatch(/^gw-/);
    expect(place(world, { ...cross, price: 9_999 as Ticks, quantity: 10 as Lots }, contract)).toBe(
      'MARGIN_FUNDS',
    );
  });

  test('cross margin of symbols needs its account', () => {
    const world = poor('1000');
    expect(place(world, cross)).toBe('MARGIN_ACCOUNT_MISSING');
    reportAccount(world, { mode: 'cross', balance: '10.42' });
    expect(place(world, cross)).toMatch(/^gw-/);
  });
});

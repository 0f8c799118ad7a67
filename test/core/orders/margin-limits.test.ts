import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { OrderRequest } from '../../../src/core/model/order.ts';
import type { orderOptions } from '../../../src/core/orders/options.ts';
import {
  contract,
  holdMargin,
  isolated,
  margined,
  marginWorld,
  reportAccount,
  wantChange,
} from './support/margin.ts';
import type { World } from './support/world.ts';

type Margin = z.input<typeof orderOptions>['margin'];

function limited(margin: Margin): World {
  return marginWorld({ options: { margin } });
}

function place(world: World, changes: Partial<OrderRequest> = {}, index = margined): string {
  const instrument = world.instrument(index).id;
  return world.place({
    instrument,
    quantity: 10 as Lots,
    price: 10_000 as Ticks,
    margin: isolated,
    ...changes,
  });
}

function whyDenied(world: World): string | undefined {
  return world.ofKind('orderDenied').at(-1)?.denial.why;
}

describe('the leverage of a margin account', () => {
  // One unit at 100.00, valued at 100.00: the fee of 0.2 leaves 49.9 + 0.1, twice which is its worth.
  test('is at most the limit with the order executed, the fee taken', () => {
    const world = limited({ leverageMax: '2' });
    reportAccount(world, { balance: '50.2' });
    expect(place(world)).toMatch(/^gw-/);
    const other = limited({ leverageMax: '2' });
    reportAccount(other, { balance: '50.19' });
    expect(place(other)).toBe('LEVERAGE_MAX');
    expect(whyDenied(other)).toBe(
      'expected a leverage of at most 2.00 for isolated margin of CCCBBB, found 2.00 if all working orders fill',
    );
  });

  test('counts the position and what works beside the order', () => {
    const world = limited({ leverageMax: '2' });
    holdMargin(world, 10, { balance: '150' });
    expect(place(world)).toMatch(/^gw-/);
    // 30 lots would be worth 300 at an equity of 150 less two fees.
    expect(place(world, { price: 9_999 as Ticks })).toBe('LEVERAGE_MAX');
  });

  test('an order that makes the position smaller passes however high it is', () => {
    const world = limited({ leverageMax: '2' });
    holdMargin(world, 10, { balance: '60' });
    reportAccount(world, { lots: 10, balance: '30' });
    expect(place(world, { side: 'sell', price: 10_050 as Ticks, quantity: 4 as Lots })).toMatch(/^gw-/);
    expect(place(world, { side: 'buy', price: 9_950 as Ticks, quantity: 1 as Lots })).toBe('LEVERAGE_MAX');
  });

  test('a limit of a symbol goes before that of all', () => {
    const world = limited({ leverageMax: '2', symbols: { CCCBBB: { leverageMax: '5' } } });
    reportAccount(world, { balance: '25' });
    expect(place(world)).toMatch(/^gw-/);
  });

  test('of cross margin counts every position of the account, by the limit of its currency', () => {
    const cross: Partial<OrderRequest> = { margin: { ...isolated, mode: 'cross' }, quantity: 5 as Lots };
    const parts = { cross: { BBB: { leverageMax: '2' } } };
    const world = limited(parts);
    reportAccount(world, { index: contract, mode: 'cross', balance: '1000' });
    expect(place(world, cross, contract)).toMatch(/^gw-/);
    const other = limited(parts);
    other.market(margined);
    reportAccount(other, { index: contract, mode: 'cross', lots: 10, balance: '50' });
    expect(place(other, cross, contract)).toBe('LEVERAGE_MAX');
    expect(whyDenied(other)).toContain('for cross margin in BBB');
  });

  test('an automatic order brings only the margin it needs, so it has nearly all the leverage there is', () => {
    const world = limited({ leverageMax: '9' });
    expect(place(world, { margin: { ...isolated, auto: true } })).toBe('LEVERAGE_MAX');
    const other = limited({ leverageMax: '9.80' });
    expect(place(other, { margin: { ...isolated, auto: true } })).toMatch(/^gw-/);
  });
});

describe('the distance of the price from liquidation', () => {
  // Long one unit at 100.00 with 10.42 less a fee of 0.2: liquidated at (100 - 10.22) / (1 - 0.05 - 0.002) = 94.70.
  test('is at least the limit with the order executed', () => {
    const world = limited({ liquidationDistanceMinPercent: 5.31 });
    reportAccount(world, { balance: '10.42' });
    expect(place(world)).toBe('LIQUIDATION_DISTANCE');
    expect(whyDenied(world)).toBe(
      'expected CCCBBB to be liquidated at least 5.31 % from 100.00, found 94.70 for 10 lots',
    );
  });

  test('the last tick passes', () => {
    const world = limited({ liquidationDistanceMinPercent: 5.3 });
    reportAccount(world, { balance: '10.42' });
    expect(place(world)).toMatch(/^gw-/);
  });

  test('of a short position lies above', () => {
    const world = limited({ symbols: { CCCBBB: { liquidationDistanceMinPercent: 4 } } });
    reportAccount(world, { balance: '10.42' });
    expect(place(world, { side: 'sell' })).toMatch(/^gw-/);
    const other = limited({ symbols: { CCCBBB: { liquidationDistanceMinPercent: 6 } } });
    reportAccount(other, { balance: '10.42' });
    expect(place(other, { side: 'sell' })).toBe('LIQUIDATION_DISTANCE');
  });

  test('of a contract is that of its mark price', () => {
    const world = limited({ liquidationDistanceMinPercent: 5 });
    reportAccount(world, { index: contract, balance: '10.42' });
    world.step({
      kind: 'contractInfo',
      ...world.times,
      instrument: world.instrument(contract).id,
      markPrice: parseAmount('99.5'),
      indexPrice: parseAmount('99.5'),
      fundingRate: undefined,
      nextFundingAt: undefined,
      lastFundingRate: undefined,
      openInterest: undefined,
    });
    expect(place(world, {}, contract)).toBe('LIQUIDATION_DISTANCE');
  });

  test('where the margin covers the whole loss there is none', () => {
    const world = limited({ liquidationDistanceMinPercent: 99 });
    reportAccount(world, { balance: '1000' });
    expect(place(world)).toMatch(/^gw-/);
  });

  test('taking margin out is held to the same limits', () => {
    const world = limited({ liquidationDistanceMinPercent: 10, leverageMax: '4' });
    holdMargin(world, 10, { balance: '50' });
    expect(wantChange(world, { balance: parseAmount('24') })).toBe('LEVERAGE_MAX');
    const other = limited({ liquidationDistanceMinPercent: 10 });
    holdMargin(other, 10, { balance: '50' });
    expect(wantChange(other, { balance: parseAmount('14') })).toBe('LIQUIDATION_DISTANCE');
    expect(wantChange(other, { balance: parseAmount('16') })).toBe('pending');
  });
});

test('a limit of a symbol that there is not is refused at the start', () => {
  expect(() => limited({ symbols: { NOPE: { leverageMax: '2' } } })).toThrow(BadInput);
});

import { describe, expect, test } from 'vitest';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { MarginChange, MarginMark } from '../../../src/core/model/margin.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { World } from './support/world.ts';

const isolated: MarginMark = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: true };
const spot = 0;
const margined = 1;
const contract = 2;

function placed(world: World, at: number, margin: MarginMark | undefined) {
  const instrument = world.instrument(at).id;
  const [verdict] = world.want({
    action: 'place',
    strategy: 'maker',
    request: world.request({ instrument, ...(margin !== undefined && { margin }) }),
  });
  return verdict?.kind === 'orderDenied' ? verdict.denial : verdict?.kind;
}

function changeOf(world: World, balance: Amount): MarginChange {
  const instrument = world.instrument(margined).id;
  return { product: 'margin', mode: 'isolated', instrument, currency: 'BBB', balance, leverage: undefined };
}

describe('the product of an order', () => {
  test('a venue without margin gets spot orders alone', () => {
    const world = new World({
      capabilities: { ...fullCapabilities, margin: false },
      products: ['spot', 'margin'],
    });
    expect(placed(world, margined, isolated)).toEqual({
      code: 'PRODUCT_NOT_OFFERED',
      why: 'the venue takes spot orders alone, found margin',
    });
  });

  test('a product that the strategy did not declare is denied', () => {
    const world = new World({ products: ['spot', 'futures'] });
    expect(placed(world, margined, isolated)).toEqual({
      code: 'PRODUCT_NOT_DECLARED',
      why: 'strategy maker did not declare that it trades margin: expected it in its products',
    });
  });

  test('a contract takes futures orders, a symbol without margin trading spot orders', () => {
    const world = new World({ products: ['spot', 'margin', 'futures'] });
    expect(placed(world, contract, undefined)).toEqual({
      code: 'PRODUCT_SYMBOL',
      why: 'AAABBB_PERP is a contract: expected product futures, found spot',
    });
    expect(placed(world, spot, isolated)).toEqual({
      code: 'PRODUCT_SYMBOL',
      why: 'AAABBB is not traded on margin',
    });
  });
});

describe('a change of margin', () => {
  test('is recorded and leaves as one command', () => {
    const world = new World({ products: ['margin'] });
    const change = changeOf(world, parseAmount('50'));
    const [verdict] = world.want({ action: 'changeMargin', strategy: 'maker', change });
    expect(verdict).toMatchObject({
      kind: 'marginPending',
      command: { kind: 'changeMargin', strategy: 'maker', change },
    });
  });

  test('of a product that was not declared is denied', () => {
    const world = new World();
    const change = changeOf(world, parseAmount('50'));
    const [verdict] = world.want({ action: 'changeMargin', strategy: 'maker', change });
    expect(verdict).toMatchObject({
      kind: 'marginDenied',
      strategy: 'maker',
      change,
      denial: { code: 'PRODUCT_NOT_DECLARED' },
    });
  });
});

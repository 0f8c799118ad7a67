import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { BarWorld } from './bar-world.ts';

function balanceOf(world: BarWorld, currency: string): { available: number; reserved: number } {
  const [last] = world.noted
    .flatMap((event: Event) => (event.kind === 'balances' ? event.balances : []))
    .filter((balance) => balance.currency === currency)
    .slice(-1);
  return { available: Number(last?.available ?? 0n) / 1e24, reserved: Number(last?.reserved ?? 0n) / 1e24 };
}

function powerOf(world: BarWorld, currency: string): number | 'unlimited' | undefined {
  const power = world.noted
    .flatMap((event: Event) => (event.kind === 'balances' ? event.balances : []))
    .findLast((balance) => balance.currency === currency)?.buyingPower;
  return typeof power === 'bigint' ? Number(power) / 1e24 : power;
}

describe('a spot account', () => {
  test('pays for what it buys with its fee, and refuses what it cannot pay', () => {
    const world = new BarWorld({ market: 'close', fees: { rate: '0.01', fixed: '5' } });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 10 });
    expect(world.figures).toMatchObject({ total: 8_985, equity: 9_985 });
    const tooMuch = world.order({ side: 'buy', quantity: 90 });
    expect(world.reports(tooMuch)).toEqual(['expired']);
    const short = world.order({ side: 'sell', quantity: 11 });
    expect(world.reports(short)).toEqual(['expired']);
    expect(world.fills).toEqual(['buy 10 at 100.0']);
  });

  test('reports of both balances what every execution has made of them', () => {
    const world = new BarWorld({ market: 'close' });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    const base = world.noted.flatMap((event: Event) => (event.kind === 'balances' ? event.balances : []))[0];
    world.order({ side: 'buy', quantity: 10 });
    expect(balanceOf(world, 'USD').available).toBe(9_000);
    world.order({ side: 'sell', quantity: 4 });
    expect(balanceOf(world, 'USD').available).toBe(9_400);
    expect(balanceOf(world, 'ABC').available).toBe(6);
    // What was reported before stays as it was reported.
    expect(base).toMatchObject({ available: 10_000n * 10n ** 24n });
  });

  test('holds back for a resting order, and refuses one it cannot hold back for', () => {
    const world = new BarWorld({ fees: { fixed: '5' } });
    world.bar(100, 100, 100, 100);
    world.order({ side: 'buy', quantity: 10, price: 90 });
    expect(balanceOf(world, 'USD')).toEqual({ available: 10_000, reserved: 0 });
    expect(world.figures).toMatchObject({ locked: 905, free: 9_095 });
    const refused = world.order({ side: 'sell', quantity: 1, price: 110 });
    expect(world.reports(refused)).toEqual(['rejected 20001']);
  });
});

describe('a spot account whose fees are in the base currency', () => {
  test('takes them of what it buys, and of what is left when it sells', () => {
    const world = new BarWorld(
      { market: 'close', fees: { rate: '0.01', fixed: '5' } },
      { USD: '10000' },
      'ABC',
    );
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    // 1 % of 10, and 5 USD at a price of 100: 0.15 ABC.
    world.order({ side: 'buy', quantity: 10 });
    expect(balanceOf(world, 'USD').available).toBe(9_000);
    expect(balanceOf(world, 'ABC').available).toBeCloseTo(9.85, 12);
    // Nine cost 0.14 more.
    world.order({ side: 'sell', quantity: 9 });
    expect(balanceOf(world, 'USD').available).toBe(9_900);
    expect(balanceOf(world, 'ABC').available).toBeCloseTo(0.71, 12);
    world.order({ side: 'buy', quantity: 99 });
    expect(balanceOf(world, 'USD').available).toBe(0);
    const short = world.order({ side: 'sell', quantity: 99 });
    expect(world.reports(short)).toEqual(['expired']);
  });
});

describe('a margin account', () => {
  test('goes short, realises profit exactly in parts, and locks entry notional times rate over leverage', () => {
    const world = new BarWorld({ market: 'close', account: { kind: 'margin', rate: '0.5', leverage: '4' } });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    world.order({ side: 'sell', quantity: 3 });
    expect(world.figures).toEqual({ total: 10_000, locked: 37.5, free: 9_962.5, equity: 10_000 });
    world.bar(100, 100, 90, 90);
    world.venue.finish();
    expect(world.figures).toEqual({ total: 10_000, locked: 37.5, free: 9_992.5, equity: 10_030 });
    world.order({ side: 'buy', quantity: 1 });
    expect(world.figures).toMatchObject({ total: 10_010, locked: 25, equity: 10_030 });
    world.order({ side: 'buy', quantity: 5 });
    expect(world.figures).toMatchObject({ total: 10_030, locked: 33.75, equity: 10_030 });
  });

  test('locks a fixed margin per lot, and takes a fee per lot both ways', () => {
    const world = new BarWorld({
      market: 'close',
      fees: { perLot: '2' },
      account: { kind: 'margin', perLot: '1000' },
    });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 3 });
    expect(world.figures).toMatchObject({ total: 9_994, locked: 3_000 });
    world.order({ side: 'sell', quantity: 3 });
    expect(world.figures).toMatchObject({ total: 9_988, locked: 0 });
  });

  test('refuses to grow beyond its margin, and always lets a position shrink', () => {
    const world = new BarWorld({ market: 'close', account: { kind: 'margin', leverage: '2' } });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 200 });
    const more = world.order({ side: 'buy', quantity: 1 });
    expect(world.reports(more)).toEqual(['expired']);
    world.bar(100, 100, 20, 20);
    world.venue.finish();
    expect(world.figures.equity).toBe(-6_000);
    world.order({ side: 'sell', quantity: 200 });
    expect(world.fills).toEqual(['buy 200 at 100.0', 'sell 200 at 20.0']);
  });

  test('reports buying power, and no bound while short, so that closing is never denied', () => {
    const world = new BarWorld({ market: 'close', account: { kind: 'margin', leverage: '3' } });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    expect([balanceOf(world, 'USD').available, powerOf(world, 'USD')]).toEqual([10_000, 30_000]);
    world.order({ side: 'sell', quantity: 10 });
    expect(balanceOf(world, 'USD')).toEqual({ available: 10_000 - 1_000 / 3, reserved: 1_000 / 3 });
    expect(powerOf(world, 'USD')).toBe('unlimited');
    expect(powerOf(world, 'ABC')).toBe(1_000_000_000 - 10);
    world.order({ side: 'buy', quantity: 10 });
    expect(balanceOf(world, 'USD')).toEqual({ available: 10_000, reserved: 0 });
    expect(powerOf(world, 'USD')).toBe(30_000);
  });
});

import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { World } from './support/world.ts';

const passed = /^gw-/;
const hour = seconds(3_600);
const minute = seconds(60);

/** The venue's clock, which is `offset` ahead of ours, was measured. */
function measured(world: World, offset: Micros): void {
  world.step({ kind: 'clockMeasured', offset, ...world.times });
}

/** A book update that the venue stamped `lag` ago by its clock, `offset` ahead of ours. */
function update(world: World, lag: Micros, offset = 0 as Micros): void {
  const receiveTime = world.clock.now();
  const exchangeTime = (receiveTime + offset - lag) as Micros;
  const levels = Float64Array.from([0, 9_900, 1_000]);
  const what = { kind: 'bookUpdate', instrument: world.instrument().id, sequence: 1_000 } as const;
  world.step({ ...what, levels, start: 0, end: 3, exchangeTime, receiveTime });
}

function snapshot(world: World, lag: Micros): void {
  const receiveTime = world.clock.now();
  const levels = Float64Array.from([0, 9_900, 1_000, 1, 10_100, 1_000]);
  const what = { kind: 'bookSnapshot', instrument: world.instrument().id, sequence: 1_000 } as const;
  const exchangeTime = (receiveTime - lag) as Micros;
  world.step({ ...what, levels, start: 0, end: 6, exchangeTime, receiveTime });
}

function whyOf(world: World, price = 9_900): string {
  const request = world.request({ price: price as Ticks });
  const [verdict] = world.want({ action: 'place', strategy: 'maker', request });
  return verdict?.kind === 'orderDenied' ? verdict.denial.why : 'not denied';
}

describe('market data that come too late', () => {
  test('are stale beyond the limit, for as long as they do', () => {
    const world = new World();
    measured(world, 0 as Micros);
    update(world, millis(3_000));
    expect(world.place()).toMatch(passed);
    update(world, millis(3_001));
    expect(world.place({ quantity: 11 as Lots })).toBe('INPUT_STALE');
    expect(whyOf(world)).toBe(
      'expected market data at most 3000 ms after the venue stamped them, found 3001 ms',
    );
    expect(world.state.marketLag).toBe(millis(3_001));
    update(world, millis(20));
    expect(world.place({ quantity: 12 as Lots })).toMatch(passed);
  });

  test('are compared with the venue’s clock, whatever ours shows', () => {
    for (const offset of [hour, -hour] as Micros[]) {
      const world = new World();
      measured(world, offset);
      update(world, millis(100), offset);
      expect(world.state.marketLag).toBe(millis(100));
      update(world, seconds(25), offset);
      expect(world.place()).toBe('INPUT_STALE');
    }
  });

  test('do not come from a snapshot, which has the time of the last change', () => {
    const world = new World();
    measured(world, 0 as Micros);
    snapshot(world, seconds(20));
    expect(world.place()).toMatch(passed);
    update(world, seconds(5));
    snapshot(world, seconds(20));
    expect(world.place({ quantity: 11 as Lots })).toBe('INPUT_STALE');
    snapshot(world, millis(50));
    expect(world.place({ quantity: 12 as Lots })).toMatch(passed);
  });

  test('are not known as long as the venue’s clock was not measured, as in a recording', () => {
    const world = new World();
    update(world, seconds(25));
    expect(world.state.marketLag).toBeUndefined();
    expect(world.place()).toMatch(passed);
  });

  test('have a limit that is a setting', () => {
    const world = new World({ options: { marketLagMsMax: 500 } });
    measured(world, 0 as Micros);
    update(world, millis(501));
    expect(world.place()).toBe('INPUT_STALE');
  });
});

describe('what the venue compares with its clock', () => {
  test('an expire time is past when it is for the venue', () => {
    const world = new World();
    const place = (after: number) =>
      world.place({ timeInForce: 'GTD', expireTime: (world.clock.now() + after) as Micros });
    measured(world, seconds(70));
    expect(place(seconds(70))).toBe('EXPIRE_TIME_PAST');
    expect(place(seconds(71))).toMatch(passed);
    measured(world, -hour as Micros);
    expect(place(-seconds(3_600))).toBe('EXPIRE_TIME_PAST');
    world.clock.advance(seconds(2));
    expect(place(-seconds(3_590))).toMatch(passed);
  });

  test('a last trade is young when it is for the venue', () => {
    const world = new World({ options: { referenceAgeMsMax: 60_000 } });
    world.clock.advance(hour);
    expect(world.place()).toBe('REFERENCE_PRICE_MISSING');
    measured(world, -hour as Micros);
    expect(world.place({ quantity: 11 as Lots })).toMatch(passed);
  });

  test('the denial of an order without a young trade says by which clock', () => {
    const world = new World({ options: { referenceAgeMsMax: 60_000 } });
    world.clock.advance(hour);
    expect(whyOf(world)).toBe(
      "expected a last trade of AAABBB at most 60 s old, found one of 3600 s by this machine's clock, for the venue's was not measured (orders.lastTradeNeeded: false does without)",
    );
    measured(world, -seconds(1_800) as Micros);
    expect(whyOf(world, 9_901)).toBe(
      "expected a last trade of AAABBB at most 60 s old, found one of 1800 s by the venue's clock, this machine's being 1800 s ahead (orders.lastTradeNeeded: false does without)",
    );
  });

  test('a new run measures anew', () => {
    const world = new World();
    measured(world, seconds(70));
    expect(world.state.carry().sessions.clockOffset).toBe(seconds(70));
    world.step({ kind: 'runStarted', run: 'r2', mode: 'sim', ...world.times });
    expect(world.state.clockOffset).toBeUndefined();
  });
});

describe('what an execution took of a balance', () => {
  const buy = { price: 10_000 as Ticks };
  const next = { price: 9_999 as Ticks };

  test('is in the balances that come after it, however far the venue’s clock is from ours', () => {
    for (const ahead of [minute, 0, -minute] as Micros[]) {
      const world = new World();
      measured(world, ahead);
      world.money({ BBB: '250' });
      world.fill(world.rest(buy), 10, ahead);
      world.clock.advance(millis(1));
      world.money({ BBB: '149' });
      expect(world.place(next)).toMatch(passed);
    }
  });

  test('is gone until balances come after it, however far the venue’s clock is from ours', () => {
    for (const ahead of [minute, 0, -minute] as Micros[]) {
      const world = new World();
      measured(world, ahead);
      world.money({ BBB: '150' });
      world.clock.advance(millis(1));
      world.fill(world.rest(buy), 10, ahead);
      expect(world.place(next)).toBe('FUNDS');
    }
  });

  test('is forgotten after five seconds each, where the venue’s clock has gone away from what was measured', () => {
    const world = new World();
    measured(world, 0 as Micros);
    world.money({ BBB: '500' });
    for (const price of [10_000, 9_999, 9_998]) {
      world.fill(world.rest({ price: price as Ticks }), 10, minute);
      world.clock.advance(seconds(3));
    }
    // Of three executions that took 100 each one is as young as this.
    expect(world.place({ price: 9_997 as Ticks, quantity: 35 as Lots })).toMatch(passed);
  });
});

import { expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { runProfits } from '../../../src/core/orders/base/profit.ts';
import { State } from '../../../src/core/state/state.ts';
import type { WorldParts } from './support/world.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { World } from './support/world.ts';

/** A lot is 0.1 and a tick 0.01: ten lots gain 10 BBB by 1,000 ticks. */
function begin(parts: WorldParts = {}, mode: 'live' | 'backtest' = 'live'): World {
  const world = new World({ options: { collarPercent: 100 }, ...parts, ready: false });
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode });
  if (parts.after === undefined) world.makeReady();
  return world;
}

/** The middle is at `ticks`, and profits are valued a second later. */
function move(world: World, ticks: number): void {
  world.market(0, ticks - 100, ticks + 100);
  world.clock.advance(seconds(1));
}

const noted = (world: World) =>
  runProfits(world.state).map(({ currency, profit, peak, drawdown, drawdownMax }) => [
    currency,
    ...[profit, peak, drawdown, drawdownMax].map((one) => (one === undefined ? one : formatAmount(one))),
  ]);

test('the peak of the profit and the largest fall from it are those of the run, over a restart', () => {
  const before = begin();
  before.hold(10);
  for (const ticks of [12_000, 10_500, 11_000]) move(before, ticks);
  expect(noted(before)).toEqual([['BBB', '10', '20', '10', '15']]);
  const world = begin({ after: before, run: 'r2' });
  move(world, 10_800);
  expect(noted(world)).toEqual([['BBB', '8', '20', '12', '15']]);
  move(world, 9_000);
  move(world, 10_000);
  expect(noted(world)).toEqual([['BBB', '0', '20', '20', '30']]);
});

test('they are part of the carried state', () => {
  const world = begin();
  world.hold(10);
  for (const ticks of [12_000, 11_500]) move(world, ticks);
  const next = new State({ instruments: world.instruments });
  next.fold({ kind: 'stateCarried', ...world.times, state: world.state.carry() });
  expect(next.courses.all).toEqual([
    { currency: 'BBB', peak: parseAmount('20'), drawdownMax: parseAmount('5') },
  ]);
});

test('nothing is recorded while nothing changes, when nothing is held, and in a backtest', () => {
  const marks = (world: World): number => world.ofKind('profitCourseMarked').length;
  const world = begin();
  move(world, 12_000);
  expect(marks(world)).toBe(0);
  world.hold(10);
  move(world, 13_000);
  const seen = marks(world);
  expect(seen).toBeGreaterThan(0);
  world.clock.advance(seconds(3_600));
  expect(marks(world)).toBe(seen);
  const simulated = begin({}, 'backtest');
  simulated.hold(10);
  move(simulated, 12_000);
  expect(marks(simulated)).toBe(0);
});

test('without a price nothing is reported of the profit, and the largest fall is kept', () => {
  const before = begin();
  before.hold(10);
  for (const ticks of [12_000, 11_000]) move(before, ticks);
  const world = begin({ after: before, run: 'r2' });
  const fresh = new State({ instruments: world.instruments });
  fresh.fold({ kind: 'stateCarried', ...world.times, state: world.state.carry() });
  expect(runProfits(fresh)).toEqual([
    {
      currency: 'BBB',
      profit: undefined,
      drawdown: undefined,
      peak: parseAmount('20'),
      drawdownMax: parseAmount('10'),
    },
  ]);
});

test('an execution that never was leaves neither a peak nor a fall behind', () => {
  const world = new World({ ready: false });
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  const venue = new FakeVenue(world);
  world.market();
  world.money({ AAA: '1000', BBB: '1000000', CCC: '1000' });
  venue.up();
  world.clock.advance(seconds(1));
  const id = world.place() as ClientOrderId;
  world.clock.advance(millis(50));
  const order = venue.orders.get(id)?.order;
  if (order === undefined) throw new Error('expected the order');
  const time = world.clock.now();
  const { price = 0, quantity } = order;
  const fill = { tradeId: 't-1', price, quantity, taker: false, time, fee: parseAmount('50') };
  venue.orders.set(id, { order: { ...order, state: 'canceled' }, since: time });
  world.step({
    kind: 'orderReport',
    ...world.times,
    reportType: 'trade',
    order: { ...order, state: 'filled', cumulative: quantity, updatedAt: time },
    fill: fill as never,
  });
  move(world, 30_000);
  move(world, 10_000);
  expect(world.state.courses.of('BBB').peak).toBeGreaterThan(0n);
  expect(world.state.courses.of('BBB').drawdownMax).toBeGreaterThan(0n);
  world.clock.advance(seconds(200));
  expect(world.ofKind('executionCorrected').map(({ correction }) => correction.cause)).toEqual(['withdrawn']);
  expect(noted(world)).toEqual([['BBB', '0', '0', '0', '0']]);
});

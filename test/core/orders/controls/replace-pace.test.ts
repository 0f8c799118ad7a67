import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runScenario } from '../../../../src/app/backtest/scenario-run.ts';
import { configSchema } from '../../../../src/app/config/schema.ts';
import { recordedScenario } from '../../../../src/app/run/scenario-config.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { fullCapabilities } from '../../../../src/core/model/capabilities.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';
import { strategyLimits } from '../../../../src/core/orders/base/options.ts';
import { limitsAmong, orderOptions } from '../../../../src/core/orders/options.ts';
import { openData } from '../../../../src/data/open/market-data.ts';
import { World } from '../support/world.ts';

const options = { replaceMsMin: 500 };

/** Asks for a replacement; returns its id and the sentence of its denial, if it was denied. */
function replace(world: World, clientOrderId: ClientOrderId, price: number) {
  const id = world.ids.next();
  const values = { quantity: 10 as Lots, price: price as Ticks, stopPrice: undefined };
  const verdicts = world.want({
    action: 'replace',
    strategy: 'maker',
    clientOrderId,
    newClientOrderId: id,
    ...values,
  });
  const denied = verdicts.find((event) => event.kind === 'orderDenied');
  return { id, denial: denied?.denial };
}

/** The venue makes the new order of a replacement and ends the other. */
function replaced(world: World, id: ClientOrderId): void {
  const order = world.state.order(id);
  if (order === undefined) throw new Error(`no order ${id}`);
  world.step({
    kind: 'orderReport',
    ...world.times,
    reportType: 'replaced',
    order: {
      ...order,
      venueOrderId: `venue ${id}`,
      orderListId: undefined,
      state: 'new',
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    },
    fill: undefined,
  });
}

/** An order that was replaced just now. */
function replacedOnce(world: World): ClientOrderId {
  const { id, denial } = replace(world, world.rest(), 9_890);
  expect(denial).toBeUndefined();
  replaced(world, id);
  return id;
}

test('an order is replaced a second time only when the least time has passed, to the microsecond', () => {
  const world = new World({ options });
  const id = replacedOnce(world);
  world.clock.advance(millis(200));
  expect(replace(world, id, 9_880).denial).toEqual({
    code: 'REPLACE_TOO_SOON',
    why: `expected at least 500 ms between replacements of one order (orders.replaceMsMin), found 200 ms since that of order ${id}`,
  });
  world.clock.advance((millis(300) - 1) as Micros);
  expect(replace(world, id, 9_880).denial?.code).toBe('REPLACE_TOO_SOON');
  world.clock.advance(1 as Micros);
  const next = replace(world, id, 9_880);
  expect(next.denial).toBeUndefined();
  replaced(world, next.id);
  expect(replace(world, next.id, 9_870).denial?.code).toBe('REPLACE_TOO_SOON');
});

test('neither the first replacement, nor that of another order, nor a cancel waits; without the setting none does', () => {
  const world = new World({ options });
  const id = replacedOnce(world);
  expect(replace(world, world.rest({ price: 9_800 as Ticks }), 9_790).denial).toBeUndefined();
  world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
  expect(world.state.order(id)?.cancelPending).toBe(true);
  const plain = new World();
  expect(replace(plain, replacedOnce(plain), 9_880).denial).toBeUndefined();
});

test('a replacement that the venue refused counts as well', () => {
  const world = new World({ options });
  const id = world.rest();
  world.rejected(replace(world, id, 9_890).id);
  expect(world.state.order(id)?.state).toBe('new');
  expect(replace(world, id, 9_880).denial?.code).toBe('REPLACE_TOO_SOON');
  world.clock.advance(millis(500));
  expect(replace(world, id, 9_880).denial).toBeUndefined();
});

test('a restart counts from the replacement in the journal, unless the clock was set back', () => {
  const before = new World({ options });
  const id = replacedOnce(before);
  before.clock.advance(millis(100));
  const world = new World({ options, after: before, run: 'r2' });
  expect(replace(world, id, 9_880).denial?.why).toMatch(/found 1\d\d ms since that of order/);
  world.clock.advance(millis(400));
  expect(replace(world, id, 9_880).denial).toBeUndefined();
  const setBack = new VirtualClock((before.clock.now() - seconds(3_600)) as Micros);
  const early = new World({ options, after: before, run: 'r3', clock: setBack });
  expect(replace(early, id, 9_880).denial?.code).not.toBe('REPLACE_TOO_SOON');
});

test('a venue that replaces no orders has the same least time, from the request on', () => {
  const world = new World({ options, capabilities: { ...fullCapabilities, replace: false } });
  const first = world.rest();
  const { id } = replace(world, first, 9_890);
  world.report(first, 'canceled');
  world.report(id, 'new');
  expect(replace(world, id, 9_880).denial?.code).toBe('REPLACE_TOO_SOON');
  world.clock.advance(millis(500));
  expect(replace(world, id, 9_880).denial).toBeUndefined();
});

test('a least time that is set while the run goes on counts what was before, and a shorter one allows more', () => {
  const world = new World();
  const id = replacedOnce(world);
  const limits = (replaceMsMin: number) =>
    limitsAmong(orderOptions.parse({ replaceMsMin }), [
      { name: 'maker', limits: strategyLimits.parse({}) },
      { name: 'taker', limits: strategyLimits.parse({}) },
    ]);
  const reload = (ms: number) =>
    world.operate({ act: 'reload', changed: 'some', limits: JSON.stringify(limits(ms)) });
  reload(500);
  expect(replace(world, id, 9_880).denial?.code).toBe('REPLACE_TOO_SOON');
  expect(world.orders.loosenedBy(limits(499))).toEqual(['orders.replaceMsMin']);
  expect(world.orders.loosenedBy(limits(501))).toEqual([]);
  world.clock.advance(millis(500));
  const next = replace(world, id, 9_880);
  replaced(world, next.id);
  reload(1_000);
  world.clock.advance(millis(600));
  expect(replace(world, next.id, 9_870).denial?.why).toMatch(/at least 1000 ms .* found 600 ms/);
});

test('a value that is no time of at most a day is refused', () => {
  for (const replaceMsMin of [-1, 0.5, '100', 86_400_001])
    expect(() => orderOptions.parse({ replaceMsMin })).toThrow();
});

test('in a backtest no order is replaced twice within the least time', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const times = new Map<ClientOrderId, number>();
  const gaps: number[] = [];
  const watch = (event: Event): void => {
    if (event.kind !== 'replacePending') return;
    const before = times.get(event.command.clientOrderId);
    if (before !== undefined) gaps.push(event.receiveTime - before);
    times.set(event.command.newClientOrderId, event.receiveTime);
  };
  const config = configSchema.parse({
    strategies: [{ name: 'market-maker', path: `${root}strategies/market-maker` }],
    orders: { replaceMsMin: 5_000 },
    backtest: { balances: { ETH: '100', BTC: '10', USDT: '1000000' } },
  });
  const recording = await openData([`${root}backtest/feeds/sample`]);
  const { report } = await runScenario({
    loaded: recordedScenario(config),
    data: { recording, prepared: 0 },
    watch,
  });
  expect(report?.denials.find(({ code }) => code === 'REPLACE_TOO_SOON')?.count).toBeGreaterThan(0);
  expect(gaps.length).toBeGreaterThan(0);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(seconds(5));
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/core/model/order.ts';
import marketMaker from '../../strategies/market-maker/index.ts';
import { quotesOf } from '../../strategies/market-maker/quotes.ts';
import { Volatility } from '../../strategies/market-maker/volatility.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = {
  quantity: '0.0010',
  positionMax: '0.0020',
  halfSpreadTicksMin: 2,
  pauseMs: 0,
  skewFactor: 1,
};

function start(more: Record<string, unknown> = {}): Scene {
  const scene = new Scene();
  scene.add(marketMaker, { ...params, ...more }).start();
  return scene;
}

/** Own open orders as `buy 998 x10`. */
function quotes(scene: Scene): string[] {
  return scene
    .open()
    .map(({ side, price, quantity, cumulative }) => `${side} ${price} x${quantity - cumulative}`);
}

function quote(scene: Scene, side: 'buy' | 'sell'): Order {
  const order = scene.open().find((one) => one.side === side);
  if (order === undefined) throw new Error(`no ${side} quote`);
  return order;
}

/** A cancel of `order` that left, and whose answer did not come in time. */
function unanswered(scene: Scene, { clientOrderId, strategy, instrument }: Order): void {
  const command = { kind: 'cancelOrder', commandId: 0, strategy, clientOrderId, instrument } as const;
  scene.publish({ kind: 'cancelPending', ...scene.times, command });
  scene.publish({
    kind: 'commandSettled',
    ...scene.times,
    commandId: 0,
    clientOrderId,
    lane: 'cancel',
    outcome: 'unanswered',
  });
}

describe('the market maker', () => {
  test('quotes both sides of the mid, post-only, with an expiry', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual(['buy 998 x10', 'sell 1002 x10']);
    for (const order of scene.open()) {
      expect(order).toMatchObject({
        postOnly: true,
        timeInForce: 'GTD',
        expireTime: scene.clock.now() + 60_000_000,
      });
    }
  });

  test('leaves a quote in its queue until its price has moved far enough, then replaces it', () => {
    const scene = start({ requoteTicks: 3 });
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.book([[997, 50]], [[1_007, 50]]);
    expect(scene.intents()).toHaveLength(2);
    // The ask makes room first; the bid follows once nothing of ours is in its way.
    scene.book([[999, 50]], [[1_009, 50]]);
    scene.book([[999, 51]], [[1_009, 50]]);
    expect(
      scene
        .intents()
        .slice(2)
        .map(({ action }) => action),
    ).toEqual(['replace', 'replace']);
    expect(quotes(scene)).toEqual(['sell 1006 x10', 'buy 1002 x10']);
  });

  test('moves quotes by cancel and a new order where replace is off', () => {
    const scene = start({ replace: false });
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.book([[1_001, 50]], [[1_005, 50]]);
    expect(
      scene
        .intents()
        .slice(2)
        .map(({ action }) => action),
    ).toEqual(['cancel', 'cancel']);
    scene.book([[1_001, 51]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual(['buy 1001 x10', 'sell 1005 x10']);
  });

  test('does not chase its own quotes', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    // The book as the venue shows it now: with our two quotes at the touch.
    scene.book(
      [
        [998, 10],
        [995, 50],
      ],
      [
        [1_002, 10],
        [1_005, 50],
      ],
    );
    expect(scene.intents()).toHaveLength(2);
  });

  test('a filled side moves both prices against the position, and the cap silences it', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.fill(quote(scene, 'buy').clientOrderId, 10);
    scene.book([[995, 49]], [[1_005, 50]]);
    // Half of the cap is held: the reservation price lies one tick (half a half spread) lower.
    expect(quotes(scene).sort()).toEqual(['buy 997 x10', 'sell 1002 x10']);
    scene.fill(quote(scene, 'buy').clientOrderId, 10);
    scene.book([[995, 48]], [[1_005, 50]]);
    scene.book([[995, 47]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual(['sell 1000 x10']);
    expect(scene.state.positions()[0]?.quantity).toBe(20);
  });

  test('withdraws when the book is stale or crossed, and comes back', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    const { id } = scene.instruments.get('ETHBTC');
    scene.publish({
      kind: 'bookStale',
      ...scene.times,
      instrument: id,
      reason: 'gap',
      expected: 2,
      found: 4,
    });
    expect(quotes(scene)).toEqual([]);
    // The same quotes again within a second would be refused as a slip.
    scene.book([[995, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual([]);
    scene.wait(1_201);
    scene.book([[995, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toHaveLength(2);
    scene.book([[1_007, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual([]);
  });

  test('renews a quote at half its lifetime although the book stands still', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.wait(29_000);
    expect(scene.intents()).toHaveLength(2);
    scene.wait(4_000);
    expect(quotes(scene)).toEqual(['buy 998 x10', 'sell 1002 x10']);
    for (const { expireTime } of scene.open())
      expect(expireTime).toBeGreaterThan(scene.clock.now() + 50_000_000);
  });

  test('rests two seconds after a refusal instead of storming', () => {
    const scene = start();
    scene.refuse = () => true;
    for (let i = 0; i < 100; i++) {
      scene.book([[995, 50 + i]], [[1_005, 50]]);
      scene.wait(50);
    }
    // Five seconds: at 0, 2 and 4 seconds on each side.
    expect(scene.intents()).toHaveLength(6);
    expect(scene.notes()[0]).toContain('refused side=buy code=NOTIONAL_MAX');
  });

  test('warns of a missing price to compare with when it is still missing after a rest, not at once', () => {
    const scene = start();
    scene.refuse = () => true;
    scene.refusal = { code: 'REFERENCE_PRICE_MISSING', why: 'no trade yet' };
    scene.book([[995, 50]], [[1_005, 50]]);
    const levels = (): readonly string[] => scene.of('strategyNoted').map(({ level }) => level);
    expect(levels()).toEqual(['info', 'info']);
    expect(scene.notes()[0]).toContain('waits for a price to compare with side=buy');
    scene.wait(2_100);
    scene.book([[995, 51]], [[1_005, 50]]);
    expect(levels()).toEqual(['info', 'info', 'warn', 'warn']);
  });

  test('does not rest when an order was gone before its word came', () => {
    const scene = start();
    scene.refuse = () => true;
    scene.refusal = { code: 'ORDER_NOT_LIVE', why: 'filled' };
    for (let i = 0; i < 5; i++) {
      scene.book([[995 + i, 50]], [[1_005 + i, 50]]);
      scene.wait(300);
    }
    expect(scene.intents()).toHaveLength(10);
    expect(scene.notes()).toEqual([]);
  });

  test('asks once for the cancel of an order, however long nothing answers', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.answering = false;
    for (let i = 0; i < 5; i++) {
      scene.book([[995, 50 + i]], []);
      // The cancel left, and its answer never came: the trader goes on with it.
      for (const order of scene.open()) unanswered(scene, order);
      scene.wait(3_000);
    }
    expect(scene.intents().filter(({ action }) => action === 'cancel')).toHaveLength(2);
    // Another order of that side is another matter.
    scene.answering = true;
    for (const order of scene.open()) scene.report(order, 'canceled');
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.book([[995, 50]], []);
    expect(scene.open()).toEqual([]);
  });

  test('places nothing again within a second, nor what it placed two orders ago', () => {
    const scene = start();
    for (const ask of [1_005, 1_009]) {
      scene.book([[995, 50]], [[ask, 50]]);
      scene.report(quote(scene, 'sell'), 'canceled');
      scene.wait(300);
    }
    scene.book([[995, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual(['buy 998 x10']);
    scene.wait(700);
    scene.book([[995, 50]], [[1_005, 50]]);
    expect(quotes(scene)).toEqual(['buy 998 x10', 'sell 1002 x10']);
  });

  test('cancels everything when it is stopped', () => {
    const scene = start();
    scene.book([[995, 50]], [[1_005, 50]]);
    scene.hosts[0]?.stop();
    expect(scene.open()).toEqual([]);
    expect(scene.intents().at(-1)).toMatchObject({ action: 'cancelAll' });
  });
});

const linear = {
  model: 'linear',
  halfSpreadTicksMin: 1,
  spreadFactor: 0.5,
  skewFactor: 1.5,
  gamma: 0.1,
  kappa: 0.3,
} as const;

describe('the quotes of Avellaneda and Stoikov', () => {
  const rules = { ...linear, model: 'avellaneda-stoikov', halfSpreadTicksMin: 0 } as const;
  const flat = { mid: 1_000, inventory: 0, held: 0, deviation: 4, bestBid: 900, bestAsk: 1_100, feeTicks: 0 };
  // gamma x variance = 0.1 x 16 = 1.6; 2 / gamma x ln(1 + gamma / kappa) = 20 x ln(4 / 3) = 5.7536.
  const half = (1.6 + 5.753_641_449) / 2;

  test('stand half the optimal spread around the reservation price', () => {
    expect(quotesOf(flat, rules)).toEqual({ bid: Math.floor(1_000 - half), ask: Math.ceil(1_000 + half) });
  });

  test('move by gamma times the variance for each quote held, without a bound', () => {
    const long = quotesOf({ ...flat, held: 5, inventory: 1 }, rules);
    expect(long).toEqual({ bid: Math.floor(992 - half), ask: Math.ceil(992 + half) });
    const short = quotesOf({ ...flat, held: -5, inventory: -1 }, rules);
    expect(short).toEqual({ bid: Math.floor(1_008 - half), ask: Math.ceil(1_008 + half) });
  });

  test('come closer when fills thin out faster with the distance', () => {
    const near = quotesOf(flat, { ...rules, kappa: 3 });
    expect(near.ask - near.bid).toBeLessThan(2 * half);
  });
});

test('quotes never cross, never take, and never earn less than the fee', () => {
  const inputs = fc.record({
    bestBid: fc.integer({ min: 2, max: 1_000_000 }),
    spread: fc.integer({ min: 1, max: 1_000 }),
    inventory: fc.double({ min: -2, max: 2, noNaN: true }),
    held: fc.double({ min: -100, max: 100, noNaN: true }),
    model: fc.constantFrom('linear' as const, 'avellaneda-stoikov' as const),
    deviation: fc.double({ min: 0, max: 10_000, noNaN: true }),
    feeTicks: fc.double({ min: -100, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(inputs, ({ bestBid, spread, model, ...rest }) => {
      const bestAsk = bestBid + spread;
      const mid = (bestBid + bestAsk) / 2;
      const rules = { ...linear, model };
      const { bid, ask } = quotesOf({ mid, bestBid, bestAsk, ...rest }, rules);
      expect(bid).toBeLessThan(ask);
      expect(bid).toBeGreaterThan(0);
      expect(bid).toBeLessThan(bestAsk);
      expect(ask).toBeGreaterThan(bestBid);
      expect(Number.isSafeInteger(bid) && Number.isSafeInteger(ask)).toBe(true);
    }),
  );
});

test('volatility is that of a known walk, and an outage is no jump', () => {
  const volatility = new Volatility({ sampleSeconds: 1, memorySeconds: 60 });
  for (let second = 0; second < 600; second++)
    volatility.observe(second % 2 === 0 ? 1_000 : 1_004, second * 1e6);
  expect(volatility.over(1)).toBeCloseTo(4, 2);
  expect(volatility.over(4)).toBeCloseTo(8, 2);
  volatility.interrupt();
  volatility.observe(9_000, 700e6);
  volatility.observe(9_000, 701e6);
  expect(volatility.over(1)).toBeLessThan(4.01);
});

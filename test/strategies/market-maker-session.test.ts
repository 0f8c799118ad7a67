import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { summed } from '../research/report/support/summed.ts';
import marketMaker from '../../strategies/market-maker/index.ts';
import { Scene } from '../core/strategy/scene.ts';

const seed = 20_240_817;

/**
 * Half an hour of a scripted market: a mid price that walks, touches six ticks apart, and takers that hit whoever
 * is best. `knowing` is the share of takers who trade in the direction of the next move.
 */
function session(knowing: number) {
  const scene = new Scene();
  const random = new Random(seed);
  const { instruments } = scene;
  const { summary, observe } = summed({ instruments, book: (id) => scene.state.book(id) });
  const params = { quantity: '0.0100', positionMax: '0.0500', pauseMs: 100 };
  scene.add(marketMaker, params).start();
  let mid = 50_000;
  let seen = 0;
  let heldMax = 0;
  for (let step = 0; step < 3_600; step++) {
    const move = random.pick([-2, -1, 0, 0, 1, 2]);
    scene.book([[mid - 3, 500]], [[mid + 3, 500]]);
    if (random.chance(0.4)) {
      const buys = random.chance(knowing) ? move > 0 : random.chance(0.5);
      take(scene, buys, buys ? mid + 3 : mid - 3, random.between(20, 150));
    }
    scene.wait(500);
    mid += move;
    for (const event of scene.events.slice(seen)) observe(event);
    seen = scene.events.length;
    heldMax = Math.max(heldMax, Math.abs(scene.state.netPosition(instruments.get('ETHBTC').id)));
  }
  summary.finish();
  return { scene, summary, profit: summary.profit('BTC'), heldMax };
}

/** A taker meets our quote where it is better than the touch of everybody else. */
function take(scene: Scene, buys: boolean, touch: number, lots: number): void {
  const quote = scene.open().find(({ side, state }) => state === 'new' && side === (buys ? 'sell' : 'buy'));
  if (quote?.price === undefined || (buys ? quote.price >= touch : quote.price <= touch)) return;
  scene.fill(quote.clientOrderId, Math.min(lots, quote.quantity - quote.cumulative));
}

describe(`half an hour of market making (seed ${seed})`, () => {
  const blind = session(0);
  const preyed = session(1);

  test('earns the spread from takers who know nothing', () => {
    const holding = blind.summary.holdings()[0];
    expect(holding?.position.fillCount).toBeGreaterThan(200);
    expect(holding?.makerFills).toBe(holding?.position.fillCount);
    expect(blind.profit).toBeGreaterThan(0n);
  });

  test('earns less from takers who know the next move', () => {
    expect(preyed.profit).toBeLessThan(blind.profit);
  });

  test('keeps its position within the cap, and its messages few', () => {
    expect(blind.heldMax).toBeLessThanOrEqual(500);
    const messages = blind.scene.intents().length;
    expect(messages).toBeLessThan(2 * 3_600);
    expect(blind.scene.of('strategyStopped')).toEqual([]);
    expect(blind.scene.open().length).toBeLessThanOrEqual(2);
  });

  test('comes out the same again', () => {
    expect(session(0).profit).toBe(blind.profit);
  });
});

import { describe, expect, test } from 'vitest';
import spread from '../../strategies/spread/index.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { one: 'ETHBTC', other: 'LTCBTC', quantity: '0.0100', most: '0.0200', edgeBasisPointsMin: 20 };

function start(): Scene {
  const scene = new Scene();
  scene.add(spread, params).start();
  scene.book([[49_990, 500]], [[50_010, 500]], 'ETHBTC');
  return scene;
}

/** The book of the other symbol, by its bid; the ask is twenty ticks above. */
function other(scene: Scene, bid: number): void {
  scene.book([[bid, 500]], [[bid + 20, 500]], 'LTCBTC');
}

describe('the spread', () => {
  test('does nothing while the edge is smaller than wanted', () => {
    const scene = start();
    // 19.6 hundredths of a percent above the ask of the first.
    other(scene, 50_108);
    expect(scene.intents()).toEqual([]);
  });

  test('sells the expensive symbol at its bid and buys the cheap one at its ask, immediate or cancel', () => {
    const scene = start();
    other(scene, 50_111);
    expect(scene.intents()).toMatchObject([
      {
        request: {
          instrument: scene.instruments.get('LTCBTC').id,
          side: 'sell',
          price: 50_111,
          timeInForce: 'IOC',
        },
      },
      {
        request: {
          instrument: scene.instruments.get('ETHBTC').id,
          side: 'buy',
          price: 50_010,
          timeInForce: 'IOC',
        },
      },
    ]);
  });

  test('takes the other side where the first symbol is the expensive one', () => {
    const scene = start();
    other(scene, 49_800);
    expect(scene.intents()).toMatchObject([
      { request: { side: 'sell', price: 49_990 } },
      { request: { side: 'buy', price: 49_820 } },
    ]);
  });

  test('rests after a trade, and sells no more than the largest position', () => {
    const scene = start();
    const sold = (): number => scene.intents().filter((intent) => 'request' in intent).length / 2;
    const trade = (): void => {
      other(scene, 50_111);
      for (const { clientOrderId, quantity } of scene.open()) scene.fill(clientOrderId, quantity);
    };
    trade();
    trade();
    expect(sold()).toBe(1);
    scene.wait(2_500);
    trade();
    expect(sold()).toBe(2);
    scene.wait(2_500);
    trade();
    expect(sold()).toBe(2);
  });
});

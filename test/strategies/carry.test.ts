import { describe, expect, test } from 'vitest';
import carry from '../../strategies/carry/index.ts';
import { Scene, marginSpecs } from '../core/strategy/scene.ts';

const params = {
  spot: 'ETHBTC',
  contract: 'ETHBTC_PERP',
  quantity: '0.0100',
  most: '0.0200',
  enterBasisPoints: 20,
  leaveBasisPoints: 0,
  slippageTicks: 5,
};

function start(): Scene {
  const scene = new Scene(marginSpecs);
  scene.add(carry, params).start();
  scene.book([[49_990, 500]], [[50_000, 500]], 'ETHBTC');
  return scene;
}

/** The book of the contract, by its bid; the ask is twenty ticks above. */
function contract(scene: Scene, bid: number): void {
  scene.book([[bid, 500]], [[bid + 20, 500]], 'ETHBTC_PERP');
}

const requests = (scene: Scene) =>
  scene.intents().flatMap((intent) => (intent.action === 'place' ? [intent.request] : []));

/** Fills what is open, in the order it was asked for; all of it, or what `lots` says. */
function fill(scene: Scene, lots: (quantity: number) => number = (quantity) => quantity): void {
  for (const { clientOrderId, quantity } of scene.open()) scene.fill(clientOrderId, lots(quantity) as never);
}

describe('carry', () => {
  test('does nothing while the contract is not expensive enough', () => {
    const scene = start();
    contract(scene, 50_099);
    expect(requests(scene)).toEqual([]);
  });

  test('buys the spot symbol and sells as much of the contract, on margin of its own', () => {
    const scene = start();
    contract(scene, 50_100);
    const [spot, futures] = requests(scene);
    expect(spot).toMatchObject({ side: 'buy', price: 50_000, quantity: 100, timeInForce: 'IOC' });
    expect(spot?.margin).toBeUndefined();
    expect(futures).toMatchObject({
      instrument: scene.instruments.get('ETHBTC_PERP').id,
      side: 'sell',
      price: 50_100,
      quantity: 100,
      margin: { mode: 'cross', auto: false, reduceOnly: false },
    });
  });

  test('trades what one leg lacks before anything else', () => {
    const scene = start();
    contract(scene, 50_100);
    const [spot, futures] = scene.open();
    if (spot === undefined || futures === undefined) throw new Error('expected two orders');
    scene.fill(spot.clientOrderId, spot.quantity);
    scene.report(futures, 'expired');
    scene.wait(2_500);
    contract(scene, 50_050);
    expect(requests(scene).at(-1)).toMatchObject({ side: 'sell', quantity: 100, price: 50_045 });
    expect(requests(scene)).toHaveLength(3);
  });

  test('closes both legs where the premium is gone, the contract by an order that only reduces', () => {
    const scene = start();
    contract(scene, 50_100);
    fill(scene);
    scene.wait(2_500);
    contract(scene, 49_970);
    const [spot, futures] = requests(scene).slice(-2);
    expect(spot).toMatchObject({ side: 'sell', price: 49_990, quantity: 100 });
    expect(futures).toMatchObject({ side: 'buy', price: 49_990, margin: { reduceOnly: true } });
  });

  test('holds no more than the largest position', () => {
    const scene = start();
    for (let i = 0; i < 4; i++) {
      contract(scene, 50_100);
      fill(scene);
      scene.wait(2_500);
    }
    expect(requests(scene)).toHaveLength(4);
  });
});

import { describe, expect, test } from 'vitest';
import carry from '../../strategies/carry/index.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { heldPosition } from '../core/support/margin-account.ts';
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

function start(more: object = {}, wallet = '1'): Scene {
  const scene = new Scene(marginSpecs);
  scene.publish({
    kind: 'balances',
    ...scene.times,
    complete: true,
    wallet: 'futures',
    balances: [{ currency: 'BTC', available: parseAmount(wallet), reserved: zero }],
  });
  scene.add(carry, { ...params, ...more }).start();
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

const account = (scene: Scene) =>
  scene.state.marginAccount({ product: 'futures', mode: 'cross', instrument: undefined, currency: 'BTC' });
const changes = (scene: Scene) =>
  scene
    .intents()
    .flatMap((intent) => (intent.action === 'changeMargin' ? [Number(intent.change.balance) / 1e24] : []));

/** The contract becomes expensive; once its margin is there the pair is asked for. */
function enter(scene: Scene): void {
  contract(scene, 50_100);
  scene.wait(2_500);
  contract(scene, 50_100);
}

/** The venue reports the account of the contract, with the position that fills came to. */
function reported(scene: Scene, fields: { pnl: string; called?: boolean }): void {
  const known = account(scene);
  if (known === undefined) throw new Error('expected an account');
  const id = scene.instruments.get('ETHBTC_PERP').id;
  const position = heldPosition(id, '-0.0100', '0.050100', { mode: 'cross', pnl: parseAmount(fields.pnl) });
  const called = fields.called === true;
  scene.margin('futures', { ...known, positions: [position], called }, 'updated');
}

describe('carry and its margin', () => {
  test('puts in the margin of its leverage before it sells, and then sells', () => {
    const scene = start();
    contract(scene, 50_100);
    expect(requests(scene)).toEqual([]);
    // 0.01 at 0.050120, divided by three.
    expect(changes(scene)).toEqual([0.00016707]);
    enter(scene);
    expect(requests(scene)).toHaveLength(2);
    const other = start({ leverage: 10 });
    contract(other, 50_100);
    expect(changes(other)).toEqual([0.00005012]);
  });

  test('adds margin where the price has eaten it, before a call and at one', () => {
    for (const called of [false, true]) {
      const scene = start();
      enter(scene);
      fill(scene);
      reported(scene, { pnl: '-0.00005', called });
      scene.wait(2_500);
      contract(scene, 50_050);
      expect(changes(scene)[1]).toBeCloseTo(0.00016707 + 0.00005, 6);
      expect(requests(scene)).toHaveLength(2);
    }
  });

  test('adds margin at a call at once, whatever it rests for', () => {
    const scene = start();
    enter(scene);
    fill(scene);
    reported(scene, { pnl: '-0.00015', called: true });
    expect(changes(scene)).toHaveLength(2);
  });

  test('reduces both legs where no margin is left, or no more is allowed', () => {
    for (const [scene, pnl] of [
      [start({}, '0.00017'), '-0.0003'],
      [start({ margin: '0.0002' }), '-0.00012'],
    ] as const) {
      enter(scene);
      fill(scene);
      reported(scene, { pnl, called: true });
      const [spot, futures] = requests(scene).slice(2);
      expect(spot).toMatchObject({ side: 'sell', quantity: 100 });
      expect(futures).toMatchObject({ side: 'buy', quantity: 100, margin: { reduceOnly: true } });
      expect(changes(scene)).toHaveLength(1);
    }
  });

  test('sells nothing that its margin does not pay', () => {
    const scene = start({}, '0.0001');
    enter(scene);
    expect([requests(scene), changes(scene)]).toEqual([[], []]);
  });
});

describe('carry', () => {
  test('does nothing while the contract is not expensive enough', () => {
    const scene = start();
    contract(scene, 50_099);
    expect(requests(scene)).toEqual([]);
  });

  test('buys the spot symbol and sells as much of the contract, on margin of its own', () => {
    const scene = start();
    enter(scene);
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
    enter(scene);
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
    enter(scene);
    fill(scene);
    scene.wait(2_500);
    contract(scene, 49_970);
    const [spot, futures] = requests(scene).slice(-2);
    expect(spot).toMatchObject({ side: 'sell', price: 49_990, quantity: 100 });
    expect(futures).toMatchObject({ side: 'buy', price: 49_990, margin: { reduceOnly: true } });
  });

  test('holds no more than the largest position', () => {
    const scene = start();
    for (let i = 0; i < 8; i++) {
      contract(scene, 50_100);
      fill(scene);
      scene.wait(2_500);
    }
    expect(requests(scene)).toHaveLength(4);
  });
});

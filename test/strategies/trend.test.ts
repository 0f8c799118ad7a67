import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import trend from '../../strategies/trend/index.ts';
import { Cross, MovingAverage } from '../../strategies/trend/averages.ts';
import { Scene, marginSpecs } from '../core/strategy/scene.ts';

/** One candle a minute, closing at each price; the book stands around it. */
function minutes(scene: Scene, prices: readonly number[], symbol = 'ETHBTC'): void {
  for (const price of prices) {
    scene.book([[price - 1, 50]], [[price + 1, 50]], symbol);
    scene.trade(price, 1, 'buy', symbol);
    scene.wait(60_000);
  }
}

describe('the trend follower', () => {
  test('goes long on a rising cross and flat on a falling one, in limits that end at once', () => {
    const scene = new Scene();
    scene.add(trend, { fast: 2, slow: 4, quantity: '0.0010' }).start();
    minutes(scene, [1_000, 990, 980, 970, 960, 1_010, 1_050]);
    const [buy] = scene.intents();
    expect(buy).toMatchObject({
      action: 'place',
      request: { side: 'buy', quantity: 10, timeInForce: 'IOC', type: 'limit', price: 1_056 },
    });
    const [order] = scene.open();
    if (order === undefined) throw new Error('no order');
    scene.fill(order.clientOrderId, 10);
    minutes(scene, [1_000, 900, 850]);
    expect(scene.intents()[1]).toMatchObject({ request: { side: 'sell', quantity: 10 } });
    expect(scene.notes()).toEqual([
      'the averages crossed crossing=up target=10',
      'the averages crossed crossing=down target=0',
    ]);
  });

  test('tries again for what a thin book left open', () => {
    const scene = new Scene();
    scene.add(trend, { fast: 1, slow: 2, quantity: '0.0010' }).start();
    minutes(scene, [1_000, 990, 980, 1_010, 1_020]);
    const [order] = scene.open();
    if (order === undefined) throw new Error('no order');
    scene.fill(order.clientOrderId, 4);
    scene.report(scene.order(order.clientOrderId), 'expired');
    const before = scene.intents().length;
    scene.wait(5_000);
    expect(scene.intents().slice(before)).toMatchObject([{ request: { side: 'buy', quantity: 6 } }]);
  });

  test('waits twice as long after each attempt in vain', () => {
    const scene = new Scene();
    scene.add(trend, { fast: 1, slow: 2, quantity: '0.0010' }).start();
    minutes(scene, [1_000, 990, 980, 1_010]);
    const attempts = (): number => scene.intents().length;
    const giveUp = (): void => {
      for (const order of scene.open()) scene.report(order, 'expired');
    };
    scene.trade(1_020, 1);
    expect(attempts()).toBe(1);
    giveUp();
    const tries: number[] = [];
    for (let second = 1; second <= 80; second++) {
      const before = attempts();
      scene.wait(1_000);
      giveUp();
      if (attempts() > before) tries.push(second);
    }
    expect(tries).toEqual([5, 15, 35, 75]);
  });

  test('keeps no timer while nothing is missing: years of candles fire none', () => {
    const scene = new Scene();
    scene.add(trend, { fast: 1, slow: 2, quantity: '0.0010' }).start();
    expect(scene.clock.nextTime()).toBeUndefined();
    minutes(scene, [1_000, 990, 980, 1_010, 1_020]);
    expect(scene.clock.nextTime()).toBeDefined();
    const [order] = scene.open();
    if (order === undefined) throw new Error('no order');
    scene.fill(order.clientOrderId, 10);
    scene.wait(5_000);
    expect(scene.clock.nextTime()).toBeUndefined();
  });

  test('refuses a fast average that is not faster', () => {
    expect(() => new Scene().add(trend, { fast: 20, slow: 20 })).toThrow(
      'param fast: found 20, expected fewer candles than slow',
    );
  });
});

test('a moving average is that of the last values', () => {
  const average = new MovingAverage(3);
  expect([3, 6, 9, 12, 0].map((value) => average.next(value))).toEqual([Number.NaN, Number.NaN, 6, 9, 7]);
});

test('the first side taken is no crossing, and touching is none', () => {
  const cross = new Cross(1, 2);
  expect([5, 6, 6, 7, 5].map((value) => cross.next(value))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'down',
  ]);
});

describe('the trend follower on futures', () => {
  const symbol = 'ETHBTC_PERP';
  const futures = { symbol, product: 'futures', fast: 2, slow: 4, quantity: '0.0010', short: true };

  test('opens its margin account, sets the leverage, then follows the trend both ways with margin of its own', () => {
    const scene = new Scene(marginSpecs);
    scene.add(trend, { ...futures, margin: '20', leverage: '3' }).start();
    scene.wait(5_000);
    const changes = scene
      .intents()
      .flatMap((intent) => (intent.action === 'changeMargin' ? [intent.change] : []));
    expect(changes).toMatchObject([
      { product: 'futures', mode: 'isolated', balance: parseAmount('20'), leverage: undefined },
      { balance: undefined, leverage: parseAmount('3') },
    ]);
    minutes(scene, [1_000, 990, 980, 970, 960, 1_010, 1_050], symbol);
    const [order] = scene.open();
    expect(order).toMatchObject({
      side: 'buy',
      quantity: 10,
      margin: { mode: 'isolated', reduceOnly: false },
    });
    if (order === undefined) throw new Error('no order');
    scene.fill(order.clientOrderId, 10);
    minutes(scene, [1_000, 900, 850], symbol);
    expect(scene.open()[0]).toMatchObject({ side: 'sell', quantity: 20 });
  });

  test('trades nothing while its leverage is refused', () => {
    const scene = new Scene(marginSpecs);
    scene.refuse = (intent) => intent.action === 'changeMargin' && intent.change.leverage !== undefined;
    scene.add(trend, futures).start();
    scene.wait(5_000);
    minutes(scene, [1_000, 990, 980, 970, 960, 1_010, 1_050], symbol);
    expect(scene.open()).toEqual([]);
    expect(scene.notes().join()).toContain('margin refused');
  });

  test('on cross margin puts its margin into the account before it trades', () => {
    const scene = new Scene(marginSpecs);
    scene.add(trend, { ...futures, marginMode: 'cross', margin: '20' }).start();
    expect(scene.intents()).toMatchObject([{ change: { mode: 'cross', balance: parseAmount('20') } }]);
    minutes(scene, [1_000, 990, 980, 970, 960, 1_010, 1_050], symbol);
    expect(scene.open()[0]).toMatchObject({ side: 'buy', margin: { mode: 'cross' } });
  });

  test('closes its position at a margin call, and follows the next crossing', () => {
    const scene = new Scene(marginSpecs);
    scene.add(trend, futures).start();
    scene.wait(5_000);
    minutes(scene, [1_000, 990, 980, 970, 960, 1_010, 1_050], symbol);
    const [order] = scene.open();
    if (order === undefined) throw new Error('no order');
    scene.fill(order.clientOrderId, 10);
    const key = { product: 'futures', mode: 'isolated', currency: 'BTC' } as const;
    const account = scene.state.marginAccount({ ...key, instrument: scene.instruments.get(symbol).id });
    if (account === undefined) throw new Error('no account');
    scene.margin('futures', { ...account, called: true }, 'updated');
    expect(scene.notes().join()).toContain('margin call: the position is closed');
    const [exit] = scene.open();
    expect(exit).toMatchObject({ side: 'sell', quantity: 10 });
    if (exit !== undefined) scene.fill(exit.clientOrderId, 10);
    minutes(scene, [1_000, 900, 850], symbol);
    expect(scene.open()[0]).toMatchObject({ side: 'sell', quantity: 10 });
  });
});

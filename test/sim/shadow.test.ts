import { describe, expect, test } from 'vitest';
import { SimHarness } from '../support/sim-harness.ts';

/** [foreign 40][ours 2][foreign 15] at bid 100. */
function queued(options: Record<string, unknown> = {}): SimHarness {
  const harness = new SimHarness({ options });
  harness.book([[100, 40]], [[105, 10]]);
  harness.order('mine', 'buy', { price: 100, quantity: 2 });
  harness.book([[100, 55]], []);
  harness.received();
  return harness;
}

describe('recorded trades walk the queue', () => {
  test('who stood before us is met first', () => {
    const harness = queued();
    harness.trade('sell', 40, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['mine trade 1@100']);
    harness.trade('sell', 5, 100);
    expect(harness.received()).toEqual(['mine trade 1@100 filled']);
  });

  test('one trade may go through those ahead, us and those behind', () => {
    const harness = queued();
    harness.trade('sell', 50, 100);
    expect(harness.received()).toEqual(['mine trade 2@100 filled']);
  });

  test('a trade at a worse price has met us at ours', () => {
    const harness = queued();
    harness.trade('sell', 1, 99);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });

  test('a trade of the other side, or at a better price, does not concern us', () => {
    const harness = queued();
    harness.trade('buy', 50, 105);
    harness.trade('sell', 50, 101);
    expect(harness.received()).toEqual([]);
  });
});

describe('a recorded order through two of ours', () => {
  test('has met the better one once, whatever goes on between them', () => {
    const harness = new SimHarness();
    harness.order('worse', 'sell', { price: 100, quantity: 1 });
    harness.order('better', 'sell', { price: 99, quantity: 2 });
    harness.received();
    harness.book([[100, 1]], []);
    harness.book([[99, 1]], []);
    harness.book([[100, 1]], []);
    expect(harness.received()).toEqual(['better trade 1@99', 'better trade 1@99 filled']);
  });
});

describe('a recorded order that met one of ours', () => {
  test('is forgotten with it, whatever else of ours rests', () => {
    const harness = new SimHarness();
    harness.order('other', 'buy', { price: 90, quantity: 1 });
    harness.order('first', 'buy', { price: 100, quantity: 9 });
    harness.book([], [[100, 8]]);
    harness.cancel('first');
    harness.book([], [[100, 0]]);
    harness.order('next', 'buy', { price: 100, quantity: 5 });
    harness.received();
    harness.book([], [[100, 3]]);
    expect(harness.received()).toEqual(['next trade 3@100']);
  });
});

describe('a level shrinks', () => {
  test('what trades took is not taken again', () => {
    const harness = queued();
    harness.trade('sell', 10, 100);
    harness.book([[100, 45]], []);
    harness.trade('sell', 30, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });

  test('conservatively the orders behind us leave first', () => {
    const harness = queued();
    harness.book([[100, 40]], []);
    harness.trade('sell', 40, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 2, 100);
    expect(harness.received()).toEqual(['mine trade 2@100 filled']);
  });

  test('conservatively those ahead leave when none is left behind', () => {
    const harness = queued();
    harness.book([[100, 30]], []);
    harness.trade('sell', 30, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 2, 100);
    expect(harness.received()).toEqual(['mine trade 2@100 filled']);
  });

  test('in proportion, of 22 gone 16 stood ahead of us', () => {
    const harness = queued({ queueModel: 'proportional' });
    harness.book([[100, 33]], []);
    harness.trade('sell', 24, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });

  test('a level the recording has emptied holds only us', () => {
    const harness = queued();
    harness.book([[100, 0]], []);
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });

  test('with two of ours the younger one loses its followers first', () => {
    const harness = queued();
    harness.order('second', 'buy', { price: 100, quantity: 3 });
    harness.received();
    // [40][mine 2][15][second 3]; ten leave: conservatively from between ours.
    harness.book([[100, 45]], []);
    harness.trade('sell', 40 + 2 + 5 + 1, 100);
    expect(harness.received()).toEqual(['mine trade 2@100 filled', 'second trade 1@100']);
  });
});

describe('a level grows', () => {
  test('newcomers queue behind us, and a trade that met us is taken off the front of what stands there', () => {
    const harness = queued();
    harness.order('second', 'buy', { price: 100, quantity: 3 });
    harness.received();
    // [40][mine 2][15][second 3]: 42 traded means 42 of the recorded 55 are gone; two of them met us.
    harness.trade('sell', 42, 100);
    expect(harness.received()).toEqual(['mine trade 2@100 filled']);
    harness.book([[100, 20]], []);
    // 13 of the recording are left before us, 7 came behind.
    harness.trade('sell', 13, 100);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['second trade 1@100']);
  });
});

describe('our orders take from the recorded market', () => {
  test('what we took is missing until the recording changes that level', () => {
    const harness = new SimHarness();
    harness.book([[100, 5]], [[101, 4]]);
    const ioc = { price: 101, quantity: 3, timeInForce: 'IOC' } as const;
    harness.order('a', 'buy', ioc);
    harness.order('b', 'buy', ioc);
    expect(harness.received()).toEqual([
      'a new',
      'a trade 3@101 filled',
      'b new',
      'b trade 1@101',
      'b expired',
    ]);
    harness.book([], [[101, 4]]);
    harness.order('c', 'buy', ioc);
    expect(harness.received()).toEqual(['c new', 'c trade 3@101 filled']);
  });

  test('FOK, market and post-only orders see the recorded book', () => {
    const harness = new SimHarness();
    harness.book(
      [[100, 5]],
      [
        [101, 4],
        [102, 4],
      ],
    );
    harness.order('fok', 'buy', { price: 101, quantity: 5, timeInForce: 'FOK' });
    harness.order('post', 'buy', { price: 101, quantity: 5, postOnly: true });
    harness.order('market', 'buy', { type: 'market', quantity: 6, timeInForce: 'FOK' });
    expect(harness.received()).toEqual([
      'fok new',
      'fok expired',
      'post expired',
      'market new',
      'market trade 4@101',
      'market trade 2@102 filled',
    ]);
  });

  test('a stop fires on recorded trades', () => {
    const harness = new SimHarness();
    harness.book([[100, 5]], [[101, 4]]);
    harness.order('stop', 'sell', { type: 'stopMarket', stopPrice: 99, quantity: 2, timeInForce: 'FOK' });
    harness.trade('sell', 1, 100);
    expect(harness.received()).toEqual(['stop suspended']);
    harness.trade('sell', 1, 99);
    expect(harness.received()).toEqual(['stop new', 'stop trade 2@100 filled']);
  });
});

describe('the recording quotes through our order', () => {
  test('what comes takes from us, once, and rests when we are gone', () => {
    const harness = new SimHarness();
    harness.book([[100, 5]], [[105, 4]]);
    harness.order('mine', 'sell', { price: 103, quantity: 7 });
    harness.book([[103, 4]], []);
    expect(harness.received()).toEqual(['mine new', 'mine trade 4@103']);
    harness.book([[103, 4]], []);
    expect(harness.received()).toEqual([]);
    harness.book([[103, 9]], []);
    expect(harness.received()).toEqual(['mine trade 3@103 filled']);
    harness.order('take', 'sell', { price: 103, quantity: 9, timeInForce: 'IOC' });
    expect(harness.received()).toEqual(['take new', 'take trade 2@103', 'take expired']);
  });

  test('what we took ourselves does not meet us again when the recording names it', () => {
    const harness = new SimHarness();
    harness.book([[100, 5]], [[101, 4]]);
    harness.order('mine', 'sell', { price: 100, quantity: 8 });
    expect(harness.received()).toEqual(['mine new', 'mine trade 5@100']);
    harness.book([[100, 6]], []);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });

  test('a crossed update among foreign levels trades nothing', () => {
    const harness = new SimHarness();
    harness.book([[100, 5]], [[101, 4]]);
    harness.book([[102, 5]], []);
    harness.book(
      [],
      [
        [101, 0],
        [103, 2],
      ],
    );
    harness.order('take', 'buy', { price: 103, quantity: 9, timeInForce: 'IOC' });
    expect(harness.received()).toEqual(['take new', 'take trade 2@103', 'take expired']);
  });
});

describe('a snapshot', () => {
  test('replaces what is foreign and leaves our place in the queue', () => {
    const harness = queued();
    harness.book(
      [
        [100, 50],
        [99, 7],
      ],
      [[104, 3]],
      'bookSnapshot',
    );
    harness.order('take', 'buy', { price: 105, quantity: 9, timeInForce: 'IOC' });
    expect(harness.received()).toEqual(['take new', 'take trade 3@104', 'take expired']);
    harness.trade('sell', 41, 100);
    expect(harness.received()).toEqual(['mine trade 1@100']);
  });
});

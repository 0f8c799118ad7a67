import { describe, expect, test } from 'vitest';
import { SimDesk } from '../support/sim-desk.ts';

/** [foreign 40][ours 2][foreign 15] at bid 100. */
function queued(options: Record<string, unknown> = {}): SimDesk {
  const desk = new SimDesk({ options });
  desk.book([[100, 40]], [[105, 10]]);
  desk.order('mine', 'buy', { price: 100, quantity: 2 });
  desk.book([[100, 55]], []);
  desk.heard();
  return desk;
}

describe('recorded trades walk the queue', () => {
  test('who stood before us is met first', () => {
    const desk = queued();
    desk.trade('sell', 40, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
    desk.trade('sell', 5, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100 filled']);
  });

  test('one trade may go through those ahead, us and those behind', () => {
    const desk = queued();
    desk.trade('sell', 50, 100);
    expect(desk.heard()).toEqual(['mine trade 2@100 filled']);
  });

  test('a trade at a worse price has met us at ours', () => {
    const desk = queued();
    desk.trade('sell', 1, 99);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });

  test('a trade of the other side, or at a better price, does not concern us', () => {
    const desk = queued();
    desk.trade('buy', 50, 105);
    desk.trade('sell', 50, 101);
    expect(desk.heard()).toEqual([]);
  });
});

describe('a recorded order through two of ours', () => {
  test('has met the better one once, whatever goes on between them', () => {
    const desk = new SimDesk();
    desk.order('worse', 'sell', { price: 100, quantity: 1 });
    desk.order('better', 'sell', { price: 99, quantity: 2 });
    desk.heard();
    desk.book([[100, 1]], []);
    desk.book([[99, 1]], []);
    desk.book([[100, 1]], []);
    expect(desk.heard()).toEqual(['better trade 1@99', 'better trade 1@99 filled']);
  });
});

describe('a recorded order that met one of ours', () => {
  test('is forgotten with it, whatever else of ours rests', () => {
    const desk = new SimDesk();
    desk.order('other', 'buy', { price: 90, quantity: 1 });
    desk.order('first', 'buy', { price: 100, quantity: 9 });
    desk.book([], [[100, 8]]);
    desk.cancel('first');
    desk.book([], [[100, 0]]);
    desk.order('next', 'buy', { price: 100, quantity: 5 });
    desk.heard();
    desk.book([], [[100, 3]]);
    expect(desk.heard()).toEqual(['next trade 3@100']);
  });
});

describe('a level shrinks', () => {
  test('what trades took is not taken again', () => {
    const desk = queued();
    desk.trade('sell', 10, 100);
    desk.book([[100, 45]], []);
    desk.trade('sell', 30, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });

  test('conservatively whoever stands behind us leaves first', () => {
    const desk = queued();
    desk.book([[100, 40]], []);
    desk.trade('sell', 40, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 2, 100);
    expect(desk.heard()).toEqual(['mine trade 2@100 filled']);
  });

  test('conservatively those ahead leave when nobody is left behind', () => {
    const desk = queued();
    desk.book([[100, 30]], []);
    desk.trade('sell', 30, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 2, 100);
    expect(desk.heard()).toEqual(['mine trade 2@100 filled']);
  });

  test('in proportion, of 22 gone 16 stood ahead of us', () => {
    const desk = queued({ queueModel: 'proportional' });
    desk.book([[100, 33]], []);
    desk.trade('sell', 24, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });

  test('a level the recording has emptied holds only us', () => {
    const desk = queued();
    desk.book([[100, 0]], []);
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });

  test('with two of ours the younger one loses its followers first', () => {
    const desk = queued();
    desk.order('second', 'buy', { price: 100, quantity: 3 });
    desk.heard();
    // [40][mine 2][15][second 3]; ten leave: conservatively from between ours.
    desk.book([[100, 45]], []);
    desk.trade('sell', 40 + 2 + 5 + 1, 100);
    expect(desk.heard()).toEqual(['mine trade 2@100 filled', 'second trade 1@100']);
  });
});

describe('a level grows', () => {
  test('newcomers queue behind us, and a trade that met us is taken off the front of what stands there', () => {
    const desk = queued();
    desk.order('second', 'buy', { price: 100, quantity: 3 });
    desk.heard();
    // [40][mine 2][15][second 3]: 42 traded means 42 of the recorded 55 are gone; two of them met us.
    desk.trade('sell', 42, 100);
    expect(desk.heard()).toEqual(['mine trade 2@100 filled']);
    desk.book([[100, 20]], []);
    // 13 of the recording are left before us, 7 came behind.
    desk.trade('sell', 13, 100);
    expect(desk.heard()).toEqual([]);
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['second trade 1@100']);
  });
});

describe('our orders take from the recorded market', () => {
  test('what we took is missing until the recording changes that level', () => {
    const desk = new SimDesk();
    desk.book([[100, 5]], [[101, 4]]);
    const ioc = { price: 101, quantity: 3, timeInForce: 'IOC' } as const;
    desk.order('a', 'buy', ioc);
    desk.order('b', 'buy', ioc);
    expect(desk.heard()).toEqual(['a new', 'a trade 3@101 filled', 'b new', 'b trade 1@101', 'b expired']);
    desk.book([], [[101, 4]]);
    desk.order('c', 'buy', ioc);
    expect(desk.heard()).toEqual(['c new', 'c trade 3@101 filled']);
  });

  test('FOK, market and post-only orders see the recorded book', () => {
    const desk = new SimDesk();
    desk.book(
      [[100, 5]],
      [
        [101, 4],
        [102, 4],
      ],
    );
    desk.order('fok', 'buy', { price: 101, quantity: 5, timeInForce: 'FOK' });
    desk.order('post', 'buy', { price: 101, quantity: 5, postOnly: true });
    desk.order('market', 'buy', { type: 'market', quantity: 6, timeInForce: 'FOK' });
    expect(desk.heard()).toEqual([
      'fok new',
      'fok expired',
      'post expired',
      'market new',
      'market trade 4@101',
      'market trade 2@102 filled',
    ]);
  });

  test('a stop fires on recorded trades', () => {
    const desk = new SimDesk();
    desk.book([[100, 5]], [[101, 4]]);
    desk.order('stop', 'sell', { type: 'stopMarket', stopPrice: 99, quantity: 2, timeInForce: 'FOK' });
    desk.trade('sell', 1, 100);
    expect(desk.heard()).toEqual(['stop suspended']);
    desk.trade('sell', 1, 99);
    expect(desk.heard()).toEqual(['stop new', 'stop trade 2@100 filled']);
  });
});

describe('the recording quotes through our order', () => {
  test('what comes takes from us, once, and rests when we are gone', () => {
    const desk = new SimDesk();
    desk.book([[100, 5]], [[105, 4]]);
    desk.order('mine', 'sell', { price: 103, quantity: 7 });
    desk.book([[103, 4]], []);
    expect(desk.heard()).toEqual(['mine new', 'mine trade 4@103']);
    desk.book([[103, 4]], []);
    expect(desk.heard()).toEqual([]);
    desk.book([[103, 9]], []);
    expect(desk.heard()).toEqual(['mine trade 3@103 filled']);
    desk.order('take', 'sell', { price: 103, quantity: 9, timeInForce: 'IOC' });
    expect(desk.heard()).toEqual(['take new', 'take trade 2@103', 'take expired']);
  });

  test('what we took ourselves does not meet us again when the recording names it', () => {
    const desk = new SimDesk();
    desk.book([[100, 5]], [[101, 4]]);
    desk.order('mine', 'sell', { price: 100, quantity: 8 });
    expect(desk.heard()).toEqual(['mine new', 'mine trade 5@100']);
    desk.book([[100, 6]], []);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });

  test('a crossed update among foreign levels trades nothing', () => {
    const desk = new SimDesk();
    desk.book([[100, 5]], [[101, 4]]);
    desk.book([[102, 5]], []);
    desk.book(
      [],
      [
        [101, 0],
        [103, 2],
      ],
    );
    desk.order('take', 'buy', { price: 103, quantity: 9, timeInForce: 'IOC' });
    expect(desk.heard()).toEqual(['take new', 'take trade 2@103', 'take expired']);
  });
});

describe('a snapshot', () => {
  test('replaces what is foreign and leaves our place in the queue', () => {
    const desk = queued();
    desk.book(
      [
        [100, 50],
        [99, 7],
      ],
      [[104, 3]],
      'bookSnapshot',
    );
    desk.order('take', 'buy', { price: 105, quantity: 9, timeInForce: 'IOC' });
    expect(desk.heard()).toEqual(['take new', 'take trade 3@104', 'take expired']);
    desk.trade('sell', 41, 100);
    expect(desk.heard()).toEqual(['mine trade 1@100']);
  });
});

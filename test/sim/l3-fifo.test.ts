import { describe, expect, test } from 'vitest';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { L3Rule } from '../../src/sim/l3-fifo.ts';
import { l3Fifo } from '../../src/sim/l3-fifo.ts';
import type { L3Engine } from '../support/l3-harness.ts';
import { L3Harness, l3Engines, queueOf } from '../support/l3-harness.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

/** [a 10][mine 4][b 5] at bid 100, best ask 102. */
function queued(engine: L3Engine, partial = true, rule: L3Rule = l3Fifo): L3Harness {
  const one = new L3Harness(engine, partial, rule);
  one.joins('far', 'ask', 102, 7);
  one.joins('a', 'bid', 100, 10);
  one.harness.order('mine', 'buy', { price: 100, quantity: 4 });
  one.joins('b', 'bid', 100, 5);
  expect(one.harness.received()).toEqual(['mine new']);
  return one;
}

describe.each(l3Engines)('places known order by order (%s)', (engine) => {
  test('who joined before us is ahead: executions there fill nothing of ours', () => {
    const one = queued(engine);
    one.executes(['a', 4]);
    one.executes(['a', 6]);
    expect(one.harness.received()).toEqual([]);
  });

  test('who joined after us is behind: what executes there has met us first, in parts', () => {
    const one = queued(engine);
    one.executes(['a', 10]);
    one.executes(['b', 3]);
    expect(one.harness.received()).toEqual(['mine trade 3@100']);
    one.executes(['b', 2]);
    expect(one.harness.received()).toEqual(['mine trade 1@100 filled']);
  });

  test('one taker may run through those ahead, us and those behind', () => {
    const one = queued(engine);
    one.executes(['a', 10], ['b', 5]);
    expect(one.harness.received()).toEqual(['mine trade 4@100 filled']);
  });

  test('a cancel ahead moves us forward, whole or in part; one behind does not', () => {
    const one = queued(engine);
    one.leaves('a', 7);
    one.leaves('b');
    one.executes(['a', 3]);
    expect(one.harness.received()).toEqual([]);
    one.joins('c', 'bid', 100, 9);
    one.executes(['c', 1]);
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
  });

  test('an order that shrinks in place keeps its priority', () => {
    const one = queued(engine);
    one.changes('a', 100, 4);
    one.executes(['a', 4]);
    expect(one.harness.received()).toEqual([]);
  });

  test('an order that grows, or comes back from another price, stands behind us', () => {
    const grown = queued(engine);
    grown.changes('a', 100, 11);
    grown.executes(['b', 2]);
    expect(grown.harness.received()).toEqual(['mine trade 2@100']);
    grown.executes(['a', 11]);
    expect(grown.harness.received()).toEqual(['mine trade 2@100 filled']);
    const moved = queued(engine);
    moved.changes('a', 99, 10);
    moved.changes('a', 100, 10);
    moved.executes(['a', 1]);
    expect(moved.harness.received()).toEqual(['mine trade 1@100']);
  });

  test('at a level that vanishes ours stands alone, until the market comes past it', () => {
    const one = queued(engine);
    one.leaves('a');
    one.leaves('b');
    one.joins('low', 'bid', 99, 8);
    expect(one.harness.received()).toEqual([]);
    one.executes(['low', 3]);
    expect(one.harness.received()).toEqual(['mine trade 3@100']);
    one.joins('seller', 'ask', 100, 2);
    expect(one.harness.received()).toEqual(['mine trade 1@100 filled']);
  });

  test('an order of the other side that joins through our price has met us, once', () => {
    const one = queued(engine);
    one.leaves('a');
    one.leaves('b');
    one.joins('seller', 'ask', 99, 1);
    one.leaves('far');
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
    one.joins('next', 'ask', 99, 2);
    expect(one.harness.received()).toEqual(['mine trade 2@100']);
  });

  test('executions at better prices, and of the other side, do not concern us', () => {
    const one = queued(engine);
    one.joins('best', 'bid', 101, 6);
    one.executes(['best', 6]);
    one.executes(['far', 7]);
    expect(one.harness.received()).toEqual([]);
  });

  test('two of ours stand each in their own place', () => {
    const one = queued(engine);
    one.harness.order('later', 'buy', { price: 100, quantity: 4 });
    one.joins('c', 'bid', 100, 9);
    one.harness.received();
    one.executes(['a', 10], ['b', 5]);
    expect(one.harness.received()).toEqual(['mine trade 4@100 filled']);
    one.executes(['c', 9]);
    expect(one.harness.received()).toEqual(['later trade 4@100 filled']);
  });

  test('what executes unseen has met all that shows at its price, and all at better ones', () => {
    const one = queued(engine);
    one.unseen('hidden', 'bid', 101, 50);
    one.unseen('hidden', 'bid', 100, 10);
    expect(one.harness.received()).toEqual([]);
    one.leaves('a');
    one.unseen('hidden', 'bid', 100, 1);
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
    one.unseen('hidden', 'bid', 99, 1);
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
  });

  test('orders older than the recording stand ahead of us: theirs count at worse prices only', () => {
    const one = queued(engine);
    one.unseen('executes', 'bid', 100, 50);
    expect(one.harness.received()).toEqual([]);
    one.executes(['a', 10]);
    expect(one.harness.received()).toEqual([]);
    one.unseen('executes', 'bid', 99, 2);
    expect(one.harness.received()).toEqual(['mine trade 2@100']);
  });

  test('a book that is sent again leaves every order in its place', () => {
    const one = queued(engine);
    one.retold();
    one.executes(['a', 10]);
    expect(one.harness.received()).toEqual([]);
    one.executes(['b', 1]);
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
  });

  test('a book sent again after a gap: an order it does not name has left, and a new one stands behind', () => {
    const one = queued(engine);
    one.retold((market) => {
      market.leaves('a', 8);
      market.leaves('b');
      market.joins('c', 'bid', 100, 3);
    });
    one.executes(['a', 2]);
    expect(one.harness.received()).toEqual([]);
    one.executes(['c', 3]);
    expect(one.harness.received()).toEqual(['mine trade 3@100']);
  });

  test('a replacement of ours goes to the back', () => {
    const one = queued(engine);
    one.harness.send({
      kind: 'replaceOrder',
      commandId: 9,
      strategy: 'test',
      clientOrderId: 'mine' as ClientOrderId,
      newClientOrderId: 'next' as ClientOrderId,
      instrument,
      side: 'buy',
      quantity: 5 as never,
      price: 100 as never,
      stopPrice: undefined,
    });
    one.harness.received();
    one.executes(['a', 10], ['b', 5]);
    expect(one.harness.received()).toEqual([]);
    one.executes(['a', 10], ['b', 5]);
    expect(one.harness.received()).toEqual([]);
    one.joins('c', 'bid', 100, 2);
    one.executes(['c', 2]);
    expect(one.harness.received()).toEqual(['next trade 2@100']);
  });

  test('a sell is the mirror of a buy', () => {
    const one = new L3Harness(engine);
    one.joins('a', 'ask', 100, 3);
    one.harness.order('mine', 'sell', { price: 100, quantity: 4 });
    one.joins('b', 'ask', 101, 5);
    one.harness.received();
    one.executes(['a', 3]);
    expect(one.harness.received()).toEqual([]);
    one.executes(['b', 1]);
    expect(one.harness.received()).toEqual(['mine trade 1@100']);
    one.joins('buyer', 'bid', 100, 3);
    expect(one.harness.received()).toEqual(['mine trade 3@100 filled']);
  });
});

test('without parts, whatever comes past an order fills it whole', () => {
  const one = queued('queue', false);
  one.executes(['a', 10]);
  expect(one.harness.received()).toEqual([]);
  one.executes(['b', 1]);
  expect(one.harness.received()).toEqual(['mine trade 4@100 filled']);
});

test('data without single orders is refused in one sentence', () => {
  const sentence =
    'queue l3-fifo: expected data with single orders (lobster, databento market by order, or a pack made of them), found levels only; take another queue model';
  expect(() => new SimHarness({ options: { queueModel: 'l3-fifo' } })).toThrow(sentence);
  expect(() => new SimHarness({ openEngine: queueOf(true) })).toThrow(sentence);
});

describe('the strict rule', () => {
  const strict = (): L3Harness => queued('queue', true, 'l3-fifo-strict');

  test('has who executes behind us at our price meet us first, as the other', () => {
    const one = strict();
    one.executes(['a', 10]);
    one.executes(['b', 3]);
    expect(one.harness.received()).toEqual(['mine trade 3@100']);
  });

  test('counts no execution at a worse price and no hidden one, which the other does', () => {
    const one = strict();
    one.joins('deep', 'bid', 99, 5);
    one.executes(['deep', 5]);
    one.unseen('hidden', 'bid', 99, 5);
    expect(one.harness.received()).toEqual([]);
    const other = queued('queue');
    other.joins('deep', 'bid', 99, 5);
    other.executes(['deep', 3]);
    expect(other.harness.received()).toEqual(['mine trade 3@100']);
  });

  test('has an order of the other side at our price meet us', () => {
    const one = strict();
    one.leaves('a');
    one.leaves('b');
    one.joins('against', 'ask', 100, 3);
    expect(one.harness.received()).toEqual(['mine trade 3@100']);
  });
});

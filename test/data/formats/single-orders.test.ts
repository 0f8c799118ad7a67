import { describe, expect, test } from 'vitest';
import { Book } from '../../../src/core/book/book.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { OrderLevels } from '../../../src/data/formats/order-levels.ts';
import { OrderWriter } from '../../../src/data/formats/order-writer.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { orderActions, orderStride } from '../../../src/core/model/order-changes.ts';
import { RecordedOrders, deaf } from '../../../src/sim/fill-models/recorded-orders.ts';
import { eventsOf, hasShared, shared, written } from './support/tables.ts';

const actions = Object.entries(orderActions);

/** Changes as `joins 1 bid 100 x 5`. */
function received(changes: Float64Array | undefined): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < (changes?.length ?? 0); at += orderStride) {
    const [action, order, side, price, lots] = changes?.subarray(at, at + orderStride) ?? [];
    const name = actions.find(([, code]) => code === action)?.[0];
    words.push(`${name} ${order} ${side === 0 ? 'bid' : 'ask'} ${price} x ${lots}`);
  }
  return words;
}

function ordersOf(event: Event): Float64Array | undefined {
  return event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'trades'
    ? event.orders
    : undefined;
}

/** Folds levels and orders side by side; how often they disagree at a level that was reported, and how many lots executed. */
async function compared(recording: Recording) {
  const book = new Book(0 as never);
  const orders = new RecordedOrders();
  let executed = 0;
  let differing = 0;
  let levels = 0;
  const sink = { ...deaf, taken: (_side: unknown, _price: number, lots: number) => (executed += lots) };
  for (const event of await eventsOf(recording)) {
    const changes = ordersOf(event);
    if (changes !== undefined && event.kind === 'bookSnapshot') orders.snapshot(changes, sink as never);
    else if (changes !== undefined) orders.update(changes, sink as never);
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
    book.apply(event);
    for (let at = event.start; at < event.end; at += 3) {
      const side = event.levels[at] === 0 ? 0 : 1;
      const total = orders.totalAt(side, event.levels[at + 1] as number);
      levels += 1;
      if (total !== event.levels[at + 2]) differing += 1;
    }
  }
  return { differing, executed, levels, resting: orders.whole().length / orderStride };
}

describe('orders on a writer', () => {
  test('are numbered as they come, and reported as what became of them', () => {
    const writer = new OrderWriter(1);
    const orders = new OrderLevels(writer);
    orders.add('a', 0, 100, 5);
    orders.add('b', 1, 102, 3);
    orders.reduce('a', 2);
    orders.executed('b', 1);
    orders.reduce('b', 2);
    orders.remove('b');
    expect(received(writer.take())).toEqual([
      'joins 1 bid 100 x 5',
      'joins 2 ask 102 x 3',
      'leaves 1 bid 100 x 2',
      'executes 2 ask 102 x 1',
      'leaves 2 ask 102 x 1',
      'leaves 2 ask 102 x 1',
    ]);
    expect(writer.take()).toHaveLength(0);
  });

  test('keep their place when they shrink, and go to the back when they move or grow', () => {
    const writer = new OrderWriter(1);
    const orders = new OrderLevels(writer);
    for (const id of ['a', 'b', 'c']) orders.add(id, 0, 100, 5);
    writer.take();
    orders.changeOrder('a', 100, 4);
    orders.changeOrder('b', 100, 6);
    orders.changeOrder('c', 99, 5);
    expect(received(writer.take())).toEqual([
      'leaves 1 bid 100 x 1',
      'leaves 2 bid 100 x 5',
      'joins 2 bid 100 x 6',
      'leaves 3 bid 100 x 5',
      'joins 3 bid 99 x 5',
    ]);
    orders.changeOrder('a', 100, 9);
    orders.writeAll();
    expect(received(writer.take())).toEqual([
      'joins 2 bid 100 x 6',
      'joins 3 bid 99 x 5',
      'joins 1 bid 100 x 9',
    ]);
  });

  test('keep their numbers when the book is cleared and built again', () => {
    const writer = new OrderWriter(7);
    const orders = new OrderLevels(writer);
    orders.add('a', 0, 100, 5);
    orders.add('b', 0, 100, 5);
    orders.clear();
    orders.add('b', 0, 100, 5);
    orders.add('c', 0, 100, 1);
    orders.writeAll();
    expect(received(writer.take())).toEqual(['joins 8 bid 100 x 5', 'joins 9 bid 100 x 1']);
  });
});

test('LOBSTER: what executes without a change of the book is reported with its trade', async () => {
  const rows = [
    '34200.1,1,1,10,1000000,1',
    '34200.2,4,1,4,1000000,1',
    '34200.3,5,0,3,1000000,1',
    '34200.4,4,77,2,1000000,-1',
    '34200.45,6,0,9,1000000,1',
    '34200.5,2,1,1,1000000,1',
    '34200.6,3,1,5,1000000,1',
  ];
  const recording = await openData(written('AAPL_2012-12-21_1_2_message_5.csv', rows.join('\n')));
  expect(recording.orders).toBe(true);
  const events = await eventsOf(recording);
  expect(events.map((event) => [event.kind, ...received(ordersOf(event))])).toEqual([
    ['bookSnapshot'],
    ['bookUpdate', 'joins 1 bid 100 x 10'],
    ['trades'],
    ['bookUpdate', 'executes 1 bid 100 x 4'],
    ['trades', 'hidden 0 bid 100 x 3'],
    ['trades', 'executes 0 ask 100 x 2'],
    ['trades'],
    ['bookUpdate', 'leaves 1 bid 100 x 1'],
    ['bookUpdate', 'leaves 1 bid 100 x 5'],
  ]);
});

describe.skipIf(!hasShared)('single orders of recorded data', () => {
  test('LOBSTER: come to every level that is reported', async () => {
    const recording = await openData(shared('l3/lobster-aapl-20120621-message50.csv.gz'));
    const { differing, levels, executed } = await compared(recording);
    expect(differing).toBe(0);
    expect(levels).toBeGreaterThan(85_000);
    expect(executed).toBeGreaterThan(100_000);
  });

  test('Databento: come to every level that is reported, and to what its trades filled', async () => {
    const recording = await openData(shared('l3/cme-es-mbo-20240508.dbn.zst'));
    expect(recording.orders).toBe(true);
    expect(await compared(recording)).toMatchObject({ differing: 0, executed: 6, resting: 13_598 });
    expect((await openData(shared('formats/databento/es-mbp1-20240702.dbn.zst'))).orders).toBe(false);
  });
});

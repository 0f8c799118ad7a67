import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { MarketDataHandler } from '../../../../src/venues/hitbtc/market-data/handler.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { SocketReply } from '../../../../src/venues/hitbtc/wire/market-sink.ts';
import { bookFrame, frameOf, plain, twoInstruments } from '../../../data/recording/support/frames.ts';

function start(options: { readonly policy?: 'increasing' } = {}) {
  const events: Event[] = [];
  const replies: SocketReply[] = [];
  const handler = new MarketDataHandler({
    instruments: twoInstruments,
    publish: (event) => events.push(event),
    onReply: (reply) => replies.push(reply),
    ...options,
  });
  return { handler, events, replies, kinds: () => events.map((event) => event.kind) };
}

const snapshot = (sequence: number, symbol = 'ETHBTC') =>
  bookFrame('snapshotOrderbook', sequence, {
    bid: [['0.100', '1.00']],
    ask: [
      ['0.102', '2.50'],
      ['0.110', '0.01'],
    ],
    symbol,
  });
const update = (sequence: number, symbol = 'ETHBTC') =>
  bookFrame('updateOrderbook', sequence, { bid: [['0.101', '3.00']], symbol });

describe('the market-data handler', () => {
  test('turns a snapshot and an update into events in ticks and lots, with both times', () => {
    const { handler, events } = start();
    handler.accept(snapshot(10));
    handler.accept(update(11));
    const exchangeTime = Date.UTC(2021, 6, 15, 3, 6, 44, 598) * 1_000;
    expect(events.map(plain)).toMatchObject([
      {
        kind: 'bookSnapshot',
        instrument: 0,
        sequence: 10,
        exchangeTime,
        receiveTime: 1_626_318_404_700_010,
      },
      { kind: 'bookUpdate', sequence: 11, exchangeTime, levels: [0, 101, 300] },
    ]);
    const { levels } = plain(events[0] as Event) as { levels: number[] };
    const rows = [0, 3, 6].map((at) => levels.slice(at, at + 3));
    expect(rows).toEqual(
      expect.arrayContaining([
        [0, 100, 100],
        [1, 102, 250],
        [1, 110, 1],
      ]),
    );
  });

  test('reads v3 books, trades and tickers as well', () => {
    const { handler, events } = start();
    const book = { t: 1_626_318_404_598, s: 7, a: [['0.102', '2.50']], b: [['0.101', '3.00']] };
    handler.accept(
      frameOf({ ch: 'orderbook/full', snapshot: { ETHBTC: book, EOSUSD: book } }, 5, 'v3/public'),
    );
    handler.accept(
      frameOf(
        {
          ch: 'trades',
          update: { ETHBTC: [{ t: 1_626_318_404_600, i: 9, p: '0.102', q: '0.50', s: 'buy' }] },
        },
        6,
        'v3/public',
      ),
    );
    expect(events.map((event) => event.kind)).toEqual(['bookSnapshot', 'bookSnapshot', 'trades']);
    expect(events[2]).toMatchObject({
      exchangeTime: 1_626_318_404_600_000,
      receiveTime: 6,
      snapshot: false,
      trades: [{ tradeId: '9', price: 102, quantity: 50, side: 'buy', time: 1_626_318_404_600_000 }],
    });
  });

  test('reports a gap once, then nothing of that book until a snapshot, while other books go on', () => {
    const { handler, events, kinds } = start();
    handler.accept(snapshot(10));
    handler.accept(snapshot(50, 'EOSUSD'));
    handler.accept(update(12));
    expect(events.at(-1)).toMatchObject({
      kind: 'bookStale',
      instrument: 0,
      reason: 'gap',
      expected: 11,
      found: 12,
    });
    handler.accept(update(13));
    handler.accept(update(11));
    handler.accept(update(51, 'EOSUSD'));
    expect(kinds()).toEqual(['bookSnapshot', 'bookSnapshot', 'bookStale', 'bookUpdate']);
    handler.accept(snapshot(9));
    handler.accept(update(10));
    expect(kinds().slice(4)).toEqual(['bookSnapshot', 'bookUpdate']);
    expect(handler.counters).toMatchObject({ gaps: 1, waiting: 2, old: 0, snapshots: 3, updates: 2 });
  });

  test('drops and counts updates that are already contained', () => {
    const { handler, kinds } = start();
    handler.accept(update(9));
    handler.accept(snapshot(10));
    handler.accept(update(10));
    handler.accept(update(11));
    handler.accept(update(11));
    expect(kinds()).toEqual(['bookSnapshot', 'bookUpdate']);
    expect(handler.counters).toMatchObject({ old: 2, waiting: 1, gaps: 0 });
  });

  test('empty updates count in the sequence', () => {
    const { handler, kinds } = start();
    handler.accept(snapshot(10));
    handler.accept(bookFrame('updateOrderbook', 11, {}));
    handler.accept(update(12));
    expect(kinds()).toEqual(['bookSnapshot', 'bookUpdate', 'bookUpdate']);
  });

  test('with the policy increasing a jump is no gap', () => {
    const { handler, kinds } = start({ policy: 'increasing' });
    handler.accept(snapshot(10));
    handler.accept(update(15));
    expect(kinds()).toEqual(['bookSnapshot', 'bookUpdate']);
  });

  test('a malformed frame that names a symbol makes its book stale, once; one that names none is counted', () => {
    const { handler, events, kinds } = start();
    handler.accept(snapshot(10));
    handler.accept(bookFrame('updateOrderbook', 11, { bid: [['0.1015', '1']] }));
    expect(events.at(-1)).toMatchObject({ kind: 'bookStale', reason: 'malformed', instrument: 0 });
    handler.accept(update(12));
    handler.accept(bookFrame('updateOrderbook', 13, { bid: [['0.1015', '1']] }));
    expect(kinds()).toEqual(['bookSnapshot', 'bookStale']);
    handler.accept(frameOf('{"jsonrpc":', 1));
    expect(handler.counters.malformed).toBe(3);
    expect(handler.lastMalformed).not.toBe('');
    handler.accept(snapshot(20));
    expect(kinds()).toEqual(['bookSnapshot', 'bookStale', 'bookSnapshot']);
  });

  test('a malformed first snapshot is reported too: the owner must ask again', () => {
    const { handler, events } = start();
    handler.accept(bookFrame('snapshotOrderbook', 1, { bid: [['x', '1']] }));
    expect(events).toMatchObject([{ kind: 'bookStale', reason: 'malformed' }]);
  });

  test('the owner marks one book or every live book stale', () => {
    const { handler, events } = start();
    handler.accept(snapshot(10));
    handler.markStale('disconnected', 77 as Micros);
    expect(events.slice(1)).toMatchObject([
      { kind: 'bookStale', instrument: 0, reason: 'disconnected', receiveTime: 77 },
    ]);
    handler.markStale('disconnected', 78 as Micros);
    handler.markStale('silent', 79 as Micros, twoInstruments.get('ETHBTC').id);
    expect(events).toHaveLength(2);
    handler.markStale('refused', 80 as Micros, twoInstruments.get('EOSUSD').id);
    expect(events.at(-1)).toMatchObject({ instrument: 1, reason: 'refused' });
    handler.accept(update(11));
    expect(events).toHaveLength(3);
  });

  test('a recorded close makes the books of that channel stale', () => {
    const { handler, events } = start();
    handler.accept(snapshot(10));
    handler.accept(frameOf('gone', 90, 'v3/public', 'close'));
    expect(events).toHaveLength(1);
    handler.accept(frameOf('gone', 91, 'v2/public', 'close'));
    expect(events.at(-1)).toMatchObject({ kind: 'bookStale', reason: 'disconnected', receiveTime: 91 });
  });

  test('replies go to the owner, frames of ours and of other channels nowhere', () => {
    const { handler, events, replies } = start();
    handler.accept(frameOf({ jsonrpc: '2.0', result: true, id: 5 }, 1));
    handler.accept(
      frameOf({ method: 'subscribeOrderbook', params: { symbol: 'ETHBTC' }, id: 5 }, 1, 'v2/public', 'out'),
    );
    handler.accept(frameOf({ nonsense: true }, 1, 'v3/trading'));
    expect(replies).toMatchObject([{ id: 5, result: true }]);
    expect(events).toEqual([]);
    expect(handler.counters).toMatchObject({ frames: 1, replies: 1, malformed: 0 });
  });

  test('keeps a price above 2^53 ticks that prints as it came, and never a rounded one', () => {
    const { handler, events } = start();
    const book = (price: string) => bookFrame('snapshotOrderbook', 1, { ask: [[price, '1']] });
    handler.accept(book('99999999999999.000'));
    expect(plain(events[0] as Event)).toMatchObject({ levels: [1, 99_999_999_999_999_000, 100] });
    expect(twoInstruments.all[0]?.priceText(99_999_999_999_999_000 as never)).toBe('99999999999999.000');
    handler.accept(book('99999999999999.001'));
    expect(plain(events[1] as Event)).not.toMatchObject({ levels: [1, expect.anything(), 100] });
  });

  test('levels already delivered are never written again', () => {
    const { handler, events } = start();
    handler.accept(snapshot(0));
    const first = plain(events[0] as Event);
    for (let sequence = 1; sequence <= 30_000; sequence++) {
      handler.accept(update(sequence % 2 === 0 ? sequence : sequence - 1));
    }
    for (let sequence = 1; sequence <= 300; sequence++) handler.accept(snapshot(sequence));
    expect(plain(events[0] as Event)).toEqual(first);
  });
});

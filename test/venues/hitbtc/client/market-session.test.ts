import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../src/core/base/logger.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../src/venues/hitbtc/budgets/options.ts';
import { ClockOffset } from '../../../../src/venues/hitbtc/client/clock-offset.ts';
import type { MarketSubscription } from '../../../../src/venues/port.ts';
import type { MarketProtocol } from '../../../../src/venues/hitbtc/client/market-protocol.ts';
import { marketProtocolV2, marketProtocolV3 } from '../../../../src/venues/hitbtc/client/market-protocol.ts';
import { MarketSession } from '../../../../src/venues/hitbtc/client/market-session.ts';
import { clientOptions } from '../../../../src/venues/options.ts';
import type { Frame } from '../../../../src/core/model/frame.ts';
import type { InstrumentId } from '../../../../src/core/model/instrument.ts';
import type { FakeSocket, Sent } from './support/fake-socket.ts';
import { fakeOpener } from './support/fake-socket.ts';
import { twoInstruments } from './support/instruments.ts';
import { Watcher } from '../../../support/watcher.ts';

const a = 0 as InstrumentId;
const c = 1 as InstrumentId;
const book = (instrument: InstrumentId): MarketSubscription => ({
  instrument,
  book: true,
  trades: false,
  ticker: false,
  candles: [],
});

function build(
  feeds: readonly MarketSubscription[] = [book(a), book(c)],
  protocol: MarketProtocol = marketProtocolV3,
  first: ReadonlySet<InstrumentId> = new Set(),
) {
  const clock = new VirtualClock(seconds(1_000));
  const opener = fakeOpener();
  const watcher = new Watcher();
  const frames: Frame[] = [];
  const clockOffset = new ClockOffset();
  const session = new MarketSession({
    clock,
    random: new Random(7),
    log: silentLogger,
    instruments: twoInstruments(),
    options: clientOptions.parse({}),
    budgets: new ApiBudgets(budgetOptions.parse({}), clock),
    clockOffset,
    marketLagMax: seconds(3),
    protocol,
    url: 'wss://venue.example/api/3/ws/public',
    openSocket: opener.openSocket,
    subscriptions: feeds,
    publish: watcher.take,
    publishMarketData: watcher.take,
    onFrame: (frame) => frames.push(frame),
    first: () => first,
  });
  session.open();
  const socket = opener.last();
  return { clock, watcher, session, socket, frames, clockOffset };
}

function acknowledge(socket: FakeSocket, request: Sent, symbols?: readonly string[]): void {
  const subscriptions = symbols ?? request.params['symbols'];
  socket.receive({ result: { ch: request.ch, subscriptions }, id: request.id });
}

function snapshot(socket: FakeSocket, symbol: string, s: number): void {
  const payload = { t: 1_700_000_000_200, s, a: [['10.02', '1.50']], b: [['10.01', '0.30']] };
  socket.receive({ ch: 'orderbook/full', snapshot: { [symbol]: payload } });
}

function update(socket: FakeSocket, symbol: string, s: number): void {
  const payload = { t: 1_700_000_000_300, s, a: [], b: [['10.01', '0.40']] };
  socket.receive({ ch: 'orderbook/full', update: { [symbol]: payload } });
}

/** A session whose two books are live at sequences 10 and 20. */
function live() {
  const parts = build();
  parts.socket.connect();
  const [request] = parts.socket.take();
  acknowledge(parts.socket, request as Sent);
  snapshot(parts.socket, 'AAABBB', 10);
  snapshot(parts.socket, 'CCCBBB', 20);
  parts.watcher.clear();
  return parts;
}

/** An update of both books that the venue stamped `lag` before it comes, the clocks being equal. */
function lateUpdate({ socket, clock }: ReturnType<typeof live>, s: number, lag: number): void {
  const payload = { t: (clock.now() - lag) / 1_000, a: [], b: [['10.01', '0.40']] };
  const both = { AAABBB: { ...payload, s }, CCCBBB: { ...payload, s: s + 10 } };
  socket.receive({ ch: 'orderbook/full', update: both });
}

function measure({ clock, clockOffset }: ReturnType<typeof live>): void {
  const now = clock.now();
  clockOffset.note(new Date(now / 1_000).toISOString(), now, now);
}

describe('a market session', () => {
  test('subscribes all books in one message and reports that it is up', () => {
    const { socket, watcher } = build();
    expect(socket.wanted).toBe(true);
    socket.connect();
    expect(socket.take()).toEqual([
      { method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['AAABBB', 'CCCBBB'] }, id: 'm1' },
    ]);
    expect(watcher.kinds()).toEqual(['sessionUp']);
  });

  test('subscribes trades, tickers and candles after the books, with history', () => {
    const { socket } = build([
      { instrument: a, book: true, trades: true, ticker: true, candles: ['M1', 'H1'], contract: true },
    ]);
    socket.connect();
    expect(socket.take().map(({ ch, params }) => [ch, params['limit']])).toEqual([
      ['orderbook/full', undefined],
      ['trades', 100],
      ['ticker/1s', undefined],
      ['futures/info', undefined],
      ['candles/M1', 100],
      ['candles/H1', 100],
    ]);
  });

  test('spaces its messages under the limit of the public socket', () => {
    const periods = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;
    const { socket, clock } = build([{ ...book(a), trades: true, ticker: true, candles: periods }]);
    socket.connect();
    expect(socket.take()).toHaveLength(10);
    for (let i = 1; i <= 10; i++) socket.receive({ result: true, id: `m${i}` });
    clock.advance(millis(99));
    expect(socket.take()).toHaveLength(0);
    clock.advance(millis(300));
    expect(socket.take()).toHaveLength(3);
  });

  test('passes snapshots and updates on', () => {
    const { socket, watcher } = live();
    update(socket, 'AAABBB', 11);
    expect(watcher.events).toMatchObject([{ kind: 'bookUpdate', instrument: a, sequence: 11 }]);
  });

  test('on a gap reports at once and gets a new snapshot by unsubscribe and subscribe', () => {
    const { socket, watcher } = live();
    update(socket, 'AAABBB', 12);
    expect(watcher.events).toMatchObject([{ kind: 'bookStale', instrument: a, reason: 'gap', found: 12 }]);
    const [end] = socket.take();
    expect(end).toMatchObject({ method: 'unsubscribe', params: { symbols: ['AAABBB'] } });
    acknowledge(socket, end as Sent, ['CCCBBB']);
    const [again] = socket.take();
    expect(again).toMatchObject({ method: 'subscribe', params: { symbols: ['AAABBB'] } });
    acknowledge(socket, again as Sent, ['CCCBBB', 'AAABBB']);
    snapshot(socket, 'AAABBB', 15);
    update(socket, 'AAABBB', 16);
    expect(watcher.kinds()).toEqual(['bookStale', 'bookSnapshot', 'bookUpdate']);
  });

  test('waits longer before each further repair of a book that keeps breaking', () => {
    const { socket, clock } = live();
    update(socket, 'AAABBB', 12);
    for (let round = 0; round < 2; round++) {
      const [end] = socket.take();
      acknowledge(socket, end as Sent, []);
      const [again] = socket.take();
      acknowledge(socket, again as Sent, ['AAABBB']);
      snapshot(socket, 'AAABBB', 30);
      update(socket, 'AAABBB', 40);
      expect(socket.take()).toEqual([]);
      clock.advance(millis(round === 0 ? 250 : 500));
    }
    expect(socket.take()).toMatchObject([{ method: 'unsubscribe' }]);
  });

  test('a symbol missing from the answer is stale as refused and asked for again', () => {
    const { socket, watcher, clock } = build();
    socket.connect();
    const [request] = socket.take();
    acknowledge(socket, request as Sent, ['AAABBB']);
    expect(watcher.all('bookStale')).toMatchObject([{ instrument: c, reason: 'refused' }]);
    clock.advance(millis(1));
    expect(socket.take()).toMatchObject([{ method: 'subscribe', params: { symbols: ['CCCBBB'] } }]);
  });

  test('a refused subscription makes its books stale and is repeated', () => {
    const { socket, watcher, clock } = build([book(a)]);
    socket.connect();
    socket.take();
    socket.receive({ error: { code: 429, message: 'Too many requests' }, id: 'm1' });
    expect(watcher.all('bookStale')).toMatchObject([{ instrument: a, reason: 'refused' }]);
    clock.advance(seconds(1));
    expect(socket.take().length).toBeGreaterThan(0);
  });

  test('a subscription without an answer costs the connection', () => {
    const { socket, clock } = build();
    socket.connect();
    clock.advance(seconds(5));
    expect(socket.cuts).toEqual(['a subscription was not answered']);
  });

  test('a snapshot that does not come in time is asked for again within five seconds', () => {
    const { socket, watcher, clock } = build([book(a)]);
    socket.connect();
    const [request] = socket.take();
    acknowledge(socket, request as Sent);
    clock.advance(seconds(5));
    expect(watcher.all('bookStale')).toMatchObject([{ instrument: a, reason: 'silent' }]);
    expect(socket.take()).toMatchObject([{ method: 'unsubscribe' }]);
  });

  test('a book that falls silent is stale within ten seconds and subscribed anew', () => {
    const { socket, watcher, clock } = live();
    for (let s = 21, at = 0; at < 10; at++, s++) {
      clock.advance(seconds(1));
      update(socket, 'CCCBBB', s);
    }
    expect(watcher.all('bookStale')).toMatchObject([{ instrument: a, reason: 'silent' }]);
    expect(socket.take()).toMatchObject([{ method: 'unsubscribe', params: { symbols: ['AAABBB'] } }]);
  });

  test('a book that was only quiet is given more patience', () => {
    const { socket, watcher, clock } = build([book(a)]);
    socket.connect();
    acknowledge(socket, socket.take()[0] as Sent);
    snapshot(socket, 'AAABBB', 10);
    clock.advance(millis(9_500));
    acknowledge(socket, socket.take()[0] as Sent, []);
    acknowledge(socket, socket.take()[0] as Sent);
    snapshot(socket, 'AAABBB', 10);
    watcher.clear();
    clock.advance(millis(18_900));
    expect(watcher.events).toEqual([]);
    clock.advance(millis(100));
    expect(watcher.kinds()).toEqual(['bookStale']);
  });

  test('a lost connection makes every book stale before it reports, and a new one asks for all again', () => {
    const { socket, watcher, clock } = live();
    socket.lose('reset');
    expect(watcher.events).toMatchObject([
      { kind: 'bookStale', instrument: a, reason: 'disconnected' },
      { kind: 'bookStale', instrument: c, reason: 'disconnected' },
      { kind: 'sessionDown', session: 'market', why: 'reset' },
    ]);
    clock.advance(seconds(60));
    expect(socket.sent).toEqual([]);
    socket.connect();
    expect(socket.take()).toMatchObject([{ method: 'subscribe', params: { symbols: ['AAABBB', 'CCCBBB'] } }]);
  });

  test('books with own orders come first', () => {
    const { socket } = build([book(a), book(c)], marketProtocolV3, new Set([c]));
    socket.connect();
    expect(socket.take()).toMatchObject([{ params: { symbols: ['CCCBBB', 'AAABBB'] } }]);
  });

  test('an answer with a wrong or repeated id changes nothing', () => {
    const { socket, watcher } = live();
    socket.receive({ result: { ch: 'orderbook/full', subscriptions: [] }, id: 'm1' });
    socket.receive({ result: { ch: 'orderbook/full', subscriptions: [] }, id: 99 });
    socket.receive({ error: { code: 500, message: 'no' }, id: 'm77' });
    expect(watcher.events).toEqual([]);
    expect(socket.sent).toEqual([]);
  });

  test('records what crosses the socket, both ways', () => {
    const { frames, socket } = live();
    socket.lose('reset');
    expect(frames.map(({ direction }) => direction)).toEqual(['open', 'out', 'in', 'in', 'in', 'close']);
    expect(new Set(frames.map(({ channel }) => channel))).toEqual(new Set(['v3/public']));
  });

  test('leaves no timer behind when closed', async () => {
    const { session, clock, socket } = live();
    await session.close();
    expect(clock.pending).toBe(0);
    expect(socket.isOpen).toBe(false);
  });

  test('speaks version 2 one symbol at a time', () => {
    const { socket, watcher, clock } = build(
      // Version 2 has no feed of contracts.
      [{ ...book(a), trades: true, candles: ['M1'], contract: true }, book(c)],
      marketProtocolV2,
    );
    socket.connect();
    for (let i = 0; i < 4; i++) {
      socket.receive({ jsonrpc: '2.0', result: true, id: `m${i + 1}` });
      clock.advance(millis(20));
    }
    expect(socket.take().map(({ method, params }) => [method, params])).toEqual([
      ['subscribeOrderbook', { symbol: 'AAABBB' }],
      ['subscribeOrderbook', { symbol: 'CCCBBB' }],
      ['subscribeTrades', { symbol: 'AAABBB', limit: 100 }],
      ['subscribeCandles', { symbol: 'AAABBB', period: 'M1', limit: 100 }],
    ]);
    const params = {
      ask: [{ price: '10.02', size: '1.50' }],
      bid: [],
      symbol: 'AAABBB',
      sequence: 5,
      timestamp: '2024-01-02T03:04:05.678Z',
    };
    socket.receive({ jsonrpc: '2.0', method: 'snapshotOrderbook', params });
    socket.receive({ jsonrpc: '2.0', method: 'updateOrderbook', params: { ...params, sequence: 7 } });
    expect(watcher.events.slice(-2)).toMatchObject([
      { kind: 'bookSnapshot' },
      { kind: 'bookStale', reason: 'gap' },
    ]);
  });
});

describe('a connection that falls behind', () => {
  /** Falls behind by 0.6 s a second until it is cut; returns how far. */
  function clog(parts: ReturnType<typeof live>): number {
    let lag = 0;
    for (let s = 11; lag < seconds(60) && parts.socket.cuts.length === 0; s++) {
      parts.clock.advance(millis(500));
      lag += millis(300);
      lateUpdate(parts, s, lag);
    }
    return lag;
  }

  test('is cut once it has been for so long, its books being stale from then on', () => {
    const parts = live();
    measure(parts);
    // Beyond three seconds after five, and that for five.
    expect(clog(parts)).toBe(millis(6_300));
    const { socket, watcher } = parts;
    expect(socket.cuts).toEqual(['market data came too late for 5000 ms']);
    expect(watcher.all('bookStale')).toMatchObject([{ reason: 'late' }, { reason: 'late' }]);
    // Nothing is asked for on the connection that goes.
    expect(socket.take()).toEqual([]);
    socket.lose('cut');
    expect(watcher.all('bookStale')).toHaveLength(2);
    socket.connect();
    expect(socket.take()).toMatchObject([{ method: 'subscribe', params: { symbols: ['AAABBB', 'CCCBBB'] } }]);
  });

  test('stays when a message comes in time: a backlog that arrives at once is none', () => {
    const parts = live();
    measure(parts);
    let s = 11;
    for (let round = 0; round < 8; round++) {
      parts.clock.advance(seconds(4));
      for (let lag: number = seconds(4); lag >= 0; lag -= millis(500)) lateUpdate(parts, s++, lag);
    }
    expect(parts.socket.cuts).toEqual([]);
  });

  test('does not come from a snapshot, nor before the venue’s clock was measured', () => {
    const parts = live();
    for (let s = 11; s < 41; s++) {
      parts.clock.advance(millis(500));
      lateUpdate(parts, s, seconds(20));
    }
    expect(parts.socket.cuts).toEqual([]);
    measure(parts);
    for (let s = 41; s < 61; s++) {
      parts.clock.advance(millis(500));
      snapshot(parts.socket, 'AAABBB', s);
    }
    expect(parts.socket.cuts).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../../src/core/base/logger.ts';
import { Random } from '../../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../../src/venues/hitbtc/budgets/options.ts';
import { ClockOffset } from '../../../../../src/venues/net/clock-offset.ts';
import { readTime } from '../../../../../src/venues/hitbtc/wire/formats.ts';
import type { MarketSubscription } from '../../../../../src/venues/port.ts';
import type { MarketProtocol } from '../../../../../src/venues/hitbtc/client/market/protocol.ts';
import {
  marketProtocolV2,
  marketProtocolV3,
} from '../../../../../src/venues/hitbtc/client/market/protocol.ts';
import { MarketSession } from '../../../../../src/venues/hitbtc/client/market/session.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import type { Frame } from '../../../../../src/core/model/frame.ts';
import type { InstrumentId } from '../../../../../src/core/model/instrument.ts';
import type { FakeSocket, Sent } from '../support/fake-socket.ts';
import { fakeOpener } from '../support/fake-socket.ts';
import { twoInstruments } from '../support/instruments.ts';
import { Watcher } from '../../../../support/watcher.ts';

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
  const clockOffset = new ClockOffset(readTime);
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

/** Both sides of the book at one price or past each other: what follows a deletion that was lost. */
function cross(socket: FakeSocket, s: number, bid: string): void {
  const payload = { t: 1_700_000_000_300, s, a: [], b: [[bid, '0.40']] };
  socket.receive({ ch: 'orderbook/full', update: { AAABBB: payload } });
}

describe('a book whose sides meet', () => {
  test.each([
    ['crossed', '10.03'],
    ['locked', '10.02'],
  ])('%s for almost two seconds is stale and subscribed anew, and not before', (_name, bid) => {
    const { socket, watcher, clock } = live();
    cross(socket, 11, bid);
    clock.advance(millis(1_899));
    expect(watcher.all('bookStale')).toEqual([]);
    update(socket, 'AAABBB', 12);
    clock.advance(millis(1));
    expect(watcher.all('bookStale')).toMatchObject([{ instrument: a, reason: 'crossed' }]);
    const [end] = socket.take();
    expect(end).toMatchObject({ method: 'unsubscribe', params: { symbols: ['AAABBB'] } });
    acknowledge(socket, end as Sent, ['CCCBBB']);
    acknowledge(socket, socket.take()[0] as Sent, ['CCCBBB', 'AAABBB']);
    snapshot(socket, 'AAABBB', 15);
    expect(watcher.events.at(-1)).toMatchObject({ kind: 'bookSnapshot', instrument: a });
    clock.advance(seconds(5));
    expect(watcher.all('bookStale')).toHaveLength(1);
  });

  test('and part again in time is left alone', () => {
    const { socket, watcher, clock } = live();
    for (let s = 11; s < 31; s += 2) {
      cross(socket, s, '10.03');
      clock.advance(millis(900));
      const payload = { t: 1_700_000_000_300, s: s + 1, a: [], b: [['10.03', '0']] };
      socket.receive({ ch: 'orderbook/full', update: { AAABBB: payload } });
      clock.advance(millis(100));
    }
    expect(watcher.all('bookStale').filter(({ reason }) => reason === 'crossed')).toEqual([]);
  });

  test('with one side only do not meet', () => {
    const { socket, watcher, clock } = build([book(a)]);
    socket.connect();
    acknowledge(socket, socket.take()[0] as Sent);
    const payload = { t: 1_700_000_000_200, s: 1, a: [], b: [['10.01', '0.30']] };
    socket.receive({ ch: 'orderbook/full', snapshot: { AAABBB: payload } });
    clock.advance(seconds(5));
    expect(watcher.all('bookStale')).toEqual([]);
  });

  test('again in every new snapshot are fetched anew after growing pauses', () => {
    const { socket, watcher, clock } = build([book(a)]);
    socket.connect();
    acknowledge(socket, socket.take()[0] as Sent);
    snapshot(socket, 'AAABBB', 10);
    cross(socket, 11, '10.03');
    let asked = 0;
    for (let at = 0; at < 1_200; at++) {
      clock.advance(millis(100));
      for (const request of socket.take()) {
        acknowledge(socket, request, ['AAABBB']);
        if (request.method !== 'subscribe') continue;
        asked += 1;
        const payload = { t: 1, s: 20 + at, a: [['10.02', '1']], b: [['10.05', '1']] };
        socket.receive({ ch: 'orderbook/full', snapshot: { AAABBB: payload } });
      }
    }
    expect(watcher.all('bookStale').every(({ reason }) => reason === 'crossed')).toBe(true);
    expect(asked).toBeGreaterThan(4);
    expect(asked).toBeLessThan(14);
    expect(socket.cuts).toEqual([]);
  });

  test('are found on version 2 too', () => {
    const { socket, watcher, clock } = build([book(a)], marketProtocolV2);
    socket.connect();
    socket.receive({ jsonrpc: '2.0', result: true, id: 'm1' });
    const params = {
      ask: [{ price: '10.02', size: '1.50' }],
      bid: [{ price: '10.04', size: '1.00' }],
      symbol: 'AAABBB',
      sequence: 5,
      timestamp: '2024-01-02T03:04:05.678Z',
    };
    socket.receive({ jsonrpc: '2.0', method: 'snapshotOrderbook', params });
    clock.advance(seconds(2));
    expect(watcher.all('bookStale')).toMatchObject([{ reason: 'crossed' }]);
    expect(socket.take().at(-1)).toMatchObject({ method: 'unsubscribeOrderbook' });
  });
});

describe('a book that broke and cannot be had again', () => {
  const refuse = (socket: FakeSocket, { id }: Sent): void =>
    socket.receive({ error: { code: 2001, message: 'no' }, id });

  test('is subscribed although the end of its subscription was refused', () => {
    const { socket, watcher } = live();
    update(socket, 'AAABBB', 12);
    refuse(socket, socket.take()[0] as Sent);
    const [again] = socket.take();
    expect(again).toMatchObject({ method: 'subscribe', params: { symbols: ['AAABBB'] } });
    acknowledge(socket, again as Sent, ['CCCBBB', 'AAABBB']);
    snapshot(socket, 'AAABBB', 15);
    expect(watcher.events.at(-1)).toMatchObject({ kind: 'bookSnapshot', instrument: a });
    expect(socket.cuts).toEqual([]);
  });

  test.each([
    ['both are refused', (socket: FakeSocket, request: Sent) => refuse(socket, request)],
    ['neither is answered', () => {}],
    [
      'no snapshot follows',
      (socket: FakeSocket, request: Sent) => acknowledge(socket, request, ['CCCBBB', 'AAABBB']),
    ],
    [
      'it is missing from every answer',
      (socket: FakeSocket, request: Sent) => acknowledge(socket, request, ['CCCBBB']),
    ],
  ])('costs the connection within five seconds when %s', (_name, answer) => {
    const { socket, watcher, clock } = live();
    update(socket, 'AAABBB', 12);
    for (let s = 21, at = 0; at < 50 && socket.cuts.length === 0; at++, s++) {
      for (const request of socket.take()) answer(socket, request);
      clock.advance(millis(100));
      update(socket, 'CCCBBB', s);
    }
    expect(socket.cuts).toHaveLength(1);
    socket.lose('cut');
    socket.connect();
    acknowledge(socket, socket.take()[0] as Sent);
    snapshot(socket, 'AAABBB', 30);
    expect(watcher.events.at(-1)).toMatchObject({ kind: 'bookSnapshot', instrument: a });
  });

  test('costs further connections after growing waits only', () => {
    const { socket, clock } = live();
    const cuts: number[] = [];
    update(socket, 'AAABBB', 12);
    for (let at = 0; at < 36_000; at++) {
      for (const request of socket.take())
        if (JSON.stringify(request.params).includes('AAABBB')) refuse(socket, request);
        else acknowledge(socket, request);
      clock.advance(millis(100));
      if (at % 10 === 0) update(socket, 'CCCBBB', 21 + at / 10);
      if (socket.cuts.length === 0) continue;
      const [why] = socket.cuts.splice(0);
      cuts.push(at / 10);
      socket.lose(why ?? '');
      socket.connect();
      for (const request of socket.take()) acknowledge(socket, request, ['CCCBBB']);
      snapshot(socket, 'CCCBBB', 21 + Math.floor(at / 10));
    }
    expect(cuts.length).toBeGreaterThan(3);
    expect(cuts.length).toBeLessThan(12);
  });

  test('costs the next connection as soon, when the one before was given up long ago and brought the book', () => {
    const { socket, clock } = live();
    const waits: number[] = [];
    for (let round = 0, s = 12; round < 5; round++, s += 100) {
      update(socket, 'AAABBB', s);
      const brokenAt = clock.uptime();
      while (socket.cuts.length === 0) {
        for (const request of socket.take()) refuse(socket, request);
        clock.advance(millis(100));
        update(socket, 'CCCBBB', 21 + s);
      }
      waits.push((clock.uptime() - brokenAt) / 1_000_000);
      socket.lose(socket.cuts.splice(0)[0] ?? '');
      socket.connect();
      acknowledge(socket, socket.take()[0] as Sent);
      for (let at = 0; at < 40; at++) {
        if (at === 0) snapshot(socket, 'AAABBB', s + 50);
        else update(socket, 'AAABBB', s + 50 + at);
        if (at === 0) snapshot(socket, 'CCCBBB', s);
        else update(socket, 'CCCBBB', s + at);
        clock.advance(seconds(1));
      }
    }
    expect(waits).toEqual([5, 5, 5, 5, 5]);
  });

  test('a first snapshot that never comes costs the connection later', () => {
    const { socket, clock } = build([book(a)]);
    socket.connect();
    for (let at = 0; at < 250 && socket.cuts.length === 0; at++) {
      for (const request of socket.take()) acknowledge(socket, request, ['AAABBB']);
      clock.advance(millis(100));
    }
    expect(socket.cuts).toEqual(['no snapshot of the book of AAABBB came on it']);
  });

  test('that it is refused is reported, though it was stale before', () => {
    const { socket, watcher } = live();
    update(socket, 'AAABBB', 12);
    acknowledge(socket, socket.take()[0] as Sent, []);
    refuse(socket, socket.take()[0] as Sent);
    expect(watcher.all('bookStale').map(({ reason }) => reason)).toEqual(['gap', 'refused']);
  });
});

describe('a feed beside the books that is refused', () => {
  const feeds: readonly MarketSubscription[] = [
    { instrument: a, book: true, trades: true, ticker: true, candles: ['M1'] },
  ];
  const isSide = ({ ch }: Sent): boolean => ch !== 'orderbook/full';
  const refuse = (socket: FakeSocket, { id }: Sent): void =>
    socket.receive({ error: { code: 2001, message: 'no such feed' }, id });

  /** Takes the book, and lets `answer` answer all else, for so many tenths of a second, or until the connection is given up. */
  function run(
    { socket, clock }: ReturnType<typeof build>,
    tenths: number,
    answer: (request: Sent) => void,
  ): number {
    for (let at = 0; at < tenths; at++) {
      for (const request of socket.take()) {
        if (isSide(request)) answer(request);
        else {
          acknowledge(socket, request);
          snapshot(socket, 'AAABBB', 10);
        }
      }
      if (socket.cuts.length > 0) return at;
      clock.advance(millis(100));
      update(socket, 'AAABBB', 11 + at);
    }
    return tenths;
  }

  test('is reported with its cause, since when, and when it is asked for next, until the venue takes it', () => {
    const parts = build(feeds);
    const { socket, session, clock } = parts;
    socket.connect();
    const since = clock.uptime();
    run(parts, 50, (request) => refuse(socket, request));
    expect(session.refused).toMatchObject(
      ['the trades of AAABBB', 'the ticker of AAABBB', 'the M1 candles of AAABBB'].map((what) => ({
        kind: 'feedRefused',
        subject: 'AAABBB',
        what,
        why: '2001 no such feed',
      })),
    );
    for (const refused of session.refused) {
      expect(refused.since - since).toBeLessThanOrEqual(seconds(1));
      expect(refused.nextLook).toBeGreaterThan(clock.uptime());
    }
    run(parts, 150, (request) => acknowledge(socket, request));
    expect(session.refused).toEqual([]);
    expect(socket.cuts).toEqual([]);
  });

  test.each([
    ['is refused', (socket: FakeSocket, request: Sent) => refuse(socket, request)],
    ['is missing from every answer', (socket: FakeSocket, request: Sent) => acknowledge(socket, request, [])],
  ])('that %s costs the connection, and a new one asks for it first thing', (_name, answer) => {
    const parts = build(feeds);
    const { socket, session } = parts;
    socket.connect();
    const at = run(parts, 600, (request) =>
      request.ch === 'trades' ? answer(socket, request) : acknowledge(socket, request),
    );
    expect(at).toBeGreaterThanOrEqual(200);
    expect(at).toBeLessThan(220);
    expect(socket.cuts).toEqual(['the trades could not be subscribed on it']);
    expect(session.refused).toHaveLength(1);
    socket.cuts.splice(0);
    socket.lose('cut');
    socket.connect();
    run(parts, 20, (request) => acknowledge(socket, request));
    expect(session.refused).toEqual([]);
  });

  test('costs further connections after growing waits only, and keeps since when it is refused', () => {
    const parts = build(feeds);
    const { socket, session } = parts;
    socket.connect();
    const waits: number[] = [];
    for (let cut = 0; cut < 4; cut++) {
      waits.push(run(parts, 20_000, (request) => refuse(socket, request)));
      socket.cuts.splice(0);
      socket.lose('cut');
      socket.connect();
    }
    waits.forEach((wait, cut) => expect(wait).toBeGreaterThanOrEqual(200 * 2 ** cut));
    expect(waits[3]).toBeLessThan(1_700);
    expect(session.refused[0]?.since).toBeLessThan(seconds(1_002));
  });

  test('of a symbol that does not work is reported no more', () => {
    const parts = build(feeds);
    const { socket, session } = parts;
    socket.connect();
    run(parts, 20, (request) => refuse(socket, request));
    session.setWorking(a, false);
    expect(session.refused).toEqual([]);
    run(parts, 600, (request) => refuse(socket, request));
    expect(socket.cuts).toEqual([]);
  });
});

describe('a symbol that does not work', () => {
  test('is asked for no more, misses nothing, and is asked for again when it works', () => {
    const { socket, watcher, clock, session } = live();
    session.setWorking(a, false);
    update(socket, 'AAABBB', 12);
    watcher.clear();
    for (let s = 21, at = 0; at < 60; at++, s++) {
      clock.advance(seconds(1));
      update(socket, 'CCCBBB', s);
    }
    expect(socket.take()).toEqual([]);
    expect(socket.cuts).toEqual([]);
    expect(watcher.all('bookStale')).toEqual([]);
    session.setWorking(a, true);
    expect(socket.take()).toMatchObject([{ params: { symbols: ['AAABBB'] } }]);
  });

  test('is left out of what a new connection asks for, its trades and candles too', () => {
    const side = { trades: true, candles: ['M1' as const] };
    const { socket, clock, session } = build([
      { ...book(a), ...side },
      { ...book(c), ...side },
    ]);
    session.setWorking(a, false);
    socket.connect();
    for (let round = 0; round < 5; round++) {
      for (const request of socket.take()) {
        expect(request.params['symbols']).toEqual(['CCCBBB']);
        acknowledge(socket, request);
      }
      clock.advance(millis(200));
    }
    session.setWorking(a, true);
    clock.advance(millis(200));
    expect(socket.take().at(0)).toMatchObject({ ch: 'orderbook/full', params: { symbols: ['AAABBB'] } });
  });
});

describe('public trades that come twice', () => {
  const trade = (i: number, t = 1_700_000_000_000 + i) => ({ t, i, p: '10.01', q: '0.1', s: 'buy' });
  const idsOf = ({ watcher }: ReturnType<typeof live>): string[] =>
    watcher.all('trades').flatMap(({ trades }) => trades.map(({ tradeId }) => tradeId));

  test('are delivered once: in one update, in two, in a history and after it, and over connections', () => {
    const parts = build([{ ...book(a), trades: true }, book(c)]);
    const { socket } = parts;
    socket.connect();
    const send = (kind: 'snapshot' | 'update', ...rows: object[]): void =>
      socket.receive({ ch: 'trades', [kind]: { AAABBB: rows } });
    send('snapshot', trade(1), trade(2));
    send('update', trade(2), trade(3), trade(3));
    send('update', trade(3));
    socket.lose('reset');
    socket.connect();
    send('snapshot', trade(1), trade(2), trade(3), trade(5));
    send('update', trade(5));
    send('update', trade(4), trade(6));
    expect(idsOf(parts)).toEqual(['1', '2', '3', '5', '4', '6']);
    expect(parts.watcher.all('trades').map(({ snapshot: isHistory }) => isHistory)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('an id that a venue gives out anew is another trade', () => {
    const parts = build([{ ...book(a), trades: true }]);
    parts.socket.connect();
    for (const t of [1_700_000_000_000, 1_700_000_060_000])
      parts.socket.receive({ ch: 'trades', update: { AAABBB: [trade(1, t)] } });
    expect(idsOf(parts)).toEqual(['1', '1']);
  });

  test('are delivered once on version 2 too', () => {
    const parts = build([{ ...book(a), trades: true }], marketProtocolV2);
    parts.socket.connect();
    const row = (id: number) => ({
      id,
      price: '10.01',
      quantity: '0.1',
      side: 'buy',
      timestamp: `2024-01-02T03:04:0${id}.678Z`,
    });
    const send = (method: string, ...data: object[]): void =>
      parts.socket.receive({ jsonrpc: '2.0', method, params: { data, symbol: 'AAABBB' } });
    send('snapshotTrades', row(1), row(2));
    send('updateTrades', row(2), row(3));
    send('snapshotTrades', row(1), row(2), row(3));
    expect(idsOf(parts)).toEqual(['1', '2', '3']);
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

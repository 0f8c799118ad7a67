import { afterEach, describe, expect, test } from 'vitest';
import type { Clock, Micros } from '../../../../src/core/base/clock.ts';
import { later, millis, seconds } from '../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../src/core/base/logger.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { Secret } from '../../../../src/core/base/secret.ts';
import { SystemClock } from '../../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { PrivateStreamHandler } from '../../../../src/venues/hitbtc/client/account/private-stream.ts';
import { LiveVenue } from '../../../../src/venues/hitbtc/client/live-venue.ts';
import { clientOptions } from '../../../../src/venues/options.ts';
import { MarketDataHandler } from '../../../../src/venues/hitbtc/market-data/handler.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { Frame } from '../../../../src/core/model/frame.ts';
import type { InstrumentId } from '../../../../src/core/model/instrument.ts';
import { verifyV3Login } from '../../../../src/venues/hitbtc/wire/socket-auth.ts';
import { encodeSymbol } from '../../../../src/venues/hitbtc/wire/resources/symbol.ts';
import { cancelOrder, newOrder, orderId, otherId, readCommand } from './support/commands.ts';
import { answer, StubHttpServer } from './support/stub-http-server.ts';
import { twoInstruments } from './support/instruments.ts';
import { Watcher } from '../../../support/watcher.ts';
import { wireOrder, wireTrade } from './support/wire-order.ts';
import type { Guest } from './support/stub-socket-server.ts';
import { StubSocketServer } from './support/stub-socket-server.ts';

const secret = new Secret('very-secret');
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Request {
  readonly method: string;
  readonly id: string | number;
  readonly ch?: string;
  readonly params: { readonly symbols?: readonly string[]; readonly client_order_id?: string };
}

type Answering = (guest: Guest, request: Request) => boolean;

/** A scripted venue: answers sessions as the service does, orders as the test says. */
async function build(
  setup: {
    answering?: Answering;
    clock?: Clock;
    options?: object;
    feeds?: boolean;
    login?: (params: unknown) => boolean;
  } = {},
) {
  const http = await StubHttpServer.start();
  ends.push(() => http.close());
  const ws = await StubSocketServer.start(http.server);
  ends.push(() => ws.close());
  ws.onText = (guest, text) => {
    const request = JSON.parse(text) as Request;
    if (setup.answering?.(guest, request) === true) return;
    const { id, ch, params } = request;
    if (request.method === 'login' && setup.login?.(params) === false) {
      reply(guest, { error: { code: 1002, message: 'Authorization is required or has been failed' }, id });
    } else if (request.method === 'subscribe') {
      guest.ws.send(JSON.stringify({ result: { ch, subscriptions: params.symbols }, id }));
      snapshot(guest, params.symbols ?? []);
    } else {
      reply(guest, { result: true, id });
    }
  };
  const watcher = new Watcher();
  const frames: Frame[] = [];
  const fatal: string[] = [];
  const instruments = twoInstruments();
  const list = Object.fromEntries(
    instruments.all.map(({ symbol, spec }) => [symbol, encodeSymbol('v3', spec)]),
  );
  http.handler = ({ url }, response) => answer(response, 200, url.includes('/public/symbol') ? list : {});
  const venue = new LiveVenue({
    clock: setup.clock ?? new SystemClock(),
    random: new Random(5),
    log: silentLogger,
    instruments,
    baseUrl: http.url,
    wsUrl: ws.url,
    options: clientOptions.parse({ socket: { retryMs: 5, attemptsPerMinute: 60 }, ...setup.options }),
    credentials: { apiKey: 'key-0001', secret },
    subscriptions:
      setup.feeds === true
        ? [{ instrument: 0 as InstrumentId, book: true, trades: false, ticker: false, candles: [] }]
        : [],
    onFrame: (frame) => frames.push(frame),
    onUnread: (why) => fatal.push(why),
  });
  ends.push(() => venue.close());
  venue.events.subscribe(watcher.take);
  return { http, ws, watcher, frames, fatal, venue, instruments };
}

function reply(guest: Guest, message: object): void {
  guest.ws.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

function snapshot(guest: Guest, symbols: readonly string[]): void {
  for (const symbol of symbols) {
    const payload = { t: 1_700_000_000_200, s: 5, a: [['10.02', '1.50']], b: [] };
    guest.ws.send(JSON.stringify({ ch: 'orderbook/full', snapshot: { [symbol]: payload } }));
  }
}

function tradeRow(id: number): object {
  return {
    id,
    order_id: 1,
    client_order_id: orderId,
    symbol: 'AAABBB',
    side: 'buy',
    quantity: '0.01',
    price: '10.02',
    fee: '0',
    timestamp: '2024-01-02T03:04:05.678Z',
    taker: true,
  };
}

const trading = (ws: StubSocketServer): Guest =>
  ws.guests.findLast(({ path }) => path.endsWith('/trading')) as Guest;
const up = (watcher: Watcher) => watcher.until('sessionUp', ({ session }) => session === 'trading');
const settled = (watcher: Watcher, id: number) =>
  watcher.until('commandSettled', (event) => event.commandId === id);

describe('replies', () => {
  test('that never come end the command at its deadline; when they come late they settle nothing', async () => {
    const held: Request[] = [];
    const answering: Answering = (_guest, request) =>
      request.method === 'spot_new_order' && held.push(request) > 0;
    const { venue, watcher, ws } = await build({ answering, options: { calls: { deadlineMs: 30 } } });
    await up(watcher);
    venue.send(newOrder(1));
    expect(await settled(watcher, 1)).toMatchObject({ outcome: 'unanswered' });
    reply(trading(ws), { result: wireOrder({ report_type: 'new' }), id: 1 });
    await watcher.until('orderReport');
    expect(watcher.all('commandSettled')).toHaveLength(1);
    expect(venue.counters.account.unmatched).toBe(1);
    expect(held).toHaveLength(1);
  });

  test('with repeated or foreign ids settle each command once and by its own reply', async () => {
    const requests: Request[] = [];
    const answering: Answering = (_guest, request) =>
      request.method === 'spot_new_order' && requests.push(request) > 0;
    const { venue, watcher, ws } = await build({ answering });
    await up(watcher);
    venue.send(newOrder(1, orderId));
    venue.send(newOrder(2, otherId));
    await ws.until(() => requests.length === 2);
    const guest = trading(ws);
    reply(guest, { result: wireOrder({ client_order_id: otherId }), id: 1 });
    reply(guest, { result: wireOrder({ client_order_id: otherId }), id: 2 });
    reply(guest, { result: wireOrder({ client_order_id: otherId }), id: 2 });
    reply(guest, { result: wireOrder({ client_order_id: orderId }), id: '1' });
    reply(guest, { result: wireOrder({ client_order_id: orderId }), id: 1 });
    await settled(watcher, 1);
    expect(
      watcher.all('commandSettled').map(({ commandId, clientOrderId }) => [commandId, clientOrderId]),
    ).toEqual([
      [2, otherId],
      [1, orderId],
    ]);
    expect(venue.counters.account.unmatched).toBe(2);
  });

  test('the same id is what the command carries', async () => {
    const ids: unknown[] = [];
    const answering: Answering = (guest, { method, id, params }) => {
      if (method !== 'spot_new_order') return false;
      ids.push(id);
      reply(guest, { result: wireOrder({ client_order_id: params.client_order_id }), id });
      return true;
    };
    const { venue, watcher } = await build({ answering });
    await up(watcher);
    venue.send(newOrder(4_242));
    await settled(watcher, 4_242);
    expect(ids).toEqual([4_242]);
  });
});

describe('cancels and reads', () => {
  test('a cancel cut on its way is unanswered and was sent once', async () => {
    const { venue, watcher, http } = await build();
    await up(watcher);
    http.handler = ({ socket }) => socket.destroy();
    venue.send(cancelOrder(1));
    expect(await settled(watcher, 1)).toMatchObject({ outcome: 'unanswered', lane: 'cancel' });
    expect(http.seen.map(({ method, url }) => [method, url])).toEqual([
      ['DELETE', `/api/3/spot/order/${orderId}`],
    ]);
  });

  test('own trades are read page by page until the end, oldest first', async () => {
    const { venue, watcher, http } = await build();
    await up(watcher);
    const rows = (from: number, count: number): object[] =>
      Array.from({ length: count }, (_, i) => tradeRow(from + i));
    http.handler = ({ url }, response) => {
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
      answer(response, 200, offset === 2_000 ? rows(2_000, 7) : rows(offset, 1_000));
    };
    const since = 1_704_164_645_678_000 as Micros;
    venue.send(readCommand(1, { of: 'tradeHistory', since }));
    await settled(watcher, 1);
    const parts = watcher.all('readAnswered');
    const fills = parts.flatMap((part) => part.fills);
    expect(fills.map(({ tradeId }) => Number(tradeId))).toEqual(Array.from({ length: 2_007 }, (_, i) => i));
    expect(http.seen[0]?.url).toBe(
      '/api/3/spot/history/trade?sort=ASC&by=timestamp&from=2024-01-02T03%3A04%3A05.678Z&limit=1000&offset=0',
    );
  });

  test('a long list comes in parts of at most 250 rows, of which the last one ends the read', async () => {
    const { venue, watcher, http } = await build();
    await up(watcher);
    const ids = Array.from({ length: 1_030 }, (_, at) => `gw-test-${String(at).padStart(5, '0')}`);
    http.handler = (_request, response) =>
      answer(
        response,
        200,
        ids.map((id) => wireOrder({ client_order_id: id })),
      );
    venue.send(readCommand(1, { of: 'activeOrders' }));
    await settled(watcher, 1);
    const parts = watcher.all('readAnswered');
    const rows = parts.map(({ orders }) => orders.length);
    expect(Math.max(...rows)).toBeLessThanOrEqual(250);
    expect(parts.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId))).toEqual(ids);
    expect(parts.map(({ more }) => more === true)).toEqual(rows.map((_, at) => at < rows.length - 1));
    expect(watcher.all('commandSettled')).toMatchObject([{ outcome: 'acknowledged' }]);
  });

  test('own trades are asked for by the clock of the venue', async () => {
    const { venue, watcher, http } = await build();
    await up(watcher);
    const ahead = 3_600_000;
    const system = new SystemClock();
    http.handler = (_request, response) => {
      response.setHeader('Date', new Date(system.now() / 1_000 - ahead).toUTCString());
      answer(response, 200, []);
    };
    venue.send(readCommand(1, { of: 'balances' }));
    await settled(watcher, 1);
    const since = 1_704_164_645_678_000;
    venue.send(readCommand(2, { of: 'tradeHistory', since: since as Micros }));
    await settled(watcher, 2);
    const url = new URL(http.seen.at(-1)?.url ?? '', 'http://x');
    const asked = Date.parse(url.searchParams.get('from') ?? '');
    expect(Math.abs(asked - (since / 1_000 - ahead))).toBeLessThan(2_000);
  });

  test('a read whose second page fails is no answer at all', async () => {
    const { venue, watcher, http } = await build({ options: { rest: { readAttempts: 1 } } });
    await up(watcher);
    const row = tradeRow(1);
    http.handler = ({ url }, response) =>
      url.endsWith('offset=0')
        ? answer(
            response,
            200,
            Array.from({ length: 1_000 }, () => row),
          )
        : answer(response, 504, '');
    venue.send(readCommand(1, { of: 'tradeHistory', since: 0 as Micros }));
    expect(await settled(watcher, 1)).toMatchObject({ outcome: 'unanswered' });
    expect(watcher.all('readAnswered')).toEqual([]);
  });
});

describe('logins', () => {
  test('refused for a wrong clock are signed again with the measured time, after one refusal', async () => {
    const system = new SystemClock();
    const slow: Clock = {
      now: () => later(system.now(), seconds(-60)),
      uptime: () => system.uptime(),
      after: (delay, task) => system.after(delay, task),
    };
    let refusals = 0;
    const { watcher } = await build({
      clock: slow,
      login: (params) => {
        const result = verifyV3Login({ params, lookup: () => secret, now: system.now() });
        if (!result.ok) refusals += 1;
        return result.ok;
      },
    });
    await up(watcher);
    expect(refusals).toBe(1);
  });

  test('without an answer cost the connection', async () => {
    let logins = 0;
    const { watcher } = await build({
      options: { calls: { loginMs: 20 } },
      answering: (_guest, { method }) => {
        if (method === 'login') logins += 1;
        return method === 'login' && logins === 1;
      },
    });
    await up(watcher);
    expect(logins).toBe(2);
  });
});

test('a report that cannot be read is fatal, and cancels still work', async () => {
  const { venue, watcher, ws, http, fatal } = await build();
  await up(watcher);
  reply(trading(ws), { method: 'spot_order', params: wireOrder({ quantity: 'many' }) });
  http.handler = (_seen, response) => answer(response, 200, wireOrder({ status: 'canceled' }));
  venue.send(cancelOrder(1));
  expect(await settled(watcher, 1)).toMatchObject({ outcome: 'acknowledged' });
  expect(fatal).toHaveLength(1);
});

test('120 lost connections leave no timer, listener or second socket behind', async () => {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const { watcher, ws, venue } = await build({ clock });
  // Time passes slowly enough for the loopback to keep up.
  const pass = async (done: () => boolean): Promise<void> => {
    while (!done()) {
      clock.advance(millis(5));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const count = (kind: 'sessionUp' | 'sessionDown'): number =>
    watcher.all(kind).filter(({ session }) => session === 'trading').length;
  for (let i = 1; i <= 120; i++) {
    await pass(() => count('sessionUp') === i);
    trading(ws).ws.terminate();
    await pass(() => count('sessionDown') === i);
  }
  await pass(() => count('sessionUp') === 121);
  // One watch per socket, one of the deadlines of calls and one over the symbols; everything else has come and gone.
  expect(clock.pending).toBeLessThanOrEqual(4);
  await venue.close();
  expect(clock.pending).toBe(0);
});

test('the recorded frames of a session say again what it said', async () => {
  const answering: Answering = (guest, { method, id }) => {
    if (method !== 'spot_new_order') return false;
    reply(guest, { method: 'spot_order', params: wireOrder({ report_type: 'new' }) });
    reply(guest, { result: wireOrder({ report_type: 'new' }), id });
    reply(guest, { method: 'spot_order', params: wireTrade() });
    return true;
  };
  const { venue, watcher, http, frames, instruments } = await build({ answering, feeds: true });
  await up(watcher);
  await watcher.until('bookSnapshot');
  http.handler = (_seen, response) => answer(response, 200, wireOrder({ status: 'canceled' }));
  const commands = [newOrder(1), cancelOrder(2)] as const;
  venue.send(commands[0]);
  await watcher.until('orderReport', ({ fill }) => fill !== undefined);
  venue.send(commands[1]);
  await settled(watcher, 2);
  await venue.close();

  const again: Event[] = [];
  const publish = (event: Event): void => void again.push(event);
  const account = new PrivateStreamHandler({ instruments, publish, onUnread: (why) => expect(why).toBe('') });
  const market = new MarketDataHandler({ instruments, publish });
  for (const command of commands) account.sent(command);
  for (const frame of frames) {
    account.accept(frame);
    market.accept(frame);
  }
  const said = (events: readonly Event[]) =>
    events.filter(({ kind }) => !['sessionUp', 'sessionDown', 'clockMeasured'].includes(kind));
  expect(said(again)).toEqual(said(watcher.events));
});

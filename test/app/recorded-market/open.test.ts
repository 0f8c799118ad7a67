import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { registerVenues } from '../../../src/app/venue/load.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { RecordedMarket, ServedMarket } from '../../../src/app/recorded-market/open.ts';
import { openRecordedMarket } from '../../../src/app/recorded-market/open.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Event, TickerChanged, TradesPrinted } from '../../../src/core/model/event.ts';
import type { InstrumentId, Ticks } from '../../../src/core/model/instrument.ts';
import { BookStates } from '../../../src/data/recording/book-states.ts';
import { attempt, GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { compared, differenceOf } from '../../conformance/replayed.ts';
import { holds } from '../../system/support/holds.ts';

registerVenues();
const sample = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const opened: ServedMarket[] = [];
const clients: GodwitClient[] = [];
const said: string[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const market of opened.splice(0)) await market.stop();
  said.length = 0;
});

async function serve(market: Partial<RecordedMarket> = {}, port = 0): Promise<ServedMarket> {
  const served = await openRecordedMarket(
    {
      recording: [sample],
      span: {},
      speed: 'asked',
      clock: 'recorded',
      fills: 'fifo',
      loops: false,
      ...market,
    },
    {
      config: configSchema.parse({}),
      host: '127.0.0.1',
      port,
      log: silentLogger,
      onEnd: (sentence) => said.push(sentence),
      onFailure: (error) => {
        throw error;
      },
    },
  );
  opened.push(served);
  return served;
}

function clientOf(market: ServedMarket): GodwitClient {
  const { apiKey, secretKey } = market.keyOf('demo');
  const client = new GodwitClient({
    baseUrl: market.restUrl,
    wsUrl: market.wsUrl,
    credentials: { apiKey, secret: secretKey },
  });
  clients.push(client);
  return client;
}

interface Seen {
  readonly time: string;
  readonly micros: number;
  readonly events: number;
  readonly round: number;
  readonly ended: boolean;
}

async function look(market: ServedMarket, step?: object | string): Promise<Seen> {
  const body = typeof step === 'string' ? step : JSON.stringify(step);
  const answer = await fetch(`${market.restUrl}/replay`, step === undefined ? {} : { method: 'POST', body });
  return (await answer.json()) as Seen;
}

/** What a public path answers. */
async function shown(market: ServedMarket, path: string): Promise<ReturnType<typeof JSON.parse>> {
  return await (await fetch(`${market.restUrl}/api/3/public/${path}`)).json();
}

/** Instruments and events of the sample. */
async function recorded() {
  const recording = await openData([sample]);
  const events: Event[] = [];
  for await (const batch of recording.events()) events.push(...batch);
  return { instruments: recording.instruments, events };
}

/** When the first and the last event of the sample were received. */
async function ends(): Promise<{ readonly first: number; readonly last: number }> {
  const times = (await recorded()).events.map(({ receiveTime }) => receiveTime);
  return { first: times[0] as number, last: Math.max(...times) };
}

/** As many decisions as on all of the sample, and less than half of the events. */
const part = { files: [sample], seconds: 50 };

describe('a program by sockets and the same decisions in a backtest', () => {
  for (const [fills, latency] of [
    ['fifo', 0],
    ['fifo', 15_000],
    ['queue', 15_000],
  ] as const)
    test(`execute alike, with fills ${fills} and a latency of ${latency / 1_000} ms`, async () => {
      const comparison = await compared({ ...part, latency, fills });
      expect(differenceOf(comparison)).toBeUndefined();
      expect(comparison.byReplay.filter(({ taker }) => taker).length).toBeGreaterThan(50);
      expect(comparison.byReplay.filter(({ taker }) => !taker).length).toBeGreaterThan(50);
    });

  test('execute alike where the market goes on by itself, with the latency that each order had', async () => {
    const comparison = await compared({ ...part, latency: 'measured', speed: 10 });
    expect(differenceOf(comparison)).toBeUndefined();
    expect(comparison.byReplay.length).toBeGreaterThan(0);
    expect(comparison.latencies.length).toBeGreaterThan(0);
    expect(Math.min(...comparison.latencies)).toBeGreaterThanOrEqual(0);
  });

  test('differ when the latency differs', async () => {
    const slow = await compared({ ...part, latency: 15_000, latencyByReplay: 400_000 });
    expect(differenceOf(slow)).toMatch(/^execution \d+ of \d+: /);
  });
});

describe('time that goes on as clients ask', () => {
  test('stands still until it is asked for, and goes by events, milliseconds and times', async () => {
    const market = await serve();
    const start = await look(market);
    expect(start).toMatchObject({ micros: market.begin, events: 0, round: 1, ended: false });
    expect(await look(market)).toEqual(start);
    const one = await look(market, '');
    expect(one.events).toBe(1);
    const ten = await look(market, { events: 9 });
    expect(ten.events).toBeGreaterThanOrEqual(10);
    const later = await look(market, { ms: 250.001 });
    expect(later.micros).toBe(ten.micros + 250_001);
    const there = new Date(Math.ceil(later.micros / 1_000) + 500).toISOString();
    expect((await look(market, { to: there })).time).toBe(there);
    expect((await look(market, { events: 1_000_000, ms: 5 })).time).toBe(
      new Date(Date.parse(there) + 5).toISOString(),
    );
  });

  test('ends with the recording: the books stay, and orders are answered', async () => {
    const market = await serve();
    const { last } = await ends();
    const end = await look(market, { events: 1_000_000 });
    expect(end).toMatchObject({ ended: true });
    expect(end.micros).toBeGreaterThanOrEqual(last);
    expect(said).toEqual([expect.stringMatching(/^the recording ended at .*Z: its last books stay/)]);
    const client = clientOf(market);
    expect((await shown(market, 'orderbook/BTCUSDT')).ask.length).toBeGreaterThan(0);
    const bought = await client.v3.spot.createOrder({
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'market',
      quantity: '0.001',
    });
    expect(bought.status).toBe('filled');
    expect(await look(market, { events: 1 })).toMatchObject({ ended: true, events: end.events });
  });

  test('a step that is none is refused, and so is one where the recording goes on by itself', async () => {
    const market = await serve();
    const step = (served: ServedMarket, body: string) =>
      fetch(`${served.restUrl}/replay`, { method: 'POST', body });
    for (const body of ['{"events": 0}', '{"ms": 1, "to": "2024-01-31T12:00:00Z"}', '[', '{"steps": 1}'])
      expect((await step(market, body)).status).toBe(400);
    expect((await look(market)).micros).toBe(market.begin);
    const paced = await serve({ speed: 1 });
    const refused = await step(paced, '');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: { message: 'the recording goes on by itself: expected --speed asked, found 1' },
    });
  });
});

describe('time that goes on by itself', () => {
  test('is that of the machine, to which the recording is moved, and as fast as was said', async () => {
    const before = Date.now();
    const market = await serve({ speed: 200, clock: 'wall' });
    await holds(async () => expect(await look(market)).toMatchObject({ ended: true }));
    const { first, last } = await ends();
    const [trade] = await shown(market, 'trades/BTCUSDT?limit=1');
    const time = Date.parse(trade.timestamp);
    // Drawn together 200 times, the recording lies behind the start.
    expect(time).toBeGreaterThan(before - 60_000);
    expect(time).toBeLessThan(Date.now() + (last - first) / 200_000 + 1_000);
  });

  test('is that of the recording where it was asked for: stamps, the time of answers, and what signatures may be of', async () => {
    const market = await serve({ speed: 100, clock: 'recorded' });
    await holds(async () => expect(await look(market)).toMatchObject({ ended: true }));
    const { first, last } = await ends();
    const answer = await fetch(`${market.restUrl}/api/3/public/ticker/BTCUSDT`);
    const { timestamp } = (await answer.json()) as { timestamp: string };
    expect(Date.parse(timestamp)).toBeGreaterThan(first / 1_000 - 1);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(last / 1_000);
    // It goes on behind the end, a hundred times as fast as that of the machine.
    const date = Date.parse(answer.headers.get('date') ?? '');
    expect(date).toBeGreaterThan(first / 1_000 - 1_000);
    expect(date).toBeLessThanOrEqual((await look(market)).micros / 1_000);
    // The client signs with the time of the machine, years away.
    const { spot } = clientOf(market).v3;
    expect((await spot.balances()).length).toBeGreaterThan(0);
  });
});

/** A socket of version 2 that is subscribed to a book, and what it was sent of it. */
async function bookSocket(market: ServedMarket) {
  const received: { method?: string; params: { sequence: number; timestamp: string } }[] = [];
  const socket = new WebSocket(`${market.wsUrl}/api/2/ws/public`);
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as (typeof received)[number];
    if (message.method !== undefined) received.push(message);
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ method: 'subscribeOrderbook', params: { symbol: 'BTCUSDT' }, id: 1 }));
  await holds(() => expect(received).toHaveLength(1));
  return { socket, received };
}

test('both versions show the recorded books, trades and figures of 24 hours', async () => {
  const { instruments, ...recording } = await recorded();
  const { id, priceText } = {
    id: 0 as InstrumentId,
    priceText: (at: Ticks) => instruments.at(id).priceText(at),
  };
  const symbol = instruments.at(id).symbol;
  expect(symbol).toBe('BTCUSDT');
  const of = (kind: Event['kind']) =>
    recording.events.filter(
      (event) => event.kind === kind && 'instrument' in event && event.instrument === id,
    );
  const market = await serve();
  const { socket, received } = await bookSocket(market);
  await look(market, { events: 1_000_000 });
  const ticker = (of('ticker').at(-1) as TickerChanged).ticker;
  const trade = (of('trades').at(-1) as TradesPrinted).trades.at(-1);
  const states = new BookStates(instruments);
  for (const event of recording.events) states.apply(event);
  const levels = states
    .bookOf(id)
    ?.levels('buy', 5)
    .map(({ price }) => priceText(price));
  for (const version of [3, 2]) {
    const at = async (path: string): Promise<ReturnType<typeof JSON.parse>> =>
      await (await fetch(`${market.restUrl}/api/${version}/public/${path}`)).json();
    const seen = await at(`ticker/${symbol}`);
    expect([seen.volume, seen.high].map(parseAmount)).toEqual([ticker.volume, ticker.high]);
    const [last] = await at(`trades/${symbol}?limit=1`);
    expect([last.price, String(last.id)]).toEqual([priceText(trade?.price as Ticks), trade?.tradeId]);
    const { bid } = await at(`orderbook/${symbol}?${version === 3 ? 'depth' : 'limit'}=5`);
    expect(
      bid.map((level: [string] | { price: string }) => ('price' in level ? level.price : level[0])),
    ).toEqual(levels);
  }
  // Each recorded change is a message of its own, and the sequence has no gap.
  const changes = of('bookUpdate').length + of('bookSnapshot').length;
  await holds(() => expect(received).toHaveLength(1 + changes));
  const sequences = received.map(({ params }) => params.sequence);
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] as number) + index));
  const stamps = received.slice(1).map(({ params }) => Date.parse(params.timestamp));
  const happened = [...of('bookSnapshot'), ...of('bookUpdate')].map(({ exchangeTime }) => exchangeTime);
  expect(stamps).toEqual(happened.toSorted((a, b) => a - b).map((time) => Math.floor(time / 1_000)));
  socket.close();
});

test('a recording begins again, by later times, and takes open orders with it', async () => {
  const market = await serve({ loops: true });
  const { first, last } = await ends();
  await look(market, { events: 100 });
  const { spot } = clientOf(market).v3;
  const order = await spot.createOrder({ symbol: 'BTCUSDT', side: 'buy', price: '1', quantity: '0.001' });
  const again = await look(market, { ms: (last - first) / 1_000 + 2_000 });
  expect(again).toMatchObject({ round: 2, ended: false });
  expect(again.micros).toBeGreaterThan(last);
  expect(await spot.orders()).toEqual([]);
  const [kept] = await spot.orderHistory({ symbol: 'BTCUSDT' });
  expect(kept).toMatchObject({ clientOrderId: order.clientOrderId, status: 'canceled' });
  expect(said).toEqual([]);
});

test('a part of the recording is served: the market of before stands at its begin', async () => {
  const { first, last } = await ends();
  const start = (first + Math.floor((last - first) / 2)) as Micros;
  const end = (start + 1_000_000) as Micros;
  const market = await serve({ span: { start, end } });
  expect(market.begin).toBe(start);
  await look(market, { events: 1 });
  expect((await shown(market, 'orderbook/BTCUSDT?depth=0')).bid.length).toBeGreaterThan(5);
  const over = await look(market, { events: 1_000_000 });
  expect(over.ended).toBe(true);
  expect(over.micros).toBeLessThan(end + 100_000);
});

describe('what cannot be served', () => {
  test('a recording without a book is refused in a sentence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-replay-'));
    try {
      const file = join(folder, 'BTCUSDT-trades.csv');
      writeFileSync(
        file,
        'time,price,quantity,side\n2024-01-01T00:00:00Z,100.5,1,buy\n2024-01-01T00:00:01Z,100.6,2,sell\n',
      );
      await expect(serve({ recording: [file] })).rejects.toThrow(
        `${file}: expected a recording with a book, found trades alone`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a port in use, a span beyond the recording, and a file of no known format', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = taken.address() as AddressInfo;
      await expect(serve({}, port)).rejects.toThrow(`cannot listen on 127.0.0.1 port ${port}`);
    } finally {
      taken.close();
    }
    const { last } = await ends();
    await expect(serve({ span: { start: (last + 1_000_000) as Micros } })).rejects.toThrow(
      /sample: expected events of the span, found them from 2026-11-21T01:0.* to 2026-11-21T01:0/,
    );
    await expect(serve({ recording: [fileURLToPath(import.meta.url)] })).rejects.toThrow(
      'expected one of the formats that godwit data list names',
    );
  });
});

test('an order that funds do not cover is refused, as at any exchange', async () => {
  const market = await serve();
  await look(market, { events: 50 });
  const request = { symbol: 'BTCUSDT', side: 'buy', price: '1000', quantity: '100000' } as const;
  const refused = await attempt(clientOf(market).v3.spot.createOrder(request));
  expect(refused).toMatchObject({ ok: false, failure: { kind: 'refused', code: 20001 } });
});

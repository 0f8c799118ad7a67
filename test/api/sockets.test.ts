import { describe, expect, test } from 'vitest';
import { channels, parseAmount } from '../../src/venues/hitbtc/typed/index.ts';
import { failureOf, SharedStage } from './support.ts';

const shared = new SharedStage();
const symbol = 'ETHUSDT';

describe('the v3 public socket', () => {
  test('reports books without a gap, names unknown symbols, and ends when asked', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const received: [string, number][] = [];
    const standing = await market.subscribe(
      channels.fullBookChannel(),
      { keys: [symbol, 'NOPE'] },
      ({ kind, payloads }) => received.push([kind, payloads.get(symbol)?.sequence ?? 0]),
    );
    expect([standing.accepted, standing.missing]).toEqual([[symbol], ['NOPE']]);
    await shared.settled(() => received.length >= 5);
    expect(received[0]?.[0]).toBe('snapshot');
    const [first] = received.map(([, sequence]) => sequence);
    expect(received.map(([, sequence]) => sequence - (first ?? 0))).toEqual(
      received.map((_, index) => index),
    );
    expect(await market.subscriptions(channels.fullBookChannel())).toEqual([symbol]);
    expect(await standing.unsubscribe()).toEqual([]);
  });

  test.each(channelsThere())('reports %s, typed', async (_name, channel, request) => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const keys: string[] = [];
    const faults: string[] = [];
    market.faults$.subscribe((fault) => faults.push(fault));
    const standing = await market.subscribe(channel, request, ({ payloads }) =>
      keys.push(...payloads.keys()),
    );
    expect(standing.missing).toEqual([]);
    await shared.settled(() => keys.length > 0);
    expect(request.keys).toContain(keys[0]);
    expect(faults).toEqual([]);
  });

  test('keeps two listeners of a channel apart, and the one when the other leaves', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const one: string[] = [];
    const two: string[] = [];
    const channel = channels.topOfBookChannel('100ms');
    const first = await market.subscribe(channel, { keys: [symbol] }, (m) => one.push(...m.payloads.keys()));
    await market.subscribe(channel, { keys: [symbol, 'BTCUSDT'] }, (m) => two.push(...m.payloads.keys()));
    await shared.settled(() => one.length > 0 && two.includes('BTCUSDT'));
    expect(new Set(one)).toEqual(new Set([symbol]));
    expect((await first.unsubscribe()).toSorted()).toEqual(['BTCUSDT', symbol]);
    const before = two.filter((key) => key === symbol).length;
    await shared.settled(() => two.filter((key) => key === symbol).length > before);
  });

  test('is an Observable, too, which ends its subscription when it is left', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const seen: string[] = [];
    const stream = market.stream(channels.partialBookChannel('D5', '100ms'), { keys: [symbol] });
    const leaving = stream.subscribe(({ kind }) => seen.push(kind));
    await shared.settled(() => seen.length > 0);
    expect(seen[0]).toBe('data');
    leaving.unsubscribe();
    const channel = channels.partialBookChannel('D5', '100ms');
    let active: readonly string[] = [symbol];
    while (active.length > 0) active = await market.subscriptions(channel);
  });

  test('asks for a fresh book when an update is missing, and lets nothing pass until it is there', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const received: [string, number][] = [];
    const gaps: string[] = [];
    market.gaps$.subscribe((gap) => gaps.push(gap));
    await market.subscribe(channels.fullBookChannel(), { keys: [symbol] }, ({ kind, payloads }) =>
      received.push([kind, payloads.get(symbol)?.sequence ?? 0]),
    );
    await shared.settled(() => received.length > 1);
    shared.stage.server.faults.dropUpdates(symbol, 1);
    const snapshots = () => received.filter(([kind]) => kind === 'snapshot').length;
    await shared.settled(() => snapshots() === 2 && received.at(-1)?.[0] === 'update');
    expect(gaps).toEqual([symbol]);
    for (const [index, [kind, sequence]] of received.entries()) {
      if (kind === 'update') expect(sequence).toBe((received[index - 1]?.[1] ?? 0) + 1);
    }
  });

  test('asks for a fresh book when the sequence begins anew', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const received: string[] = [];
    await market.subscribe(channels.fullBookChannel(), { keys: [symbol] }, ({ kind }) => received.push(kind));
    await shared.settled(() => received.length > 1);
    shared.stage.server.faults.resetSequence(symbol);
    await shared.settled(
      () => received.filter((kind) => kind === 'snapshot').length === 2 && received.at(-1) === 'update',
    );
  });

  test('asks again for everything after the connection was lost', async () => {
    const market = shared.opened(shared.client.sockets.marketV3());
    const kinds: string[] = [];
    await market.subscribe(channels.fullBookChannel(), { keys: [symbol] }, ({ kind }) => kinds.push(kind));
    await shared.settled(() => kinds.length > 1);
    shared.stage.server.faults.closeSockets(1001, 'maintenance');
    await shared.settled(() => kinds.filter((kind) => kind === 'snapshot').length === 2);
    expect(market.socket.state).toBe('ready');
  });
});

/** One channel of each kind the exchange tells something of. */
function channelsThere() {
  const of = <Payload>(
    channel: channels.TypedChannel<Payload>,
    request: { readonly keys: readonly string[]; readonly limit?: number; readonly targetCurrency?: string },
  ) => [channel.name, channel as channels.TypedChannel<unknown>, request] as const;
  const keys = [symbol];
  return [
    of(channels.tradesChannel(), { keys, limit: 5 }),
    of(channels.candlesChannel('M1'), { keys, limit: 5 }),
    of(channels.convertedCandlesChannel('M1'), { keys, limit: 5, targetCurrency: 'BTC' }),
    of(channels.tickerChannel('1s'), { keys }),
    of(channels.tickerChannel('1s', true), { keys }),
    of(channels.priceTickerChannel('1s'), { keys }),
    of(channels.priceRateChannel('1s'), { keys: ['ETH'], targetCurrency: 'USDT' }),
    of(channels.topOfBookChannel('100ms', true), { keys }),
    of(channels.partialBookChannel('D10', '100ms', true), { keys }),
    of(channels.futuresInfoChannel(), { keys: ['BTCUSDT_PERP'] }),
  ];
}

describe('the v2 public socket', () => {
  test('report market data: books in sequence, trades, candles, tickers', async () => {
    const { market } = shared.opened(shared.client.sockets.publicV2());
    const seen = new Set<string>();
    const sequences: number[] = [];
    market.book$.subscribe(({ kind, sequence }) => {
      seen.add(`book ${kind}`);
      sequences.push(sequence);
    });
    market.trades$.subscribe(({ kind }) => seen.add(`trades ${kind}`));
    market.candles$.subscribe(({ kind, period }) => seen.add(`candles ${kind} ${period}`));
    market.ticker$.subscribe((ticker) => seen.add(ticker.symbol));
    await market.subscribeBook(symbol);
    await market.subscribeTrades(symbol, 5);
    await market.subscribeCandles({ symbol, period: 'M1', limit: 5 });
    await market.subscribeTicker(symbol);
    const wanted = ['book snapshot', 'book update', 'trades snapshot', 'candles snapshot M1', symbol];
    await shared.settled(() => wanted.every((name) => seen.has(name)));
    const [first = 0] = sequences;
    expect(sequences.map((sequence) => sequence - first)).toEqual(sequences.map((_, index) => index));
    expect(await market.symbol({ symbol })).toMatchObject({ id: symbol, tickSize: parseAmount('0.01') });
    expect((await market.symbols()).length).toBeGreaterThan(3);
    expect(await market.currency({ currency: 'BTC', extended: true })).toMatchObject({ id: 'BTC' });
    expect(await market.currencies({ currency: ['BTC', 'ETH'] })).toHaveLength(2);
    expect((await market.trades({ symbol, limit: 3 })).symbol).toBe(symbol);
    await market.unsubscribeBook(symbol);
    await market.unsubscribeTrades(symbol);
    await market.unsubscribeCandles({ symbol, period: 'M1' });
    await market.unsubscribeTicker(symbol);
    expect(await failureOf(market.subscribeBook('NOPE'))).toMatchObject({ code: 2001 });
  });
});

import type { Observable } from 'rxjs';
import { expect } from 'vitest';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { channels, parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { RawSocket } from '../../exchange/support/raw-client.ts';
import type { Bench } from '../../exchange/support/raw-client.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { SocketOf, Talk } from './talk.ts';
import { codeOf } from './order-errors.ts';

const root = '/api/3/ws/public';
const symbol = 'BTCUSDT';
const middle = parseAmount('60000');
type Market = SocketOf<'marketV3'>;
const ask =
  <Value>(run: (socket: Market, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'marketV3', (socket) => run(socket, talk));
/** A channel of that shape that does not exist. */
const unknownChannel = (ch: string) => (talk: Talk) =>
  talk.rawSocket(root, { method: 'subscribe', ch, params: { symbols: [symbol] } });

interface ChannelAsked {
  readonly keys: readonly string[];
  readonly limit?: number;
  readonly targetCurrency?: string;
}

/** A channel that tells something of each key asked for; `wrong` is no such channel. */
function channelCase<Payload>(
  row: string,
  channel: channels.TypedChannel<Payload>,
  request: ChannelAsked,
  { check, wrong }: { readonly check: (payload: Payload) => unknown; readonly wrong: string },
): RowCase {
  return rowCase(
    `${root} ${row}`,
    ask(async (socket, talk) => {
      const received: Payload[] = [];
      const standing = await socket.subscribe(channel, request, ({ payloads }) =>
        received.push(...payloads.values()),
      );
      await talk.until(() => received.length > 0);
      await standing.unsubscribe();
      return { received, standing };
    }),
    ({ received, standing }) => {
      expect([standing.channel, standing.missing]).toEqual([channel.name, []]);
      check(received[0] as Payload);
    },
    { errors: { 2003: unknownChannel(wrong) } },
  );
}

const keys = [symbol];
const rate = { keys: ['BTC'], targetCurrency: 'USDT' };
const ticker = (value: { readonly last?: unknown }) => expect(value.last).toBe(middle);
const seen = (value: unknown) => expect(value).toMatchObject({ timestamp: expect.any(Number) as number });

/** Every channel of the documents, each in one of its forms. */
const channelCases: readonly RowCase[] = [
  channelCase(
    'trades',
    channels.tradesChannel(),
    { keys, limit: 5 },
    {
      check: (trades) => expect(trades).toMatchObject([{ price: middle }]),
      wrong: 'trade',
    },
  ),
  channelCase(
    'candles/{}',
    channels.candlesChannel('M1'),
    { keys, limit: 5 },
    {
      check: (candles) => expect(candles).toMatchObject([{ close: middle }]),
      wrong: 'candles/M7',
    },
  ),
  channelCase(
    'converted/candles/{}',
    channels.convertedCandlesChannel('M1'),
    { keys, limit: 5, targetCurrency: 'USDT' },
    {
      check: (candles) => expect(candles).toMatchObject([{ close: middle }]),
      wrong: 'converted/candles/M7',
    },
  ),
  channelCase('ticker/{}', channels.tickerChannel('1s'), { keys }, { check: ticker, wrong: 'ticker/2s' }),
  channelCase(
    'ticker/{}/batch',
    channels.tickerChannel('3s', true),
    { keys },
    { check: ticker, wrong: 'ticker/2s/batch' },
  ),
  channelCase(
    'ticker/price/{}',
    channels.priceTickerChannel('1s'),
    { keys },
    { check: ticker, wrong: 'ticker/price/2s' },
  ),
  channelCase(
    'ticker/price/{}/batch',
    channels.priceTickerChannel('3s', true),
    { keys },
    {
      check: ticker,
      wrong: 'ticker/price/2s/batch',
    },
  ),
  channelCase('price/rate/{}', channels.priceRateChannel('1s'), rate, {
    check: seen,
    wrong: 'price/rate/2s',
  }),
  channelCase('price/rate/{}/batch', channels.priceRateChannel('3s', true), rate, {
    check: seen,
    wrong: 'price/rate/2s/batch',
  }),
  channelCase(
    'orderbook/full',
    channels.fullBookChannel(),
    { keys },
    {
      check: (book) =>
        expect(book).toMatchObject({ ask: [{}], bid: [{}], sequence: expect.any(Number) as number }),
      wrong: 'orderbook/whole',
    },
  ),
  channelCase(
    'orderbook/{}/{}',
    channels.partialBookChannel('D5', '100ms'),
    { keys },
    {
      check: (book) => expect(book).toMatchObject({ ask: [{}], bid: [{}] }),
      wrong: 'orderbook/D7/100ms',
    },
  ),
  channelCase(
    'orderbook/{}/{}/batch',
    channels.partialBookChannel('D10', '500ms', true),
    { keys },
    {
      check: (book) => expect(book).toMatchObject({ ask: [{}], bid: [{}] }),
      wrong: 'orderbook/D7/500ms/batch',
    },
  ),
  channelCase(
    'orderbook/top/{}',
    channels.topOfBookChannel('100ms'),
    { keys },
    { check: seen, wrong: 'orderbook/top/1ms' },
  ),
  channelCase(
    'orderbook/top/{}/batch',
    channels.topOfBookChannel('500ms', true),
    { keys },
    {
      check: seen,
      wrong: 'orderbook/top/1ms/batch',
    },
  ),
  channelCase(
    'futures/info',
    channels.futuresInfoChannel(),
    { keys: ['BTCUSDT_PERP'] },
    {
      check: (info) => expect(info).toMatchObject({ indexPrice: middle }),
      wrong: 'futures/infos',
    },
  ),
];

const trades = channels.tradesChannel();

const methods: readonly RowCase[] = [
  rowCase(
    `${root} subscribe`,
    ask((socket) => socket.subscribe(trades, { keys: [symbol, 'NOPE'] }, () => {})),
    ({ accepted, missing }) => expect([accepted, missing]).toEqual([[symbol], ['NOPE']]),
    {
      errors: {
        1: brokenJson,
        404: (talk) => talk.rawSocket(root, { method: 'abc', ch: 'trades', params: {} }),
        2003: unknownChannel('orderbook/D7/100ms'),
      },
    },
  ),
  rowCase(
    `${root} subscriptions`,
    ask((socket) => socket.subscriptions(trades)),
    (active) => expect(active).toEqual([symbol]),
    { errors: { 2003: (talk) => talk.rawSocket(root, { method: 'subscriptions', ch: 'x', params: {} }) } },
  ),
  rowCase(
    `${root} unsubscribe`,
    ask(async (socket) => {
      const standing = await socket.subscribe(channels.tickerChannel('1s'), { keys }, () => {});
      return standing.unsubscribe();
    }),
    (active) => expect(active).toEqual([]),
    { errors: { 2003: (talk) => talk.rawSocket(root, { method: 'unsubscribe', ch: 'x', params: {} }) } },
  ),
];

/** The answer to broken JSON has no id, and the socket stays open. */
async function brokenJson(talk: Talk): Promise<number> {
  const socket = await RawSocket.open(talk.stage as unknown as Bench, root);
  socket.say('{"method":');
  const answer = (await socket.until(() => true)) as { readonly error: { readonly code: number } };
  socket.close();
  return answer.error.code;
}

const wallet = '/api/3/ws/wallet';
type Wallet = SocketOf<'walletV3'>;
const askWallet =
  <Value>(run: (socket: Wallet, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'walletV3', (socket) => run(socket, talk));
const move = (talk: Talk) =>
  talk.us.v3.wallet.transfer({ currency: 'USDT', amount: '1', source: 'spot', destination: 'wallet' });

/** A subscription that was ended: the next transfer is not reported. */
function endedCase(
  row: string,
  end: (socket: Wallet) => Promise<unknown>,
  notified: (socket: Wallet) => Observable<unknown>,
): RowCase {
  return rowCase(
    `${wallet} ${row}`,
    askWallet(async (socket, talk) => {
      let received = 0;
      await end(socket);
      const delivered = notified(socket).subscribe(() => (received += 1));
      await move(talk);
      await talk.pause(5);
      delivered.unsubscribe();
      return received;
    }),
    (received) => expect(received).toBe(0),
  );
}

const walletMethods: readonly RowCase[] = [
  rowCase(
    `${wallet} login`,
    askWallet((socket) => socket.socket.ready()),
    (ready) => expect(ready).toBeUndefined(),
    {
      errors: {
        429: (talk) => talk.limitedLogin(wallet),
        1002: (talk) => codeOf(talk.on(talk.keyless, 'walletV3', (socket) => socket.balances())),
        1004: (talk) => talk.rawSocket(wallet, { method: 'login', params: { type: 'Digest' } }, false),
      },
    },
  ),
  rowCase(
    `${wallet} subscribe_transactions`,
    askWallet(async (socket, talk) => {
      const received: string[] = [];
      const delivered = socket.transaction$.subscribe(({ subtype }) => received.push(subtype));
      await socket.subscribeTransactions();
      await move(talk);
      await talk.until(() => received.length > 0);
      delivered.unsubscribe();
      return received;
    }),
    (received) => expect(received).toContain('SPOT_TO_WALLET'),
  ),
  endedCase(
    'unsubscribe_transactions',
    (socket) => socket.unsubscribeTransactions(),
    (socket) => socket.transaction$,
  ),
  rowCase(
    `${wallet} subscribe_wallet_balances`,
    askWallet(async (socket, talk) => {
      const received: string[] = [];
      const delivered = socket.balances$.subscribe(() => received.push('all'));
      delivered.add(socket.balance$.subscribe(({ currency }) => received.push(currency)));
      await socket.subscribeBalances();
      await move(talk);
      await talk.until(() => received.length > 1);
      delivered.unsubscribe();
      return received;
    }),
    (received) => expect(received).toEqual(['all', 'USDT']),
  ),
  endedCase(
    'unsubscribe_wallet_balances',
    (socket) => socket.unsubscribeBalances(),
    (socket) => socket.balance$,
  ),
  rowCase(
    `${wallet} wallet_balances`,
    askWallet((socket) => socket.balances()),
    (rows) => expect(rows.map(({ currency }) => currency)).toContain('XRP'),
  ),
  rowCase(
    `${wallet} wallet_balance`,
    askWallet((socket) => socket.balance({ currency: 'XRP' })),
    (row) => expect(row).toMatchObject({ available: parseAmount('1000') }),
    {
      bad: {},
      errors: {
        2002: (talk) =>
          codeOf(talk.on(talk.us, 'walletV3', (socket) => socket.balance({ currency: 'NOPE' }))),
      },
    },
  ),
  rowCase(
    `${wallet} get_transactions`,
    askWallet((socket) => socket.transactions({ limit: 1 })),
    (rows) => expect(rows).toMatchObject([{ subtype: 'SPOT_TO_WALLET' }]),
    { bad: { limit: '1001' } },
  ),
  rowCase(
    // The document's name of the same query: the client asks by the one that other clients use.
    `${wallet} transactions`,
    askWallet((socket) => socket.transactions({ types: ['TRANSFER'] })),
    async (rows, talk) => {
      expect(rows.length).toBeGreaterThan(0);
      expect(await talk.rawSocket(wallet, { method: 'transactions', params: {} })).toBe(0);
    },
    { bad: { limit: '1001' } },
  ),
];

/** The public socket of v3 with its channels. */
export const publicSocketV3: readonly RowCase[] = [...channelCases, ...methods];
/** The wallet socket of v3. */
export const walletSocketV3: readonly RowCase[] = walletMethods;

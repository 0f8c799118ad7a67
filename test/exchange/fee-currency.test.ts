import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import { allMoney } from './support/all-money.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

const symbol = {
  symbol: 'ETHBTC',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'ETH',
  tickSize: '0.001',
  quantityIncrement: '0.01',
  takeRate: '0.002',
  makeRate: '0.001',
};

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [symbol] });
});
afterEach(() => bench.close());

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account);
  return rest(bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
};
const balance = async (currency: string) => (await api(`GET spot/balance/${currency}`)).body;

test('fees are taken in the base currency where the symbol says so, over REST, sockets and history', async () => {
  expect((await api('GET public/symbol/ETHBTC')).body.fee_currency).toBe('ETH');
  const two = await rest(bench, 'GET /api/2/public/symbol/ETHBTC');
  expect(two.body.feeCurrency).toBe('ETH');
  const before = ['ETH', 'BTC'].map((currency) => allMoney(bench.server, currency));
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(bench.key('demo'));
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
  const order = { symbol: 'ETHBTC', price: '0.05' };
  await api('POST spot/order', { ...order, side: 'sell', quantity: '2' }, 'demo-two');
  const bought = await api('POST spot/order', { ...order, side: 'buy', quantity: '2' });
  expect(bought.body).toMatchObject({ status: 'filled', trades: [{ fee: '0.004000000000', taker: true }] });
  expect([(await balance('ETH')).available, (await balance('BTC')).available]).toEqual(['401.996', '19.9']);
  const report = await socket.until(({ params }) => params?.report_type === 'trade');
  expect(report.params.trade_fee).toBe('0.004000000000');
  // A sell that waits holds the worst fee as well, and pays the maker's.
  await api('POST spot/order', { ...order, side: 'sell', quantity: '10' });
  expect(await balance('ETH')).toMatchObject({ available: '391.976', reserved: '10.02' });
  await api('POST spot/order', { ...order, side: 'buy', quantity: '10' }, 'demo-two');
  expect(await balance('ETH')).toMatchObject({ available: '391.986', reserved: '0' });
  expect((await balance('BTC')).available).toBe('20.4');
  const [last] = (await api('GET spot/history/trade')).body;
  expect(last).toMatchObject({ side: 'sell', fee: '0.010000000000', taker: false });
  expect(['ETH', 'BTC'].map((currency) => allMoney(bench.server, currency))).toEqual(before);
  socket.close();
});

test('fees are taken in a third currency where the symbol says so, at the rate of the market', async () => {
  await bench.close();
  const third = { ...symbol, feeCurrency: 'USDT', makeRate: '-0.001' };
  const rated = {
    symbol: 'BTCUSDT',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '1',
    quantityIncrement: '1',
  };
  bench = await openBench({ limits: { enabled: false }, symbols: [third, rated] });
  const before = ['ETH', 'BTC', 'USDT'].map((currency) => allMoney(bench.server, currency));
  const order = { symbol: 'ETHBTC', price: '0.05' };
  // Nothing is traded yet: 0.1 × 0.002 at the opening price of 64,000.
  await api('POST spot/order', { ...order, side: 'sell', quantity: '2' }, 'demo-two');
  const bought = await api('POST spot/order', { ...order, side: 'buy', quantity: '2' });
  expect(bought.body).toMatchObject({ status: 'filled', trades: [{ fee: '12.800000000000', taker: true }] });
  expect(await Promise.all(['ETH', 'BTC', 'USDT'].map(balance))).toMatchObject([
    { available: '402' },
    { available: '19.9' },
    { available: '999987.2' },
  ]);
  const quoted = { symbol: 'BTCUSDT', quantity: '1' };
  await api('POST spot/order', { ...quoted, side: 'buy', price: '59000' }, 'demo-two');
  await api('POST spot/order', { ...quoted, side: 'sell', price: '61000' }, 'demo-two');
  await api('POST spot/order', { ...order, side: 'sell', quantity: '2' });
  await api('POST spot/order', { ...order, side: 'buy', quantity: '2' }, 'demo-two');
  const [last] = (await api('GET spot/history/trade')).body;
  expect(last).toMatchObject({ side: 'sell', fee: '-6.000000000000', taker: false });
  expect((await balance('USDT')).available).toBe('999993.2');
  expect(['ETH', 'BTC', 'USDT'].map((currency) => allMoney(bench.server, currency))).toEqual(before);
});

test('an order whose fee the wallet of the third currency does not bear is refused', async () => {
  await bench.close();
  bench = await openBench({ limits: { enabled: false }, symbols: [{ ...symbol, feeCurrency: 'XRP' }] });
  const order = { symbol: 'ETHBTC', side: 'sell', price: '500', quantity: '100' };
  const refused = await api('POST spot/order', order);
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 20001 } } });
});

test('a third currency without an opening price is refused when the exchange starts', async () => {
  await expect(openBench({ symbols: [{ ...symbol, feeCurrency: 'HIT' }] })).rejects.toThrow(
    'exchange option symbols: fees of ETHBTC are in HIT: expected HIT among the currencies, with a price above 0',
  );
});

test('the options refuse fees in base currency on margin, naming the member', () => {
  const read = exchangeOptions.safeParse({ symbols: [{ ...symbol, marginTrading: true }] });
  const [issue] = read.error?.issues ?? [];
  expect(issue?.path).toEqual(['symbols', 0, 'feeCurrency']);
  expect(issue?.message).toContain('expected the quote currency');
});

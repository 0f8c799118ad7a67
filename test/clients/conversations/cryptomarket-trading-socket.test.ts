import assert from 'node:assert/strict';
import type { WSTradingClient } from 'cryptomarket';
import { constants } from 'cryptomarket';
import { refusalOf, restClient, tradingSocket } from '../support/cryptomarket-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { Received } from '../support/received.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const { ORDER_TYPE, SUBSCRIPTION_MODE, TIME_IN_FORCE } = constants;
const symbol = 'ETHBTC';

type Report = Readonly<Record<string, unknown>>;
interface Balance {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}

describe('cryptomarket trades over the trading socket', () => {
  let exchange: RunningExchange;
  let alice: WSTradingClient;
  let bob: WSTradingClient;
  const reports = new Received<Report[]>();
  const balances = new Received<Balance[]>();

  before(async () => {
    exchange = await startExchange(still);
    alice = await tradingSocket(exchange, exchange.key('demo'));
    bob = await tradingSocket(exchange, exchange.key('demo-two'), 10_000);
  });

  after(async () => {
    await alice?.close();
    await bob?.close();
    await exchange?.stop();
  });

  const sell = (clientOrderId: string, quantity: string, price: string): Promise<Report> =>
    within(
      'the reply',
      alice.createSpotOrder({ symbol, side: 'sell', quantity, price, clientOrderId }),
    ) as Promise<unknown> as Promise<Report>;

  test('balances and fees are reported on request', async () => {
    const all = await within('balances', alice.getSpotTradingBalances());
    assert.equal(all.length, 5);
    const { available, reserved } = await within('a balance', alice.getSpotTradingBalance('BTC'));
    assert.deepEqual([Number(available), Number(reserved)], [20, 0]);
    const fees = await within('fees', alice.getSpotFees());
    assert.deepEqual(
      fees.map((fee) => fee.symbol).sort(),
      ['BTCUSDT', 'ETHBTC', 'ETHUSDT', 'LTCBTC', 'LTCUSDT', 'XRPUSDT'],
      'one of each spot symbol',
    );
    assert.deepEqual(await within('a fee', alice.getSpotFee(symbol)), {
      symbol,
      takeRate: '0.001',
      makeRate: '-0.0001',
    });
  });

  test('reports begin with the open orders', async () => {
    const placed = await sell('socket_sell_one', '2', '0.050001');
    assert.deepEqual(
      [
        placed['reportType'],
        placed['status'],
        placed['quantity'],
        placed['price'],
        placed['quantityCumulative'],
      ],
      ['new', 'new', '2.0000', '0.050001', '0'],
    );
    await within('the reply', alice.subscribeToReports(reports.callback as never));
    const open = await reports.first('the open orders', (value, type) =>
      type === 'snapshot' ? value : undefined,
    );
    assert.deepEqual(
      open.map((report) => [report['clientOrderId'], report['reportType']]),
      [['socket_sell_one', 'status']],
    );
    const [active] = await within('the list', alice.getActiveSpotOrders());
    assert.equal(active?.clientOrderId, 'socket_sell_one');
  });

  test('balances are pushed as they change, exact', async () => {
    await within(
      'the reply',
      alice.subscribeToSpotBalance(balances.callback as never, SUBSCRIPTION_MODE.UPDATES),
    );
    await sell('socket_sell_two', '1', '0.06');
    const row = await balances.first('3 ETH reserved', (value) => {
      const found = value.find(({ currency }) => currency === 'ETH');
      return found !== undefined && Number(found.reserved) === 3 ? found : undefined;
    });
    assert.equal(plain(exact(row.available)), '397');
  });

  test('an execution is reported to both, with the fee of each', async () => {
    const bought = (await within(
      'the reply',
      bob.createSpotOrder({ symbol, side: 'buy', quantity: '0.5', type: ORDER_TYPE.MARKET }),
    )) as unknown as Report;
    const value = times('0.050001', '0.5');
    assert.deepEqual(
      [
        bought['status'],
        bought['tradePrice'],
        bought['tradeQuantity'],
        bought['tradeTaker'],
        bought['tradeFee'],
      ],
      ['filled', '0.050001', '0.5000', true, twelve(times(plain(value), '0.001'))],
    );
    const sold = await reports.first('the execution', ([report]) =>
      report?.['reportType'] === 'trade' ? report : undefined,
    );
    assert.deepEqual(
      [
        sold['clientOrderId'],
        sold['status'],
        sold['quantityCumulative'],
        sold['tradeTaker'],
        sold['tradeFee'],
      ],
      ['socket_sell_one', 'partiallyFilled', '0.5000', false, `-${twelve(times(plain(value), '0.0001'))}`],
    );
    assert.equal(sold['tradeId'], bought['tradeId']);
    const held = exact('20') + value + times(plain(value), '0.0001');
    await balances.first('the proceeds', (rows) =>
      rows.some(({ currency, available }) => currency === 'BTC' && exact(available) === held)
        ? true
        : undefined,
    );
  });

  test('a replacement is reported with both ids', async () => {
    const replaced = (await within(
      'the reply',
      alice.replaceSpotOrder({
        clientOrderId: 'socket_sell_one',
        newClientOrderId: 'socket_sell_three',
        quantity: '2.5',
        price: '0.055',
      }),
    )) as unknown as Report;
    assert.deepEqual(
      [replaced['reportType'], replaced['clientOrderId'], replaced['originalClientOrderId']],
      ['replaced', 'socket_sell_three', 'socket_sell_one'],
    );
    assert.deepEqual([replaced['quantityCumulative'], replaced['price']], ['0.5000', '0.055000']);
    await reports.first('the replacement', ([report]) =>
      report?.['reportType'] === 'replaced' && report['originalClientOrderId'] === 'socket_sell_one'
        ? true
        : undefined,
    );
  });

  test('a stop is reported suspended, then awake', async () => {
    const stop = (await within(
      'the reply',
      alice.createSpotOrder({
        symbol,
        side: 'buy',
        quantity: '1',
        type: ORDER_TYPE.STOP_LIMIT,
        price: '0.04',
        stopPrice: '0.055',
        clientOrderId: 'socket_stop_one',
      }),
    )) as unknown as Report;
    assert.deepEqual(
      [stop['reportType'], stop['status'], stop['stopPrice']],
      ['suspended', 'suspended', '0.055000'],
    );
    await within(
      'the reply',
      bob.createSpotOrder({
        symbol,
        side: 'buy',
        quantity: '0.1',
        price: '0.055',
        timeInForce: TIME_IN_FORCE.IOC,
      }),
    );
    const awake = await reports.first('the stop awake', ([report]) =>
      report?.['clientOrderId'] === 'socket_stop_one' && report['reportType'] === 'new' ? report : undefined,
    );
    assert.equal(awake['status'], 'new');
  });

  test('cancels, one and all, are answered and reported', async () => {
    const one = (await within('the reply', alice.cancelSpotOrder('socket_stop_one'))) as unknown as Report;
    assert.deepEqual([one['reportType'], one['status']], ['canceled', 'canceled']);
    const all = await within('the reply', alice.cancelSpotOrders());
    assert.equal(all.length, 2);
    for (const id of ['socket_stop_one', 'socket_sell_two', 'socket_sell_three']) {
      await reports.first(`the cancel of ${id}`, ([report]) =>
        report?.['clientOrderId'] === id && report['reportType'] === 'canceled' ? true : undefined,
      );
    }
    assert.deepEqual(await within('the list', alice.getActiveSpotOrders()), []);
    assert.deepEqual((await restClient(exchange, exchange.key('demo')).getOrderBook(symbol)).ask, []);
  });

  test('refusals carry the code, and the socket lives on', async () => {
    const poor = await refusalOf(() =>
      alice.createSpotOrder({ symbol, side: 'sell', quantity: '100000', price: '0.05' }),
    );
    assert.equal(poor.code, 20_001);
    assert.match(poor.message, /Insufficient funds/);
    assert.equal((await refusalOf(() => alice.cancelSpotOrder('nobody_knows_it'))).code, 20_002);
    assert.equal((await refusalOf(() => alice.getSpotFee('NOSUCH'))).code, 2_001);
    assert.deepEqual(await within('the list', alice.getActiveSpotOrders()), []);
  });

  test('a key that may not trade is refused over the socket, too', async () => {
    const reader = await tradingSocket(exchange, exchange.key('demo', 'R1'));
    assert.equal((await within('balances', reader.getSpotTradingBalances())).length, 5);
    const refusal = await refusalOf(() =>
      reader.createSpotOrder({ symbol, side: 'sell', quantity: '1', price: '0.05' }),
    );
    assert.equal(refusal.code, 1_003);
    await reader.close();
  });

  test('after unsubscribing nothing more is reported', async () => {
    assert.equal(await within('the reply', alice.unsubscribeToReports()), true);
    assert.equal(await within('the reply', alice.unsubscribeToSpotBalance()), true);
    const before = [reports.all.length, balances.all.length];
    await sell('socket_sell_last', '1', '0.06');
    await within('the reply', alice.cancelSpotOrder('socket_sell_last'));
    await until('the book to be empty again', async () =>
      (await alice.getActiveSpotOrders()).length === 0 ? true : undefined,
    );
    assert.deepEqual([reports.all.length, balances.all.length], before);
  });
});

/** Fees have twelve decimals. */
function twelve(value: bigint): string {
  const [whole = '0', fraction = ''] = plain(value).split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}

import assert from 'node:assert/strict';
import type { Client, WSTradingClient, models } from 'cryptomarket';
import { constants } from 'cryptomarket';
import { refusalOf, restClient, tradingSocket } from '../support/cryptomarket-client.ts';
import { exact, plain } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { Received } from '../support/received.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { within } from '../support/waiting.ts';

const { CONTINGENCY, ORDER_TYPE, SIDE, TIME_IN_FORCE } = constants;

type Report = Readonly<Record<string, unknown>>;

describe('cryptomarket places order lists', () => {
  let exchange: RunningExchange;
  let alice: Client;
  let bob: Client;
  let socket: WSTradingClient;

  before(async () => {
    exchange = await startExchange(still);
    alice = restClient(exchange, exchange.key('demo'));
    bob = restClient(exchange, exchange.key('demo-two'));
    socket = await tradingSocket(exchange, exchange.key('demo'));
  });

  after(async () => {
    await socket?.close();
    await exchange?.stop();
  });

  const bobSells = (symbol: string, quantity: string, price: string): Promise<models.Order> =>
    bob.createNewSpotOrder({ symbol, side: SIDE.SELL, quantity, price });
  const bobBuys = (symbol: string, quantity: string, price: string): Promise<models.Order> =>
    bob.createNewSpotOrder({ symbol, side: SIDE.BUY, quantity, price });

  function buyNow(symbol: string, quantity: string, price: string): models.OrderRequest {
    return {
      symbol,
      side: SIDE.BUY,
      type: ORDER_TYPE.LIMIT,
      timeInForce: TIME_IN_FORCE.FOK,
      quantity,
      price,
    };
  }

  const active = async (): Promise<string[]> =>
    (await alice.getAllActiveSpotOrders()).map(({ clientOrderId }) => clientOrderId).sort();

  test('all or none: all are executed', async () => {
    await bobSells('BTCUSDT', '1', '64000');
    await bobSells('ETHUSDT', '10', '3200');
    const orders = await alice.createNewSpotOrderList({
      contingencyType: CONTINGENCY.AON,
      orders: [buyNow('BTCUSDT', '1', '64000'), buyNow('ETHUSDT', '10', '3200')],
    });
    assert.deepEqual(
      orders.map(({ symbol, status, quantityCumulative }) => [symbol, status, Number(quantityCumulative)]),
      [
        ['BTCUSDT', 'filled', 1],
        ['ETHUSDT', 'filled', 10],
      ],
    );
    for (const order of orders) {
      assert.equal(order.contingencyType, 'allOrNone');
      assert.equal(order.orderListId, orders[0]?.clientOrderId);
      assert.equal(order.trades, undefined, 'lists never tell trades');
    }
    assert.equal(plain(exact((await alice.getSpotTradingBalance('ETH')).available)), '410');
  });

  test('all or none: one that cannot be executed expires all', async () => {
    await bobSells('BTCUSDT', '1', '64000');
    const orders = await alice.createNewSpotOrderList({
      contingencyType: CONTINGENCY.AON,
      orders: [buyNow('BTCUSDT', '1', '64000'), buyNow('ETHUSDT', '10', '3200')],
    });
    assert.deepEqual(
      orders.map(({ status, quantityCumulative }) => [status, Number(quantityCumulative)]),
      [
        ['expired', 0],
        ['expired', 0],
      ],
    );
    assert.deepEqual((await alice.getOrderBook('BTCUSDT')).ask, [['64000.00', '1.00000']]);
    await bob.cancelAllSpotOrders();
  });

  test('one cancels the other', async () => {
    const orders = await alice.createNewSpotOrderList({
      orderListId: 'oco-first-order',
      contingencyType: CONTINGENCY.OCO,
      orders: [
        {
          clientOrderId: 'oco-first-order',
          symbol: 'LTCUSDT',
          side: SIDE.SELL,
          type: ORDER_TYPE.LIMIT,
          timeInForce: TIME_IN_FORCE.GTC,
          quantity: '5',
          price: '90',
        },
        {
          clientOrderId: 'oco-second-order',
          symbol: 'LTCUSDT',
          side: SIDE.SELL,
          type: ORDER_TYPE.STOP_LIMIT,
          timeInForce: TIME_IN_FORCE.GTC,
          quantity: '5',
          price: '69',
          stopPrice: '70',
        },
      ],
    });
    assert.deepEqual(
      orders.map(({ clientOrderId, status, orderListId }) => [clientOrderId, status, orderListId]),
      [
        ['oco-first-order', 'new', 'oco-first-order'],
        ['oco-second-order', 'suspended', 'oco-first-order'],
      ],
    );
    assert.deepEqual(await active(), ['oco-first-order', 'oco-second-order']);
    await bobBuys('LTCUSDT', '5', '90');
    assert.deepEqual(await active(), []);
    const statuses = new Map(
      (await alice.getSpotOrdersHistory({ symbol: 'LTCUSDT' })).map(({ clientOrderId, status }) => [
        clientOrderId,
        status,
      ]),
    );
    assert.deepEqual(
      [statuses.get('oco-first-order'), statuses.get('oco-second-order')],
      ['filled', 'canceled'],
    );
    assert.equal(Number((await alice.getSpotTradingBalance('LTC')).reserved), 0);
  });

  test('one triggers the other', async () => {
    await alice.createNewSpotOrderList({
      contingencyType: CONTINGENCY.OTO,
      orders: [
        { ...resting('XRPUSDT', SIDE.BUY, '100', '0.5'), clientOrderId: 'oto-primary-order' },
        { ...resting('XRPUSDT', SIDE.SELL, '100', '0.6'), clientOrderId: 'oto-secondary-order' },
      ],
    });
    assert.deepEqual((await bob.getOrderBook('XRPUSDT')).ask, [], 'the secondary waits outside the book');
    await bobSells('XRPUSDT', '100', '0.5');
    assert.deepEqual((await bob.getOrderBook('XRPUSDT')).ask, [['0.60000', '100.0']]);
    assert.equal((await alice.getActiveSpotOrder('oto-secondary-order')).status, 'new');
    await alice.cancelAllSpotOrders();
  });

  test('one triggers a pair of which one cancels the other, over the socket', async () => {
    const received = new Received<Report[]>();
    await within('the reply', socket.subscribeToReports(received.callback as never));
    const reports = (await within(
      'one reply for each order',
      socket.createNewSpotOrderList({
        orderListId: 'otoco-primary-1',
        contingencyType: CONTINGENCY.OTOCO,
        orders: [
          { ...resting('ETHBTC', SIDE.BUY, '2', '0.05'), clientOrderId: 'otoco-primary-1' },
          { ...resting('ETHBTC', SIDE.SELL, '2', '0.06'), clientOrderId: 'otoco-secondary-2' },
          {
            ...resting('ETHBTC', SIDE.SELL, '2', '0.039'),
            type: ORDER_TYPE.STOP_LIMIT,
            stopPrice: '0.04',
            clientOrderId: 'otoco-secondary-3',
          },
        ],
      }),
    )) as unknown as Report[];
    assert.deepEqual(
      reports.map((report) => [report['clientOrderId'], report['orderListId'], report['contingencyType']]),
      ['otoco-primary-1', 'otoco-secondary-2', 'otoco-secondary-3'].map((id) => [
        id,
        'otoco-primary-1',
        'oneTriggerOneCancelOther',
      ]),
    );
    await bobSells('ETHBTC', '2', '0.05');
    assert.deepEqual((await bob.getOrderBook('ETHBTC')).ask, [['0.060000', '2.0000']]);
    await bobBuys('ETHBTC', '2', '0.06');
    await received.first('the other secondary canceled', ([report]) =>
      report?.['clientOrderId'] === 'otoco-secondary-3' && report['reportType'] === 'canceled'
        ? true
        : undefined,
    );
    assert.deepEqual(await active(), []);
  });

  test('a list of one order, or of two alike, is refused', async () => {
    const list = { contingencyType: CONTINGENCY.AON, orderListId: 'refused-list-1' };
    await assert.rejects(
      alice.createNewSpotOrderList({ ...list, orders: [buyNow('BTCUSDT', '1', '64000')] }),
      /code=10001/,
    );
    await assert.rejects(
      alice.createNewSpotOrderList({
        ...list,
        orders: [buyNow('BTCUSDT', '1', '64000'), buyNow('BTCUSDT', '2', '64000')],
      }),
      /code=10001/,
    );
    const refusal = await refusalOf(() =>
      socket.createNewSpotOrderList({ ...list, orders: [buyNow('BTCUSDT', '1', '64000')] }),
    );
    assert.equal(refusal.code, 10_001);
  });
});

function resting(symbol: string, side: constants.SIDE, quantity: string, price: string): models.OrderRequest {
  return { symbol, side, type: ORDER_TYPE.LIMIT, timeInForce: TIME_IN_FORCE.GTC, quantity, price };
}

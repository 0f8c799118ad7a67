import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../../src/core/base/clock.ts';
import { PrivateStreamHandler } from '../../../../../src/venues/hitbtc/client/account/private-stream.ts';
import {
  encodeCommandEnd,
  statusSilence,
  statusUnsent,
} from '../../../../../src/venues/hitbtc/client/calls/outcome.ts';
import type { Command } from '../../../../../src/core/model/command.ts';
import type { Channel, Direction } from '../../../../../src/core/model/frame.ts';
import { cancelOrder, newOrder, orderId, otherId, readCommand, replaceOrder } from '../support/commands.ts';
import { twoInstruments } from '../support/instruments.ts';
import { Watcher } from '../../../../support/watcher.ts';
import { wireOrder, wireTrade } from '../support/wire-order.ts';

const now = 1_704_164_646_000_000 as Micros;

function build() {
  const watcher = new Watcher();
  const fatal: string[] = [];
  const replies: unknown[] = [];
  const handler = new PrivateStreamHandler({
    instruments: twoInstruments(),
    publish: watcher.take,
    onUnread: (why) => fatal.push(why),
    onReply: (id, answer) => replies.push([id, answer.kind]),
  });
  const accept = (channel: Channel, text: string, direction: Direction = 'in'): void =>
    handler.accept({ channel, direction, receiveTime: now, bytes: Buffer.from(text) });
  const socket = (message: unknown): void =>
    accept('v3/trading', JSON.stringify({ jsonrpc: '2.0', ...(message as object) }));
  const rest = (command: Command, status: number, body?: unknown): void =>
    accept(
      'v3/rest',
      encodeCommandEnd(
        { commandId: command.commandId, kind: command.kind, status, askedAt: now, why: 'because' },
        body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
      ),
    );
  return { handler, watcher, fatal, replies, accept, socket, rest };
}

const settled = (watcher: Watcher) =>
  watcher.all('commandSettled').map(({ commandId, outcome }) => [commandId, outcome]);

describe('reports', () => {
  test('become order reports with their execution', () => {
    const { socket, watcher } = build();
    socket({ method: 'spot_order', params: wireTrade() });
    expect(watcher.events).toMatchObject([
      {
        kind: 'orderReport',
        reportType: 'trade',
        order: { clientOrderId: orderId, state: 'partiallyFilled', cumulative: 150, price: 1_002 },
        fill: { tradeId: '4512', price: 1_002, quantity: 150, taker: false },
        receiveTime: now,
      },
    ]);
  });

  test('keep every digit of ids above 2^53', () => {
    const { accept, watcher } = build();
    const text = JSON.stringify({ method: 'spot_order', params: wireTrade() }).replace(
      '4512',
      '90071992547409931',
    );
    accept('v3/trading', text);
    expect(watcher.all('orderReport')[0]?.fill?.tradeId).toBe('90071992547409931');
  });

  test('of the subscription come as one status report each, those of foreign symbols counted', () => {
    const { socket, watcher, handler, fatal } = build();
    const reports = [wireOrder({ report_type: 'status' }), wireOrder({ symbol: 'XXXYYY' })];
    socket({ method: 'spot_orders', params: reports });
    expect(watcher.all('orderReport').map(({ reportType }) => reportType)).toEqual(['status']);
    expect(handler.counters.foreign).toBe(1);
    expect(fatal).toEqual([]);
  });

  test('that cannot be read are fatal and publish nothing', () => {
    const { socket, accept, watcher, fatal } = build();
    socket({ method: 'spot_order', params: wireOrder({ status: 'sleeping' }) });
    socket({ method: 'spot_order', params: wireOrder({ price: '10.023' }) });
    socket({ method: 'spot_order' });
    accept('v3/trading', '{"jsonrpc":"2.0","method":"spot_ord');
    expect(watcher.events).toEqual([]);
    expect(fatal).toHaveLength(4);
    expect(fatal[0]).toMatch(/own account cannot be read/);
  });

  test('of products we do not trade are counted', () => {
    const { socket, handler, fatal } = build();
    socket({ method: 'wallet_transaction', params: { x: 1 } });
    expect(handler.counters.unknownNotices).toBe(1);
    expect(fatal).toEqual([]);
  });
});

test('balances of the socket are changes, not a whole list', () => {
  const { socket, watcher } = build();
  socket({
    method: 'spot_balance',
    params: [{ currency: 'BBB', available: '90.5', reserved: '9.5', reserved_margin: '0' }],
  });
  expect(watcher.events).toMatchObject([
    { kind: 'balances', complete: false, balances: [{ currency: 'BBB' }] },
  ]);
});

describe('balances that the venue sends whole with each change', () => {
  const rowOf = ([currency, available]: readonly [string, string]) => ({
    currency,
    available,
    reserved: '0',
  });
  const tell = (...rows: (readonly [string, string])[]) => ({
    method: 'spot_balance',
    params: rows.map(rowOf),
  });
  const received = (watcher: Watcher) =>
    watcher.all('balances').map(({ balances }) => balances.map(({ currency }) => currency));

  test('are events of what changed', () => {
    const { socket, watcher } = build();
    socket(tell(['AAA', '1'], ['BBB', '2'], ['CCC', '3']));
    socket(tell(['AAA', '1'], ['BBB', '2.5'], ['CCC', '3']));
    socket(tell(['AAA', '1'], ['BBB', '2.50'], ['CCC', '3']));
    socket(tell(['DDD', '1'], ['BBB', '2.5']));
    expect(received(watcher)).toEqual([['AAA', 'BBB', 'CCC'], ['BBB'], ['DDD']]);
  });

  test('are reported again after a read that left before they were repeated, and are whole once: it may say something older', () => {
    const { socket, rest, handler, watcher } = build();
    const rows = [['AAA', '1'] as const, ['BBB', '2'] as const];
    const read = readCommand(22, { of: 'balances' });
    socket(tell(...rows));
    handler.sent(read);
    socket(tell(...rows));
    socket(tell(...rows));
    rest(read, 200, [rowOf(['AAA', '7'])]);
    socket(tell(...rows));
    socket(tell(...rows));
    expect(received(watcher)).toEqual(Array.from({ length: 3 }, () => ['AAA', 'BBB']));
    const kinds = watcher.events.map(({ kind }) => kind);
    expect(kinds).toEqual(['balances', 'readAnswered', 'balances', 'commandSettled', 'balances']);
  });

  test('are the same events whenever the read left, for no recording says when', () => {
    const received = [0, 1, 2].map((at) => {
      const { socket, rest, handler, watcher } = build();
      const read = readCommand(22, { of: 'balances' });
      for (let i = 0; i < 3; i++) {
        if (i === at) handler.sent(read);
        socket(tell(['AAA', '1'], ['BBB', String(i)]));
      }
      rest(read, 200, [rowOf(['AAA', '7'])]);
      return watcher.events;
    });
    expect(received[1]).toEqual(received[0]);
    expect(received[2]).toEqual(received[0]);
  });

  test('are whole on a new connection', () => {
    const { socket, accept, watcher } = build();
    socket(tell(['AAA', '1']));
    accept('v3/trading', 'it went', 'close');
    socket(tell(['AAA', '1']));
    expect(received(watcher)).toEqual([['AAA'], ['AAA']]);
  });
});

describe('a new order', () => {
  test('is acknowledged by a reply that carries its report', () => {
    const { handler, socket, watcher } = build();
    handler.sent(newOrder(17));
    socket({ result: wireOrder({ report_type: 'new' }), id: 17 });
    expect(watcher.kinds()).toEqual(['orderReport', 'commandSettled']);
    expect(watcher.all('commandSettled')).toMatchObject([
      { commandId: 17, lane: 'new', outcome: 'acknowledged', clientOrderId: orderId },
    ]);
    expect(handler.inFlight).toBe(0);
  });

  test('may be reported before its reply, after it, and twice', () => {
    const { handler, socket, watcher } = build();
    handler.sent(newOrder(17));
    socket({ method: 'spot_order', params: wireTrade() });
    socket({ result: wireOrder({ report_type: 'new' }), id: 17 });
    socket({ method: 'spot_order', params: wireTrade() });
    expect(watcher.all('orderReport')).toHaveLength(3);
    expect(settled(watcher)).toEqual([[17, 'acknowledged']]);
  });

  test('refused by the venue is rejected first, settled then', () => {
    const { handler, socket, watcher } = build();
    handler.sent(newOrder(17));
    socket({ error: { code: 20001, message: 'Insufficient funds', description: 'Check\u202e' }, id: 17 });
    expect(watcher.events).toMatchObject([
      { kind: 'orderRejected', clientOrderId: orderId, code: 20001, why: 'Insufficient funds: Check?' },
      { kind: 'commandSettled', commandId: 17, outcome: 'refused' },
    ]);
  });

  test('refused for its rate is rejected and settled as limited', () => {
    const { handler, socket, watcher } = build();
    handler.sent(newOrder(17));
    socket({ error: { code: 429, message: 'Too many requests' }, id: 17 });
    expect(watcher.all('orderRejected')).toHaveLength(1);
    expect(settled(watcher)).toEqual([[17, 'limited']]);
  });

  test.each([500, 503, 504, 22008, 77_777])(
    'answered with error %i is unknown: nothing is rejected',
    (code) => {
      const { handler, socket, watcher } = build();
      handler.sent(newOrder(17));
      socket({ error: { code, message: 'x' }, id: 17 });
      expect(watcher.kinds()).toEqual(['commandSettled']);
      expect(settled(watcher)).toEqual([[17, 'unanswered']]);
    },
  );

  test('is not settled by a reply that carries another order, but that order is reported', () => {
    const { handler, socket, watcher } = build();
    handler.sent(newOrder(17));
    socket({ result: wireOrder({ client_order_id: 'gw-test-09999' }), id: 17 });
    expect(watcher.kinds()).toEqual(['orderReport']);
    expect(handler.counters.unmatched).toBe(1);
    expect(handler.inFlight).toBe(1);
  });

  test('whose deadline passed is settled once; the late reply is counted, its report still reported', () => {
    const { handler, socket, rest, watcher } = build();
    const command = newOrder(17);
    handler.sent(command);
    rest(command, statusSilence);
    socket({ result: wireOrder({ report_type: 'new' }), id: 17 });
    socket({ error: { code: 20001, message: 'x' }, id: 17 });
    expect(watcher.kinds()).toEqual(['commandSettled', 'orderReport']);
    expect(settled(watcher)).toEqual([[17, 'unanswered']]);
    expect(handler.counters.unmatched).toBe(2);
  });

  test('that never left is certainly refused', () => {
    const { handler, rest, watcher } = build();
    const command = newOrder(17);
    handler.sent(command);
    rest(command, statusUnsent);
    expect(watcher.events).toMatchObject([
      { kind: 'orderRejected', code: 0, why: 'because' },
      { kind: 'commandSettled', outcome: 'refused' },
    ]);
  });

  test('with an unreadable reply is fatal and stays in flight until its deadline', () => {
    const { handler, socket, fatal } = build();
    handler.sent(newOrder(17));
    socket({ result: { id: 1 }, id: 17 });
    expect(fatal).toHaveLength(1);
    expect(handler.inFlight).toBe(1);
  });
});

describe('a replacement', () => {
  test('is acknowledged by the report of the new order', () => {
    const { handler, socket, watcher } = build();
    handler.sent(replaceOrder(18));
    const result = wireOrder({
      client_order_id: otherId,
      original_client_order_id: orderId,
      report_type: 'replaced',
      quantity: '4.00',
    });
    socket({ result, id: 18 });
    expect(watcher.events).toMatchObject([
      { kind: 'orderReport', reportType: 'replaced', order: { originalClientOrderId: orderId } },
      { kind: 'commandSettled', lane: 'replace', outcome: 'acknowledged', clientOrderId: otherId },
    ]);
  });

  test('refused names the order that stays', () => {
    const { handler, socket, watcher } = build();
    handler.sent(replaceOrder(18));
    socket({ error: { code: 20002, message: 'Order not found', description: '' }, id: 18 });
    expect(watcher.all('orderRejected')).toMatchObject([
      { clientOrderId: otherId, originalClientOrderId: orderId, code: 20002 },
    ]);
  });

  test('that looks like success but is the old order canceled is a refusal', () => {
    const { handler, socket, watcher } = build();
    handler.sent(replaceOrder(18));
    socket({ result: wireOrder({ status: 'canceled', report_type: 'canceled' }), id: 18 });
    expect(watcher.events).toMatchObject([
      { kind: 'orderReport', order: { clientOrderId: orderId, state: 'canceled' } },
      { kind: 'orderRejected', clientOrderId: otherId, originalClientOrderId: orderId },
      { kind: 'commandSettled', outcome: 'refused' },
    ]);
  });
});

describe('a cancel', () => {
  test('is acknowledged by the canceled order', () => {
    const { handler, rest, watcher } = build();
    const command = cancelOrder(19);
    handler.sent(command);
    rest(command, 200, wireOrder({ status: 'canceled' }));
    expect(watcher.events).toMatchObject([
      { kind: 'orderReport', reportType: 'canceled', order: { state: 'canceled' } },
      { kind: 'commandSettled', lane: 'cancel', outcome: 'acknowledged', clientOrderId: orderId },
    ]);
  });

  test('refused is reported and proves nothing about the order', () => {
    const { handler, rest, watcher } = build();
    const command = cancelOrder(19);
    handler.sent(command);
    rest(command, 400, { error: { code: 20002, message: 'Order not found', description: '' } });
    expect(watcher.events).toMatchObject([
      { kind: 'cancelRejected', clientOrderId: orderId, code: 20002, why: 'Order not found' },
      { kind: 'commandSettled', outcome: 'refused' },
    ]);
  });

  test.each([
    [504, undefined],
    [500, { error: { code: 20001, message: 'x' } }],
    [302, undefined],
    [200, undefined],
    [400, undefined],
    [403, []],
    [statusSilence, undefined],
  ])('with status %i and body %j is unanswered', (status, body) => {
    const { handler, rest, watcher } = build();
    const command = cancelOrder(19);
    handler.sent(command);
    rest(command, status, body);
    expect(watcher.kinds()).toEqual(['commandSettled']);
    expect(settled(watcher)).toEqual([[19, 'unanswered']]);
  });

  test('with an undocumented code on 400 is refused', () => {
    const { handler, rest, watcher } = build();
    const command = cancelOrder(19);
    handler.sent(command);
    rest(command, 400, { error: { code: 77_777, message: 'new' } });
    expect(settled(watcher)).toEqual([[19, 'refused']]);
  });

  test('with an unreadable order in the answer is fatal and unanswered', () => {
    const { handler, rest, watcher, fatal } = build();
    const command = cancelOrder(19);
    handler.sent(command);
    rest(command, 200, { id: 1 });
    expect(settled(watcher)).toEqual([[19, 'unanswered']]);
    expect(fatal).toHaveLength(1);
  });
});

describe('a read', () => {
  test('of active orders brings them and the time it was asked', () => {
    const { handler, rest, watcher } = build();
    const command = readCommand(20, { of: 'activeOrders' });
    handler.sent(command);
    rest(command, 200, [wireOrder(), wireOrder({ symbol: 'XXXYYY' })]);
    expect(watcher.events).toMatchObject([
      { kind: 'readAnswered', commandId: 20, askedAt: now, orders: [{ clientOrderId: orderId }], fills: [] },
      { kind: 'commandSettled', lane: 'read', outcome: 'acknowledged', clientOrderId: undefined },
    ]);
    expect(handler.counters.foreign).toBe(1);
  });

  test('of own trades keeps fees exact', () => {
    const { handler, accept, watcher } = build();
    handler.sent(readCommand(21, { of: 'tradeHistory', since: now }));
    const row =
      '{"id":90071992547409931,"order_id":5,"client_order_id":"gw-test-00001","symbol":"AAABBB","side":"sell","quantity":"1.50","price":"10.02","fee":"-0.015030000000","timestamp":"2024-01-02T03:04:05.1Z","taker":true}';
    const answer = { commandId: 21, kind: 'read', status: 200, askedAt: now, why: '' } as const;
    accept('v3/rest', encodeCommandEnd(answer, `[${row}]`));
    expect(watcher.all('readAnswered')[0]?.fills).toMatchObject([
      { tradeId: '90071992547409931', fee: -15_030_000_000_000_000_000_000n, side: 'sell', quantity: 150 },
    ]);
  });

  test('of balances brings the list', () => {
    const { handler, rest, watcher } = build();
    const command = readCommand(22, { of: 'balances' });
    handler.sent(command);
    rest(command, 200, [{ currency: 'AAA', available: '1', reserved: '0' }]);
    expect(watcher.all('readAnswered')[0]?.balances).toHaveLength(1);
  });

  test('that was refused or never left has no answer', () => {
    const { handler, rest, watcher } = build();
    for (const [id, status] of [
      [23, 401],
      [24, statusUnsent],
    ] as const) {
      const command = readCommand(id, { of: 'activeOrders' });
      handler.sent(command);
      rest(command, status, status === 401 ? { error: { code: 1002, message: 'no' } } : undefined);
    }
    expect(settled(watcher)).toEqual([
      [23, 'refused'],
      [24, 'unanswered'],
    ]);
    expect(watcher.all('readAnswered')).toEqual([]);
  });
});

test('a lost connection leaves what went over it unanswered, in order, and nothing else', () => {
  const { handler, accept, watcher } = build();
  handler.sent(newOrder(1));
  handler.sent(cancelOrder(2));
  handler.sent(replaceOrder(3));
  accept('v3/trading', 'reset', 'close');
  expect(settled(watcher)).toEqual([
    [1, 'unanswered'],
    [3, 'unanswered'],
  ]);
  expect(handler.inFlight).toBe(1);
});

test('answers to calls of the session are handed on', () => {
  const { socket, replies, watcher } = build();
  socket({ result: true, id: 't1' });
  socket({ error: { code: 1002, message: 'no' } });
  expect(replies).toEqual([
    ['t1', 'result'],
    [undefined, 'error'],
  ]);
  expect(watcher.events).toEqual([]);
});

test('own frames and other channels are passed over', () => {
  const { accept, watcher, fatal } = build();
  accept('v3/trading', '{', 'out');
  accept('v3/public', '{');
  accept('v3/rest', '{', 'out');
  expect([watcher.events, fatal]).toEqual([[], []]);
});

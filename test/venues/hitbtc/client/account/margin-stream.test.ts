import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../../src/core/base/clock.ts';
import type { ChangeMarginCommand } from '../../../../../src/core/model/command.ts';
import type { Amount } from '../../../../../src/core/base/amount.ts';
import { isAccountClosed } from '../../../../../src/core/model/margin.ts';
import { encodeCommandEnd } from '../../../../../src/venues/hitbtc/client/calls/outcome.ts';
import { PrivateStreamHandler } from '../../../../../src/venues/hitbtc/client/account/private-stream.ts';
import { Watcher } from '../../../../support/watcher.ts';
import { newOrder, orderId, readCommand } from '../support/commands.ts';
import { twoInstruments } from '../support/instruments.ts';
import { wireOrder, wireTrade } from '../support/wire-order.ts';

const now = 1_704_164_646_000_000 as Micros;
const instruments = twoInstruments();
const { id: instrument } = instruments.get('AAABBB');

function build() {
  const watcher = new Watcher();
  const fatal: string[] = [];
  const handler = new PrivateStreamHandler({
    instruments,
    publish: watcher.take,
    onUnread: (why) => fatal.push(why),
  });
  const accept = (channel: 'v3/trading' | 'v3/rest', text: string, direction: 'in' | 'close' = 'in'): void =>
    handler.accept({ channel, direction, receiveTime: now, bytes: Buffer.from(text) });
  const socket = (message: object): void =>
    accept('v3/trading', JSON.stringify({ jsonrpc: '2.0', ...message }));
  const rest = (
    command: { commandId: number; kind: ChangeMarginCommand['kind'] | 'read' },
    body: unknown,
    status = 200,
  ) =>
    accept(
      'v3/rest',
      encodeCommandEnd(
        { commandId: command.commandId, kind: command.kind, status, askedAt: now, why: '' },
        JSON.stringify(body),
      ),
    );
  return { handler, watcher, fatal, accept, socket, rest };
}

const position = (changes: object = {}): object => ({
  id: 631,
  symbol: 'AAABBB',
  quantity: '2.00',
  price_entry: '10.00',
  price_margin_call: '9.00',
  price_liquidation: '8.00',
  pnl: '0',
  created_at: '2024-01-02T03:04:05Z',
  updated_at: '2024-01-02T03:04:05Z',
  ...changes,
});
const account = (changes: object = {}): object => ({
  symbol: 'AAABBB',
  type: 'isolated',
  leverage: '10.00',
  created_at: '2024-01-02T03:04:05Z',
  updated_at: '2024-01-02T03:04:05Z',
  currencies: [{ code: 'BBB', margin_balance: '50', reserved_orders: '0', reserved_positions: '2' }],
  positions: null,
  report_type: 'updated',
  report_reason: 'marginChanged',
  ...changes,
});
const crossAccount = (changes: object = {}): object =>
  account({ symbol: 'BBB', type: 'cross', positions: [position({ margin_mode: 'Cross' })], ...changes });
const balanceOf = (balance: string) => [
  { code: 'BBB', margin_balance: balance, reserved_orders: '0', reserved_positions: '0' },
];

function change(commandId: number, changes: Partial<ChangeMarginCommand['change']>): ChangeMarginCommand {
  const key = { product: 'margin', mode: 'isolated', instrument, currency: 'BBB' } as const;
  return {
    kind: 'changeMargin',
    commandId,
    strategy: 'test',
    change: { ...key, balance: parseAmount('60'), leverage: undefined, ...changes },
  };
}

describe('notices of margin and futures', () => {
  test('an order of margin carries its account, its execution the position', () => {
    const { socket, watcher } = build();
    const margin = { margin_mode: 'Isolated', reduce_only: true, close_position: false };
    socket({ method: 'futures_order', params: wireTrade({ ...margin, trade_position_id: 631 }) });
    socket({ method: 'margin_orders', params: [wireOrder({ margin_mode: 'cross', margin_auto: true })] });
    expect(watcher.all('orderReport')).toMatchObject([
      { order: { margin: { mode: 'isolated', reduceOnly: true, auto: false } }, fill: { positionId: 631 } },
      { order: { margin: { mode: 'cross', reduceOnly: false, auto: true } }, fill: undefined },
    ]);
  });

  test('accounts of a list and of a notice become events of their product', () => {
    const { socket, watcher, handler } = build();
    socket({ method: 'margin_accounts', params: [account(), account({ symbol: 'XXXYYY' })] });
    socket({
      method: 'futures_account',
      params: account({ report_reason: 'openTrade', positions: [position()] }),
    });
    socket({ method: 'futures_account_cross', params: crossAccount({ report_reason: 'interestTaken' }) });
    expect(watcher.all('marginAccount')).toMatchObject([
      {
        product: 'margin',
        reason: 'marginChanged',
        account: { mode: 'isolated', instrument, positions: [] },
      },
      { product: 'futures', reason: 'openTrade', account: { positions: [{ id: 631, liquidation: 800 }] } },
      { product: 'futures', reason: 'interestTaken', account: { mode: 'cross', instrument: undefined } },
    ]);
    expect(handler.counters.foreign).toBe(1);
  });

  test('a position that is reported alone is reported with its account; one that changes nothing is not', () => {
    const { socket, watcher } = build();
    const notice = (changes: object) =>
      socket({ method: 'futures_position_cross', params: position({ margin_mode: 'Cross', ...changes }) });
    notice({});
    expect(watcher.events).toEqual([]);
    socket({ method: 'futures_account_cross', params: crossAccount() });
    notice({ report_type: 'updated', report_reason: 'updated' });
    expect(watcher.events).toHaveLength(1);
    const later = { updated_at: '2024-01-02T03:04:06Z' };
    notice({ ...later, quantity: '3.00', report_type: 'updated', report_reason: 'openTrade' });
    notice({ ...later, id: 632, symbol: 'CCCBBB', report_type: 'created', report_reason: 'openTrade' });
    notice({ ...later, quantity: '0', report_type: 'closed', report_reason: 'liquidated' });
    const noted = watcher.all('marginAccount').slice(1);
    expect(
      noted.map(({ reason, account: { positions } }) => [reason, positions.map(({ id }) => id)]),
    ).toEqual([
      ['openTrade', [631]],
      ['openTrade', [631, 632]],
      ['liquidated', [632]],
    ]);
    expect(noted[0]?.account.positions[0]?.quantity).toBe(parseAmount('3'));
  });

  test('a position that is closed leaves its account open while there is margin', () => {
    const { socket, handler, watcher } = build();
    const { change: key } = change(1, {});
    const closed = { report_type: 'closed', report_reason: 'liquidated' };
    socket({ method: 'margin_account', params: account(closed) });
    expect(handler.account('margin', key)?.balance).toBe(parseAmount('50'));
    const empty = { ...closed, currencies: balanceOf('0') };
    socket({ method: 'margin_account', params: account(empty) });
    const later = { ...empty, report_reason: 'closed', updated_at: '2024-01-02T03:04:09Z' };
    socket({ method: 'margin_account', params: account(later) });
    expect(handler.account('margin', key)).toBeUndefined();
    const [first, ...others] = watcher.all('marginAccount');
    expect([first, ...others].map((event) => event && isAccountClosed(event, first?.account))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a position whose loss took all margin leaves its account open, unless that is automatic', () => {
    const { socket, handler } = build();
    const { change: key } = change(1, {});
    const closed = { report_type: 'closed', report_reason: 'closed', currencies: balanceOf('0') };
    for (const auto of [false, true]) {
      socket({ method: 'margin_account', params: account({ positions: [position()], margin_auto: auto }) });
      socket({ method: 'margin_account', params: account({ ...closed, margin_auto: auto }) });
      expect(handler.account('margin', key)?.balance).toBe(auto ? undefined : parseAmount('0'));
    }
  });

  test('so it does when a report of the same moment showed it empty before', () => {
    const { socket, handler } = build();
    const { change: key } = change(1, {});
    const moment = { updated_at: '2024-01-02T03:04:09Z', currencies: balanceOf('0') };
    socket({ method: 'margin_account', params: account({ positions: [position()] }) });
    socket({ method: 'margin_account', params: account({ ...moment, report_reason: 'closeTrade' }) });
    const closed = { report_type: 'closed', report_reason: 'closed' };
    socket({ method: 'margin_account', params: account({ ...moment, ...closed }) });
    expect(handler.account('margin', key)?.balance).toBe(parseAmount('0'));
    const later = { ...moment, ...closed, updated_at: '2024-01-02T03:04:10Z' };
    socket({ method: 'margin_account', params: account(later) });
    expect(handler.account('margin', key)).toBeUndefined();
  });

  test('funding names the position whose time changed, where several share an account', () => {
    const { socket, watcher } = build();
    const [first, second] = ['2024-01-02T03:04:05Z', '2024-01-02T03:04:06Z'];
    const both = (one: string | undefined, other: string | undefined) => [
      position({ updated_at: one }),
      position({ id: 632, symbol: 'CCCBBB', updated_at: other }),
    ];
    const taken = { report_reason: 'interestTaken', updated_at: second };
    const report = (changes: object) =>
      socket({ method: 'futures_account_cross', params: crossAccount(changes) });
    report({ positions: both(first, first) });
    report({ ...taken, positions: both(second, first) });
    report({ ...taken, positions: both(second, second) });
    report({ ...taken, positions: both(second, second) });
    expect(watcher.all('marginAccount').map(({ charged }) => charged)).toEqual([
      undefined,
      instrument,
      instruments.get('CCCBBB').id,
      undefined,
    ]);
  });

  test('so it does where the answer to a change shows both charges before their reports come', () => {
    const { socket, rest, handler, watcher } = build();
    const [first, second, later] = ['2024-01-02T03:04:05Z', '2024-01-02T03:04:06Z', '2024-01-02T03:04:07Z'];
    const both = (one: string | undefined, other: string | undefined) => [
      position({ margin_mode: 'Cross', updated_at: one }),
      position({ margin_mode: 'Cross', id: 632, symbol: 'CCCBBB', updated_at: other }),
    ];
    const report = (changes: object) =>
      socket({ method: 'futures_account_cross', params: crossAccount(changes) });
    report({ positions: both(first, first) });
    const command = change(1, { product: 'futures', mode: 'cross', instrument: undefined });
    handler.sent(command);
    rest(command, crossAccount({ updated_at: later, positions: both(second, second) }));
    const taken = { report_reason: 'interestTaken', updated_at: second };
    report({ ...taken, positions: both(second, first) });
    report({ ...taken, positions: both(second, second) });
    expect(watcher.all('marginAccount').map(({ reason, charged }) => [reason, charged])).toEqual([
      ['marginChanged', undefined],
      ['marginChanged', undefined],
      ['interestTaken', instrument],
      ['interestTaken', instruments.get('CCCBBB').id],
    ]);
  });

  test('balances of contracts are a wallet of their own', () => {
    const { socket, rest, handler, watcher } = build();
    const balances = [{ currency: 'BBB', available: '5', reserved: '0' }];
    socket({ method: 'spot_balance', params: balances });
    socket({ method: 'futures_balance', params: balances });
    socket({ method: 'futures_balance', params: balances });
    expect(watcher.all('balances').map(({ wallet }) => wallet)).toEqual([undefined, 'futures']);
    const read = readCommand(7, { of: 'balances', product: 'futures' });
    handler.sent(read);
    rest(read, balances);
    expect(watcher.all('balances').map(({ wallet }) => wallet)).toEqual([undefined, 'futures', 'futures']);
  });

  test('a malformed account is fatal, as a malformed order is', () => {
    const { socket, fatal } = build();
    socket({ method: 'margin_account', params: account({ currencies: [] }) });
    socket({ method: 'futures_position_cross', params: {} });
    expect(fatal).toHaveLength(2);
  });
});

describe('a change of margin', () => {
  const noted = (watcher: Watcher) =>
    watcher.all('marginAccount').map(({ reportType, account: { balance } }) => [reportType, balance]);

  test('is settled by its answer, which shows the account where no report did', () => {
    const { handler, rest, watcher } = build();
    handler.sent(change(1, {}));
    rest(
      change(1, {}),
      account({ currencies: balanceOf('60'), report_type: undefined, report_reason: undefined }),
    );
    expect(noted(watcher)).toEqual([['updated', parseAmount('60')]]);
    expect(watcher.all('commandSettled')).toMatchObject([
      { commandId: 1, lane: 'replace', outcome: 'acknowledged', clientOrderId: undefined },
    ]);
  });

  test('an answer older than a report, or of the same moment, says nothing new', () => {
    const { handler, socket, rest, watcher } = build();
    handler.sent(change(1, {}));
    socket({ method: 'margin_account', params: account({ currencies: balanceOf('61') }) });
    rest(change(1, {}), account({ currencies: balanceOf('60') }));
    expect(noted(watcher)).toEqual([['updated', parseAmount('61')]]);
    handler.sent(change(2, {}));
    rest(change(2, {}), account({ currencies: balanceOf('62'), updated_at: '2024-01-02T03:04:07Z' }));
    expect(noted(watcher)).toHaveLength(2);
  });

  test('that shows the next account of a name is not undone by reports of how the one before it ended', () => {
    const { socket, rest, handler, watcher } = build();
    const command = change(5, {});
    const next = { created_at: '2024-01-02T03:04:07Z', updated_at: '2024-01-02T03:04:07Z' };
    const ended = { updated_at: '2024-01-02T03:04:07Z', currencies: balanceOf('0') };
    socket({ method: 'margin_account', params: account({ positions: [position()] }) });
    handler.sent(command);
    rest(command, account({ ...next, currencies: balanceOf('60'), report_type: undefined }));
    socket({ method: 'margin_account', params: account({ ...ended, report_reason: 'updated' }) });
    socket({
      method: 'margin_account',
      params: account({ ...ended, report_type: 'closed', report_reason: 'liquidated' }),
    });
    socket({
      method: 'margin_account',
      params: account({ ...ended, report_type: 'closed', report_reason: 'closed' }),
    });
    socket({
      method: 'margin_position',
      params: position({
        ...next,
        id: 700,
        margin_mode: 'Isolated',
        report_type: 'created',
        report_reason: 'openTrade',
      }),
    });
    const last = watcher.all('marginAccount').at(-1)?.account;
    expect([last?.balance, last?.positions.map(({ id }) => id)]).toEqual([parseAmount('60'), [700]]);
  });

  test('closes the account once, whichever comes first', () => {
    const zero = 0n as Amount;
    const later = { updated_at: '2024-01-02T03:04:07Z' };
    const answer = account({ currencies: balanceOf('0'), ...later });
    const notice = account({
      currencies: balanceOf('0'),
      ...later,
      report_type: 'closed',
      report_reason: 'closed',
    });
    const first = build();
    first.socket({ method: 'margin_account', params: account() });
    first.handler.sent(change(1, { balance: zero }));
    first.socket({ method: 'margin_account', params: notice });
    first.rest(change(1, {}), answer);
    expect(noted(first.watcher).map(([type]) => type)).toEqual(['updated', 'closed']);
    const second = build();
    second.socket({ method: 'margin_account', params: account() });
    second.handler.sent(change(1, { balance: zero }));
    second.rest(change(1, {}), answer);
    expect(noted(second.watcher).map(([type]) => type)).toEqual(['updated', 'closed']);
  });

  test('that is refused is rejected with the code, and then settled', () => {
    const { handler, rest, watcher } = build();
    handler.sent(change(1, {}));
    rest(change(1, {}), { error: { code: 20_001, message: 'Insufficient funds' } }, 400);
    expect(watcher.events).toMatchObject([
      { kind: 'marginRejected', strategy: 'test', code: 20_001, change: { product: 'margin' } },
      { kind: 'commandSettled', outcome: 'refused' },
    ]);
  });

  test('of the leverage alone is answered on the socket, and is in doubt when the connection goes', () => {
    const { handler, socket, accept, watcher } = build();
    const leverage = { product: 'futures', balance: undefined, leverage: parseAmount('5') } as const;
    handler.sent(change(1, leverage));
    socket({ id: 1, result: account({ leverage: '5.00' }) });
    handler.sent(change(2, leverage));
    accept('v3/trading', 'gone', 'close');
    expect(watcher.all('marginAccount')).toMatchObject([{ account: { leverage: parseAmount('5') } }]);
    expect(watcher.all('commandSettled').map(({ outcome }) => outcome)).toEqual([
      'acknowledged',
      'unanswered',
    ]);
  });
});

test('a read of accounts shows all of them; an order of margin is settled as one of spot', () => {
  const { handler, socket, rest, watcher } = build();
  const read = readCommand(3, { of: 'marginAccounts', product: 'futures' });
  handler.sent(read);
  rest(read, [account(), crossAccount(), account({ symbol: 'XXXYYY' })]);
  expect(watcher.all('readAnswered')[0]?.marginAccounts).toMatchObject([
    { mode: 'isolated', instrument },
    { mode: 'cross', currency: 'BBB', positions: [{ mode: 'cross' }] },
  ]);
  handler.sent(newOrder(4));
  socket({ id: 4, result: wireOrder({ margin_mode: 'isolated' }) });
  expect(watcher.all('orderReport')[0]?.order).toMatchObject({
    clientOrderId: orderId,
    margin: { mode: 'isolated' },
  });
  expect(watcher.all('commandSettled').at(-1)).toMatchObject({ commandId: 4, outcome: 'acknowledged' });
});

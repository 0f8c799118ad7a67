import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { Unrepeatable } from '../../../src/app/replay/unrepeatable.ts';

const noFills = { keys: [], times: [], horizon: -1 };
const times = { exchangeTime: 0, receiveTime: 1_000_000 };

function seen(...events: readonly object[]): Unrepeatable {
  const found = new Unrepeatable();
  for (const event of events) found.observe({ ...times, ...event } as Event, true);
  return found;
}

test('a position that stood there when a session began is a reason, and so is margin that somebody moved', () => {
  const found = { kind: 'marginFound', why: 'the position of ETHUSDT is 7 lots', lots: 7 };
  expect(seen(found, { ...found, lots: 0, why: 'margin was changed' }).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: the position of ETHUSDT is 7 lots',
    '1970-01-01T00:00:01.000Z: margin was changed',
  ]);
});

test('what strategies held on margin in the run before is a reason, what they held on spot is none', () => {
  const carried = (account: object) => ({
    kind: 'stateCarried',
    state: { fills: noFills, positions: [{ quantity: 5, strategy: 'maker', ...account }] },
  });
  expect(seen(carried({})).reasons).toEqual([]);
  expect(seen(carried({ account: 'cross' })).reasons).toHaveLength(1);
});

test('what stood in a margin account as a position of others is named so', () => {
  const state = { fills: noFills, positions: [{ quantity: 5, account: 'cross', strategy: 'external' }] };
  expect(seen({ kind: 'stateCarried', state }).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: a position of others stood in a margin account when it began',
  ]);
});

test('every act of an operator is a reason, each kind once: a backtest has the parameters of the beginning', () => {
  const acted = (act: string) => ({ kind: 'operatorActed', act: { act }, who: 'operator', why: '' });
  expect(seen(acted('setParams')).reasons).toHaveLength(1);
  expect(seen(acted('flatten'), acted('flatten')).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: an operator acted (flatten)',
  ]);
});

test('executions of others on spot are counted in a note', () => {
  const report = (tradeId: string, clientOrderId = 'byhand-00000001') => ({
    kind: 'orderReport',
    fill: { tradeId, time: 1_000_000 },
    order: { clientOrderId, instrument: 0, side: 'buy' },
  });
  const { reasons, notes } = seen(
    report('1'),
    report('2'),
    report('2'),
    report('3', 'gw-mbybwjth-work-00003'),
  );
  expect([reasons, notes]).toEqual([[], ['2 executions of orders of others are left out']]);
});

test('orders of others on margin are found in histories, and a position that they had opened before is a reason', () => {
  const row = (tradeId: string, side: string, time: number) => ({
    tradeId,
    time,
    side,
    quantity: 7,
    instrument: 0,
    clientOrderId: 'byhand-00000001',
  });
  const read = (...fills: object[]) => ({
    kind: 'readAnswered',
    what: { of: 'tradeHistory', product: 'futures' },
    fills,
  });
  const bought = row('1', 'buy', 500_000);
  expect(seen(read(bought), read(bought)).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: a position of others stood in a margin account when it began',
  ]);
  // It was closed again before the session.
  expect(seen(read(bought, row('2', 'sell', 600_000))).reasons).toEqual([]);
  expect(seen(read(row('3', 'buy', 1_500_000))).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: order byhand-00000001 of others traded on margin',
  ]);
  // An earlier session of the journal knew it.
  const fills = { ...noFills, horizon: 500_000 };
  expect(seen({ kind: 'stateCarried', state: { fills, positions: [] } }, read(bought)).reasons).toEqual([]);
});

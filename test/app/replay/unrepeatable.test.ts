import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { Unrepeatable } from '../../../src/app/replay/unrepeatable.ts';

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
    state: { positions: [{ quantity: 5, ...account }] },
  });
  expect(seen(carried({})).reasons).toEqual([]);
  expect(seen(carried({ account: 'cross' })).reasons).toHaveLength(1);
});

test('changed parameters are those of the backtest: every other act of an operator is a reason', () => {
  const acted = (act: string) => ({ kind: 'operatorActed', act: { act }, who: 'operator', why: '' });
  expect(seen(acted('setParams')).reasons).toEqual([]);
  expect(seen(acted('flatten'), acted('flatten')).reasons).toEqual([
    '1970-01-01T00:00:01.000Z: an operator acted (flatten)',
  ]);
});

test('executions of others on spot are counted in a note', () => {
  const report = { kind: 'orderReport', fill: {}, order: { clientOrderId: 'byhand-00000001' } };
  const { reasons, notes } = seen(report, report, {
    ...report,
    order: { clientOrderId: 'gw-mbybwjth-work-00003' },
  });
  expect([reasons, notes]).toEqual([[], ['2 executions of orders of others are left out']]);
});

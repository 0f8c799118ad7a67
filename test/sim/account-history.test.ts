import { expect, test } from 'vitest';
import type { ReportOutcome } from '../../src/exchange/matching/accounts/outcome.ts';
import { AccountHistory } from '../../src/sim/account-history.ts';

function report(id: string, state: string, original?: string): ReportOutcome {
  const order = { clientOrderId: id, state, originalClientOrderId: original, updatedAt: 1 };
  const reportType = original === undefined ? 'new' : 'replaced';
  return { kind: 'report', reportType, order, fill: undefined } as unknown as ReportOutcome;
}

test('the last word on an order counts, and the orders that came first go first', () => {
  const history = new AccountHistory(2, 2);
  history.takeReport(report('a', 'new'));
  history.takeReport(report('b', 'new'));
  history.takeReport(report('a', 'filled'));
  expect(history.orders('a')).toMatchObject([{ state: 'filled' }]);
  history.takeReport(report('c', 'new'));
  expect(history.orders('a')).toEqual([]);
  expect(history.orders('b')).toMatchObject([{ state: 'new' }]);
  expect(history.orders('c')).toMatchObject([{ state: 'new' }]);
});

test('an order that was replaced is canceled, whenever one asks', () => {
  const history = new AccountHistory(10, 10);
  history.takeReport(report('a', 'new'));
  history.takeReport(report('b', 'new', 'a'));
  expect(history.orders('a')).toMatchObject([{ state: 'canceled' }]);
  expect(history.orders('b')).toMatchObject([{ state: 'new' }]);
});

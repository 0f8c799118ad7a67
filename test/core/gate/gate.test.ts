import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { Door, someId } from './support/door.ts';

describe('the gate holds a command', () => {
  test('until its record is durable', () => {
    const door = new Door();
    door.journal.slow = true;
    const id = door.order();
    expect(door.sentIds).toEqual([]);
    door.journal.sync();
    expect(door.sentIds).toEqual([id]);
  });

  test('and denies it when the journal stays silent beyond the deadline', () => {
    const door = new Door({ gate: { newDeadlineMs: 500 } });
    door.journal.slow = true;
    door.order();
    door.clock.advance(millis(499));
    expect(door.denialCodes).toEqual([]);
    door.clock.advance(millis(1));
    expect(door.denials).toMatchObject([
      { action: 'place', clientOrderId: someId, denial: { code: 'BUDGET_DEADLINE' } },
    ]);
    door.journal.sync();
    expect(door.sentIds).toEqual([]);
  });

  test('and keeps an order that is canceled meanwhile, and its cancel, from leaving', () => {
    const door = new Door({
      gate: { newDeadlineMs: 5_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 2, burst: 0 } },
    });
    door.journal.slow = true;
    const first = door.order();
    door.order();
    const third = door.order();
    door.cancel('gw-r1-maker-00002' as ClientOrderId);
    expect(door.denials).toMatchObject([
      { action: 'place', clientOrderId: 'gw-r1-maker-00002', denial: { code: 'CANCELED_UNSENT' } },
    ]);
    door.journal.sync();
    expect(door.sentIds).toEqual([first, third]);
    // What waits for budget alone stays too; what has left is canceled at the venue.
    const late = door.order();
    door.journal.sync();
    door.cancel('gw-r1-maker-00005' as ClientOrderId);
    const cancel = door.cancel(someId);
    door.settle(first);
    door.clock.advance(millis(2_000));
    expect(door.sentIds).toEqual([first, third, cancel]);
    expect(late).toBe(5);
    expect(door.denialCodes).toEqual(['CANCELED_UNSENT', 'CANCELED_UNSENT']);
    expect(door.gate.waiting).toMatchObject({ new: 0, cancel: 0, inFlight: 2 });
  });

  test('and knows what asked for it though a cancel of it was denied meanwhile', () => {
    const door = new Door();
    door.journal.slow = true;
    const id = door.order();
    const denial = { code: 'CANCEL_UNDER_WAY', why: 'another one is on its way' } as const;
    const names = { strategy: 'maker', clientOrderId: someId, originalClientOrderId: undefined };
    door.step({ kind: 'orderDenied', action: 'cancel', ...names, denial, ...door.times });
    door.journal.sync();
    expect(door.sentIds).toEqual([id]);
    expect(door.state.mode).not.toBe('halted');
  });

  test('until its lane has budget, in the order of asking', () => {
    const door = new Door({ budgets: { mode: 'window', guard: 0, orderEntry: { rate: 2, burst: 0 } } });
    const ids = [door.order(), door.order(), door.order(), door.order()];
    expect(door.sentIds).toEqual(ids.slice(0, 2));
    expect(door.gate.waiting).toMatchObject({ new: 2, inFlight: 2 });
    for (const id of ids.slice(0, 2)) door.settle(id);
    door.clock.advance(millis(1_100));
    expect(door.sentIds).toEqual(ids.slice(0, 2));
    expect(door.denialCodes).toEqual(['BUDGET_DEADLINE', 'BUDGET_DEADLINE']);
  });

  test('and lets it go once an answer has given budget back and the window has passed', () => {
    const door = new Door({
      gate: { newDeadlineMs: 5_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } },
    });
    const [first, second] = [door.order(), door.order()];
    door.clock.advance(millis(3_000));
    expect(door.sentIds).toEqual([first]);
    door.settle(first);
    door.clock.advance(millis(900));
    expect(door.sentIds).toEqual([first]);
    door.clock.advance(millis(200));
    expect(door.sentIds).toEqual([first, second]);
    expect(door.gate.waiting).toMatchObject({ new: 0, inFlight: 1 });
    // The one acknowledged at 3 s gives its room back a window later: the other waited all that time.
    expect(door.gate.waiting.waited).toEqual({ count: 1, total: 4_000_000, longest: 4_000_000 });
  });

  test('and reports how long commands waited for budget, not for the disk', () => {
    const door = new Door({
      gate: { newDeadlineMs: 60_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } },
    });
    expect(door.gate.waiting.waited).toEqual({ count: 0, total: 0, longest: 0 });
    door.journal.slow = true;
    const first = door.order();
    door.clock.advance(millis(700));
    door.journal.sync();
    expect(door.gate.waiting.waited).toEqual({ count: 0, total: 0, longest: 0 });
    door.journal.slow = false;
    const second = door.order();
    door.order();
    door.settle(first);
    door.clock.advance(millis(1_500));
    door.settle(second);
    door.clock.advance(millis(1_500));
    expect(door.sentIds).toHaveLength(3);
    // One window after the answer to the one before: 1 s, and for the third 1.5 s and another.
    expect(door.gate.waiting.waited).toEqual({ count: 2, total: 3_500_000, longest: 2_500_000 });
  });

  test('slows the lane down after a 429', () => {
    const paced = (outcome: 'acknowledged' | 'limited') => {
      const budgets = { mode: 'window', guard: 0, orderEntry: { rate: 10, burst: 0 } } as const;
      const door = new Door({ gate: { newDeadlineMs: 60_000 }, budgets });
      for (let i = 0; i < 10; i++) door.settle(door.order(), outcome);
      for (let i = 0; i < 10; i++) door.order();
      door.clock.advance(millis(1_010));
      return door.sent.length;
    };
    expect(paced('limited')).toBeLessThan(paced('acknowledged'));
  });
});

describe('the gate denies an order that was already pending', () => {
  test('when a book its strategy declared is stale at the moment it would leave', () => {
    const door = new Door();
    door.journal.slow = true;
    door.order();
    door.stale();
    door.journal.sync();
    expect(door.sentIds).toEqual([]);
    expect(door.denialCodes).toEqual(['INPUT_STALE']);
    expect(door.denials[0]?.denial.why).toContain('AAABBB');
  });

  test('but not a change of margin: it may be needed most while a book is gone', () => {
    const door = new Door();
    door.stale();
    const id = door.margin();
    door.journal.sync();
    expect(door.sentIds).toEqual([id]);
    expect(door.denialCodes).toEqual([]);
  });

  test('when market data come too late at the moment it would leave', () => {
    const door = new Door();
    door.journal.slow = true;
    door.order();
    door.late(seconds(4));
    door.journal.sync();
    expect(door.sentIds).toEqual([]);
    expect(door.denials).toMatchObject([{ denial: { code: 'INPUT_STALE' } }]);
    door.late(seconds(1));
    door.order();
    door.journal.sync();
    expect(door.sentIds).toHaveLength(1);
  });

  test('when a declared book is crossed', () => {
    const door = new Door();
    door.book(102, 101);
    door.order();
    expect(door.denialCodes).toEqual(['INPUT_STALE']);
  });

  test('but not for a book that the order does not need', () => {
    const door = new Door({ inputs: [] });
    door.stale();
    const id = door.order();
    expect(door.sentIds).toEqual([id]);
  });

  test('when the trading session is down', () => {
    const door = new Door();
    door.step({ kind: 'sessionDown', session: 'trading', why: 'cut', ...door.times });
    door.order();
    expect(door.denialCodes).toEqual(['SESSION_DOWN']);
  });

  test('when trading halts while it waits', () => {
    const door = new Door();
    door.journal.slow = true;
    door.order();
    door.halt();
    expect(door.denials).toMatchObject([{ denial: { code: 'MODE_HALTED' } }]);
    door.journal.sync();
    expect(door.sentIds).toEqual([]);
  });

  test('when its lane is full', () => {
    const door = new Door({ gate: { queueMax: 2 } });
    door.journal.slow = true;
    door.order();
    door.order();
    door.order();
    expect(door.denials).toMatchObject([
      { clientOrderId: 'gw-r1-maker-00003', denial: { code: 'GATE_OVERFLOW' } },
    ]);
    door.journal.sync();
    expect(door.sentIds).toEqual([1, 2]);
  });

  test('when the journal has failed, and those that come later', () => {
    const door = new Door();
    door.journal.slow = true;
    door.order();
    door.journal.fail();
    door.order();
    expect(door.denialCodes).toEqual(['JOURNAL_FAILED', 'JOURNAL_FAILED']);
    expect(door.sentIds).toEqual([]);
  });

  test('and names the original of a replacement, which stays as it is', () => {
    const door = new Door();
    door.settle(door.order());
    door.stale();
    door.replace(someId);
    expect(door.denials).toMatchObject([
      { action: 'replace', originalClientOrderId: someId, denial: { code: 'INPUT_STALE' } },
    ]);
  });
});

describe('cancels and reads', () => {
  test('leave although the journal is slow, the book stale, trading halted and the session down', () => {
    const door = new Door();
    door.settle(door.order());
    door.journal.slow = true;
    door.stale();
    door.halt();
    door.step({ kind: 'sessionDown', session: 'trading', why: 'cut', ...door.times });
    const ids = [door.cancel(someId), door.read()];
    expect(door.sentIds.slice(1)).toEqual(ids);
  });

  test('leave although the journal has failed', () => {
    const door = new Door();
    door.settle(door.order());
    door.journal.fail();
    const ids = [door.cancel(someId), door.read()];
    expect(door.sentIds.slice(1)).toEqual(ids);
    expect(door.denialCodes).toEqual([]);
  });

  test('go before replacements, and those before new orders', () => {
    const budgets = { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } } as const;
    const door = new Door({ gate: { newDeadlineMs: 9_000, replaceDeadlineMs: 9_000 }, budgets });
    door.settle(door.order());
    const fresh = door.order();
    const moved = door.replace(someId);
    const ids = [door.cancel(someId), door.read()];
    expect(door.sentIds.slice(1)).toEqual(ids);
    door.clock.advance(millis(1_100));
    expect(door.sentIds.slice(3)).toEqual([moved]);
    door.settle(moved);
    door.clock.advance(millis(1_100));
    expect(door.sentIds.slice(3)).toEqual([moved, fresh]);
  });

  test('are not held back by new orders that saturate their budget', () => {
    const door = new Door({ budgets: { mode: 'window', orderEntry: { rate: 1, burst: 0 } } });
    for (let i = 0; i < 50; i++) door.order();
    const cancel = door.cancel(someId);
    expect(door.sentIds).toContain(cancel);
  });

  test('that cannot leave in time are reported: a cancel denied, a read unanswered', () => {
    const tight = { rate: 1, burst: 0 };
    const door = new Door({
      gate: { cancelDeadlineMs: 100, readDeadlineMs: 100 },
      budgets: { mode: 'window', guard: 0, spotOrderPath: tight, restDefault: tight },
    });
    door.cancel(someId);
    door.read();
    door.cancel(someId);
    const read = door.read();
    door.clock.advance(millis(100));
    expect(door.denials).toMatchObject([{ action: 'cancel', denial: { code: 'BUDGET_DEADLINE' } }]);
    expect(door.published).toContainEqual(
      expect.objectContaining({ kind: 'commandSettled', commandId: read, outcome: 'unanswered' }),
    );
  });
});

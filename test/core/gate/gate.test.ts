import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { GateRig, someId } from './support/rig.ts';

describe('the gate holds a command', () => {
  test('until its record is durable', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    const id = rig.order();
    expect(rig.sentIds).toEqual([]);
    rig.journal.sync();
    expect(rig.sentIds).toEqual([id]);
  });

  test('and denies it when the journal stays silent beyond the deadline', () => {
    const rig = new GateRig({ gate: { newDeadlineMs: 500 } });
    rig.journal.slow = true;
    rig.order();
    rig.clock.advance(millis(499));
    expect(rig.denialCodes).toEqual([]);
    rig.clock.advance(millis(1));
    expect(rig.denials).toMatchObject([
      { action: 'place', clientOrderId: someId, denial: { code: 'BUDGET_DEADLINE' } },
    ]);
    rig.journal.sync();
    expect(rig.sentIds).toEqual([]);
  });

  test('and keeps an order that is canceled meanwhile, and its cancel, from leaving', () => {
    const rig = new GateRig({
      gate: { newDeadlineMs: 5_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 2, burst: 0 } },
    });
    rig.journal.slow = true;
    const first = rig.order();
    rig.order();
    const third = rig.order();
    rig.cancel('gw-r1-maker-00002' as ClientOrderId);
    expect(rig.denials).toMatchObject([
      { action: 'place', clientOrderId: 'gw-r1-maker-00002', denial: { code: 'CANCELED_UNSENT' } },
    ]);
    rig.journal.sync();
    expect(rig.sentIds).toEqual([first, third]);
    // What waits for budget alone stays too; what has left is canceled at the venue.
    const late = rig.order();
    rig.journal.sync();
    rig.cancel('gw-r1-maker-00005' as ClientOrderId);
    const cancel = rig.cancel(someId);
    rig.settle(first);
    rig.clock.advance(millis(2_000));
    expect(rig.sentIds).toEqual([first, third, cancel]);
    expect(late).toBe(5);
    expect(rig.denialCodes).toEqual(['CANCELED_UNSENT', 'CANCELED_UNSENT']);
    expect(rig.gate.waiting).toMatchObject({ new: 0, cancel: 0, inFlight: 2 });
  });

  test('and knows what asked for it though a cancel of it was denied meanwhile', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    const id = rig.order();
    const denial = { code: 'CANCEL_UNDER_WAY', why: 'another one is on its way' } as const;
    const names = { strategy: 'maker', clientOrderId: someId, originalClientOrderId: undefined };
    rig.step({ kind: 'orderDenied', action: 'cancel', ...names, denial, ...rig.times });
    rig.journal.sync();
    expect(rig.sentIds).toEqual([id]);
    expect(rig.state.mode).not.toBe('halted');
  });

  test('until its lane has budget, in the order of asking', () => {
    const rig = new GateRig({ budgets: { mode: 'window', guard: 0, orderEntry: { rate: 2, burst: 0 } } });
    const ids = [rig.order(), rig.order(), rig.order(), rig.order()];
    expect(rig.sentIds).toEqual(ids.slice(0, 2));
    expect(rig.gate.waiting).toMatchObject({ new: 2, inFlight: 2 });
    for (const id of ids.slice(0, 2)) rig.settle(id);
    rig.clock.advance(millis(1_100));
    expect(rig.sentIds).toEqual(ids.slice(0, 2));
    expect(rig.denialCodes).toEqual(['BUDGET_DEADLINE', 'BUDGET_DEADLINE']);
  });

  test('and lets it go once an answer has given budget back and the window has passed', () => {
    const rig = new GateRig({
      gate: { newDeadlineMs: 5_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } },
    });
    const [first, second] = [rig.order(), rig.order()];
    rig.clock.advance(millis(3_000));
    expect(rig.sentIds).toEqual([first]);
    rig.settle(first);
    rig.clock.advance(millis(900));
    expect(rig.sentIds).toEqual([first]);
    rig.clock.advance(millis(200));
    expect(rig.sentIds).toEqual([first, second]);
    expect(rig.gate.waiting).toMatchObject({ new: 0, inFlight: 1 });
    // The one acknowledged at 3 s gives its room back a window later: the other waited all that time.
    expect(rig.gate.waiting.waited).toEqual({ count: 1, total: 4_000_000, longest: 4_000_000 });
  });

  test('and reports how long commands waited for budget, not for the disk', () => {
    const rig = new GateRig({
      gate: { newDeadlineMs: 60_000 },
      budgets: { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } },
    });
    expect(rig.gate.waiting.waited).toEqual({ count: 0, total: 0, longest: 0 });
    rig.journal.slow = true;
    const first = rig.order();
    rig.clock.advance(millis(700));
    rig.journal.sync();
    expect(rig.gate.waiting.waited).toEqual({ count: 0, total: 0, longest: 0 });
    rig.journal.slow = false;
    const second = rig.order();
    rig.order();
    rig.settle(first);
    rig.clock.advance(millis(1_500));
    rig.settle(second);
    rig.clock.advance(millis(1_500));
    expect(rig.sentIds).toHaveLength(3);
    // One window after the answer to the one before: 1 s, and for the third 1.5 s and another.
    expect(rig.gate.waiting.waited).toEqual({ count: 2, total: 3_500_000, longest: 2_500_000 });
  });

  test('slows the lane down after a 429', () => {
    const paced = (outcome: 'acknowledged' | 'limited') => {
      const budgets = { mode: 'window', guard: 0, orderEntry: { rate: 10, burst: 0 } } as const;
      const rig = new GateRig({ gate: { newDeadlineMs: 60_000 }, budgets });
      for (let i = 0; i < 10; i++) rig.settle(rig.order(), outcome);
      for (let i = 0; i < 10; i++) rig.order();
      rig.clock.advance(millis(1_010));
      return rig.sent.length;
    };
    expect(paced('limited')).toBeLessThan(paced('acknowledged'));
  });
});

describe('the gate denies an order that was already pending', () => {
  test('when a book its strategy declared is stale at the moment it would leave', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    rig.order();
    rig.stale();
    rig.journal.sync();
    expect(rig.sentIds).toEqual([]);
    expect(rig.denialCodes).toEqual(['INPUT_STALE']);
    expect(rig.denials[0]?.denial.why).toContain('AAABBB');
  });

  test('but not a change of margin: it may be needed most while a book is gone', () => {
    const rig = new GateRig();
    rig.stale();
    const id = rig.margin();
    rig.journal.sync();
    expect(rig.sentIds).toEqual([id]);
    expect(rig.denialCodes).toEqual([]);
  });

  test('when market data come too late at the moment it would leave', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    rig.order();
    rig.late(seconds(4));
    rig.journal.sync();
    expect(rig.sentIds).toEqual([]);
    expect(rig.denials).toMatchObject([{ denial: { code: 'INPUT_STALE' } }]);
    rig.late(seconds(1));
    rig.order();
    rig.journal.sync();
    expect(rig.sentIds).toHaveLength(1);
  });

  test('when the session was lost meanwhile and the account is not compared again: neither order nor margin', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    rig.order();
    rig.margin();
    rig.reconciled = false;
    rig.journal.sync();
    expect(rig.sentIds).toEqual([]);
    expect(rig.denialCodes).toEqual(['NOT_RECONCILED']);
    expect(rig.published).toContainEqual(
      expect.objectContaining({
        kind: 'marginDenied',
        denial: expect.objectContaining({ code: 'NOT_RECONCILED' }),
      }),
    );
    rig.reconciled = true;
    const id = rig.order();
    rig.journal.sync();
    expect(rig.sentIds).toEqual([id]);
  });

  test('when a declared book is crossed', () => {
    const rig = new GateRig();
    rig.book(102, 101);
    rig.order();
    expect(rig.denialCodes).toEqual(['INPUT_STALE']);
  });

  test('but not for a book that the order does not need', () => {
    const rig = new GateRig({ inputs: [] });
    rig.stale();
    const id = rig.order();
    expect(rig.sentIds).toEqual([id]);
  });

  test('when the trading session is down', () => {
    const rig = new GateRig();
    rig.step({ kind: 'sessionDown', session: 'trading', why: 'cut', ...rig.times });
    rig.order();
    expect(rig.denialCodes).toEqual(['SESSION_DOWN']);
  });

  test('when trading halts while it waits', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    rig.order();
    rig.halt();
    expect(rig.denials).toMatchObject([{ denial: { code: 'MODE_HALTED' } }]);
    rig.journal.sync();
    expect(rig.sentIds).toEqual([]);
  });

  test('when a replacement is canceled while it waits: neither it nor its cancel leaves', () => {
    const rig = new GateRig();
    rig.settle(rig.order());
    rig.journal.slow = true;
    rig.replace(someId);
    rig.cancel('gw-r1-maker-00002' as ClientOrderId);
    expect(rig.denials).toMatchObject([
      { action: 'replace', clientOrderId: 'gw-r1-maker-00002', originalClientOrderId: someId },
    ]);
    expect(rig.denialCodes).toEqual(['CANCELED_UNSENT']);
    rig.journal.sync();
    expect(rig.sentIds).toHaveLength(1);
  });

  test('when an operator pauses its strategy while it waits, replacements too, but not those of others or his own', () => {
    const rig = new GateRig();
    rig.settle(rig.order());
    rig.journal.slow = true;
    rig.order();
    rig.replace(someId);
    const act = { act: 'pause', strategy: 'maker' } as const;
    rig.step({ kind: 'operatorActed', act, who: 'ann', why: 'lunch', ...rig.times });
    expect(rig.denials).toMatchObject([
      { action: 'replace', originalClientOrderId: someId, denial: { code: 'PAUSED' } },
      { action: 'place', denial: { code: 'PAUSED', why: 'strategy maker is paused: lunch, by ann' } },
    ]);
    const request = { ...rig.request(), clientOrderId: 'gw-r1-op-00001' as ClientOrderId };
    rig.step({ kind: 'intent', intent: { action: 'place', strategy: 'maker', request }, ...rig.times });
    const own = rig.pendingOrder(request);
    rig.journal.sync();
    expect(rig.sentIds.slice(1)).toEqual([own]);
  });

  test('when its lane is full', () => {
    const rig = new GateRig({ gate: { queueMax: 2 } });
    rig.journal.slow = true;
    rig.order();
    rig.order();
    rig.order();
    expect(rig.denials).toMatchObject([
      { clientOrderId: 'gw-r1-maker-00003', denial: { code: 'GATE_OVERFLOW' } },
    ]);
    rig.journal.sync();
    expect(rig.sentIds).toEqual([1, 2]);
  });

  test('when the journal has failed, and those that come later', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    rig.order();
    rig.journal.fail();
    rig.order();
    expect(rig.denialCodes).toEqual(['JOURNAL_FAILED', 'JOURNAL_FAILED']);
    expect(rig.sentIds).toEqual([]);
  });

  test('and names the original of a replacement, which stays as it is', () => {
    const rig = new GateRig();
    rig.settle(rig.order());
    rig.stale();
    rig.replace(someId);
    expect(rig.denials).toMatchObject([
      { action: 'replace', originalClientOrderId: someId, denial: { code: 'INPUT_STALE' } },
    ]);
  });
});

describe('cancels and reads', () => {
  test('leave although the journal is slow, the book stale, trading halted and the session down', () => {
    const rig = new GateRig();
    rig.settle(rig.order());
    rig.journal.slow = true;
    rig.stale();
    rig.halt();
    rig.step({ kind: 'sessionDown', session: 'trading', why: 'cut', ...rig.times });
    const ids = [rig.cancel(someId), rig.read()];
    expect(rig.sentIds.slice(1)).toEqual(ids);
  });

  test('leave although the journal has failed', () => {
    const rig = new GateRig();
    rig.settle(rig.order());
    rig.journal.fail();
    const ids = [rig.cancel(someId), rig.read()];
    expect(rig.sentIds.slice(1)).toEqual(ids);
    expect(rig.denialCodes).toEqual([]);
  });

  test('go before replacements, and those before new orders', () => {
    const budgets = { mode: 'window', guard: 0, orderEntry: { rate: 1, burst: 0 } } as const;
    const rig = new GateRig({ gate: { newDeadlineMs: 9_000, replaceDeadlineMs: 9_000 }, budgets });
    rig.settle(rig.order());
    const fresh = rig.order();
    const moved = rig.replace(someId);
    const ids = [rig.cancel(someId), rig.read()];
    expect(rig.sentIds.slice(1)).toEqual(ids);
    rig.clock.advance(millis(1_100));
    expect(rig.sentIds.slice(3)).toEqual([moved]);
    rig.settle(moved);
    rig.clock.advance(millis(1_100));
    expect(rig.sentIds.slice(3)).toEqual([moved, fresh]);
  });

  test('are not held back by new orders that saturate their budget', () => {
    const rig = new GateRig({ budgets: { mode: 'window', orderEntry: { rate: 1, burst: 0 } } });
    for (let i = 0; i < 50; i++) rig.order();
    const cancel = rig.cancel(someId);
    expect(rig.sentIds).toContain(cancel);
  });

  test('that cannot leave in time are reported: a cancel denied, a read unanswered', () => {
    const tight = { rate: 1, burst: 0 };
    const rig = new GateRig({
      gate: { cancelDeadlineMs: 100, readDeadlineMs: 100 },
      budgets: { mode: 'window', guard: 0, spotOrderPath: tight, restDefault: tight },
    });
    rig.cancel(someId);
    rig.read();
    rig.cancel(someId);
    const read = rig.read();
    rig.clock.advance(millis(100));
    expect(rig.denials).toMatchObject([{ action: 'cancel', denial: { code: 'BUDGET_DEADLINE' } }]);
    expect(rig.published).toContainEqual(
      expect.objectContaining({ kind: 'commandSettled', commandId: read, outcome: 'unanswered' }),
    );
  });
});

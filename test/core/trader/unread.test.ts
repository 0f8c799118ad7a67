import { describe, expect, test } from 'vitest';
import { Rig } from './support/rig.ts';

const why = 'a message about the own account cannot be read: it says "oddly"';

describe('a message about the own account that cannot be read', () => {
  test('halts at once, and a complete read that begins after it ends that', () => {
    const rig = new Rig().ready();
    const reads = rig.sent.length;
    rig.trader.unread(why);
    expect(rig.trader.view).toMatchObject({ mode: 'halted', modeLatched: false, modeWhy: why });
    const [state] = rig.trader.safeStates;
    expect(state).toMatchObject({
      kind: 'unread',
      cause: `trading is halted: ${why}`,
      since: rig.clock.now(),
      endsWhen: 'the account was read completely',
      needsOperator: false,
    });
    expect(state?.nextLook).toBeGreaterThan(0);
    rig.wait(2_000);
    expect(rig.sent.length).toBeGreaterThan(reads);
    expect(rig.trader.view).toMatchObject({ mode: 'active' });
    expect(rig.trader.view.awaits('unread')).toBeUndefined();
    expect(rig.trader.safeStates).toEqual([]);
  });

  test('takes no halt of an operator away, and brings back what held before', () => {
    for (const mode of ['halt', 'reduce'] as const) {
      const rig = new Rig().ready();
      rig.trader.act({ act: mode }, 'ann', 'lunch');
      const before = { mode: rig.trader.view.mode, modeWhy: rig.trader.view.modeWhy, modeLatched: true };
      rig.trader.unread(why);
      expect(rig.trader.view.mode).toBe('halted');
      rig.wait(2_000);
      expect(rig.trader.view).toMatchObject(before);
    }
  });

  test('that an operator clears meanwhile still waits for the read', () => {
    const rig = new Rig().ready();
    rig.trader.unread(why);
    rig.trader.act({ act: 'clear' }, 'ann', 'seen');
    expect(rig.trader.view.mode).toBe('halted');
    rig.wait(2_000);
    expect(rig.trader.view.mode).toBe('active');
  });

  test('again while the account is read wants another read', () => {
    const rig = new Rig().ready();
    rig.trader.unread(why);
    const { onSend } = rig;
    let times = 0;
    rig.onSend = (command) => {
      onSend(command);
      if (command.kind !== 'read' || times === 3) return;
      times += 1;
      rig.clock.after(1 as never, () => rig.trader.unread(why));
    };
    rig.wait(60_000);
    expect(times).toBe(3);
    expect(rig.trader.view.mode).toBe('active');
  });

  test('is over with the run: the next one reads all before it trades', () => {
    const rig = new Rig().ready();
    rig.trader.unread(why);
    const next = new Rig({ after: rig, run: 'r2' }).ready();
    expect(next.trader.view).toMatchObject({ mode: 'active' });
  });
});

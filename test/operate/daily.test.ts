import { describe, expect, test } from 'vitest';
import type { Clock, Micros } from '../../src/core/base/clock.ts';
import { later, seconds } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { daily } from '../../src/operate/daily.ts';

const timeOf = (text: string): Micros => (Date.parse(text) * 1_000) as Micros;
const day = seconds(86_400);

/** A clock whose wall time can be set; its timers go on by what passes. */
class SetClock implements Clock {
  readonly passing: VirtualClock;
  #ahead = 0;

  constructor(start: string) {
    this.passing = new VirtualClock(timeOf(start));
  }

  set(time: string): void {
    this.#ahead = timeOf(time) - this.passing.now();
  }

  now(): Micros {
    return later(this.passing.now(), this.#ahead as Micros);
  }

  uptime(): Micros {
    return this.passing.uptime();
  }

  after(delay: Micros, task: () => void) {
    return this.passing.after(delay, task);
  }
}

/** What was done, and when. */
function scheduled(start: string, done?: string) {
  const clock = new SetClock(start);
  const calls: { due: string; at: string }[] = [];
  const text = (time: number): string => new Date(time / 1_000).toISOString().slice(0, 19);
  const cancel = daily({ clock, at: '00:10', done: done === undefined ? undefined : timeOf(done) }, (due) =>
    calls.push({ due: text(due), at: text(clock.now()) }),
  );
  return { clock, calls, cancel, wait: (time: Micros): void => clock.passing.advance(time) };
}

const at10 = (date: string) => ({ due: `${date}T00:10:00`, at: `${date}T00:10:00` });

describe('once a day', () => {
  test('at its time, to the second, and on each day', () => {
    const { calls, wait, cancel } = scheduled('2026-03-01T12:00:00Z');
    wait(seconds(12 * 3_600 + 9 * 60 + 59));
    expect(calls).toEqual([]);
    wait(seconds(1));
    expect(calls).toEqual([at10('2026-03-02')]);
    wait((2 * day) as Micros);
    expect(calls).toEqual([at10('2026-03-02'), at10('2026-03-03'), at10('2026-03-04')]);
    cancel();
    wait((2 * day) as Micros);
    expect(calls).toHaveLength(3);
  });

  test('not again after a restart in the same minute', () => {
    const { calls, wait } = scheduled('2026-03-02T00:10:20Z', '2026-03-02T00:10:00Z');
    wait(seconds(3_600));
    expect(calls).toEqual([]);
    wait((day - seconds(3_600)) as Micros);
    expect(calls).toEqual([at10('2026-03-03')]);
  });

  test('without a memory nothing is made up for: not what was due just before the first start', () => {
    const { calls, wait } = scheduled('2026-03-02T00:10:20Z');
    wait(seconds(3_600));
    expect(calls).toEqual([]);
  });

  test('what was missed while nobody looked is made up for once, soon after the start', () => {
    const { calls, wait } = scheduled('2026-03-05T09:00:00Z', '2026-03-02T00:10:00Z');
    expect(calls).toEqual([]);
    wait(seconds(3_600));
    expect(calls).toEqual([{ due: '2026-03-05T00:10:00', at: '2026-03-05T09:00:30' }]);
    wait(seconds(15 * 3_600));
    expect(calls.slice(1)).toEqual([at10('2026-03-06')]);
  });

  test('a clock that is set back repeats nothing', () => {
    const { clock, calls, wait } = scheduled('2026-03-02T00:09:00Z');
    wait(seconds(120));
    expect(calls).toEqual([at10('2026-03-02')]);
    clock.set('2026-03-01T23:30:00Z');
    wait(seconds(2 * 3_600));
    expect(calls).toHaveLength(1);
    wait(day);
    expect(calls.slice(1)).toEqual([at10('2026-03-03')]);
  });

  test('a clock that jumps ahead is noticed within half a minute', () => {
    const { clock, calls, wait } = scheduled('2026-03-02T12:00:00Z');
    wait(seconds(7));
    clock.set('2026-03-03T08:00:00Z');
    wait(seconds(30));
    expect(calls).toEqual([{ due: '2026-03-03T00:10:00', at: '2026-03-03T08:00:23' }]);
  });

  test('a memory of a time far ahead does not stop it for good', () => {
    const { calls, wait } = scheduled('2026-03-02T12:00:00Z', '2031-01-01T00:10:00Z');
    wait(day);
    expect(calls).toEqual([at10('2026-03-03')]);
  });
});

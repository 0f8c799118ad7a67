import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { Timers } from '../../../src/core/base/timers.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';

describe('a virtual clock', () => {
  test('fires each timer at its own time, ties in call order', () => {
    const clock = new VirtualClock(micros(1_000));
    const seen: string[] = [];
    clock.after(micros(20), () => seen.push(`b@${clock.now()}`));
    clock.after(micros(10), () => seen.push(`a@${clock.now()}`));
    clock.after(micros(20), () => seen.push(`c@${clock.now()}`));
    clock.advance(micros(50));
    expect(seen).toEqual(['a@1010', 'b@1020', 'c@1020']);
    expect(clock.now()).toBe(1_050);
  });

  test('fires timers that timers set, in the same advance when they are due', () => {
    const clock = new VirtualClock(micros(0));
    const seen: number[] = [];
    const tick = (): void => {
      seen.push(clock.now());
      if (seen.length < 5) clock.after(micros(10), tick);
    };
    clock.after(micros(10), tick);
    clock.advanceTo(micros(35));
    expect(seen).toEqual([10, 20, 30]);
  });

  test('never fires a cancelled timer, however often it is cancelled', () => {
    const clock = new VirtualClock(micros(0));
    let fired = 0;
    const cancels = Array.from({ length: 1_000 }, () => clock.after(seconds(1), () => (fired += 1)));
    for (const cancel of cancels) cancel();
    for (const cancel of cancels) cancel();
    expect(clock.pending).toBe(0);
    clock.advance(seconds(2));
    expect(fired).toBe(0);
  });

  test('waits beyond 2^31 milliseconds', () => {
    const clock = new VirtualClock(micros(0));
    let fired = false;
    clock.after(millis(2 ** 31), () => (fired = true));
    clock.advanceTo(millis(2 ** 31 - 1));
    expect(fired).toBe(false);
    clock.advance(millis(1));
    expect(fired).toBe(true);
  });
});

test('timers come out in order of time, then of call, for any times and cancels', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ time: fc.nat(50), cancelled: fc.boolean() }), { maxLength: 300 }),
      (wishes) => {
        const timers = new Timers();
        const made = wishes.map(({ time }) => timers.add(micros(time), () => {}));
        for (const [index, wish] of wishes.entries()) if (wish.cancelled) timers.cancel(made[index]!);
        const expected = wishes
          .map((wish, order) => ({ ...wish, order }))
          .filter((wish) => !wish.cancelled)
          .sort((a, b) => a.time - b.time || a.order - b.order)
          .map((wish) => wish.order);
        expect(timers.size).toBe(expected.length);
        const found: number[] = [];
        for (let next = timers.takeDue(micros(50)); next !== undefined; next = timers.takeDue(micros(50)))
          found.push(next.order);
        expect(found).toEqual(expected);
      },
    ),
  );
});

test('the system clock of a process does not follow a step of the wall clock', () => {
  const clock = new SystemClock();
  const before = clock.now();
  for (const stepMs of [30_000, -30_000, -3_600_000]) {
    const stepped = Date.now() + stepMs;
    const wall = vi.spyOn(Date, 'now').mockReturnValue(stepped);
    expect(Date.now()).toBe(stepped);
    expect(clock.now() - before).toBeGreaterThanOrEqual(0);
    expect(clock.now() - before).toBeLessThan(seconds(20));
    wall.mockRestore();
  }
});

test('the system clock does not fire a delay of 2^31 ms at once', async () => {
  const clock = new SystemClock();
  let early = false;
  const cancel = clock.after(millis(2 ** 31), () => (early = true));
  await new Promise<void>((done) => {
    clock.after(millis(5), done);
  });
  cancel();
  expect(early).toBe(false);
  expect(Math.abs(clock.now() - Date.now() * 1_000)).toBeLessThan(2_000_000);
});

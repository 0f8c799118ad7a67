import { describe, expect, test } from 'vitest';
import type { Clock, Micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { TurnClock } from '../../src/core/base/turn-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { DelayLine } from '../../src/sim/delay-line.ts';

const start = 1_000_000 as Micros;

/** A clock that has timers only, as real ones. */
function timersOf(clock: VirtualClock): Clock {
  return {
    now: () => clock.now(),
    uptime: () => clock.uptime(),
    after: (delay, task) => clock.after(delay, task),
  };
}

/** What a seeded course of puts and passes hands over, and when; some of it puts more on its way. */
function course(seed: string, isAsked: boolean): { noted: string[]; timersMost: number } {
  const random = new Random(seed);
  const clock = new VirtualClock(start);
  const noted: string[] = [];
  let timersMost = 0;
  const transit = new DelayLine<number>(isAsked ? clock : timersOf(clock), 1_000, (item) => {
    noted.push(`${item} at ${clock.now()}`);
    if (item % 7 === 0) transit.put(clock.uptime() + (item % 5), item + 1_001);
  });
  for (let item = 1; item <= 400; item++) {
    const due = clock.uptime() + random.between(0, 30) - 3;
    if (random.chance(0.5)) transit.pass(due, item, random.between(0, 2));
    else transit.put(Math.max(due, clock.uptime() + 1), item);
    timersMost = Math.max(timersMost, clock.pending);
    clock.advance(random.between(0, 12) as Micros);
  }
  clock.advance(1_000 as Micros);
  transit.close();
  transit.put(clock.uptime(), 9_999);
  clock.advance(1_000 as Micros);
  return { noted, timersMost };
}

describe('things on their way', () => {
  test('arrive alike by a clock that asks for them and by one that only has timers', () => {
    for (const seed of ['one', 'two', 'three', 'four', 'five']) {
      const [asked, timed] = [course(seed, true), course(seed, false)];
      expect(asked.noted).toEqual(timed.noted);
      expect(asked.noted.length).toBeGreaterThan(400);
      expect(asked.noted.some((line) => line.startsWith('9999'))).toBe(false);
    }
  });

  test('need no timer where the clock asks, and one elsewhere, however many there are', () => {
    expect(course('one', true).timersMost).toBe(0);
    expect(course('one', false).timersMost).toBe(1);
  });
});

test('in turns, things and timers of one time come in the order in which a replay has them', () => {
  const noted = { live: [] as string[], replay: [] as string[] };
  /** A thing due at 30 that is put in at 15, a timer for 30 that is set at 20. */
  const play = (clock: Clock, at: (time: number, task: () => void) => void, received: string[]): void => {
    const transit = new DelayLine<string>(clock, 10, (item) =>
      received.push(`${item} ${clock.now() - start}`),
    );
    at(15, () => transit.put(start + 30, 'report'));
    at(20, () => clock.after(10 as Micros, () => received.push(`timer ${clock.now() - start}`)));
  };
  const real = new VirtualClock(start);
  const turns = new TurnClock(real);
  play(
    turns,
    (time, task) => {
      real.advanceTo((start + time) as Micros);
      turns.turn(real.now(), task);
    },
    noted.live,
  );
  real.advanceTo((start + 100) as Micros);
  const virtual = new VirtualClock(start);
  play(
    virtual,
    (time, task) => {
      virtual.advanceTo((start + time) as Micros);
      task();
    },
    noted.replay,
  );
  virtual.advanceTo((start + 100) as Micros);
  expect(noted.live).toEqual(['timer 30', 'report 30']);
  expect(noted.replay).toEqual(noted.live);
});

describe('a clock that asks queues', () => {
  test('fires the timers of a time first, and reports when the next of either is due', () => {
    const clock = new VirtualClock(start);
    const noted: string[] = [];
    const transit = new DelayLine<string>(clock, 10, (item) => noted.push(`${item} ${clock.now() - start}`));
    transit.put(start + 20, 'queue');
    transit.put(start + 5, 'queue');
    clock.after(20 as Micros, () => noted.push(`timer ${clock.now() - start}`));
    expect(clock.nextTime()).toBe(start + 5);
    expect(clock.drain((start + 19) as Micros)).toBe(false);
    expect(clock.nextTime()).toBe(start + 20);
    expect(clock.drain((start + 30) as Micros)).toBe(true);
    expect(noted).toEqual(['queue 5', 'timer 20', 'queue 20']);
    expect(clock.nextTime()).toBeUndefined();
  });
});

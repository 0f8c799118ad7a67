import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { TurnClock } from '../../../src/core/base/turn-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';

const start = 1_700_000_000_000_000;

/** The turn clock on a "real" one that the test moves; lines say what happened, and at what time of the core. */
function core(): {
  real: VirtualClock;
  turns: TurnClock;
  noted: string[];
  tell: (what: string) => () => void;
} {
  const real = new VirtualClock(start as Micros);
  const turns = new TurnClock(real);
  const noted: string[] = [];
  const tell = (what: string) => (): void => void noted.push(`${what} ${(turns.now() - start) / 1_000}`);
  return { real, turns, noted, tell };
}

const at = (ms: number): Micros => (start + ms * 1_000) as Micros;

describe('the clock of a live core', () => {
  test('stands still within a turn, at the time of the input, and shows real time between turns', () => {
    const { real, turns, noted, tell } = core();
    real.advance(millis(10));
    turns.turn(at(9), () => {
      tell('input')();
      real.advance(millis(5));
      tell('still')();
    });
    tell('between')();
    expect(noted).toEqual(['input 9', 'still 9', 'between 15']);
  });

  test('fires what is due before an input first, at its own time, however late the machine is', () => {
    const { real, turns, noted, tell } = core();
    turns.turn(at(0), () => {
      turns.after(millis(20), tell('second'));
      turns.after(millis(10), tell('first'));
      turns.after(millis(40), tell('third'));
    });
    // The process stood still: the alarm of the real clock comes no sooner than the input.
    turns.turn(at(30), tell('input'));
    expect(noted).toEqual(['first 10', 'second 20', 'input 30']);
    real.advance(millis(100));
    expect(noted.at(-1)).toBe('third 40');
  });

  test('wakes by itself for timers when nothing arrives', () => {
    const { real, turns, noted, tell } = core();
    turns.turn(at(0), () => {
      turns.after(millis(10), () => {
        tell('first')();
        turns.after(millis(5), tell('second'));
      });
    });
    real.advance(millis(50));
    expect(noted).toEqual(['first 10', 'second 15']);
    expect(real.pending).toBe(0);
  });

  test('lets an input that comes within a turn wait its turn', () => {
    const { turns, noted, tell } = core();
    turns.turn(at(1), () => {
      turns.turn(at(2), tell('inner'));
      tell('outer')();
    });
    expect(noted).toEqual(['outer 1', 'inner 2']);
  });

  test('counts a timer that is set between turns from the real time', () => {
    const { real, turns, noted, tell } = core();
    real.advance(millis(10));
    turns.after(millis(5), tell('timer'));
    real.advance(millis(4));
    expect(noted).toEqual([]);
    real.advance(millis(1));
    expect(noted).toEqual(['timer 15']);
  });

  test('never goes back, and cancels what is not wanted any more', () => {
    const { real, turns, noted, tell } = core();
    turns.turn(at(20), tell('late'));
    turns.turn(at(10), tell('stamped earlier'));
    const cancel = turns.after(millis(5), tell('never'));
    cancel();
    real.advance(millis(100));
    expect(noted).toEqual(['late 20', 'stamped earlier 20']);
  });

  test('does the same as a virtual clock that is moved to the same times', () => {
    const inputs = [3, 7, 7, 12, 30];
    const course = (
      clock: TurnClock | VirtualClock,
      feed: (time: Micros, task: () => void) => void,
    ): string[] => {
      const noted: string[] = [];
      for (const [index, time] of inputs.entries()) {
        feed(at(time), () => {
          noted.push(`input ${index} ${clock.now() - start}`);
          clock.after(millis(4), () => noted.push(`timer of ${index} ${clock.now() - start}`));
        });
      }
      return noted;
    };
    const real = new VirtualClock(start as Micros);
    const turns = new TurnClock(real);
    const live = course(turns, (time, task) => {
      real.advanceTo(time);
      turns.turn(time, task);
    });
    real.advance(millis(50));
    const virtual = new VirtualClock(start as Micros);
    const replayed = course(virtual, (time, task) => {
      virtual.advanceTo(time);
      task();
    });
    virtual.advance(millis(50));
    expect(replayed).toEqual(live);
  });

  test('leaves timers alone once it is closed', () => {
    const { real, turns, noted, tell } = core();
    turns.after(millis(5), tell('timer'));
    turns.close();
    real.advance(millis(50));
    expect(noted).toEqual([]);
  });
});

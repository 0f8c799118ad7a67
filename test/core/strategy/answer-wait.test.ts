import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { AnswerWait } from '../../../src/core/strategy/answer-wait.ts';

/** A worker that answers after so many microseconds. */
function opened(answersAfter: number): { readonly turn: () => Promise<void>; readonly waits: number[] } {
  const clock = new VirtualClock(0 as Micros);
  const waits: number[] = [];
  let isAnswered = true;
  const wait = new AnswerWait({
    clock,
    isAnswered: () => isAnswered,
    take: () => {},
    wait: (time) => {
      waits.push(time);
      isAnswered = answersAfter <= time;
      clock.advanceTo((clock.now() + Math.min(answersAfter, time)) as Micros);
      return isAnswered;
    },
  });
  return {
    waits,
    turn: async () => {
      isAnswered = false;
      wait.expect();
      wait.expect();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a worker that answers at once is waited for each time, once a turn and after the turn', async () => {
  const { turn, waits } = opened(20);
  for (let i = 0; i < 5; i++) await turn();
  expect(waits).toEqual([100, 100, 100, 100, 100]);
});

test('a worker that does not answer in time is waited for less and less often', async () => {
  const { turn, waits } = opened(1_000);
  const turns: number[] = [];
  for (let i = 0; i < 20_000; i++) {
    const before = waits.length;
    await turn();
    if (waits.length > before) turns.push(i);
  }
  // 1, 3, 7, 15 ... of the calls are left out, two a turn.
  expect(turns.slice(0, 6)).toEqual([0, 1, 3, 7, 15, 31]);
  expect(turns.length).toBeLessThan(24);
});

test('what a worker says before it has done leaves before the wait goes on, within the same time', async () => {
  const clock = new VirtualClock(0 as Micros);
  const order: string[] = [];
  let left = 3;
  const wait = new AnswerWait({
    clock,
    isAnswered: () => left === 0,
    wait: (time) => {
      order.push(`waited ${time}`);
      clock.advanceTo((clock.now() + 30) as Micros);
      return true;
    },
    take: () => {
      left -= 1;
      process.nextTick(() => order.push('left'));
      // What comes of it is no waiting.
      clock.advanceTo((clock.now() + 500) as Micros);
    },
  });
  wait.expect();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['waited 100', 'left', 'waited 70', 'left', 'waited 40', 'left']);
  // It has answered, so the next turn waits, too.
  left = 1;
  wait.expect();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order.length).toBe(8);
});

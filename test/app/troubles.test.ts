import { expect, test } from 'vitest';
import { Troubles } from '../../src/app/live/trouble.ts';
import { seconds } from '../../src/base/clock.ts';
import type { Event } from '../../src/model/event.ts';

function noted(text: string, at: number): Event {
  const time = seconds(at);
  return {
    kind: 'strategyNoted',
    exchangeTime: time,
    receiveTime: time,
    strategy: 'maker',
    level: 'warn',
    text,
  };
}

test('what a strategy says again and again is told once a minute, other things at once', () => {
  const troubles = new Troubles();
  const told = [0, 2, 4, 59, 60, 62].filter((at) => troubles.of(noted('refused', at)) !== undefined);
  expect(told).toEqual([0, 60]);
  expect(troubles.of(noted('something else', 62))).toBe('strategy maker, warn: something else');
});

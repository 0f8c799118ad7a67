import { expect, test } from 'vitest';
import { RequestTurns, turnRequestsMax } from '../../src/operate/request-turns.ts';

test('requests that come together are answered in their order, a few in each turn of the loop', () => {
  let turn: (() => void)[] = [];
  const answered: number[] = [];
  const turns = new RequestTurns((task) => turn.push(task));
  const ask = (at: number): void => turns.admit(() => answered.push(at));
  const count = 3 * turnRequestsMax + 1;
  for (let at = 0; at < count; at++) ask(at);
  const perTurn = [answered.length];
  // One that comes later waits behind those that wait.
  ask(count);
  for (let before = answered.length; turn.length > 0; before = answered.length) {
    const tasks = turn;
    turn = [];
    for (const task of tasks) task();
    perTurn.push(answered.length - before);
  }
  expect(answered).toEqual(Array.from({ length: count + 1 }, (_, at) => at));
  expect(perTurn).toEqual([turnRequestsMax, turnRequestsMax, turnRequestsMax, 2, 0]);
  ask(count + 1);
  expect(answered.at(-1)).toBe(count + 1);
});

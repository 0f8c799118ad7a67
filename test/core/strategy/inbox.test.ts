import { expect, test } from 'vitest';
import { Inbox } from '../../../src/core/strategy/inbox.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a few messages are handled at once, many in slices between which the event loop turns, in order', async () => {
  const received: unknown[] = [];
  const inbox = new Inbox((message) => received.push(message));
  inbox.post(0);
  expect(received).toEqual([0]);
  for (let i = 1; i < 100; i++) inbox.post(i);
  expect(received).toHaveLength(32);
  await turn();
  expect(received).toHaveLength(64);
  inbox.post(100);
  while (received.length < 101) await turn();
  expect(received).toEqual(Array.from({ length: 101 }, (_, at) => at));
});

test('what waits is handled when nothing more comes', () => {
  const received: unknown[] = [];
  const inbox = new Inbox((message) => received.push(message));
  for (let i = 0; i < 100; i++) inbox.post(i);
  inbox.endMail();
  expect(received).toHaveLength(100);
});

test('it takes no more than its bound', () => {
  const inbox = new Inbox(() => {});
  let taken = 0;
  while (inbox.post(taken)) taken += 1;
  expect(taken).toBe(50_032);
});

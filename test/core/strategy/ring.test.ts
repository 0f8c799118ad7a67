import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { RingReader, ringMemory, RingWriter } from '../../../src/core/strategy/ring.ts';

interface Ends {
  readonly writer: RingWriter;
  readonly reader: RingReader;
  readonly memory: SharedArrayBuffer;
  readonly woken: { times: number };
  readonly flooded: { times: number };
  /** Sends by the port, past the ring. */
  readonly post: (message: unknown) => void;
}

function open(words = 256): Ends {
  const memory = ringMemory(words);
  const { port1, port2 } = new MessageChannel();
  const [woken, flooded] = [{ times: 0 }, { times: 0 }];
  const writer = new RingWriter({ memory, port: port1 });
  const reader = new RingReader(
    { memory, port: port2 },
    { woken: () => (woken.times += 1), flooded: () => (flooded.times += 1) },
  );
  onTestFinished(() => port1.close());
  return { writer, reader, memory, woken, flooded, post: (message) => port1.postMessage(message) };
}

/** Fits in no ring of these tests. */
const large = 'x'.repeat(2_000);

test('messages are taken in order, those that do not fit among them, over the end of the memory again and again', () => {
  const { writer, reader } = open();
  const sent: unknown[] = [];
  const taken: unknown[] = [];
  for (let i = 0; i < 1_000; i++) {
    const message = i % 7 === 0 ? { i, large } : { i, list: Array.from({ length: i % 5 }, () => i) };
    while (!writer.post(message)) taken.push(reader.take());
    sent.push(message);
  }
  while (!reader.isEmpty) taken.push(reader.take());
  expect(taken).toEqual(sent);
});

test('one that has no space is not handed over, and can be as soon as there is some', () => {
  const { writer, reader } = open();
  let posted = 0;
  while (writer.post({ posted })) posted += 1;
  expect(posted).toBeGreaterThan(10);
  expect(writer.post({ posted })).toBe(false);
  expect(reader.take()).toEqual({ posted: 0 });
  while (!writer.post({ posted })) reader.take();
  let last: unknown;
  while (!reader.isEmpty) last = reader.take();
  expect(last).toEqual({ posted });
});

test('of those that go by the port no more than a few are on their way', () => {
  const { writer, reader } = open(1_024);
  let posted = 0;
  while (writer.post({ posted, large: large.repeat(4) })) posted += 1;
  expect(posted).toBe(64);
  reader.take();
  expect(writer.post({ large: large.repeat(4) })).toBe(true);
});

test('a message is taken in its place also when the event loop has met it first', async () => {
  const { writer, reader } = open();
  writer.post('first');
  writer.post(large);
  writer.post('last');
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect([reader.take(), reader.take(), reader.take()]).toEqual(['first', large, 'last']);
  expect(reader.isEmpty).toBe(true);
});

test('a reader that sleeps is woken once, one that is awake is not', async () => {
  const { writer, reader, woken } = open();
  writer.post('unseen');
  expect(reader.sleep()).toBe(false);
  reader.take();
  expect(reader.sleep()).toBe(true);
  writer.post('wakes');
  writer.post('no more');
  await expect.poll(() => woken.times).toBe(1);
  expect([reader.take(), reader.take()]).toEqual(['wakes', 'no more']);
});

test('a reader need not be woken for a message, and learns of it by the next call', async () => {
  const { writer, reader, woken } = open();
  reader.sleep();
  writer.post('a', 'next');
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken.times).toBe(0);
  writer.wakeReader();
  writer.wakeReader();
  await expect.poll(() => woken.times).toBe(1);
  expect(reader.take()).toBe('a');
  reader.sleep();
  writer.post('b', 'next');
  writer.post('c', 'now');
  await expect.poll(() => woken.times).toBe(2);
  expect([reader.take(), reader.take()]).toEqual(['b', 'c']);
});

test('what comes by the port and was announced by no record is a flood', async () => {
  const { flooded, post } = open();
  for (let i = 0; i < 100; i++) post(i);
  await expect.poll(() => flooded.times).toBe(36);
});

test('counts that others have spoiled are refused', () => {
  for (const length of [0, -2, 0.5, Number.NaN, 1e9, 200, -1]) {
    const { writer, reader, memory } = open();
    writer.post({ a: 1 });
    new Float64Array(memory, 64)[0] = length;
    expect(() => reader.take()).toThrow(/a record has no length|did not come/);
  }
});

test('a wait ends with its time when nothing comes', () => {
  const { writer, reader } = open();
  expect(reader.wait(1)).toBe(false);
  writer.post('there');
  expect(reader.wait(60_000)).toBe(true);
});

test('a wait awake ends with its time, or with a message; after some in vain few are tried', () => {
  const { writer, reader } = open();
  let looks = 0;
  const looksOf = (message?: string): number => {
    looks = 0;
    const came = reader.waitAwake(() => {
      looks += 1;
      if (looks === 3 && message !== undefined) writer.post(message);
      return looks < 5;
    });
    expect(came).toBe(message !== undefined);
    return looks;
  };
  expect(looksOf('a')).toBe(3);
  expect(reader.take()).toBe('a');
  for (let i = 0; i < 4; i++) expect(looksOf()).toBe(5);
  let tried = 0;
  for (let i = 0; i < 320; i++) tried += looksOf() > 0 ? 1 : 0;
  expect(tried).toBe(10);
});

test('a reader that stays awake is not woken, and one that does not any more is', async () => {
  const { writer, reader, woken } = open();
  reader.sleep();
  expect(reader.waitAwake(() => writer.post('seen'))).toBe(true);
  expect(reader.take()).toBe('seen');
  expect(reader.sleep()).toBe(true);
  writer.post('wakes');
  await expect.poll(() => woken.times).toBe(1);
});

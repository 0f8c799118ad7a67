import { filter, map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { Topic } from '../../../src/core/bus/topic.ts';

function broken(): never {
  throw new Error('broken watcher');
}

describe('a topic', () => {
  test('delivers every value to every handler in the order of their registration', () => {
    const topic = new Topic<number>();
    const seen: string[] = [];
    topic.on((value) => seen.push(`a${value}`));
    topic.on((value) => seen.push(`b${value}`));
    topic.next(1);
    topic.next(2);
    expect(seen).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  test('delivers a value published by a handler after the present one has reached every subscriber', () => {
    const topic = new Topic<number>();
    const seen: string[] = [];
    topic.on((value) => {
      seen.push(`a${value}`);
      if (value === 1) {
        topic.next(2);
        topic.next(3);
      }
      if (value === 2) topic.next(4);
    });
    topic.on((value) => seen.push(`b${value}`));
    topic.next(1);
    expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4']);
  });

  test('goes on when a handler throws, reports it and counts it', () => {
    const errors: unknown[] = [];
    const topic = new Topic<number>({ onError: (error) => errors.push(error) });
    const seen: number[] = [];
    topic.on(broken);
    topic.on((value) => seen.push(value));
    topic.next(1);
    topic.next(2);
    expect(seen).toEqual([1, 2]);
    expect(errors).toHaveLength(2);
    expect(topic.errors).toBe(2);
  });

  test('survives an error callback that throws', () => {
    const topic = new Topic<number>({ onError: broken });
    const seen: number[] = [];
    topic.on(broken);
    topic.on((value) => seen.push(value));
    topic.next(1);
    topic.next(2);
    expect(seen).toEqual([1, 2]);
  });

  test('detaches a handler that has thrown as often as is borne', () => {
    let calls = 0;
    const topic = new Topic<number>({ throwsMax: 3 });
    topic.on(() => {
      calls += 1;
      broken();
    });
    for (let value = 0; value < 10; value++) topic.next(value);
    expect(calls).toBe(3);
    expect(topic.observed).toBe(false);
  });

  test('calls a handler no more once it is cancelled, even within the delivery under way', () => {
    const topic = new Topic<number>();
    const seen: number[] = [];
    topic.on(() => cancel());
    const cancel = topic.on((value) => seen.push(value));
    topic.next(1);
    topic.next(2);
    expect(seen).toEqual([]);
  });

  test('starts a handler added during a delivery with the next value', () => {
    const topic = new Topic<number>();
    const seen: number[] = [];
    const cancel = topic.on(() => {
      topic.on((value) => seen.push(value));
      cancel();
    });
    topic.next(1);
    topic.next(2);
    expect(seen).toEqual([2]);
  });

  test('treats two registrations of one function as two', () => {
    const topic = new Topic<number>();
    const seen: number[] = [];
    const handler = (value: number): void => void seen.push(value);
    const cancel = topic.on(handler);
    topic.on(handler);
    topic.next(1);
    cancel();
    cancel();
    topic.next(2);
    expect(seen).toEqual([1, 1, 2]);
  });

  test('is an Observable: operators work, and unsubscribing ends them', () => {
    const topic = new Topic<number>();
    const seen: number[] = [];
    const subscription = topic
      .pipe(
        filter((value) => value % 2 === 0),
        map((value) => value * 10),
      )
      .subscribe((value) => seen.push(value));
    for (const value of [1, 2, 3, 4]) topic.next(value);
    subscription.unsubscribe();
    topic.next(6);
    expect(seen).toEqual([20, 40]);
    expect(topic.observed).toBe(false);
  });

  test('guards subscribers and operators that throw: others see everything, nothing is thrown later', async () => {
    const errors: string[] = [];
    const topic = new Topic<number>({ onError: (error) => errors.push(String(error)) });
    const seen: number[] = [];
    topic.subscribe(broken);
    topic.pipe(map((value) => value + 1)).subscribe({ next: broken });
    topic.pipe(map(broken)).subscribe((value) => seen.push(value));
    topic.subscribe((value) => seen.push(value));
    topic.next(1);
    topic.next(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 2]);
    // The operator that throws ends its own chain at the first value; the subscribers that throw stay.
    expect(errors).toHaveLength(5);
  });

  test('completes its subscribers when it is closed', () => {
    const topic = new Topic<number>();
    let completed = 0;
    topic.subscribe({ complete: () => (completed += 1) });
    topic.close();
    topic.next(1);
    expect(completed).toBe(1);
  });

  test('notifies a handler when it is closed, unless that was cancelled', () => {
    const topic = new Topic<number>();
    const received: string[] = [];
    const end = (): number => received.push('end');
    topic.on(() => undefined, end);
    const cancel = topic.on(() => undefined, end);
    cancel();
    topic.close();
    topic.close();
    expect(received).toEqual(['end']);
  });

  test('notifies its owner once of the first listener, when the listener already receives', () => {
    const seen: number[] = [];
    const topic: Topic<number> = new Topic<number>({ onFirst: () => topic.next(7) });
    topic.next(1);
    topic.subscribe((value) => seen.push(value));
    topic.on((value) => seen.push(-value));
    expect(seen).toEqual([7]);
  });

  test('refuses to queue without bound', () => {
    const topic = new Topic<number>({ waitingMax: 10, onError: () => undefined });
    topic.on((value) => {
      topic.next(value + 1);
      topic.next(value + 2);
    });
    topic.next(0);
    expect(topic.errors).toBeGreaterThan(0);
  });
});

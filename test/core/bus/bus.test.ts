import { EMPTY, Observable, Subject, of, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Topic } from '../../../src/core/bus/topic.ts';
import { Bus } from '../../../src/core/bus/bus.ts';
import type { BusOptions } from '../../../src/core/bus/bus.ts';
import type { Event, StrategyTimer } from '../../../src/core/model/event.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';

function timer(timerId: number): StrategyTimer {
  return {
    kind: 'strategyTimer',
    exchangeTime: 0 as Micros,
    receiveTime: 0 as Micros,
    strategy: 's',
    timerId,
  };
}

function idOf(event: Event): number {
  return event.kind === 'strategyTimer' ? event.timerId : -1;
}

interface World {
  readonly bus: Bus;
  readonly stepped: string[];
  readonly broken: string[];
}

function world(
  act: (id: number, bus: Bus) => void = () => undefined,
  options: Partial<BusOptions> = {},
): World {
  const stepped: string[] = [];
  const broken: string[] = [];
  const bus: Bus = new Bus({
    step: (event, sequence) => {
      stepped.push(`${sequence}:${idOf(event)}`);
      act(idOf(event), bus);
    },
    onBroken: (error, event) => broken.push(`${idOf(event)} ${String(error)}`),
    ...options,
  });
  return { bus, stepped, broken };
}

describe('the bus', () => {
  test('stamps 1, 2, 3 and steps each event once', () => {
    const { bus, stepped } = world();
    for (const id of [7, 8, 9]) bus.publish(timer(id));
    expect(stepped).toEqual(['1:7', '2:8', '3:9']);
    expect(bus.sequence).toBe(3);
  });

  test('goes on from the sequence it is given', () => {
    const { bus, stepped } = world(undefined, { start: 41 });
    bus.publish(timer(1));
    expect(stepped).toEqual(['42:1']);
  });

  test('an event published during a step waits its turn', () => {
    const trace: string[] = [];
    const { bus, stepped } = world((id, self) => {
      trace.push(`in ${id}`);
      if (id === 1) {
        self.publish(timer(2));
        self.publish(timer(3));
      }
      if (id === 2) self.publish(timer(4));
      trace.push(`out ${id}`);
    });
    bus.publish(timer(1));
    expect(stepped).toEqual(['1:1', '2:2', '3:3', '4:4']);
    expect(trace).toEqual(['in 1', 'out 1', 'in 2', 'out 2', 'in 3', 'out 3', 'in 4', 'out 4']);
  });

  test('a step that throws is reported, and the next event is stepped', () => {
    const { bus, stepped, broken } = world((id) => {
      if (id === 1) throw new Error('bug');
    });
    bus.publish(timer(1));
    bus.publish(timer(2));
    expect(stepped).toEqual(['1:1', '2:2']);
    expect(broken).toEqual(['1 Error: bug']);
  });

  test('watchers see every event after its step, in order, whatever other watchers do', () => {
    const errors: unknown[] = [];
    const { bus, stepped } = world(undefined, { onWatcherError: (error) => errors.push(error) });
    const seen: string[] = [];
    bus.on(() => {
      throw new Error('broken watcher');
    });
    bus.journal$.subscribe(({ sequence, event }) => {
      seen.push(`${sequence}:${idOf(event)} after ${stepped.length}`);
      if (idOf(event) === 1) bus.publish(timer(5));
    });
    bus.on(({ sequence }) => seen.push(`second ${sequence}`));
    bus.publish(timer(1));
    expect(seen).toEqual(['1:1 after 1', 'second 1', '2:5 after 2', 'second 2']);
    expect(errors).toHaveLength(2);
  });

  test('verdicts stamped within a step are shown after the event that caused them', () => {
    const sequences: number[] = [];
    const { bus } = world((id, self) => {
      if (id === 1) sequences.push(self.stamp(timer(11)), self.stamp(timer(12)));
    });
    const seen: StampedEvent[] = [];
    bus.on((stamped) => seen.push(stamped));
    bus.publish(timer(1));
    bus.publish(timer(2));
    expect(sequences).toEqual([2, 3]);
    expect(seen.map(({ sequence, event }) => [sequence, idOf(event)])).toEqual([
      [1, 1],
      [2, 11],
      [3, 12],
      [4, 2],
    ]);
  });

  test('refuses to stamp outside a step', () => {
    expect(() => world().bus.stamp(timer(1))).toThrow('outside a step');
  });

  test('connects sources and reports when one ends or errors', () => {
    const ends: unknown[] = [];
    const { bus, stepped } = world(undefined, { onSourceEnd: (error) => ends.push(error) });
    bus.connect(of(timer(1), timer(2)));
    bus.connect(EMPTY);
    bus.connect(throwError(() => 'gone'));
    expect(stepped).toEqual(['1:1', '2:2']);
    expect(ends).toEqual([undefined, undefined, 'gone']);
  });

  test('hears nothing more of a source that was cancelled', () => {
    const { bus, stepped } = world();
    const source = new Subject<Event>();
    const cancel = bus.connect(source);
    source.next(timer(1));
    cancel();
    source.next(timer(2));
    expect(stepped).toEqual(['1:1']);
  });

  test('a topic as a source is received, is cancelled and reports its end as any other', () => {
    const ends: unknown[] = [];
    const { bus, stepped } = world(undefined, { onSourceEnd: (error) => ends.push(error) });
    const [first, second] = [new Topic<Event>(), new Topic<Event>()];
    const cancel = bus.connect(first);
    bus.connect(second);
    first.next(timer(1));
    second.next(timer(2));
    cancel();
    first.next(timer(3));
    first.close();
    second.close();
    expect(stepped).toEqual(['1:1', '2:2']);
    expect(ends).toEqual([undefined]);
  });

  test('an overflow of the queue is reported as broken to the publisher, and the bus goes on', () => {
    const { bus, broken, stepped } = world(
      (id, self) => {
        if (id === 0) self.connect(new Observable((to) => [1, 2, 3, 4].forEach((n) => to.next(timer(n)))));
      },
      { waitingMax: 2 },
    );
    bus.publish(timer(0));
    expect(broken).toHaveLength(2);
    expect(stepped).toEqual(['1:0', '2:1', '3:2']);
  });
});

import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { threadsRunning } from '../../../src/core/base/threads.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { launchGroup } from '../../../src/core/strategy/launch-worker.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import { setting, specs, startTime } from './scene.ts';

const clock = new SystemClock();
const path = fileURLToPath(new URL('./fixtures/villain.ts', import.meta.url));
const opened: WorkerHost[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

interface Group {
  readonly hosts: readonly WorkerHost[];
  readonly events: readonly Event[];
  /** Gives every host the event, as a trader does. */
  readonly notify: (event: Event) => void;
}

/** Strategies of one worker, started; each does its deed at the first book. */
async function open(deeds: readonly string[], hangTimeout = seconds(60)): Promise<Group> {
  const events: Event[] = [];
  const launched = await launchGroup(
    deeds.map((deed, i) => ({
      clock,
      path,
      params: { deed },
      specs,
      stateOptions: {},
      ...setting,
      name: `${deed}${i}`,
      tag: `t${i}`,
    })),
  );
  const notify = (event: Event): void => {
    for (const host of hosts) host.notify(event);
  };
  const publish = (event: Event): void => {
    events.push(event);
    notify(event);
  };
  const instruments = new Instruments(specs);
  const hosts: readonly WorkerHost[] = launched.map(
    (worker) => new WorkerHost({ worker, clock, instruments, publish, hangTimeout }),
  );
  opened.push(...hosts);
  for (const host of hosts) host.start();
  return { hosts, events, notify };
}

function book(price: number, sequence: number): Event {
  const levels = new Float64Array([0, price, 5, 1, price + 1, 5]);
  const times = { exchangeTime: startTime, receiveTime: startTime };
  return { kind: 'bookSnapshot', ...times, instrument: 0 as never, sequence, levels, start: 0, end: 6 };
}

const stops = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'strategyStopped' ? [`${event.strategy}: ${event.why}`] : []));
const asking = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'intent' ? [event.intent.strategy] : []));

test('strategies of a group share one thread, and each event is handled once', async () => {
  const before = threadsRunning();
  const { hosts, events, notify } = await open(['nothing', 'nothing', 'nothing']);
  expect(threadsRunning() - before).toBe(1);
  notify(book(100, 1));
  notify(book(101, 2));
  await expect.poll(() => hosts[0]?.backlog).toBe(0);
  expect(asking(events).toSorted()).toEqual(
    ['nothing0', 'nothing0', 'nothing1', 'nothing1', 'nothing2', 'nothing2'].toSorted(),
  );
});

test('one that throws, or is stopped, ends alone, and the thread with the last of them', async () => {
  const before = threadsRunning();
  const { hosts, events, notify } = await open(['nothing', 'throw', 'nothing']);
  notify(book(100, 1));
  await expect.poll(() => stops(events)).toHaveLength(1);
  expect(stops(events)[0]).toMatch(/^throw1: onBook threw Error: boom/);
  await hosts[0]?.close();
  expect(stops(events)[1]).toBe('nothing0: unloaded');
  const asked = asking(events).length;
  notify(book(101, 2));
  await expect.poll(() => asking(events).slice(asked)).toEqual(['nothing2']);
  expect(hosts.map((host) => host.running)).toEqual([false, false, true]);
  await hosts[2]?.close();
  await expect.poll(() => threadsRunning() - before).toBe(0);
});

test.each([
  ['hang', 'it gave no sign of life: a handler does not return'],
  ['exit', 'its thread ended with exit code 0'],
  ['babble', 'its code posted a message of its own to the thread that trades'],
])('one that does this: %s, ends its group, and no other group (S2)', async (deed, why) => {
  const [bad, good] = await Promise.all([
    open(['nothing', deed], deed === 'hang' ? millis(300) : undefined),
    open(['nothing', 'nothing']),
  ]);
  bad.notify(book(100, 1));
  good.notify(book(100, 1));
  await expect.poll(() => stops(bad.events).length, { timeout: 20_000 }).toBe(2);
  for (const one of stops(bad.events)) expect(one).toMatch(why);
  expect(good.hosts.map((host) => host.running)).toEqual([true, true]);
  await expect.poll(() => good.hosts[0]?.backlog).toBe(0);
  expect(stops(good.events)).toEqual([]);
});

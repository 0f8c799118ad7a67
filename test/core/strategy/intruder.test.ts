import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { launchWorker } from '../../../src/core/strategy/launch-worker.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import { until } from '../../system/support/until.ts';
import { setting, specs } from './scene.ts';

const path = fileURLToPath(new URL('./fixtures/intruder.ts', import.meta.url));
const clock = new SystemClock();
const hosts: WorkerHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function open(more: { trust?: 'full'; params?: object; print?: (text: string) => void } = {}) {
  const events: Event[] = [];
  const launch = { clock, path, name: 'mine', params: {}, specs, stateOptions: {}, ...setting };
  const worker = await launchWorker({ ...launch, ...more });
  const publish = (event: Event): void => void events.push(event);
  const host = new WorkerHost({ worker, clock, instruments: new Instruments(specs), publish });
  hosts.push(host);
  host.start();
  await until('its intent', () => events.some(({ kind }) => kind === 'intent'));
  const notes = events.flatMap((event) => (event.kind === 'strategyNoted' ? [event.text] : []));
  return { host, worker, events, notes };
}

test('a strategy reaches no secret, file, socket, program, thread or descriptor, and imports what lies beside it', async () => {
  process.env['CANARY'] = 'a canary';
  const { notes } = await open();
  delete process.env['CANARY'];
  expect(notes.filter((note) => note.endsWith(' done'))).toEqual(['sibling done']);
  expect(notes).toHaveLength(20);
});

test('a strategy that prints 100 MB a second leaves the memory of its host as it was', async () => {
  let printed = '';
  const { host } = await open({ params: { flood: 10 }, print: (text) => (printed += text) });
  const before = process.memoryUsage();
  const timers = setInterval(() => {
    const now = clock.now();
    const times = { exchangeTime: now, receiveTime: now };
    host.notify({ kind: 'strategyTimer', ...times, strategy: 'mine', timerId: 1 } as Event);
  }, 10);
  await new Promise<void>((resolve) => void clock.after(2_500_000 as never, resolve));
  clearInterval(timers);
  const after = process.memoryUsage();
  expect(printed).toMatch(/\d{7,} characters more were left out\n/);
  expect(printed.length).toBeLessThan(4 * 70_000);
  expect(host.running).toBe(true);
  // What the flood came to was some 250 MB.
  expect(after.external + after.heapUsed - before.external - before.heapUsed).toBeLessThan(50_000_000);
});

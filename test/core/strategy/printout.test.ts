import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { launchWorker } from '../../../src/core/strategy/launch-worker.ts';
import { Printout } from '../../../src/core/strategy/printout.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import { setting, specs, startTime } from './scene.ts';

const path = fileURLToPath(new URL('./fixtures/printer.ts', import.meta.url));
const hosts: WorkerHost[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** What the printer prints in a worker: `text` as far as it has come, once it contains `last`. */
async function printed(characters: number, last: string, clock: Clock = new SystemClock()): Promise<string> {
  let text = '';
  let stop: (() => void) | undefined;
  const launch = { clock, path, params: { characters }, specs, stateOptions: {}, ...setting };
  const worker = await launchWorker({
    ...launch,
    print: (more) => {
      text += more;
      if (text.includes(last)) stop?.();
    },
  });
  await new Promise<void>((resolve) => {
    stop = resolve;
    const host = new WorkerHost({ worker, clock, instruments: new Instruments(specs), publish: () => {} });
    hosts.push(host);
    host.start();
  });
  return text;
}

test('what a strategy in a worker prints is passed on', async () => {
  const text = await printed(0, 'and one is odd\n');
  expect(text).toBe('looked at 1 symbols\nand one is odd\n');
});

test('and is bounded, which is said', async () => {
  const text = await printed(1_000_000, 'left out\n', new VirtualClock(startTime));
  expect(text).toMatch(
    /strategy .*printer\.ts prints more than 65536 characters a second: the rest of this one is left out\n$/,
  );
  expect(text.length).toBeLessThan(66_000);
});

const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join('');

test.each(['stop', 'fault', 'load'])('nothing that is printed before the end at a %s is lost', async (at) => {
  const clock = new SystemClock();
  const lastWords = fileURLToPath(new URL('./fixtures/last-words.ts', import.meta.url));
  let [out, why] = ['', ''];
  const print = (text: string): void => void (out += text);
  const launch = { clock, path: lastWords, params: { at }, specs, stateOptions: {}, print, ...setting };
  try {
    const worker = await launchWorker(launch);
    const ended = Promise.withResolvers<void>();
    const host = new WorkerHost({
      worker,
      clock,
      instruments: new Instruments(specs),
      publish: (event) => {
        if (event.kind !== 'strategyStopped') return;
        ({ why } = event);
        ended.resolve();
      },
    });
    host.start();
    if (at === 'stop') host.stop();
    await ended.promise;
    await host.close();
  } catch (error) {
    why = String(error);
  }
  expect(why).toMatch({ stop: /^unloaded$/, fault: /it gave up/, load: /it wants nothing/ }[at] ?? /./);
  expect(out.replace('the last one\n', '')).toBe(lines);
  expect(out).toContain('the last one\n');
});

test('the next second has room again', () => {
  const clock = new VirtualClock(startTime);
  let text = '';
  const printout = new Printout(
    'strategy a',
    () => clock.now(),
    (more) => void (text += more),
  );
  for (let i = 0; i < 10; i++) printout.takeText('x'.repeat(50_000));
  expect(text.match(/left out/g)).toHaveLength(1);
  clock.advanceTo((startTime + 1_000_000) as never);
  printout.takeText('again\n');
  expect(text.endsWith('again\n')).toBe(true);
});

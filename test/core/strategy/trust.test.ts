import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { LaunchDeps } from '../../../src/core/strategy/launch-worker.ts';
import { launchWorker } from '../../../src/core/strategy/launch-worker.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import { setting, specs, startTime } from './scene.ts';

const clock = new SystemClock();
const hosts: WorkerHost[] = [];
const folder = mkdtempSync(join(tmpdir(), 'godwit-trust-'));
const foreign = join(folder, 'secrets.txt');
writeFileSync(foreign, 'not yours');
/** Beside what Node compiled, which a worker reads until the strategy is loaded. */
const compiledFolder = process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled');
const compiled = join(compiledFolder, 'secrets.txt');
mkdirSync(compiledFolder, { recursive: true });
writeFileSync(compiled, 'not yours');

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));

function launch(path: string, params: object, more: Partial<LaunchDeps> = {}) {
  return launchWorker({ clock, path, params, specs, stateOptions: {}, ...setting, ...more });
}

/** The first note of a strategy once it has started. */
async function firstNote(path: string, params: object, more: Partial<LaunchDeps> = {}): Promise<string> {
  const worker = await launch(path, params, more);
  return await new Promise<string>((resolve, reject) => {
    const publish = (event: Event): void => {
      if (event.kind === 'strategyNoted') resolve(event.text);
      if (event.kind === 'strategyStopped') reject(new Error(event.why));
    };
    const host = new WorkerHost({ worker, clock, instruments: new Instruments(specs), publish });
    hosts.push(host);
    host.start();
  });
}

const reached = async (more: Partial<LaunchDeps>, write: string): Promise<Record<string, string>> => {
  const note = await firstNote(fixture('reacher'), { foreign, compiled, write: join(folder, write) }, more);
  return Object.fromEntries(note.split(', ').map((one) => one.split(' ')));
};

describe('the code of a strategy', () => {
  test('of limited trust reads its own files, and reaches nothing else', async () => {
    expect(await reached({}, 'limited')).toEqual({
      own: 'could',
      foreign: 'ERR_ACCESS_DENIED',
      compiled: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      environ: 'ERR_ACCESS_DENIED',
      program: 'ERR_ACCESS_DENIED',
      thread: 'ERR_ACCESS_DENIED',
      signal: 'TypeError',
      environment: 'RangeError',
      report: 'RangeError',
      connection: 'ERR_ACCESS_DENIED',
      server: 'ERR_ACCESS_DENIED',
      fetch: 'ERR_ACCESS_DENIED',
    });
  });

  test('of full trust may what Godwit may, and is given no environment', async () => {
    const found = await reached({ trust: 'full' }, 'full');
    expect(found).toMatchObject({ foreign: 'could', write: 'could', program: 'could', thread: 'could' });
    expect(found).toMatchObject({ server: 'could', connection: 'ECONNREFUSED', environment: 'RangeError' });
  });

  test('of limited trust that imports a file it may not read is refused with the setting that allows it', async () => {
    const path = join(folder, 'reader.ts');
    writeFileSync(
      path,
      `import { readFileSync } from 'node:fs';\nexport default readFileSync(${JSON.stringify(foreign)}, 'utf8');\n`,
    );
    await expect(launch(path, {})).rejects.toThrow(
      /could not be loaded: Error: expected a strategy of limited trust to do without FileSystemRead; strategies\.\*\.trust: full allows it/,
    );
  });

  test('that says it is another strategy is refused', async () => {
    await expect(launch(fixture('impostor'), {})).rejects.toThrow(
      'its code posted a message of its own to the thread that trades',
    );
    await expect(launch(fixture('impostor'), {}, { trust: 'full' })).rejects.toThrow(/a message of its own/);
  });

  test('is launched where it only names its feeds, though its thread ends at once', async () => {
    // Time stands still: a thread that did not end by itself would be waited for without end.
    const still = { specs: undefined, clock: new VirtualClock(startTime) };
    const launches = Array.from({ length: 6 }, () => launch(fixture('printer'), { characters: 1 }, still));
    for (const worker of await Promise.all(launches)) {
      expect(worker.name).toBe('printer');
      await worker.link.endThread();
    }
    await expect(launch(fixture('printer'), { characters: 'many' }, still)).rejects.toThrow(/characters/);
  });

  test('that prints 200 MB at once leaves little of it waiting in memory', async () => {
    let printed = 0;
    const waiting = await firstNote(
      fixture('flooder'),
      {},
      { print: (text) => void (printed += text.length) },
    );
    expect(Number(waiting)).toBeLessThan(2_000_000);
    expect(printed).toBeLessThan(2_000_000);
  });
});

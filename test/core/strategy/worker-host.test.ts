import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parseAmount, subtract } from '../../../src/core/base/amount.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { marginKeyOf } from '../../../src/core/model/margin.ts';
import { CutSizes } from '../../../src/core/strategy/cut-sizes.ts';
import type { LaunchDeps } from '../../../src/core/strategy/launch-worker.ts';
import { launchWorker, StrategyLate } from '../../../src/core/strategy/launch-worker.ts';
import { loadStrategy } from '../../../src/core/strategy/loader.ts';
import { readFeeds } from '../../../src/core/strategy/params.ts';
import type { WorkerHostDeps } from '../../../src/core/strategy/worker-host.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import { heldPosition } from '../support/margin-account.ts';
import { Scene, marginSpecs, setting, specs, startTime } from './scene.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
const clock = new SystemClock();
const opened: WorkerHost[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

function launch(path: string, params: unknown): LaunchDeps {
  return { clock, path, params, specs, stateOptions: {}, ...setting };
}

/** A host on a worker, and what it publishes. `until` resolves at the first event that `wanted` accepts. */
async function open(path: string, params: unknown, more: Partial<LaunchDeps & WorkerHostDeps> = {}) {
  const events: Event[] = [];
  const waiting: { wanted: (event: Event) => boolean; resolve: (event: Event) => void }[] = [];
  const worker = await launchWorker({ ...launch(path, params), ...more });
  const publish = (event: Event): void => {
    events.push(event);
    for (const one of waiting) if (one.wanted(event)) one.resolve(event);
  };
  const host = new WorkerHost({ worker, clock, instruments: new Instruments(specs), publish, ...more });
  opened.push(host);
  const until = (wanted: (event: Event) => boolean): Promise<Event> =>
    new Promise((resolve) => {
      const found = events.find(wanted);
      if (found !== undefined) resolve(found);
      else waiting.push({ wanted, resolve });
    });
  const stopped = () => until(({ kind }) => kind === 'strategyStopped');
  return { host, worker, events, until, stopped };
}

/** A book of one level a side, in a chunk shared with other messages. */
function bookAt(price: number): Event {
  const levels = new Float64Array(30_000);
  levels.set([0, price, 5, 1, price + 1, 5], 600);
  const times = { exchangeTime: startTime, receiveTime: startTime };
  return {
    kind: 'bookSnapshot',
    ...times,
    instrument: 0 as never,
    sequence: 1,
    levels,
    start: 600,
    end: 606,
  };
}

async function villain(deed: string, more: Partial<LaunchDeps & WorkerHostDeps> = {}) {
  const opened = await open(fixture('villain'), { deed }, more);
  opened.host.start();
  opened.host.notify(bookAt(100));
  return opened;
}

test('what it keeps and cannot be written ends it alone', async () => {
  const grid = fileURLToPath(new URL('../../../strategies/grid', import.meta.url));
  const keep = (): never => {
    throw new Error('no space left on device');
  };
  const { host, stopped } = await open(grid, {}, { keep });
  host.start();
  host.notify(bookAt(1_000));
  expect(await stopped()).toMatchObject({
    why: 'what it keeps could not be written: Error: no space left on device',
  });
});

test('sizes that it rounds down to nothing are counted where its host is', async () => {
  const grid = fileURLToPath(new URL('../../../strategies/grid', import.meta.url));
  const cuts = new CutSizes();
  const { host, stopped } = await open(grid, { quantity: '0.0000000001' }, { cuts });
  host.start();
  host.stop();
  await stopped();
  expect(cuts.all).toEqual([{ instrument: 0, first: '0.0000000001', count: 1 }]);
});

/** A strategy in a worker says and asks the same from the events that the scene had since `begun`. */
async function sameInWorker(scene: Scene, begun: number, name: string): Promise<void> {
  const { instruments } = scene;
  const listed = instruments.all.map(({ spec }) => spec);
  // A clock that stands still: timers come back from the record, not from the worker's own wishes.
  const worker = await launchWorker({ ...launch(fixture(name), {}), specs: listed });
  const events: Event[] = [];
  const publish = (event: Event): void => void events.push(event);
  const replica = new WorkerHost({ worker, clock: new VirtualClock(startTime), instruments, publish });
  opened.push(replica);
  expect(replica.products).toEqual(scene.hosts[0]?.products);
  for (const event of scene.events.slice(0, begun)) replica.notify(event);
  replica.start();
  for (const event of scene.events.slice(begun)) replica.notify(event);
  // Each turn of the loop lets the worker's answers in.
  while (replica.backlog > 0) await new Promise((resolve) => setImmediate(resolve));
  const said = events.filter((event) => event.kind === 'strategyNoted').map(({ text }) => text);
  const wished = events.filter((event) => event.kind === 'intent').map(({ intent }) => intent);
  expect(said).toEqual(scene.notes());
  expect(wished).toEqual(scene.intents());
}

/** All that can happen to margin accounts, with orders between. */
function playMargin(scene: Scene): void {
  const perpetual = scene.instruments.get('ETHBTC_PERP');
  for (let i = 0; i < 60; i++) {
    if (i % 9 === 0) scene.contract('ETHBTC_PERP', `0.000${i}`);
    // Not declared: neither host passes it on.
    if (i % 9 === 1) scene.contract('XRPBTC', '0.5');
    scene.refuse = () => i % 11 === 5;
    scene.book([[1_000 + ((i * 7) % 13), 5 + i]], [[1_020 + (i % 5), 3]], 'ETHBTC_PERP');
    const [order] = scene.open();
    if (i % 3 === 0 && order?.price !== undefined) scene.fill(order.clientOrderId, 1);
    scene.wait(400);
    const account = scene.state.marginAccount(marginKeyOf(perpetual, 'isolated'));
    if (account === undefined) continue;
    const balance = subtract(account.balance, parseAmount('0.01'));
    if (i % 7 === 3) scene.margin('futures', { ...account, balance }, 'interestTaken');
    const positions = [heldPosition(perpetual.id, '0.5', '0.001')];
    if (i % 13 === 4) scene.margin('futures', { ...account, positions, called: true }, 'updated');
    if (i % 13 === 6) scene.margin('futures', { ...account, positions: [], called: false }, 'liquidated');
  }
  const balances = [{ currency: 'BTC', available: parseAmount('3'), reserved: parseAmount('0') }];
  scene.publish({ kind: 'balances', ...scene.times, wallet: 'futures', complete: true, balances });
}

test('feeds that a worker declares are those of its strategy, every field of them', async () => {
  const definition = await loadStrategy(fixture('pricer'));
  const { host } = await open(fixture('pricer'), {});
  const [priced, other] = readFeeds(definition, {});
  expect(host.feeds).toEqual([priced, { symbol: other?.symbol, book: true }]);
  expect(Object.keys(priced ?? {})).toHaveLength(8);
});

describe('a strategy in a worker', () => {
  test('decides as it does in the thread, from the same events', async () => {
    const scene = new Scene();
    scene.add(await loadStrategy(fixture('teller'))).start();
    const begun = scene.events.length;
    for (let i = 0; i < 300; i++) {
      scene.book([[1_000 + ((i * 7) % 13), 5 + i]], [[1_020 + (i % 5), 3]]);
      if (i % 3 === 0) scene.trade(1_000 + i, 1 + (i % 4));
      const [order] = scene.open();
      if (i % 7 === 0 && order !== undefined) scene.fill(order.clientOrderId, 1);
      scene.refuse = () => i % 11 === 0;
      scene.wait(400);
    }
    scene.publish({ kind: 'sessionDown', ...scene.times, session: 'market', why: 'end' });
    expect(scene.intents().length).toBeGreaterThan(50);
    expect(new Set(scene.notes().map((note) => note.split(' ')[0])).size).toBeGreaterThan(8);
    await sameInWorker(scene, begun, 'teller');
  });

  test('sees and changes margin accounts as it does in the thread', async () => {
    const scene = new Scene(marginSpecs);
    const host = scene.add(await loadStrategy(fixture('margin-teller')));
    expect(host.products).toEqual(['spot', 'margin', 'futures']);
    // The market is there before the strategy starts, so that its first words have an event before them.
    scene.book([[1_000, 5]], [[1_020, 3]], 'ETHBTC_PERP');
    const begun = scene.events.length;
    host.start();
    playMargin(scene);
    const kinds = new Set(scene.notes().map((note) => note.split(' ')[0]));
    expect([...kinds].toSorted((one, other) => (one ?? '').localeCompare(other ?? ''))).toEqual(
      'account balance call contract fill funding held liquidation margin order position refused'.split(' '),
    );
    await sameInWorker(scene, begun, 'margin-teller');
  });

  test('sees the levels of its own books only, cut out of the shared chunk', async () => {
    const { host, until, events } = await villain('nothing');
    await until(({ kind }) => kind === 'intent');
    expect(events.map(({ kind }) => kind)).toEqual(['strategyNoted', 'intent']);
    expect(events[0]).toMatchObject({ text: 'book bid=100', strategy: 'villain' });
    const other = { ...bookAt(5), instrument: 1 as never };
    host.notify(other);
    expect(host.backlog).toBeLessThanOrEqual(1);
    host.stop();
    const last = await until(({ kind }) => kind === 'strategyStopped');
    expect(last).toMatchObject({ why: 'unloaded' });
    expect(events.map(({ kind }) => kind)).toEqual(['strategyNoted', 'intent', 'intent', 'strategyStopped']);
  });

  test('that never returns is ended by the watchdog, and the host goes on (S2)', async () => {
    const { host, stopped, events } = await villain('hang', { hangTimeout: millis(200) });
    expect(await stopped()).toMatchObject({ why: 'it gave no sign of life: a handler does not return' });
    expect(host.running).toBe(false);
    expect(events.filter(({ kind }) => kind === 'intent')).toEqual([]);
  });

  test('that hangs while it stops is ended all the same', async () => {
    const { host, stopped } = await villain('hangAtStop', { hangTimeout: millis(200) });
    host.stop();
    expect(await stopped()).toMatchObject({
      why: expect.stringMatching(/sign of life|onStop did not return/),
    });
  });

  test.each([
    ['exit', /^its thread ended with exit code 0$/],
    ['throw', /^onBook threw Error: boom \(villain\.ts:\d+:\d+\)$/],
    ['lateThrow', /^it threw Error: later \(villain\.ts:\d+:\d+\)$/],
    ['lateReject', /^it threw Error: rejected \(villain\.ts:\d+:\d+\)$/],
    ['babble', /^its code posted a message of its own to the thread that trades$/],
    ['forge', /^its code posted a message of its own to the thread that trades$/],
  ])('that does this: %s, dies alone (S1, S4)', async (deed, why) => {
    const { host, stopped, events } = await villain(deed);
    expect(await stopped()).toMatchObject({ strategy: 'villain', why: expect.stringMatching(why) });
    host.notify(bookAt(101));
    await host.close();
    expect(events.filter(({ kind }) => kind === 'strategyStopped')).toHaveLength(1);
  });

  test('that misspells a side is denied by the controls, as in the thread', async () => {
    const { until } = await villain('misspell');
    expect(await until(({ kind }) => kind === 'intent' || kind === 'strategyStopped')).toMatchObject({
      intent: { action: 'place', request: { side: 'long' } },
    });
  });

  test('that hoards memory dies alone (S4)', async () => {
    const { stopped } = await villain('heap', { heapMbMax: 32, hangTimeout: millis(20_000) });
    expect(await stopped()).toMatchObject({ why: 'it used up its memory' });
  });

  test('that changes prototypes changes nothing here (S6)', async () => {
    const { until, host } = await villain('pollute');
    await until(({ kind }) => kind === 'strategyStopped' || kind === 'intent');
    expect('polluted' in {}).toBe(false);
    const list: number[] = [];
    list.push(1);
    expect(list).toEqual([1]);
    await host.close();
  });

  test.each(['chatter', 'retry'])('that floods is ended where it asks: %s (S11)', async (deed) => {
    const { stopped, events } = await villain(deed, { hangTimeout: millis(20_000) });
    const why =
      'onBook: it asked for more than 1000 orders, replacements and cancels without waiting for an answer';
    expect(await stopped()).toMatchObject({ why });
    expect(events.filter(({ kind }) => kind === 'intent')).toHaveLength(1_000);
  });

  test('that floods with timers is ended for it', async () => {
    const { stopped } = await villain('wind', { hangTimeout: millis(20_000) });
    const why = /^onBook threw BadInput: expected at most 5000 notes, timers and kept states of one handler/;
    expect(await stopped()).toMatchObject({ why: expect.stringMatching(why) });
  });

  test('that floods keeps the event loop no longer than a few of its messages take (S11)', async () => {
    const { host, events } = await villain('chatter', { hangTimeout: millis(20_000) });
    const atTurns = [0];
    while (host.running) {
      await new Promise((resolve) => setImmediate(resolve));
      atTurns.push(events.filter(({ kind }) => kind === 'intent').length);
    }
    expect(atTurns.at(-1)).toBe(1_000);
    const most = Math.max(...atTurns.slice(1).map((count, at) => count - (atTurns[at] ?? 0)));
    expect(most).toBeLessThanOrEqual(64);
  });

  test('is not stopped for what it acknowledges, however much another one asks for in a second', async () => {
    const stands = new VirtualClock(startTime);
    const { host, events, worker } = await open(fixture('villain'), { deed: 'nothing' }, { clock: stands });
    host.start();
    const note = { kind: 'strategyTimer', strategy: 'other', timerId: 1 } as const;
    for (let i = 0; i < 20_500; i++) {
      host.notify({ ...note, exchangeTime: startTime, receiveTime: startTime });
      // Each goes out in a message of its own.
      await Promise.resolve();
      if (host.backlog > 1_000) await new Promise((resolve) => setImmediate(resolve));
    }
    while (host.backlog > 0 && host.running) await new Promise((resolve) => setImmediate(resolve));
    expect([host.running, events, worker.name]).toEqual([true, [], 'villain']);
  });

  test('that never returns is no more alive for what it says', async () => {
    const { stopped } = await villain('mutter', { hangTimeout: millis(400) });
    expect(await stopped()).toMatchObject({ why: 'it gave no sign of life: a handler does not return' });
  });

  test('that falls behind is ended', async () => {
    const { host, stopped } = await open(fixture('villain'), { deed: 'nothing' }, { backlogMax: 10 });
    host.start();
    for (let i = 0; i < 12; i++) host.notify(bookAt(100 + i));
    expect(await stopped()).toMatchObject({ why: 'it fell behind by 10 events' });
    expect(host.running).toBe(false);
  });

  test('is built up from any length of history before it starts, without a call', async () => {
    const { host, events, until } = await open(fixture('villain'), { deed: 'nothing' }, { backlogMax: 10 });
    for (let i = 0; i < 20_000; i++)
      host.notify({ ...bookAt(100 + i), levels: Float64Array.of(0, 100 + i, 5), start: 0, end: 3 } as Event);
    expect(host.backlog).toBe(20_000);
    host.start();
    host.notify(bookAt(7));
    await until(({ kind }) => kind === 'intent');
    expect(events).toMatchObject([{ text: 'book bid=7' }, { kind: 'intent' }]);
  });

  test('begins with what an earlier run carried, and is not held to have been stopped in that run', async () => {
    const earlier = new Scene();
    earlier.add(await loadStrategy(fixture('teller'))).start();
    earlier.book([[1_000, 5]], [[1_020, 3]]);
    const stateCarried = { kind: 'stateCarried', ...earlier.times, state: earlier.state.carry() } as const;
    const stopped = {
      kind: 'strategyStopped',
      ...earlier.times,
      strategy: 'villain',
      why: 'unloaded',
    } as const;
    const { host, events, until } = await open(fixture('villain'), { deed: 'nothing' });
    host.notify(stateCarried);
    host.notify(stopped);
    host.notify({ kind: 'runStarted', ...earlier.times, run: 'r2', mode: 'sim' });
    expect(host.backlog).toBe(3);
    // What this run carries is nothing new to a replica that has begun.
    host.notify(stateCarried);
    expect(host.backlog).toBe(3);
    host.start();
    host.notify(bookAt(7));
    await until(({ kind }) => kind === 'intent');
    expect(events).toMatchObject([{ text: 'book bid=7' }, { kind: 'intent' }]);
  });

  test('that was stopped in this run before it could start does not start', async () => {
    const { host, events } = await open(fixture('villain'), { deed: 'nothing' });
    host.notify({
      kind: 'runStarted',
      exchangeTime: startTime,
      receiveTime: startTime,
      run: 'r2',
      mode: 'sim',
    });
    const why = 'latched off';
    const times = { exchangeTime: startTime, receiveTime: startTime };
    host.notify({ kind: 'strategyStopped', ...times, strategy: 'villain', why });
    host.start();
    expect(host.running).toBe(false);
    expect(events).toEqual([]);
  });

  test('that was stopped reaches nothing any more, whatever is still under way (S8)', async () => {
    const { host, events } = await open(fixture('villain'), { deed: 'nothing' });
    host.start();
    // In one turn: what it answers to the book at once would come before the stop.
    host.notify(bookAt(100));
    host.notify({
      kind: 'strategyStopped',
      exchangeTime: startTime,
      receiveTime: startTime,
      strategy: 'villain',
      why: 'latched off',
    });
    await host.close();
    expect(host.running).toBe(false);
    expect(events).toEqual([]);
  });

  test('that does not load in time gets a second attempt with twice the time, and then an error of its own', async () => {
    const noted: string[] = [];
    const late = (line: string): void => void noted.push(line);
    const hung = { ...launch(fixture('slow'), {}), loadTimeout: millis(300), late };
    const failed = await launchWorker(hung).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StrategyLate);
    expect(String(failed)).toMatch(
      /slow\.ts: it did not load within 0\.6 s \(loadMs of the strategy allows more\)$/,
    );
    expect(noted).toEqual([
      expect.stringMatching(/slow\.ts: it did not load within 0\.3 s .*; a second attempt has 0\.6 s$/),
    ]);
    // A fault of a strategy is reported at the first attempt.
    await expect(
      launchWorker({ ...launch(fixture('villain'), { deed: 'dance' }), late }),
    ).rejects.not.toThrow(StrategyLate);
    expect(noted).toHaveLength(1);
  });

  test('is not launched with bad parameters, a missing file or other bytes', async () => {
    const path = fixture('villain');
    await expect(launchWorker(launch(path, { deed: 'dance' }))).rejects.toThrow(
      'strategy villain: param deed: found "dance"',
    );
    await expect(launchWorker(launch(`${path}x`, {}))).rejects.toThrow(
      'expected a .ts file or a folder with an index.ts, found nothing',
    );
    await expect(launchWorker({ ...launch(path, { deed: 'nothing' }), sha256: 'f00' })).rejects.toThrow(
      'expected files with sha256 f00, found ',
    );
  });
});

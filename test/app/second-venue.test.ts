import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { OrderExplainer } from '../../src/app/inspect/order-explainer.ts';
import { startDrift } from '../../src/app/nightly/process.ts';
import { planCommand } from '../../src/app/preflight/plan.ts';
import { runTrade } from '../../src/app/live/trade.ts';
import { loadVenue, loadedModules, registerModules, withVenueWindows } from '../../src/app/venue/load.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { readJournal } from '../../src/core/journal/replay.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Frame } from '../../src/core/model/frame.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { frameFormatOf } from '../../src/data/frames/formats.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { spotSpec } from '../../src/research/scenario/recording.ts';
import { until } from '../system/support/until.ts';
import { main } from '../system/support/cli.ts';
import { run } from './cli/support/run.ts';
import { ToyExchange, toySymbol } from '../support/second-venue/exchange.ts';

const here = (name: string): string =>
  fileURLToPath(new URL(`../support/second-venue/${name}`, import.meta.url));
const module = here('venue.ts');
const execFileAsync = promisify(execFile);

let folder: string;
let exchange: ToyExchange;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-second-venue-'));
  exchange = await ToyExchange.start();
});
afterEach(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});

const configOf = (venue: object = { module }) =>
  configSchema.parse({
    run: { directory: join(folder, 'run') },
    venue: { base_url: exchange.url, api_key: '${env:KEY}', secret_key: '${env:SECRET}', ...venue },
    strategies: [{ name: 'buyer', path: here('buyer.ts'), host: 'thread' }],
    orders: { lastTradeNeeded: false },
    record: { directory: join(folder, 'recording') },
    log: { level: 'silent' },
  });

describe('a venue from a file of its own', () => {
  test('is traded on, and what it cannot do is denied before it is sent', async () => {
    const said: string[] = [];
    let quantity = 10;
    const market = setInterval(() => exchange.move(String((quantity += 1))), 50);
    const ended = runTrade({
      mode: 'sim',
      live: false,
      config: configOf(),
      read: configOf,
      environment: { KEY: 'toy-key', SECRET: 'none' },
      output: { data: () => {}, progress: (line) => void said.push(line), colour: false },
      json: true,
      forMs: undefined,
      record: true,
      clearHalt: false,
      explains: (places, clock) => new OrderExplainer(places, clock),
    });
    await until('its order is filled', () => exchange.trades.length > 0);
    const stop = ['stop', '--set', `run.directory=${join(folder, 'run')}`];
    await until('it is told to stop', async () => (await run(stop)).code === 0);
    const code = await ended;
    clearInterval(market);
    expect(said.join('\n')).toContain(`Trading (sim) at ${exchange.url}`);
    expect(code).toBe(0);
    expect(exchange.placed).toBe(1);
    expect(exchange.trades).toMatchObject([{ side: 'buy', price: '100.5', quantity: '3' }]);
    const events: readonly Event[] = [...readJournal(join(folder, 'run'))].map(({ event }) => event);
    const denials = events.flatMap((event) => (event.kind === 'orderDenied' ? [event.denial.code] : []));
    expect(denials).toEqual(['LIST_NOT_OFFERED', 'LIST_NOT_OFFERED', 'PRODUCT_NOT_OFFERED', 'NOTIONAL_MIN']);
    const refusals = events.flatMap((event) => (event.kind === 'marginDenied' ? [event.denial.code] : []));
    expect(refusals).toEqual(['PRODUCT_NOT_OFFERED']);
    expect(said.join('\n')).toContain('a change of margin was denied, PRODUCT_NOT_OFFERED');
    const fills = events.flatMap((event) =>
      event.kind === 'orderReport' && event.fill !== undefined ? [event.order.clientOrderId] : [],
    );
    expect(fills).toHaveLength(1);
    const recording = await openRecording(join(folder, 'recording'));
    const kinds = new Set<string>();
    for await (const batch of recording.events()) for (const { kind } of batch) kinds.add(kind);
    expect([...kinds]).toContain('bookSnapshot');
    await expectKeptRun(fills[0] ?? '');
  });

  test('a key that may withdraw starts no live run, and one whose rights are not shown is noted', async () => {
    const rights = { reads: true, trades: true, withdraws: true };
    const venue = (shown: object | undefined): string => {
      const path = join(folder, `${shown === undefined ? 'silent' : 'shown'}.ts`);
      const addresses = "() => ({ baseUrl: 'https://venue.example', wsUrl: 'wss://venue.example' })";
      const found = `{ clockOffset: 0, rights: ${JSON.stringify(shown)} }`;
      const connect = `async (setup) => ({ ...(await toy.connect(setup)), examine: async () => (${found}) })`;
      writeFileSync(
        path,
        `import toy from '${module}';\nexport default { ...toy, addresses: ${addresses}, connect: ${connect} };\n`,
      );
      return path;
    };
    const said: string[] = [];
    const started = async (shown: object | undefined, forMs: number): Promise<number> => {
      const config = { ...configOf({ module: venue(shown) }), account: 'main' };
      return await runTrade({
        mode: 'live',
        live: true,
        config,
        read: () => config,
        environment: { KEY: 'toy-key', SECRET: 'none' },
        output: { data: () => {}, progress: (line) => void said.push(line), colour: false },
        json: true,
        forMs,
        record: false,
        clearHalt: false,
        explains: (places, clock) => new OrderExplainer(places, clock),
      });
    };
    await expect(started(rights, 1)).rejects.toThrow(
      'venue.api_key: the key may withdraw: make one without that right, since a bot never needs it',
    );
    expect(said.join()).not.toContain('Trading (live)');
    expect(await started(undefined, 1)).toBe(0);
    expect(said).toContain(
      'note: whether the key may withdraw is not known: the venue does not show the rights of the key',
    );
  });

  /** What a run on the venue left behind is read by a thread of the daemon, and by processes. */
  async function expectKeptRun(id: string): Promise<void> {
    const [directory, recording] = [join(folder, 'run'), join(folder, 'recording')];
    const places = { directory, folders: [recording] };
    const { steps, notes } = await new OrderExplainer(places, new SystemClock()).explain(id);
    expect(notes).toEqual([]);
    expect(steps.map(({ step }) => step)).toContain('packet in');
    const named = ['--set', `venue.module=${module}`];
    const ended = async (...args: readonly string[]) =>
      await execFileAsync(process.execPath, [main, ...args, ...named]);
    const [replayed, explained, drift] = await Promise.all([
      ended('replay', recording, '--journal', directory),
      ended('explain', id, '--journal', directory, '--recording', recording),
      startDrift({ directory, recording, memoryMaxMib: 512, venueModule: module }).ended,
    ]);
    expect(replayed.stdout).toMatch(/alike in \d+ events\n*$/);
    expect(explained.stdout).toContain('packet in');
    expect(explained.stderr).toBe('');
    expect(drift.score).toBe(0);
  }

  test.each([
    ['not told', '', /the limit of the venue is not told.*\n.*AB-C \(the limit of the venue is not told\)/],
    [
      'told',
      '{ account: 50, symbol: 7 }',
      /account \(the venue allows 50\).*\n.*AB-C \(the venue allows 7\)/,
    ],
  ])('shows its limit on open orders in the plan: %s', async (_, most, shown) => {
    const limited = join(folder, 'limited.ts');
    const noted = most === '' ? '' : `openOrdersMax: ${most}`;
    writeFileSync(
      limited,
      `import toy from ${JSON.stringify(module)};
export default { ...toy, capabilities: { ...toy.capabilities, ${noted} } };`,
    );
    const lines: string[] = [];
    const output = { data: (line: string) => void lines.push(line), progress: () => {}, colour: false };
    const environment = { KEY: 'toy-key', SECRET: 'none' };
    const config = configOf({ module: limited });
    const clock = new SystemClock();
    const code = await planCommand({ mode: 'sim', config, environment, clock, output, json: false });
    expect([code, lines.join('\n')]).toEqual([0, expect.stringMatching(shown)]);
    expect(lines.join('\n')).not.toMatch(/25,000|2,000/);
    expect(exchange.placed).toBe(0);
  });

  test('gives its windows of evidence to a configuration that names none', async () => {
    const { capabilities } = await loadVenue(configOf().venue);
    const config = withVenueWindows(configOf(), capabilities);
    expect(config.orders.reconcile).toMatchObject({ absentMs: 700, aliveMs: 200, marginMs: 1_000 });
    const named = configSchema.parse({ orders: { reconcile: { absentMs: 5_000 } } });
    expect(withVenueWindows(named, capabilities).orders.reconcile.absentMs).toBe(5_000);
    // Written on purpose, although it is the default.
    const usual = configSchema.parse({ orders: { reconcile: { absentMs: 90_000, marginMs: 120_000 } } });
    expect(withVenueWindows(usual, capabilities).orders.reconcile).toMatchObject({
      absentMs: 90_000,
      aliveMs: 200,
      marginMs: 120_000,
    });
    expect(withVenueWindows(configSchema.parse(usual), capabilities).orders.reconcile.aliveMs).toBe(200);
    const own = await loadVenue(configOf({}).venue);
    expect(withVenueWindows(named, own.capabilities)).toBe(named);
  });

  test.each([
    ['NaN', [['abc', '1']]],
    ['off the tick', [['99.53', '1']]],
    ['of a negative size', [['99.5', '-1']]],
  ])(
    'makes a message with a level %s malformed and its book stale, until a whole one comes',
    async (_, bids) => {
      const { frames } = await loadVenue(configOf().venue);
      const instruments = new Instruments([spotSpec({ symbol: toySymbol.name, ...toySymbol })]);
      const events: Event[] = [];
      const decoder = frames.decoder({ instruments, publish: (event) => void events.push(event) });
      const line = (t: 'full' | 'diff', n: number, levels: readonly (readonly string[])[]): void => {
        const text = JSON.stringify({ t, n, at: 1_700_000_000_000, bids: levels, asks: [['100.5', '1']] });
        const frame = {
          direction: 'in',
          channel: 'toy/line',
          bytes: Buffer.from(text),
          receiveTime: 1 as Micros,
        };
        decoder.accept(frame as Frame);
      };
      line('full', 1, [['99.5', '1']]);
      line('diff', 2, bids);
      line('diff', 3, [['99.5', '2']]);
      expect(events.map(({ kind }) => kind)).toEqual(['bookSnapshot', 'bookStale']);
      expect(events.at(-1)).toMatchObject({ reason: 'malformed', instrument: 0 });
      expect(decoder.isLive(instruments.all[0]?.id as InstrumentId)).toBe(false);
      expect(decoder.counters.malformed).toBe(1);
      expect(decoder.lastMalformed).toContain(
        'a level of its book is off the grid of the symbol, or no number',
      );
      line('full', 4, [['99.5', '3']]);
      line('diff', 5, [['99.5', '2']]);
      expect(events.slice(2).map(({ kind }) => kind)).toEqual(['bookSnapshot', 'bookUpdate']);
      expect(decoder.isLive(instruments.all[0]?.id as InstrumentId)).toBe(true);
    },
  );

  test('is registered for every command by the variable that lists the files of venues', async () => {
    await registerModules(['', module].join(delimiter));
    expect(loadedModules().split(delimiter)).toContain(module);
    expect(frameFormatOf(['toy/line'], 'x').venue).toBe((await loadVenue({ module })).name);
    expect(() => frameFormatOf(['nobody/line'], 'x')).toThrow('is read with that file in GODWIT_VENUES');
    await expect(registerModules(join(folder, 'none.ts'))).rejects.toThrow('there is no file');
    await registerModules(undefined);
  });

  test('that is not there, or is no venue, is refused with one sentence', async () => {
    const nowhere = join(folder, 'nowhere.ts');
    await expect(loadVenue(configOf({ module: nowhere }).venue)).rejects.toThrow(
      `venue.module: there is no file ${nowhere}`,
    );
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, 'throw new Error("not today");');
    await expect(loadVenue(configOf({ module: broken }).venue)).rejects.toThrow(
      `venue.module: ${broken} cannot be loaded: not today`,
    );
    const other = join(folder, 'other.mjs');
    writeFileSync(other, 'export default { name: "other", capabilities: {} };');
    await expect(loadVenue(configOf({ module: other }).venue)).rejects.toThrow(
      `venue.module: expected ${other} to export a venue as default, found one without frames`,
    );
  });
});

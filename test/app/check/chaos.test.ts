import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ChaosCommand } from '../../../src/app/check/chaos.ts';
import { chaosCommand } from '../../../src/app/check/chaos.ts';
import type { Config } from '../../../src/app/config/schema.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { AccountWatch } from '../../../src/app/virtual/account-watch.ts';
import { VirtualScene } from '../../../src/app/virtual/scene.ts';
import { MemoryJournal } from '../../../src/core/journal/index.ts';
import { brokenAtEnd } from '../../../src/app/check/chaos-end.ts';
import type { TroubleName } from '../../../src/exchange/chaos/index.ts';

function configOf(path: string, params: object = {}, limits: object = {}): Config {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return configSchema.parse({
    strategies: [{ name: 'tried', path: file, params, limits }],
    // Fewer events of the market: as many orders, in less time.
    exchange: { flow: { eventsPerSecond: 4 } },
  });
}

const marketMaker = '../../../strategies/market-maker';
const wanter = 'strategies/wanter.ts';

async function check(config: Config, names: readonly TroubleName[], more: Partial<ChaosCommand> = {}) {
  const lines: string[] = [];
  const events: string[] = [];
  const output = {
    data: (line: string) => void lines.push(line),
    progress: (line: string) => void events.push(line),
    colour: false,
  };
  const own = { words: 'tried', seed: 3, minutes: 1, events: false, json: false };
  const code = await chaosCommand({ ...own, config, names, output, ...more });
  return { code, lines, events, text: lines.join('\n') };
}

test('a strategy that keeps its orders in mind holds, and the table says what each run came to', async () => {
  const names = ['late-order', 'gap', 'kept-original', 'restart-without-orders', 'suspended-symbol'] as const;
  const { code, lines } = await check(configOf(marketMaker), names);
  expect(code).toBe(0);
  expect(lines.map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['trouble', 'times'],
    ['calm', 'held'],
    ...names.map((name) => [name, 'held']),
  ]);
  for (const line of lines.slice(2)) expect(line).toMatch(/ +[1-9]\d* +[1-9]\d* +\d+ {2}\S+ \S+ \(\S+\) +3$/);
});

test('a strategy that sends again what has no answer is found, and one command shows it again', async () => {
  const careful = await check(configOf(wanter), ['late-order', 'timeout-refused']);
  expect({ code: careful.code, text: careful.text }).toMatchObject({ code: 0 });
  const names = ['frozen-feed', 'late-order'] as const;
  const { code, text } = await check(configOf(wanter, { sendsAgain: true }), names);
  expect(code).toBe(7);
  expect(text).toMatch(/^frozen-feed +held/m);
  expect(text).toMatch(/^late-order +NOT HELD/m);
  expect(text).toMatch(
    /^late-order: tried asked for \S+ while it was not known what became of \S+, the same side and quantity$/m,
  );
  expect(text).toContain('again: godwit check chaos tried --only late-order --seed 3 --events');
});

test('a position above its limit and a halt are found', async () => {
  const config = configOf(marketMaker);
  const scene = new VirtualScene({ seed: 3, exchange: config.exchange });
  const account = new AccountWatch(scene.exchange);
  await scene.start({ config, journal: () => new MemoryJournal() });
  await scene.until(() => account.fills > 3, 120_000);
  expect(await brokenAtEnd({ scene, account, config })).toEqual([]);
  const tight = configOf(marketMaker, {}, { positionMax: { ETHBTC: '0.0001' } });
  expect(await brokenAtEnd({ scene, account, config: tight })).toEqual([
    expect.stringMatching(/^0\.\d+ ETHBTC were held, and the limit is 0\.0001 \(positionMax\)$/),
  ]);
  scene.trader.halt('by the test');
  expect(await brokenAtEnd({ scene, account, config })).toEqual([
    'trading is halted: it waits for its operator',
  ]);
});

test('the same seed takes the same course, as JSON too, and events tell of troubles and of orders, each with its time', async () => {
  const config = configOf(wanter, { sendsAgain: true });
  const [one, other] = [
    await check(config, ['late-order'], { json: true }),
    await check(config, ['late-order'], { json: true, events: true }),
  ];
  expect(one.text).toBe(other.text);
  expect(JSON.parse(one.text)).toMatchObject({
    holds: false,
    seed: 3,
    runs: [
      { trouble: 'calm', held: true, times: 0 },
      {
        trouble: 'late-order',
        held: false,
        broken: expect.arrayContaining([expect.stringContaining('asked for')]),
      },
    ],
  });
  expect(one.events).toEqual(['late-order: NOT HELD']);
  const found = (pattern: RegExp): boolean => other.events.some((line) => pattern.test(line));
  expect(found(/^ +\d+\.\d{3} trouble begins: /)).toBe(true);
  expect(found(/^ +\d+\.\d{3} asked +gw-\S+ buy 100 lots at \d+$/)).toBe(true);
  expect(found(/^ +\d+\.\d{3} unknown +gw-/)).toBe(true);
});

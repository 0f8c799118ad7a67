import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { LookaheadResult } from '../../src/app/check/lookahead.ts';
import { checkLookahead } from '../../src/app/check/lookahead.ts';
import { openCheck } from '../../src/app/check/setting.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { barScenario, researchFixture } from './support/bar-scenario.ts';
import { godwit, home } from './support/cli.ts';

const sample = `${home}/backtest/feeds/sample`;
const onSample = test.skipIf(!existsSync(sample));
const folder = mkdtempSync(join(tmpdir(), 'godwit-lookahead-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function onTicks(name: string, cuts = 2): Promise<LookaheadResult> {
  const strategies = [{ name, path: researchFixture(name), params: {}, host: 'thread' }];
  const config = configSchema.parse({ run: { seed: 3 }, strategies });
  return await checkLookahead(await openCheck({ scenario: { config, recordings: [sample] }, home }), cuts);
}

async function onBars(name: string, fills: object = {}): Promise<LookaheadResult> {
  return await checkLookahead(
    await openCheck({ scenario: { file: barScenario(folder, name, {}, { fills }), home }, home }),
    3,
  );
}

describe('a clean strategy holds', () => {
  onSample('on books', async () => {
    const { breaches, decisions, cuts, problems } = await onTicks('clean-taker');
    expect({ breaches, problems }).toEqual({ breaches: [], problems: [] });
    expect(decisions).toBeGreaterThan(5);
    expect(cuts).toHaveLength(2);
  });

  test('on bars', async () => {
    const { breaches, decisions } = await onBars('bar-follower');
    expect(breaches).toEqual([]);
    expect(decisions).toBeGreaterThan(50);
  });
});

describe('a strategy that reads the open at which its orders fill', () => {
  test('is caught with market: open, and the line is named', async () => {
    const { breaches, prices } = await onBars('open-reader', { market: 'open' });
    expect(prices).toHaveLength(3);
    expect(new Set(breaches.map(({ comparison }) => comparison.of))).toEqual(new Set(['price']));
    expect(breaches[0]?.divergence?.site).toMatch(/^open-reader\.ts:\d+$/);
  });

  test('reads no such open by default, and holds', async () => {
    const { breaches, prices, decisions } = await onBars('open-reader');
    expect({ breaches, prices }).toEqual({ breaches: [], prices: [] });
    expect(decisions).toBeGreaterThan(50);
  });

  test('one that decides on closed bars alone holds with market: open too', async () => {
    const { breaches, prices } = await onBars('bar-follower', { market: 'open' });
    expect(prices).toHaveLength(3);
    expect(breaches).toEqual([]);
  });
});

describe('a strategy that cheats is caught, and the line is named', () => {
  const lineOf = ({ breaches }: LookaheadResult): string | undefined => breaches[0]?.divergence?.site;

  onSample('one that draws random numbers of its own', async () => {
    const result = await onTicks('dice-thrower');
    expect(result.breaches[0]?.comparison.of).toBe('again');
    expect(lineOf(result)).toMatch(/^dice-thrower\.ts:\d+$/);
    expect(result.touches).toContainEqual({
      what: 'the random numbers of the machine',
      site: 'dice-thrower.ts:14',
    });
  });

  onSample('one that looks at the clock on the wall', async () => {
    const result = await onTicks('clock-watcher');
    expect(result.touches).toContainEqual({ what: 'the wall clock', site: 'clock-watcher.ts:14' });
  });

  onSample('one that looks at other counters of time, or sets a timer of the machine', async () => {
    const { breaches, touches } = await onTicks('counter-watcher');
    expect(breaches).toEqual([]);
    // Each of the processes tells them.
    expect([...new Set(touches.map(({ what, site }) => `${site} ${what}`))].toSorted()).toEqual([
      'counter-watcher.ts:15 the wall clock',
      'counter-watcher.ts:16 the wall clock',
      'counter-watcher.ts:17 the timers of the machine',
    ]);
  });

  onSample('one that reads a file while it is loaded', async () => {
    const result = await onTicks('early-reader');
    expect(result.touches).toEqual([
      { what: expect.stringMatching(/^the file .*README\.md$/) as unknown, site: 'early-reader.ts:5' },
    ]);
    expect(result.problems.at(-1)).toContain('cannot run');
  });

  onSample('one that asks the environment', async () => {
    const result = await onTicks('surroundings-reader');
    expect(result.breaches.map(({ comparison }) => comparison.of)).toEqual(['sealed']);
    expect(lineOf(result)).toMatch(/^surroundings-reader\.ts:\d+$/);
  });

  test('one that reads the recording, and says nothing where it cannot', async () => {
    const name = 'quiet-reader';
    const result = await onBars(name);
    expect(result.decisions).toBeGreaterThan(50);
    expect(result.breaches.map(({ comparison }) => comparison.of)).toContain('sealed');
    expect(result.touches.some(({ what, site }) => what.includes('bars.csv') && site.startsWith(name))).toBe(
      true,
    );
    expect(lineOf(result) ?? '').toContain(name);
  });
});

onSample(
  'one that remembers an earlier run is caught: the command says where, and exits with 7',
  async () => {
    const cheat = ['check', 'lookahead', sample, '--strategy', researchFixture('rememberer'), '--cuts', '1'];
    const { code, out } = await godwit(cheat);
    expect(code).toBe(7);
    expect(out).toContain('BREACH');
    expect(out).toMatch(/asked for at rememberer\.ts:\d+/);
  },
);

/** A project with a scenario, a strategy in a folder beside it that imports a file elsewhere and a package, and a link to it. */
function project(name: string): string {
  const at = join(folder, name);
  for (const path of ['maker', 'lib', 'node_modules/sizes']) mkdirSync(join(at, path), { recursive: true });
  const write = (path: string, ...lines: readonly string[]): void =>
    writeFileSync(join(at, path), `${lines.join('\n')}\n`);
  write('node_modules/sizes/package.json', '{ "name": "sizes", "type": "module", "exports": "./index.js" }');
  write('node_modules/sizes/index.js', "export const quantity = '0.01';");
  write(
    'lib/place.ts',
    "import { quantity } from 'sizes';",
    "import type { Orders } from 'godwit/strategy';",
    'export const place = (orders: Orders, price: number): unknown =>',
    "  orders.place({ symbol: 'ETHBTC', side: 'buy', price, quantity, timeInForce: 'IOC' });",
  );
  write(
    'maker/index.ts',
    "import { defineStrategy, z } from 'godwit/strategy';",
    "import { place } from '../lib/place.ts';",
    'export default defineStrategy({',
    "  name: 'maker',",
    '  params: z.strictObject({}),',
    "  feeds: () => [{ symbol: 'ETHBTC', book: true }],",
    '  create: ({ orders }) => ({',
    '    onBook({ bestBid, bestAsk }) {',
    "      if (bestAsk !== undefined && bestAsk - (bestBid ?? 0) < 3 && orders.openCount('ETHBTC') === 0) place(orders, bestAsk);",
    '    },',
    '  }),',
    '});',
  );
  symlinkSync('maker', join(at, 'linked'));
  // Node's permission model loses the folder "maker" beside an allowed "maker.yaml".
  for (const [name, path] of [
    ['maker', 'maker'],
    ['through-link', 'linked'],
  ])
    write(
      `${name}.yaml`,
      `{ name: x, data: [${JSON.stringify(sample)}], instrument: { symbol: ETHBTC },`,
      `  fills: { model: shadow }, balances: { ETH: '100', BTC: '10' }, strategy: { path: ./${path} } }`,
    );
  return at;
}

describe('a scenario with its strategy in a folder beside it holds', () => {
  onSample.each(['maker', 'through-link'])('%s', async (name) => {
    const file = join(project(`beside-${name}`), `${name}.yaml`);
    const { breaches, touches, problems, compared } = await checkLookahead(
      await openCheck({ scenario: { file, home }, home }),
      1,
    );
    expect({ breaches, touches, problems }).toEqual({ breaches: [], touches: [], problems: [] });
    expect(compared).toBeGreaterThan(0);
  });

  onSample('with the packages of the checkout behind a link', async () => {
    const checkout = join(folder, 'checkout');
    for (const path of ['bin', 'src', 'package.json', 'tsconfig.json'])
      cpSync(join(home, path), join(checkout, path), { recursive: true });
    symlinkSync(join(home, 'node_modules'), join(checkout, 'node_modules'));
    const scenario = join(project('shared-packages'), 'maker.yaml');
    const args = ['check', 'lookahead', '--scenario', scenario, '--cuts', '1'];
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(checkout, 'bin/godwit.js'), ...args]);
    expect(stdout).toContain('holds      no decision changed before its future did');
  });
});

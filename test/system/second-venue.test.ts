import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import type { Daemon } from '../../src/app/live/daemon.ts';
import { openDaemon } from '../../src/app/live/daemon.ts';
import { prepareLive } from '../../src/app/live/parts.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { ToyExchange } from '../support/second-venue/exchange.ts';
import { strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// The shipped market maker on a venue from a file of its own, which replaces no orders.

const module = fileURLToPath(new URL('../support/second-venue/venue.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-second-venue-'));
let exchange: ToyExchange | undefined;
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.stop('the test is over', seconds(5));
  await exchange?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the market maker goes on quoting where the venue replaces no orders', async () => {
  const toy = await ToyExchange.start();
  exchange = toy;
  const params = {
    symbol: 'AB-C',
    quantity: '3',
    positionMax: '30',
    pauseMs: 0,
    requoteTicks: 1,
    spreadFactor: 0,
  };
  const config = configSchema.parse({
    run: { directory: join(folder, 'run') },
    venue: { module, base_url: toy.url, api_key: '${env:KEY}', secret_key: '${env:SECRET}' },
    strategies: [strategyOf('market-maker', params, { name: 'maker' })],
    orders: { lastTradeNeeded: false, duplicateMs: 0, marketLagMsMax: 60_000 },
  });
  const environment = { KEY: 'toy-key', SECRET: 'none' };
  const setting = { config, environment, clock: new SystemClock(), log: silentLogger };
  const parts = await prepareLive(setting, true);
  daemon = await openDaemon({ ...parts, mode: 'sim', recordTo: undefined, clearHalt: false });
  const events: Event[] = [];
  daemon.trader.watch(({ event }) => events.push(event));
  /** Whether a quote a side stands 1 C from the price, and no other order. */
  const isQuoted = (mid: number): boolean => {
    const live = [...toy.orders.values()].filter(({ state }) => state === 'open');
    const quotes = live.map(({ side, price, quantity }) => `${side} ${quantity} at ${Number(price)}`);
    return quotes.toSorted().join() === `buy 3 at ${mid - 1},sell 3 at ${mid + 1}`;
  };
  for (const mid of [100, 101, 100, 99, 100, 101, 102]) {
    toy.shift(mid);
    await until(`quotes around ${mid}`, () => isQuoted(mid));
  }
  const replaced = events.filter((event) => event.kind === 'intent' && event.intent.action === 'replace');
  expect(replaced.length).toBeGreaterThanOrEqual(12);
  expect(events.filter(({ kind }) => kind === 'orderDenied' || kind === 'orderRejected')).toEqual([]);
  // One order after the other: each replacement came once the order before it had ended.
  expect(toy.placed).toBe(2 + replaced.length);
  // The venue has a switch of its own: it is armed while the daemon runs, and disarmed by its clean end.
  expect(toy.aliveMs).toBe(60_000);
  const lines: string[] = [];
  daemon.keepAlive?.sayTo((line) => void lines.push(line));
  await daemon.stop('the test is over', seconds(5));
  daemon = undefined;
  expect(toy.aliveMs).toBe(0);
  expect(lines).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareLive } from '../../src/app/live/parts.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { later, millis, seconds } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { encodeSymbol } from '../../src/venues/hitbtc/wire/resources/symbol.ts';
import { answer, StubHttpServer } from '../venues/hitbtc/client/support/stub-http-server.ts';
import { twoInstruments } from '../venues/hitbtc/client/support/instruments.ts';

const symbols = Object.fromEntries(
  twoInstruments().all.map(({ spec }) => [spec.symbol, encodeSymbol('v3', spec)]),
);
const start = { retryMs: 2, retryMsMax: 4 };

let server: StubHttpServer;
let lines: string[];
/** Stands still while an answer is on its way, however long the machine takes. */
let clock: VirtualClock;

beforeEach(async () => {
  lines = [];
  clock = new VirtualClock(seconds(1_700_000_000));
  server = await StubHttpServer.start();
});
afterEach(async () => {
  await server.close();
});

function begin(changes: { url?: string; waitMs?: number; forMs?: number; waits?: boolean } = {}) {
  const { url = server.url, waitMs = 60_000, forMs, waits = true } = changes;
  const config = configSchema.parse({
    venue: { base_url: url, ws_url: url.replace('http', 'ws') },
    client: { rest: { readAttempts: 1, timeoutMs: 400 }, start: { ...start, waitMs } },
  });
  const live = { config, environment: {}, clock, log: silentLogger };
  const say = (line: string): void => {
    lines.push(line);
    // The pause begins once the line is reported.
    queueMicrotask(() => passes(start.retryMsMax));
  };
  return prepareLive(live, false, waits ? { options: config.client.start, forMs, say } : undefined);
}

function passes(ms: number): void {
  clock.advanceTo(later(clock.uptime(), millis(ms)));
}

describe('a run that finds no venue at its start', () => {
  test('waits while no answer comes, one that is none, a server error or a rate limit, and says so', async () => {
    const failures = [
      (response: Parameters<typeof answer>[0]) => response.destroy(),
      (response: Parameters<typeof answer>[0]) => answer(response, 503, ''),
      (response: Parameters<typeof answer>[0]) =>
        answer(response, 429, { error: { code: 429, message: 'Too many requests' } }),
      () => passes(400),
    ];
    server.handler = (_seen, response) => {
      const fail = failures[server.seen.length - 1];
      if (fail === undefined) answer(response, 200, symbols);
      else fail(response);
    };
    const { listed } = await begin();
    expect(listed.all).toHaveLength(2);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines)
      expect(line).toMatch(
        /^the symbol list could not be read: .*; trying again in \d+\.\d s \(client\.start\.waitMs: 60000\)$/,
      );
    expect(lines[1]).toContain('HTTP 503');
    expect(lines[2]).toContain('Too many requests');
    expect(lines[3]).toContain('no answer within 400 ms');
  });

  test('waits for a name that is not found and a port that refuses, as long as the setting says', async () => {
    const { url } = server;
    await server.close();
    await expect(begin({ url, waitMs: 40 })).rejects.toThrow('ECONNREFUSED');
    expect(lines.length).toBeGreaterThan(0);
    lines = [];
    await expect(begin({ url: 'http://nowhere.invalid', waitMs: 40 })).rejects.toThrow('nowhere.invalid');
    expect(lines.length).toBeGreaterThan(0);
    server = await StubHttpServer.start();
  });

  test('waits no longer than the run lasts, and not at all where the setting says so', async () => {
    server.handler = (_seen, response) => answer(response, 503, '');
    await expect(begin({ forMs: 20 })).rejects.toThrow('HTTP 503');
    lines = [];
    await expect(begin({ waitMs: 0 })).rejects.toThrow('HTTP 503');
    await expect(begin({ waits: false })).rejects.toThrow('HTTP 503');
    expect(lines).toEqual([]);
  });

  test('ends at once on what the venue refuses', async () => {
    server.handler = (_seen, response) =>
      answer(response, 403, { error: { code: 1003, message: 'Action is forbidden' } });
    await expect(begin()).rejects.toThrow('Action is forbidden');
    expect(server.seen).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { removeRunFile, writeRunFile } from '../../../src/app/operate/run-file.ts';
import type { Terminal } from '../../../src/app/operate/watch.ts';
import { watchCommand } from '../../../src/app/operate/watch.ts';
import type { WatchModel } from '../../../src/app/operate/watch-screen.ts';
import { drawScreen } from '../../../src/app/operate/watch-screen.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { micros, seconds } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { Operated } from '../../operate/support.ts';
import { operated, tokens } from '../../operate/support.ts';
import { Cli, launcher } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let open: Operated | undefined;
afterEach(async () => {
  removeRunFile(folder);
  await open?.server.close();
  open = undefined;
});

async function daemon(): Promise<Operated> {
  open = await operated();
  const { url } = open.server;
  writeRunFile(folder, { url, token: tokens.operate, pid: process.pid, run: 'r1', startedAt: '' });
  return open;
}

const now = seconds(1_700_000_000);
const row = { strategy: 'maker', symbol: 'AAABBB', side: 'buy' } as const;
const model: WatchModel = {
  state: {
    status: {
      run: 'r1',
      mode: 'live',
      account: 'main',
      venue: 'https://venue.example',
      startedAt: '2026-11-01T00:00:00.000Z',
      trading: { mode: 'halted', why: 'by ann', latched: true, holds: 'halted', causes: 'by ann' },
      sessions: { market: true, trading: false },
      started: true,
      marketLagMs: 1,
      clockOffsetMs: 0,
      orders: { open: 30, unknown: 1, inFlight: 0 },
      strategies: [],
      otherGodwits: [],
      safeStates: [],
      lossLimits: [],
      drift: null,
      sentinel: null,
    },
    feeds: [
      {
        symbol: 'AAABBB',
        status: 'live',
        reason: null,
        bid: '99',
        ask: '101',
        currency: 'BBB',
        middle: '100',
        sequence: 7,
        gaps: 0,
      },
    ],
    orders: Array.from({ length: 30 }, (_, at) => ({
      ...row,
      clientOrderId: `gw-r1-maker-${at}`,
      venueOrderId: null,
      owner: 'own' as const,
      product: 'spot' as const,
      type: 'limit',
      timeInForce: 'GTC',
      quantity: '3',
      executed: '0',
      unit: 'AAA',
      price: '99',
      stopPrice: null,
      currency: 'BBB',
      state: 'new',
      cancelPending: false,
      createdAt: '',
      updatedAt: '',
    })),
    positions: [],
    profits: { BBB: 12.5 },
    budgets: [{ lane: 'cancel', used: 1, capacity: 750, waiting: 0 }],
    limits: [],
  },
  feedSeen: new Map([['AAABBB', (now - 2_500_000) as Micros]]),
  fills: [],
  alerts: [{ time: '2026-11-01T00:00:01.000Z', text: 'a \u001B[2J trick' }],
  lostSince: undefined,
};

describe('the screen', () => {
  test('shows state, age, limits and alerts, and cuts the longest list', () => {
    const lines = drawScreen(model, { columns: 120, rows: 30 }, micros(now));
    expect(lines).toHaveLength(30);
    const text = lines.join('\n');
    for (const part of [
      'trading halted: by ann',
      'trading session DOWN',
      '2.5 s',
      'orders (30)',
      'lane cancel',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/\.\.\. \d+ more/);
    expect(text).toContain('a ?[2J trick');
    expect(text).not.toContain('\u001B');
  });

  test.each([
    [1, 1],
    [20, 5],
    [40, 12],
    [400, 200],
  ])('fits a terminal of %i columns and %i rows', (columns, rows) => {
    const lines = drawScreen(model, { columns, rows }, micros(now));
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  });

  test('says since when the daemon is gone', () => {
    const [first] = drawScreen({ ...model, lostSince: now }, { columns: 80, rows: 24 }, micros(now));
    expect(first).toContain('DISCONNECTED since 22:13:20 UTC');
  });
});

/** Watches until the test ends it. */
function watching(json: boolean, terminal?: Terminal & { press: (key: string) => void }) {
  const said: string[] = [];
  const output = { data: (line: string) => void said.push(line), progress: () => {}, colour: false };
  const ended = watchCommand({
    target: { url: undefined, token: undefined, directory: folder },
    output,
    json,
    clock: new SystemClock(),
    open: () => terminal,
  });
  return { said, ended };
}

function fakeTerminal() {
  const screens: (readonly string[])[] = [];
  let isRestored = false;
  let pressed = (_key: string): void => {};
  return {
    screens,
    get isRestored() {
      return isRestored;
    },
    size: { columns: 100, rows: 30 },
    show: (lines: readonly string[]) => void screens.push(lines),
    onKey: (on: (key: string) => void) => void (pressed = on),
    press: (key: string) => pressed(key),
    restore: () => void (isRestored = true),
  };
}

test('a screen follows the daemon over its end and its next start, and q gives the terminal back', async () => {
  const first = await daemon();
  const terminal = fakeTerminal();
  const { ended } = watching(false, terminal);
  const shown = (): string => terminal.screens.at(-1)?.join('\n') ?? '';
  await until('the state', () => shown().includes('trading active'));
  first.server.alert('something to know');
  await until('the alert', () => shown().includes('something to know'));
  await first.server.close();
  await until('it is lost', () => shown().includes('DISCONNECTED since'));
  await daemon();
  await until('it is back', () => !shown().includes('DISCONNECTED'));
  const before = terminal.screens.length;
  for (let i = 0; i < 40; i++) open?.server.alert(`alert ${i}`);
  await until('the last alert', () => shown().includes('alert 39'));
  expect(terminal.screens.length - before).toBeLessThan(8);
  terminal.press('q');
  expect(await ended).toBe(0);
  expect(terminal.isRestored).toBe(true);
});

test('without a terminal there is one line per change, or one document per event', async () => {
  const { rig, server } = await daemon();
  const lines = watching(false);
  const documents = watching(true);
  await until('the state', () => lines.said.some((line) => line.includes('0 open orders')));
  rig.wait(2_000);
  rig.trade(100);
  await until('an order', () => lines.said.some((line) => line.includes('1 open orders')));
  server.alert('something to know');
  await until('the alert', () => lines.said.some((line) => line.endsWith('alert something to know')));
  await until('documents', () => documents.said.length >= 3);
  const events = documents.said.map((line) => (JSON.parse(line) as { readonly event: string }).event);
  expect(events[0]).toBe('state');
  expect(events).toContain('alert');
  await until('the journal', () => documents.said.some((line) => line.startsWith('{"event":"journal"')));
  await server.close();
  await until('it is lost', () => lines.said.some((line) => line.includes('disconnected: ')));
  expect(lines.said.filter((line) => line.includes('connected'))).toHaveLength(1);
  process.emit('SIGTERM');
  expect(await Promise.all([lines.ended, documents.ended])).toEqual([0, 0]);
});

test('without a daemon the exit code is 3', async () => {
  expect((await run(['watch', '--set', `run.directory=${folder}`])).code).toBe(3);
});

const script = '/usr/bin/script';

test.skipIf(!existsSync(script))('a real terminal is entered and left', async () => {
  await daemon();
  const command = `(sleep 10; echo q) | ${script} -qec "${launcher.join(' ')} watch --set run.directory=${folder}" /dev/null`;
  const session = new Cli([], {}, ['/bin/sh', '-c', command]);
  try {
    const { code, out } = await session.end();
    expect(code).toBe(0);
    expect(out).toContain('trading active');
    expect(out.indexOf('\u001B[?1049h')).toBeGreaterThanOrEqual(0);
    expect(out.indexOf('\u001B[?1049l')).toBeGreaterThan(out.indexOf('\u001B[?1049h'));
  } finally {
    session.kill();
  }
});

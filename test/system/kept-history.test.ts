import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRunFile } from '../../src/app/operate/run-file.ts';
import { OperateClient } from '../../src/app/operate/client.ts';
import type { CandlesText, CurveText } from '../../src/operate/schemas.ts';
import type { FillRow } from '../../src/operate/views/trades.ts';
import { Venue } from './chaos/venue.ts';
import { Cli } from './support/cli.ts';
import { strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// What the page shows of the time before, of a process that is ended and started again.

let folder: string;
let venue: Venue;
let daemon: Cli | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-history-'));
  venue = await Venue.start({ seed: 8, publish: { balanceBatchMs: 50 } });
});
afterEach(async () => {
  daemon?.kill();
  await venue.close();
  rmSync(folder, { recursive: true, force: true });
});

interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly fills: number;
}

const directory = (): string => join(folder, 'run');

async function start(): Promise<OperateClient> {
  const { account } = venue;
  const settings = account.settings(directory(), {});
  const maker = strategyOf('market-maker', { symbol: 'ETHUSDT', halfSpreadTicksMin: 1, quantity: '0.01' });
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ strategies: [maker], log: { level: 'silent' } }));
  const args = ['trade', '--mode', 'sim', '--json', '--config', config, ...settings];
  const started = new Cli([...args, '--set', 'operate.enabled=true'], account.environment);
  daemon = started;
  const { pid } = started.child;
  const file = await until('the file of the run', () => {
    if (started.child.exitCode !== null) throw new Error(`the daemon ended: ${started.err}`);
    const found = findRunFile(directory());
    return found?.pid === pid ? found : undefined;
  });
  return new OperateClient({ url: file.url, token: file.token, directory: directory() });
}

const shownBy = async (client: OperateClient) => ({
  candles: (await client.get('/api/candles/ETHUSDT/M1')) as CandlesText,
  curve: (await client.get('/api/curve')) as CurveText,
  days: (await client.get('/api/days')) as readonly DayRow[],
  fills: (await client.get('/api/fills')) as readonly FillRow[],
  alerts: (await client.get('/api/alerts')) as readonly { readonly time: string; readonly text: string }[],
});

const idsOf = (fills: readonly FillRow[]): ReadonlySet<string> =>
  new Set(fills.map(({ tradeId }) => tradeId));

test('candles, curve, days, fills and alerts of before are answered, after SIGKILL and then after SIGTERM', async () => {
  await venue.act('stir');
  // A candle is over once in a minute: the second end has those of the first.
  const again = await outlives('SIGKILL', await start());
  await venue.act('stir');
  await again.act({ act: 'resume', why: 'in the morning' });
  await outlives('SIGTERM', again);
});

/** Ends a daemon that trades by a signal, once it has more to keep than it began with. Returns the client of the next one, which answers all of it. */
async function outlives(signal: 'SIGKILL' | 'SIGTERM', client: OperateClient): Promise<OperateClient> {
  const begun = await shownBy(client);
  await until('fills, candles of the venue and two points of the curve', async () => {
    const { fills, candles, curve, days } = await shownBy(client);
    const isNew = fills.length > begun.fills.length + 1 && curve.times.length > begun.curve.times.length + 1;
    return isNew && candles.times.length > 1 && days.length > 0;
  });
  await client.act({ act: 'pause', why: 'for the night' });
  await venue.act('calm');
  const before = await until('an alert', async () => {
    const shown = await shownBy(client);
    return shown.alerts.length > begun.alerts.length ? shown : undefined;
  });
  // All of it is written within a second. The next point of the curve may come at once, and the one after it five seconds later.
  await until('what comes next', async () => {
    const { curve } = await shownBy(client);
    return curve.times.length >= before.curve.times.length + 2;
  });
  daemon?.kill(signal);
  await daemon?.end();
  const again = await start();
  // A day is valued a second after the start, and the venue is asked for candles.
  const after = await until('days and candles of before', async () => {
    const shown = await shownBy(again);
    const [fills] = shown.days.map((one) => one.fills);
    const isValued = (fills ?? 0) >= (before.days[0]?.fills ?? 0);
    return isValued && shown.candles.times.length >= before.candles.times.length - 1 ? shown : undefined;
  });

  const { times, close } = before.candles;
  const overAt = times.slice(0, -1);
  const kept = after.candles.times.map((time, at) => [time, after.candles.close[at]]);
  for (const [at, time] of overAt.entries()) expect(kept).toContainEqual([time, close[at]]);
  expect(after.curve.times.slice(0, before.curve.times.length)).toEqual(before.curve.times);
  for (const { currency, profit, drawdown } of before.curve.currencies) {
    const same = after.curve.currencies.find((one) => one.currency === currency);
    expect(same?.profit.slice(0, profit.length)).toEqual(profit);
    expect(same?.drawdown.slice(0, drawdown.length)).toEqual(drawdown);
  }
  for (const { day, currency, fills } of before.days) {
    const same = after.days.find((one) => one.day === day && one.currency === currency);
    expect(same?.fills).toBeGreaterThanOrEqual(fills);
  }
  expect(idsOf(after.fills)).toEqual(new Set([...idsOf(after.fills), ...idsOf(before.fills)]));
  for (const alert of before.alerts) expect(after.alerts).toContainEqual(alert);
  expect(readdirSync(join(directory(), 'history')).sort()).toEqual(
    expect.arrayContaining([
      'alerts.jsonl',
      'candles-ETHUSDT.rows',
      'curve.jsonl',
      'days.jsonl',
      'fills.jsonl',
    ]),
  );
  return again;
}

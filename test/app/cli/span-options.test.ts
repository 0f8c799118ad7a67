import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { timeText } from '../../../src/core/base/clock.ts';
import { spanOf } from '../../../src/app/cli/span-options.ts';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-span-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shown = (options: { from?: string; to?: string }) =>
  Object.values(spanOf(options)).map((time) => time && timeText(time));

test('a day that is named counts whole, a time that ends a span does not', () => {
  expect(shown({ from: '2024-01-31', to: '2024-01-31' })).toEqual([
    '2024-01-31T00:00:00.000Z',
    '2024-02-01T00:00:00.000Z',
  ]);
  expect(shown({ from: '20240131', to: '2024-02-01T12:30' })).toEqual([
    '2024-01-31T00:00:00.000Z',
    '2024-02-01T12:30:00.000Z',
  ]);
  expect(shown({ to: '2024-02-29T23:59:30Z' })).toEqual([undefined, '2024-02-29T23:59:30.000Z']);
});

test('what is no time, and a span that ends before it begins, are refused by their options', () => {
  for (const from of ['31.01.2024', '2024-02-30', '2024-13-01', '2024-01-01T25:00', ''])
    expect(() => spanOf({ from })).toThrow(/^--from .*: expected a day such as 2024-01-31 or a time/);
  expect(() => spanOf({ from: '2024-02-01', to: '2024-01-31' })).toThrow(
    '--from 2024-02-01 --to 2024-01-31: expected a span that begins before it ends',
  );
});

/** Ten minutes of trades, one a second, from 22:13:20 on. */
function tradesFile(): string {
  const path = join(folder, 'BTCUSDT.csv');
  const rows = Array.from({ length: 600 }, (_, second) => {
    const price = (100 + (second % 7) / 100).toFixed(2);
    return `${1_700_000_000_000 + second * 1_000},${second + 1},${price},0.05,${second % 2 === 0 ? 'buy' : 'sell'}`;
  });
  writeFileSync(path, ['time,id,price,quantity,side', ...rows, ''].join('\n'));
  return path;
}

interface Run {
  span: { start: string; end: string };
  messages: { market: number };
  digest: string;
}

async function backtest(...args: readonly string[]) {
  const said = await run(['backtest', ...args, '--no-save', '--no-band', '--json']);
  expect([said.code, said.err.includes('godwit:')]).toEqual([0, false]);
  const document = JSON.parse(said.out) as Run & { report?: Run };
  return { ...document, ...document.report, digest: document.digest };
}

test('a backtest runs a span of tables, packs and frame logs, on the market that stands when it begins', async () => {
  const csv = tradesFile();
  const pack = join(folder, 'BTCUSDT.pack');
  await run(['data', 'import', csv, '--out', pack]);
  const maker = ['--strategy', 'market-maker', '--param', 'symbol=BTCUSDT'];
  const span = ['--from', '2023-11-14T22:15', '--to', '2023-11-14T22:20'];
  const ofTable = await backtest(csv, ...maker, ...span);
  expect(ofTable.span).toMatchObject({
    start: '2023-11-14T22:15:00.000Z',
    end: expect.stringMatching(/^2023-11-14T22:(19:59|20:00)/),
  });
  // One a second, and the last one before as history.
  expect(ofTable.messages.market).toBe(301);
  expect((await backtest(pack, ...maker, ...span)).digest).toBe(ofTable.digest);

  // A span around all of the data changes nothing of the run.
  const around = ['--from', '2023-11-14', '--to', '2023-11-14'];
  expect((await backtest(pack, ...maker, ...around)).digest).toBe((await backtest(csv, ...maker)).digest);

  const sample = ['backtest/feeds/sample', '--strategy', 'market-maker'];
  const part = await backtest(...sample, '--from', '2026-11-21T01:01', '--to', '2026-11-21T01:01:30');
  expect(part.span).toMatchObject({
    start: '2026-11-21T01:01:00.000Z',
    end: expect.stringContaining('T01:01:29'),
  });
});

test('a span takes the place of the clock of a scenario, and one without data is refused', async () => {
  const bars = ['--scenario', 'backtest/scenarios/bars.yaml'];
  const { span } = await backtest(...bars, '--from', '2026-02-01', '--to', '2026-02-28');
  expect(span).toMatchObject({ start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' });
  const none = await run(
    'backtest backtest/feeds/sample --strategy market-maker --no-save --from 2026-11-22',
  );
  expect([none.code, none.err]).toEqual([
    1,
    'godwit: backtest/feeds/sample: expected market events from 2026-11-22T00:00:00.000Z on, found none',
  ]);
  const before = await run(
    'backtest backtest/feeds/sample --strategy market-maker --no-save --to 2026-11-20',
  );
  expect(before.err).toContain('before 2026-11-21T00:00:00.000Z, found the first at 2026-11-21T01:00:08');
});

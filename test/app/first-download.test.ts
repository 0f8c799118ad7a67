import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { initCommand } from '../../src/app/new-strategy.ts';
import { ArchiveServer, klinesOf } from '../support/archive-server.ts';
import { home } from '../system/support/cli.ts';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-first-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('init --download writes a project on downloaded candles, and the next command is a report of them', async () => {
  const archive = new ArchiveServer();
  for (const day of ['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04'])
    archive.put('spot/daily/klines/BTCUSDT/1h', `BTCUSDT-1h-${day}`, klinesOf(day, 3_600_000));
  const address = await archive.start();
  const said: string[] = [];
  const output = {
    data: (line: string) => void said.push(line),
    progress: (line: string) => void said.push(line),
    colour: false,
  };
  const [start, end] = [Date.parse('2025-01-01') * 1_000, Date.parse('2025-01-05') * 1_000] as never[];
  const download = { venue: 'binance', symbol: undefined, period: '1h', start, end, address };
  const command = { name: 'my-trend', directory: folder, output, json: false };
  const missing = initCommand({ ...command, download: { ...download, symbol: 'NIXUSDT' } });
  await expect(missing).rejects.toThrow(
    'expected klines of NIXUSDT for 2025-01-01 to 2025-01-04, found none',
  );
  expect(existsSync(join(folder, 'godwit.yaml'))).toBe(false);

  expect(await initCommand({ ...command, download } as never)).toBe(0);
  await archive.stop();
  expect(said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/data\/binance\/BTCUSDT\/klines-1h: 4 files, 96 rows$/),
      'strategies/my-trend/index.ts',
      'backtest/my-trend.yaml',
      'Try it: npx godwit backtest --scenario backtest/my-trend.yaml; then npm test',
    ]),
  );
  expect(readFileSync(join(folder, 'godwit.yaml'), 'utf8')).toContain('symbol: BTCUSDT');

  // As after an installation.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(home, join(folder, 'node_modules/godwit'));
  const scenario = join(folder, 'backtest/my-trend.yaml');
  const tested = await run(['backtest', '--scenario', scenario, '--no-save', '--no-band', '--json']);
  expect(tested.code).toBe(0);
  const { complete, report } = JSON.parse(tested.out) as {
    complete: boolean;
    report: { orders: { filled: number; denied: number; rejected: number }; span: { start: string } };
  };
  expect([complete, report.span.start]).toEqual([true, '2025-01-01T00:00:00.000Z']);
  expect(report.orders).toMatchObject({ denied: 0, rejected: 0 });
  expect(report.orders.filled).toBeGreaterThan(0);

  const again = initCommand({ ...command, download } as never);
  await expect(again).rejects.toThrow('init: godwit.yaml is there already');
});

test('options of the download without it, and a place that is none, are refused', async () => {
  const alone = await run('init my-trend --from 2025-01-01');
  expect([alone.code, alone.err]).toEqual([2, 'godwit: --from: expected --download with it']);
  const other = await run('init my-trend --download binanc');
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('did you mean binance?')]);
});

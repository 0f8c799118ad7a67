import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'same-grade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = 1_672_531_200_000;
const iso = (millis: number): string => new Date(start + millis).toISOString();

/** A capture whose trades arrive 40 ms before the exchange dates them, and whose books do not. */
function capture(): string {
  const path = join(folder, 'coinbase.txt');
  const at = (millis: number, message: unknown): string =>
    `${((start + millis) / 1_000).toFixed(3)}: ${JSON.stringify({ product_id: 'AB-USD', ...(message as object) })}`;
  const rows = Array.from({ length: 200 }, (_, i) => {
    const time = i * 10;
    return [
      at(time, { type: 'l2update', time: iso(time - 1), changes: [['buy', '99.5', `${(i % 7) + 1}.0`]] }),
      at(time + 1, {
        type: 'match',
        trade_id: i,
        side: 'buy',
        size: '2.0',
        price: '100.0',
        time: iso(time + 41),
      }),
    ];
  });
  const whole = at(-10, { type: 'snapshot', bids: [['99.5', '1.0']], asks: [['100.5', '1.0']] });
  const head = `wss://ws-feed.pro.coinbase.com <-> ${start / 1_000 - 1}.5`;
  writeFileSync(path, `${[head, whole, ...rows.flat()].join('\n')}\n`);
  return path;
}

test('data have one grade, whether they are looked at, backtested or run as a scenario', async () => {
  const path = capture();
  const strategy = [
    '--strategy',
    'market-maker',
    '--param',
    'symbol=AB-USD',
    '--no-save',
    '--no-band',
    '--json',
  ];
  const scenario = join(folder, 'one.yaml');
  writeFileSync(
    scenario,
    `name: one\ndata: [coinbase.txt]\nstrategy: { path: market-maker, params: { symbol: AB-USD } }\n`,
  );
  const looked = JSON.parse((await run(['data', 'inspect', path, '--json'])).out) as { grade: string };
  const graded = async (args: readonly string[]): Promise<string | undefined> => {
    const { identity } = JSON.parse((await run(args)).out) as { identity: Record<string, string> };
    return identity['data grade'];
  };
  expect(looked.grade).toBe('B');
  expect(await graded(['backtest', path, ...strategy])).toBe('B');
  expect(await graded(['backtest', '--scenario', scenario, '--json', '--no-save', '--no-band'])).toBe('B');
});

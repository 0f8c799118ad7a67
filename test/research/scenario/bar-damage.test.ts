import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import type { BarRunResult } from '../../../src/app/backtest/bar-run.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-bar-damage-'));
const home = fileURLToPath(new URL('../../..', import.meta.url));
afterAll(() => rmSync(folder, { recursive: true }));

/** Forty days at rising prices, line `at` (counted from 1, the head is 1) replaced. */
async function runWith(at: number, line: string): Promise<BarRunResult> {
  const lines = Array.from({ length: 40 }, (_, day) => {
    const time = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${time},${10 + day}.00,${11 + day}.00,${9 + day}.00,${10 + day}.50,1`;
  });
  lines.unshift('time,open,high,low,close,volume');
  lines[at - 1] = line;
  writeFileSync(join(folder, 'bars.csv'), `${lines.join('\n')}\n`);
  const file = join(folder, 'run.yaml');
  writeFileSync(
    file,
    `name: damaged
data: [bars.csv]
instrument: { symbol: AB, base: A, quote: B, tick: '0.01', lot: '1' }
fills: { model: bars }
balances: { B: '10000' }
strategy: { path: trend, params: { symbol: AB, period: D1, quantity: '1' } }
`,
  );
  const { barRun } = await runScenario({ loaded: configuredScenario(loadScenario(file), home) });
  if (barRun === undefined) throw new Error('expected fills of the model bars');
  return barRun;
}

describe('a run on bars whose data are damaged', () => {
  test.each([
    ['a price that is no number', '2024-01-31,abc,1,1,1,1', /bars\.csv:32: expected the open .*found "abc"$/],
    ['a line that was cut', '2024-01-31,40.0', /bars\.csv:32: expected /],
    [
      'a price off the grid',
      '2024-01-31,40.005,41,39,40,1',
      /AB: expected prices above 0 on a tick size of 0\.01, found 40\.005/,
    ],
  ])('keeps what came before %s, and says where it ended', async (_what, line, sentence) => {
    const { bars, problems, books } = await runWith(32, line);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^the data ended early, at 2024-01-3[01]T00:00:00\.000Z: /);
    expect(problems[0]).toMatch(sentence);
    expect(bars).toBeGreaterThanOrEqual(29);
    expect(bars).toBeLessThanOrEqual(30);
    expect(books.series().times.length).toBe(bars);
  });

  test('ends with the complaint alone when nothing came before it', async () => {
    await expect(runWith(2, '2024-01-01,abc,1,1,1,1')).rejects.toThrow(/bars\.csv:2: expected the open /);
    await expect(runWith(2, '2024-01-01,10.001,11,9,10,1')).rejects.toThrow(/found 10\.001/);
  });

  test('sound data end without a problem', async () => {
    expect((await runWith(32, '2024-01-31,40,41,39,40,1')).problems).toEqual([]);
  });
});

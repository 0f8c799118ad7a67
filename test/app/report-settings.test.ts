import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ReportDocument, ReportFigure } from '../../src/research/report/document/document.ts';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sixty daily bars from Monday, 5 January 2015 on; a week has as many days as are wanted. */
function bars(name: string, perWeek: number): void {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const time = Date.UTC(2015, 0, 5 + Math.floor(i / perWeek) * 7 + (i % perWeek));
    const price = 100 + i + (i % 3);
    return `${new Date(time).toISOString().slice(0, 10)},${price},${price + 1},${price - 1},${price},10`;
  });
  writeFileSync(join(folder, name), `${['time,open,high,low,close,volume', ...rows].join('\n')}\n`);
}
bars('week.csv', 5);
bars('always.csv', 7);
writeFileSync(
  join(folder, 'holder.ts'),
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ orders }) => {
    let isIn = false;
    return {
      onCandle() {
        if (isIn) return;
        isIn = true;
        orders.place({ symbol: 'ABC', side: 'buy', type: 'market', quantity: '5' });
      },
    };
  },
});
`,
);

async function figures(data: string, report: string): Promise<(key: string) => ReportFigure | undefined> {
  const path = join(folder, 'run.yaml');
  writeFileSync(
    path,
    `name: settings
data: [${data}]
instrument: { symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0' } }
fills: { model: bars }
balances: { USD: '1000' }
strategy: { path: holder.ts }
report: ${report}
`,
  );
  const { code, out, err } = await run(['backtest', '--scenario', path, '--no-save', '--no-band', '--json']);
  expect(code, err).toBe(0);
  const { sections } = JSON.parse(out) as Pick<ReportDocument, 'sections'>;
  return (key) => sections.flatMap((section) => section.figures).find((one) => one.key === key);
}

test('a year has 252 days by the calendar of the data, or as many as the scenario says', async () => {
  const [week, always] = [await figures('week.csv', '{}'), await figures('always.csv', '{}')];
  expect(week('ratios.daysPerYear')?.value).toBe('252: the data have no weekends');
  expect(always('ratios.daysPerYear')?.number).toBe(365);
  const ratio = (week('ratios.sharpe')?.number ?? 0) / (always('ratios.sharpe')?.number ?? 1);
  expect(ratio).toBeCloseTo(Math.sqrt(252 / 365), 9);
  const named = await figures('week.csv', '{ daysPerYear: 100, riskFree: "0.05" }');
  expect(named('ratios.daysPerYear')?.value).toBe('100: report.daysPerYear');
  expect(named('ratios.sharpe')?.number).toBeLessThan(
    (week('ratios.sharpe')?.number ?? 0) * Math.sqrt(100 / 252),
  );
  expect(named('settings.report.riskFree')).toMatchObject({ value: '0.05' });
});

test('gates are as the scenario says, and a benchmark is a symbol of the data', async () => {
  const usual = await figures('week.csv', '{ daysMin: 61 }');
  expect(usual('ratios.sharpe')?.reason).toBe('needs 61 daily returns, has 60');
  expect(usual('ratios.beta')?.reason).toBe('needs 61 daily returns, has 59');
  const open = await figures('week.csv', '{ benchmark: ABC }');
  expect(open('ratios.beta')?.number).toBeGreaterThan(0);
  await expect(figures('week.csv', '{ benchmark: ABD }')).rejects.toThrow(
    'report.benchmark: expected a symbol of the data (ABC), found ABD; did you mean "ABC"?',
  );
});

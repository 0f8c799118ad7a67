import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { backtestCommand } from '../../src/app/backtest/command.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'godwit-loss-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A swing of eighty around a thousand, in which a cross of averages buys high and sells low now and then. */
function writeBars(): void {
  const rows = ['time,open,high,low,close,volume'];
  let open = 1_000;
  for (let at = 0; at < 3_000; at++) {
    const close = Math.round(1_000 + 80 * Math.sin(at / 25) + 15 * Math.sin(at * 1.7));
    const range = [Math.max(open, close) + 3, Math.min(open, close) - 3];
    rows.push([1_600_000_020 + at * 60, open, ...range, close, 7].join(','));
    open = close;
  }
  writeFileSync(join(folder, 'bars.csv'), `${rows.join('\n')}\n`);
}

async function run(name: string, limits: string): Promise<string> {
  const strategy = join(home, 'test/conformance/strategies/ema-cross.ts');
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    [
      'name: a cross on bars',
      'data: [bars.csv]',
      "instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0.001' } }",
      'fills: { model: bars, account: { kind: margin } }',
      "balances: { USD: '100000' }",
      `strategy: { path: ${strategy}, params: { symbol: ABC, quantity: '3' }, limits: { loss: ${limits} } }`,
    ].join('\n'),
  );
  const lines: string[] = [];
  const output = { data: (line: string) => void lines.push(line), progress: () => {}, colour: false };
  const report = { save: false, directory: folder, name: name, band: false };
  await backtestCommand({ scenario: { file, home }, output, json: true, report });
  return lines.join('\n');
}

const refusedOf = (text: string): number => Number(/LOSS_LIMIT (\d+)/.exec(text)?.[1] ?? 0);

test('a limit on loss holds in a backtest: what came after it is refused', async () => {
  writeBars();
  expect(refusedOf(await run('far', "{ USD: { drawdown: '100000', action: halted } }"))).toBe(0);
  const near = await run('near', "{ USD: { drawdown: '300', action: halted } }");
  expect(refusedOf(near)).toBeGreaterThan(1_000);
  expect(await run('near', "{ USD: { drawdown: '300', action: halted } }")).toBe(near);
});

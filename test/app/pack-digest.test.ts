import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pack-digest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const bars = Array.from({ length: 120 }, (_, i) => {
  const price = (symbol: string): string => (100 + 9 * Math.sin((i + symbol.length) / 7)).toFixed(2);
  const row = (symbol: string): string =>
    `${1_672_531_200 + i * 60},${symbol},${price(symbol)},120.00,80.00,${price(symbol)},3`;
  return `${row('AAA')}\n${row('BB')}`;
});
writeFileSync(at('two.csv'), `time,symbol,open,high,low,close,volume\n${bars.join('\n')}\n`);

async function decisionsOn(data: string): Promise<string> {
  const lines = [
    'name: same rows',
    `data: [${data}]`,
    'instrument: { symbol: AAA, quote: USD, tick: "0.01", lot: "0.001" }',
    'fills: { model: bars }',
    'balances: { USD: "10000" }',
    'strategy: { path: trend, params: { symbol: AAA, fast: 3, slow: 9, quantity: "1" } }',
  ];
  writeFileSync(at('same.yaml'), `${lines.join('\n')}\n`);
  const wishes = ['--no-save', '--no-band', '--json'];
  const { code, out } = await run(['backtest', '--scenario', at('same.yaml'), ...wishes]);
  const { identity, fills } = JSON.parse(out) as { identity: { decisions: string }; fills: unknown[] };
  expect([code, fills.length > 0]).toEqual([0, true]);
  return identity.decisions;
}

test('a run on a pack has the digest of that on its original, where both have the same symbols', async () => {
  const original = await decisionsOn('two.csv');
  await run(['data', 'import', at('two.csv'), '--symbol', 'AAA', '--out', at('one.pack')]);
  expect(await decisionsOn('one.pack')).toBe(original);
  await run(['data', 'import', at('two.csv'), '--out', at('both.pack')]);
  expect(await decisionsOn('both.pack')).not.toBe(original);
});

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inspectRecording } from '../../../src/app/data/read-recordings.ts';
import type { Output } from '../../../src/app/process/output.ts';

const sample = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));

async function inspected(json: boolean): Promise<string> {
  const lines: string[] = [];
  const output: Output = { data: (line) => lines.push(line), progress: () => {}, colour: false };
  expect(await inspectRecording([sample], json, output)).toBe(0);
  return lines.join('\n');
}

test('a recording is shown with the symbols of which it has data, apart from those that it lists', async () => {
  const text = await inspected(false);
  expect(text).toContain(
    'symbols  BTCUSDT, ETHBTC\n         without data: ETHUSDT, LTCUSDT, LTCBTC, XRPUSDT\n',
  );
  const { symbols, withData } = JSON.parse(await inspected(true)) as Record<string, readonly string[]>;
  expect(withData).toEqual(['BTCUSDT', 'ETHBTC']);
  expect(symbols).toHaveLength(6);
});

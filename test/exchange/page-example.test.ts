import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { startExchange } from '../../src/exchange/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The code below the heading of the page. */
function exampleOf(page: string, heading: string): string {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`));
  const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1];
  if (code === undefined) throw new Error(`there is no example below ${heading}`);
  return code;
}

test('the example of the page runs as it stands, and its process ends by itself', async () => {
  const code = exampleOf(readFileSync(join(root, 'docs/exchange.md'), 'utf8'), 'In a test');
  // Inside the package, so that its own name resolves.
  mkdirSync(join(root, 'runs'), { recursive: true });
  const folder = mkdtempSync(join(root, 'runs/page-'));
  try {
    writeFileSync(join(folder, 'example.ts'), code);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=godwit-source',
      join(folder, 'example.ts'),
    ]);
    expect(stdout).toBe('refused 20001 known\nfilled\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('keys, seed, symbols and clock are as asked for, and a second stop does nothing', async () => {
  const clock = new VirtualClock(1_700_000_000_000_000 as never);
  const setup = {
    seed: 11,
    clock,
    flow: { enabled: false },
    accounts: [
      { name: 'mine', keys: [{ apiKey: 'my-own-key-1', rights: ['R1' as const] }] },
      { name: 'bare' },
    ],
    symbols: [
      {
        symbol: 'LTCBTC',
        baseCurrency: 'LTC',
        quoteCurrency: 'BTC',
        tickSize: '0.0000001',
        quantityIncrement: '0.001',
      },
    ],
  };
  const exchange = await startExchange(setup);
  const again = await startExchange(setup);
  expect(exchange.keys).toEqual([
    { account: 'mine', apiKey: 'my-own-key-1', secretKey: again.keyOf('mine').secretKey, rights: ['R1'] },
  ]);
  expect(exchange.server.instruments.all.map(({ symbol }) => symbol)).toContain('LTCBTC');
  expect(() => exchange.keyOf('bare')).toThrow('the account "bare" has no key');
  expect(() => exchange.keyOf('other')).toThrow('there is no account "other"');
  const answer = await fetch(`${exchange.restUrl}/api/3/public/symbol`);
  expect(Object.keys((await answer.json()) as object)).toContain('LTCBTC');
  for (const one of [exchange, again, exchange]) await one.stop();
  await expect(fetch(exchange.restUrl)).rejects.toThrow();
});

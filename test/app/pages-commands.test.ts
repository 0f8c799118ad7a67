import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../../src/app/cli/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The tutorial is run whole by a test of its own. */
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })].filter(
  (page) => !page.endsWith('tutorial.md'),
);

/** Commands of blocks, a line that ends in a backslash joined with the next, comments left out. */
const commands = pages.flatMap((page) =>
  [...read(page).matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.startsWith('npx godwit '))
      .map((line) => ({ page, line: line.replace(/\s+(#|<|>|\|).*$/, '').trim() })),
  ),
);

let folder: string;
beforeAll(() => {
  mkdirSync(join(root, '.godwit'), { recursive: true });
  folder = mkdtempSync(join(root, '.godwit/pages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const data = (line: string): void => void lines.push(line);
  const said = program({ data, progress: () => {}, colour: false });
  const code = await said.run(['node', 'godwit', ...args]).catch((error: unknown) => {
    if (error instanceof Error && error.message === '(outputHelp)') return 0;
    throw error;
  });
  return { code, out: lines.join('\n') };
}

test('every command of README and the pages exists, with each of its options', async () => {
  const unknown: string[] = [];
  for (const { page, line } of commands) {
    const words = line.split(/\s+/).slice(2);
    const end = words.findIndex((word) => word.startsWith('-') || /[./]/.test(word));
    const verbs = (end < 0 ? words : words.slice(0, end)).filter((word) => /^[a-z-]+$/.test(word));
    const isGroup = ['check', 'data', 'config', 'new'].includes(verbs[0] ?? '');
    if (verbs.length === 0) continue;
    const { out } = await run([...verbs.slice(0, isGroup ? 2 : 1), '--help']);
    for (const option of words.filter((word) => word.startsWith('--')))
      if (!out.includes(option.replace(/=.*/, ''))) unknown.push(`${page}: ${line}: ${option}`);
  }
  expect(unknown).toEqual([]);
  expect(commands.length).toBeGreaterThan(40);
});

test('backtests of what ships, on README and the pages, run in a clone', { timeout: 120_000 }, async () => {
  const isThere = (word: string): boolean => !word.includes('/') || existsSync(join(root, word));
  const lines = commands
    .map(({ line }) => line)
    .filter((line) => /^npx godwit backtest .*backtest\//.test(line) && line.split(/\s+/).every(isThere));
  const shown = [...new Set(lines)];
  expect(shown.length).toBeGreaterThan(3);
  for (const line of shown) {
    const said = line.split(/\s+/).slice(2);
    const words = said.map((word, index) => {
      // What a command writes goes to the folder of this test.
      if (/^--(html|trades|export)$/.test(said[index - 1] ?? '')) return join(folder, word);
      return existsSync(join(root, word)) && word.includes('/') ? join(root, word) : word;
    });
    const { code } = await run([...words.filter((word) => word !== '--json'), '--no-save', '--no-band']);
    expect({ line, code }).toEqual({ line, code: 0 });
  }
});

test('no order of the first strategy of README and docs/strategies.md is denied', async () => {
  for (const page of ['README.md', 'docs/strategies.md']) {
    const code = [...read(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)][0]?.[1] ?? '';
    const file = join(folder, 'one-tick-maker.ts');
    writeFileSync(file, code);
    const named = ['--strategy', file, '--param', 'symbol=ETHBTC', '--param', 'quantity=0.05'];
    const kept = ['--no-save', '--no-band', '--json'];
    const { out } = await run(['backtest', join(root, 'backtest/feeds/sample'), ...named, ...kept]);
    const { orders } = JSON.parse(out) as { orders: { placed: number; denied: number } };
    expect(orders.denied).toBe(0);
    expect(orders.placed).toBeGreaterThan(20);
  }
});

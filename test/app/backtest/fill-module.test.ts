import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { program } from '../../../src/app/cli/program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the checkout, so that `godwit/fills` is found as it is by whoever installed it.
mkdirSync(join(root, '.godwit'), { recursive: true });
const folder = mkdtempSync(join(root, '.godwit/fill-module-'));
const page = readFileSync(join(root, 'docs/fill-models.md'), 'utf8');
const example = /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function godwit(...argv: string[]): Promise<string> {
  const out: string[] = [];
  const output = { data: (line: string) => void out.push(line), progress: () => {}, colour: false };
  await program(output).run(['node', 'godwit', ...argv]);
  return out.join('\n');
}

function scenario(name: string, fills: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ${name}
data: [${join(root, 'backtest/feeds/sample')}]
instrument: { symbol: ETHBTC }
fills: ${fills}
balances: { ETH: "100", BTC: "10" }
strategy: { path: market-maker, params: { symbol: ETHBTC } }
`,
  );
  return file;
}

async function run(name: string, fills: string, ...more: string[]): Promise<ScenarioResult> {
  const file = scenario(name, fills);
  return JSON.parse(
    await godwit('backtest', '--scenario', file, '--no-save', '--json', ...more),
  ) as ScenarioResult;
}

async function refusal(name: string, code: string): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), code);
  const file = scenario(name, `{ module: ./${name}.ts }`);
  return await godwit('backtest', '--scenario', file, '--no-band', '--no-save').then(
    () => 'it ran',
    (error: unknown) => String(error),
  );
}

describe('a fill model of the user', () => {
  test('the example of the page is short, and it fills less than the queue estimate', async () => {
    expect(example.split('\n').length).toBeLessThan(60);
    writeFileSync(join(folder, 'through-only.ts'), example);
    const own = await run('own', '{ module: ./through-only.ts }', '--no-band');
    const queue = await run('queue', '{ model: queue }', '--no-band');
    expect(own.fills.length).toBeGreaterThan(0);
    expect(own.fills.length).toBeLessThan(queue.fills.length);
    expect(JSON.stringify(own)).toContain('module ./through-only.ts');
  });

  test('stands in the range of fill assumptions as the fitted one', async () => {
    writeFileSync(join(folder, 'through-only.ts'), example);
    const result = await run('ranged', '{ module: ./through-only.ts }');
    expect(JSON.stringify(result)).toContain('./through-only.ts');
  });

  test.each([
    ['nothing', 'export const model = 1;', 'to export a function as default, found no default export'],
    ['number', 'export default 5;', 'to export a function as default, found a default export of type number'],
    ['broken', 'throw new Error("no luck");', 'cannot be loaded: Error: no luck (broken.ts:1:7)'],
    ['empty', 'export default () => ({});', 'to make a fill model, found one without book'],
    [
      'half',
      'export default () => ({ book: {}, onMarket() {}, onTrade() {}, onNew() {} });',
      'to make a fill model, found one without onEnd',
    ],
  ])('is refused in one sentence: %s', async (name, code, sentence) => {
    const said = await refusal(name, code);
    expect(said).toContain(`${name}.yaml: fills.module: `);
    expect(said).toContain(sentence);
  });

  test('is refused where there is no file', async () => {
    const file = scenario('absent', '{ module: ./absent.ts }');
    await expect(godwit('backtest', '--scenario', file, '--no-band', '--no-save')).rejects.toThrow(
      `absent.yaml: fills.module: expected a .ts file, found nothing at ${join(folder, 'absent.ts')}`,
    );
  });
});

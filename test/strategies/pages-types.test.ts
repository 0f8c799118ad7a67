import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { newStrategyFiles } from '../../src/app/new-strategy-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
mkdirSync(join(root, '.godwit'), { recursive: true });
// Inside the checkout, so that `godwit/strategy` is found as it is from `strategies/`.
const folder = mkdtempSync(join(root, '.godwit/types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what the pages and `new strategy` give an author to copy passes the types of this checkout', () => {
  const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })];
  const names = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
    return blocks
      .filter((block) => block.includes('export default defineStrategy('))
      .map((block, index) => {
        // A shorter example leaves out what the one before it imports.
        const whole = block.includes("from 'godwit/strategy'")
          ? block
          : `import { defineStrategy, z } from 'godwit/strategy';\n${block}`;
        const name = `${basename(page, '.md')}-${index + 1}.ts`;
        writeFileSync(join(folder, name), whole);
        return name;
      });
  });
  expect(names.length).toBeGreaterThan(5);
  const made = newStrategyFiles('my-maker', 'sample').find(({ path }) => path.endsWith('index.ts'));
  writeFileSync(join(folder, 'new-strategy.ts'), made?.text ?? '');
  const setting = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(setting));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: folder,
  });
  expect(stdout).toBe('');
});

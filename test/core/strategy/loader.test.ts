import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { hashStrategy, loadStrategy } from '../../../src/core/strategy/loader.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-loader-'));
afterAll(() => rmSync(room, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(room, name);
  writeFileSync(path, text);
  return path;
}

test('a file and a folder with an index are loaded', async () => {
  const folder = fileURLToPath(new URL('../../../strategies/market-maker', import.meta.url));
  expect((await loadStrategy(folder)).name).toBe('market-maker');
  expect((await loadStrategy(join(folder, 'index.ts'))).name).toBe('market-maker');
});

test('a strategy far from here finds the Godwit that runs it', () => {
  const path = write(
    'far.ts',
    `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({ name: 'far', params: z.strictObject({}), feeds: () => [], create: () => ({}) });`,
  );
  // In a process of its own: the test runner has a way of its own to find packages.
  const loader = new URL('../../../src/core/strategy/loader.ts', import.meta.url).href;
  const code = `const { loadStrategy } = await import(${JSON.stringify(loader)});
console.log((await loadStrategy(${JSON.stringify(path)})).name);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('far\n');
});

test('what is no strategy is refused in one sentence that names the path', async () => {
  mkdirSync(join(room, 'empty'));
  await expect(loadStrategy(join(room, 'empty'))).rejects.toThrow(
    'expected an index.ts in this folder, found none',
  );
  await expect(loadStrategy(join(room, 'nothing.ts'))).rejects.toThrow('found nothing');
  await expect(loadStrategy(write('a.js', ''))).rejects.toThrow('expected a .ts file or a folder');
  const long = 'x'.repeat(300);
  await expect(loadStrategy(join(room, long))).rejects.toThrow(
    `${long}: expected a .ts file or a folder with an index.ts, found nothing that can be read (ENAMETOOLONG)`,
  );
  const expected = 'expected export default defineStrategy({...}), found ';
  await expect(loadStrategy(write('none.ts', 'export const x = 1;'))).rejects.toThrow(
    `${expected}no default export`,
  );
  await expect(loadStrategy(write('plain.ts', 'export default { name: "x" };'))).rejects.toThrow(
    `${expected}a default export of type object`,
  );
  await expect(loadStrategy(write('throws.ts', 'throw new Error("at the top");'))).rejects.toThrow(
    'it could not be loaded: Error: at the top',
  );
});

test('the hash shows every change of a file, and of any file of a folder', () => {
  const path = write('one.ts', 'export default 1;');
  const bytes = readFileSync(path);
  const sum = createHash('sha256').update(`\n${bytes.length}\n`).update(bytes).digest('hex');
  expect(hashStrategy(path)).toBe(sum);
  mkdirSync(join(room, 'two'));
  write('two/index.ts', 'export default 1;');
  const before = hashStrategy(join(room, 'two'));
  write('two/part.ts', '');
  expect(hashStrategy(join(room, 'two'))).not.toBe(before);
});

test('the hash shows every change of a file that is imported, however far away', () => {
  for (const folder of ['near', 'near/deep', 'shared', 'node_modules', 'folder'])
    mkdirSync(join(room, folder));
  const path = write(
    'near/one.ts',
    `import { a } from './deep/a.ts';
import { type B } from '../shared/b.ts';
import '../node_modules/c.ts';
export * from /* here */ '../shared/d.js';
const e = await import( '../shared/e.json', { with: { type: 'json' } });
import './missing.ts';
export default 1;`,
  );
  write('near/deep/a.ts', "export { f as a } from '../../shared/f.ts';\nimport '../one.ts';");
  const names = ['shared/b.ts', 'node_modules/c.ts', 'shared/d.js', 'shared/e.json', 'shared/f.ts'];
  for (const name of names) write(name, '');
  write('folder/index.ts', "import { b } from '../shared/b.ts';\nexport default 1;");
  const hashes = () => [hashStrategy(path), hashStrategy(join(room, 'folder'))];
  const first = hashes();
  expect(hashes()).toEqual(first);
  const changed = names.map((name) => {
    write(name, '// changed');
    const isOther = hashes().map((hash, i) => hash !== first[i]);
    write(name, '');
    return [name, ...isOther];
  });
  expect(changed).toEqual([
    ['shared/b.ts', true, true],
    ['node_modules/c.ts', false, false],
    ['shared/d.js', true, false],
    ['shared/e.json', true, false],
    ['shared/f.ts', true, false],
  ]);
});

test('a chain of imports without an end is refused', () => {
  mkdirSync(join(room, 'many'));
  for (let i = 0; i <= 1_001; i += 1) write(`many/${i}.ts`, `import './${i + 1}.ts';`);
  expect(() => hashStrategy(join(room, 'many/0.ts'))).toThrow('expected at most 1000 imported files');
});

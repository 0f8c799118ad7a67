import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { hashStrategy, loadStrategy } from '../../src/strategy/loader.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-loader-'));
afterAll(() => rmSync(room, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(room, name);
  writeFileSync(path, text);
  return path;
}

test('a file and a folder with an index are loaded', async () => {
  const folder = fileURLToPath(new URL('../../strategies/market-maker', import.meta.url));
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
  const loader = new URL('../../src/strategy/loader.ts', import.meta.url).href;
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

test('the hash tells every change of a file, and of any file of a folder', () => {
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

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { plainCodeOf } from '../../../src/core/strategy/plain-code.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-plain-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('types become spaces in every file of a strategy, those that it imports from elsewhere included', () => {
  write('shared/levels.ts', 'export const levels = (count: number): number => count * 2;\n');
  write('maker/part.ts', "export type Side = 'buy';\nexport const side: Side = 'buy';\n");
  const index = "import { levels } from '../shared/levels.ts';\nexport default levels(3 as number);\n";
  write('maker/index.ts', index);
  const code = plainCodeOf(join(folder, 'maker'));
  const at = (name: string): string | undefined => code[pathToFileURL(join(folder, name)).href];
  expect(Object.keys(code)).toHaveLength(3);
  expect(at('shared/levels.ts')).toBe('export const levels = (count        )         => count * 2;\n');
  expect(at('maker/part.ts')).toBe(
    `${' '.repeat("export type Side = 'buy';".length)}\nexport const side       = 'buy';\n`,
  );
  expect(at('maker/index.ts')).toHaveLength(index.length);
});

test('what is no module, or no TypeScript that Node takes, is left as it is', () => {
  write('odd/index.ts', "import './old.ts';\nimport './sides.ts';\nexport default 1;\n");
  write('odd/old.ts', 'const one: number = 1;\nmodule.exports = one;\n');
  write('odd/sides.ts', 'export enum Side { Buy, Sell }\n');
  const code = plainCodeOf(join(folder, 'odd'));
  expect(Object.keys(code)).toEqual([pathToFileURL(join(folder, 'odd/index.ts')).href]);
});

test('a thread loads the code that it is given, but for a file of CommonJS', async () => {
  const given = [
    write('module/one.ts', 'export default "of the file";\n'),
    write('plain/two.ts', 'export default "of the file";\n'),
    write('common/three.ts', 'module.exports = "of the file";\n'),
  ].map((path) => pathToFileURL(path).href);
  write('module/package.json', '{ "type": "module" }');
  write('common/package.json', '{ "type": "commonjs" }');
  const code = Object.fromEntries(given.map((url) => [url, 'export default "given";\n']));
  const thread = new Worker(
    `const { parentPort, workerData: { self, code } } = require('node:worker_threads');
     import(self).then(async ({ usePlainCode }) => {
       usePlainCode(code);
       const all = [];
       for (const url of Object.keys(code)) all.push((await import(url)).default);
       parentPort.postMessage(all);
     });`,
    {
      eval: true,
      workerData: { self: new URL('../../../src/core/strategy/plain-code.ts', import.meta.url).href, code },
    },
  );
  const said = await new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject));
  await thread.terminate();
  expect(said).toEqual(['given', 'given', 'of the file']);
});

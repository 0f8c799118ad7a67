import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newStrategyFiles, projectFiles } from '../../src/app/new-strategy-files.ts';

const example = fileURLToPath(new URL('../../examples/first', import.meta.url));

test('examples/first is the project that `godwit init first` writes', () => {
  const installed = 'node_modules/godwit';
  const sample = `${installed}/backtest/feeds/sample`;
  const files = [
    ...projectFiles('first', { sample, schemas: `${installed}/config/schema` }),
    ...newStrategyFiles('first', sample).filter(({ path }) => !path.startsWith('test/')),
  ];
  for (const { path, text } of files) expect(readFileSync(join(example, path), 'utf8'), path).toBe(text);
  const found = readdirSync(example, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  // It has a page of its own besides.
  expect(found).toHaveLength(files.length + 1);
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);

test('the program of docs/import.md prints what the page shows', () => {
  const page = readFileSync(new URL('docs/import.md', root), 'utf8');
  const section = page.slice(page.indexOf('## From a program'), page.indexOf('## Tables of books'));
  const [, program = '', printed = ''] = /```ts\n([\s\S]*?)```[\s\S]*?```\n([\s\S]*?)```/.exec(section) ?? [];
  expect(program).toContain("from 'godwit/data'");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=godwit-source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
      '--eval',
      program,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(stdout).toBe(printed);
});

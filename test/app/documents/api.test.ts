import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { program } from '../../../src/app/cli/program.ts';

const files = [
  ['openapi.json', []],
  ['openapi/exchange-v3.json', ['--exchange', 'v3']],
  ['openapi/exchange-v2.json', ['--exchange', 'v2']],
  ['openapi/sockets-v3.json', ['--sockets', 'v3']],
  ['openapi/sockets-v2.json', ['--sockets', 'v2']],
] as const;

async function openapi(args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const data = (line: string): void => void lines.push(line);
  const said = program({ data, progress: () => {}, colour: false });
  expect(await said.run(['node', 'godwit', 'openapi', ...args])).toBe(0);
  return `${lines.join('\n')}\n`;
}

test.each(files)('%s is what `godwit openapi` writes with %j', async (file, args) => {
  const kept = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const printed = await openapi(args);
  expect(printed === kept, `expected: godwit openapi ${args.join(' ')} > ${file}`).toBe(true);
});

test('REST and sockets at once, and a version that is not there, are refused', async () => {
  await expect(openapi(['--exchange', 'v3', '--sockets', 'v2'])).rejects.toThrow(
    'openapi: expected either --exchange or --sockets, found both',
  );
  await expect(openapi(['--exchange', 'v1'])).rejects.toThrow('Allowed choices are v3, v2');
});

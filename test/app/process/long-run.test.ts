import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { compilerFlagsOf } from '../../../bin/compiler-flags.js';

const source = new URL('../../../src/app/process/long-run.ts', import.meta.url).href;

/** What the optimising compiler finished of a function that is called thirty thousand times. */
function compiledOf(flags: readonly string[], before: string): string {
  const text = `${before}
    function often(n) { return (n * 7) % 11; }
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    let all = 0;
    for (let i = 0; i < 500; i++) all += numbers.map(often).length;
    if (all !== 30_000) throw new Error(String(all));`;
  const said = spawnSync(
    process.execPath,
    ['--trace-opt', '--no-concurrent-recompilation', ...flags, '--input-type=module', '--eval', text],
    { encoding: 'utf8' },
  );
  expect([said.status, said.stderr]).toEqual([0, '']);
  return said.stdout
    .split('\n')
    .filter(
      (line) => line.includes('completed compiling') && line.includes('often') && line.includes('TURBOFAN'),
    )
    .join('\n');
}

const early = `import { optimiseEarly } from ${JSON.stringify(source)}; optimiseEarly();`;

test('a backtest optimises its code late, and early once it takes long', () => {
  const flags = compilerFlagsOf('backtest');
  expect(compiledOf(flags, '')).toBe('');
  expect(compiledOf(flags, early)).toContain('often');
  expect(compiledOf(compilerFlagsOf('trade'), early)).toContain('often');
}, 30_000);

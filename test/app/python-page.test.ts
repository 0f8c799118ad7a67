import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/python.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'python-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const python = process.env['GODWIT_PYTHON'] ?? 'python3';
const packages = ['pandas', 'polars', 'pyarrow', 'quantstats'];
const isThere = spawnSync(python, ['-c', `import ${packages.join(', ')}`]).status === 0;

function blocks(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text ?? '',
  );
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr.slice(-2_000)).toBe(0);
  return stdout;
}

const title = 'the examples of the Python page run, and find the drawdown that the report states';
const reason = `needs ${packages.join(', ')} for ${python}; GODWIT_PYTHON names another one`;

test.skipIf(!isThere)(isThere ? title : `${title} (${reason})`, () => {
  symlinkSync(join(root, 'backtest'), join(folder, 'backtest'));
  const own = ['--store', join(folder, 'store.ndjson'), '--ledger', join(folder, 'ledger.ndjson')];
  const commands = blocks('sh').flatMap((text) => text.trim().split('\n'));
  expect(commands).toHaveLength(2);
  const outputs = commands.map((line) => {
    const [npx, godwit, verb, ...args] = line.split(' ');
    expect([npx, godwit]).toEqual(['npx', 'godwit']);
    const rest = verb === 'sweep' ? own : ['--no-save', '--json'];
    return run(process.execPath, [join(root, 'bin/godwit.js'), verb ?? '', ...args, ...rest]);
  });
  const examples = blocks('python');
  expect(examples).toHaveLength(5);
  const printed = run(python, ['-c', examples.join('\n')]);
  const found = Number(/^drawdown (\S+)$/m.exec(printed)?.[1]);
  expect(found).toBeLessThan(0);
  const { sections } = JSON.parse(outputs[0] ?? '') as {
    sections: { figures: { key: string; number?: number }[] }[];
  };
  const figures = sections.flatMap((section) => section.figures);
  expect(found).toBeCloseTo(-(figures.find(({ key }) => key === 'risk.drawdown')?.number ?? Number.NaN), 12);
});

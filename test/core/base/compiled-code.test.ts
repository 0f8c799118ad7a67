import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { compiledCode, compiledCodeToRead } from '../../../src/core/base/compiled-code.ts';

const file = fileURLToPath(new URL('../../../src/core/base/compiled-code.ts', import.meta.url));
const folder = process.env['NODE_COMPILE_CACHE'] ?? '';
mkdirSync(folder, { recursive: true });

const code = `
  import { getCompileCacheDir } from 'node:module';
  import { parentPort } from 'node:worker_threads';
  import { leaveCompiledCode } from ${JSON.stringify(`file://${file}`)};
  const may = (right) => process.permission.has(right, ${JSON.stringify(`${folder}/one`)});
  const state = () => [Object.keys(process.env).length, may('fs.read'), may('fs.write')];
  const before = state();
  leaveCompiledCode();
  parentPort.postMessage({ reads: getCompileCacheDir() !== undefined, before, after: state() });
`;

// Node before 26 reads compiled code only where it may write it.
test.runIf(Number.parseInt(process.versions.node, 10) >= 26)(
  'a thread of limited rights reads compiled code, never writes any, and leaves it before it loads code of others',
  async () => {
    const { environment, permissions } = compiledCodeToRead();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
      env: environment,
      execArgv: ['--permission', `--allow-fs-read=${file}`, ...permissions],
    });
    const [said] = (await once(worker, 'message')) as readonly unknown[];
    expect(said).toEqual({ reads: true, before: [2, true, false], after: [0, false, false] });
  },
);

test('where the name of the folder is empty no code is kept, and nothing is handed to a thread', () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '');
  try {
    expect(compiledCode()).toEqual({});
    expect(compiledCodeToRead()).toEqual({ environment: {}, permissions: [] });
  } finally {
    vi.unstubAllEnvs();
  }
});

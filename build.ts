import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// `npm pack` runs this before and, with --clean, after it packs: the package holds `dist`, a checkout runs its sources.

const root = import.meta.dirname;
rmSync(join(root, 'dist'), { recursive: true, force: true });
if (!process.argv.includes('--clean')) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`tsc ended with exit code ${status}`);
  const assets = globSync('src/**/*.{js,css}', { cwd: root });
  for (const asset of assets) cpSync(join(root, asset), join(root, 'dist', asset));
}

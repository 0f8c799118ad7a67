import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodePackages } from './bin/pinned-node.js';

// `npm pack` runs this before and, with --clean, after it packs: the package holds `dist` and leaves Node to its user, a
// checkout runs its sources under the Node that it pins.

const root = import.meta.dirname;
const clean = process.argv.includes('--clean');

// npm reads `package.json` of a published folder once more after packing, when it names the pinned Node again.
if (process.argv.includes('--refuse-publish')) {
  process.stderr.write(
    'expected npm publish with the file that npm pack writes, found npm publish of a checkout\n',
  );
  process.exit(1);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
if (!clean) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`tsc ended with exit code ${status}`);
  const assets = globSync('src/**/*.{js,css,html,svg}', { cwd: root });
  for (const asset of assets) cpSync(join(root, asset), join(root, 'dist', asset));
  removeUnusedDeclarations();
}
writeOptionalDependencies();

/** Removes the declarations that no export of the package leads to: nobody can import them. */
function removeUnusedDeclarations(): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const entries = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [] : [one.types]));
  const used = new Set(entries.map((path) => join(root, path)));
  // A set goes on over what is added to it meanwhile.
  for (const file of used)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\() ?["'](\.[^"']+)["']/g,
    )) {
      const declared = join(dirname(file), path.replace(/\.(?:js|ts)$/, '.d.ts'));
      if (existsSync(declared)) used.add(declared);
    }
  for (const path of globSync('dist/**/*.d.ts', { cwd: root }))
    if (!used.has(join(root, path))) rmSync(join(root, path));
}

/** Writes `optionalDependencies` of `package.json` as locked, for the package without the pinned Node. */
function writeOptionalDependencies(): void {
  interface Manifest {
    optionalDependencies: Readonly<Record<string, string>>;
  }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: { readonly '': Manifest };
  };
  const nodes = new Set(Object.values(nodePackages));
  const locked = Object.entries(lock.packages[''].optionalDependencies);
  const file = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  manifest.optionalDependencies = Object.fromEntries(locked.filter(([name]) => clean || !nodes.has(name)));
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

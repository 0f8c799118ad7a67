// Runs after `npm install`: some npm versions drop the link `node_modules/.bin/node` of an optional package
// (npm/cli#4362), and without it scripts would run under the system's Node.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from './pinned-node.js';

const binary = pinnedNode();
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.bin');
const link = join(folder, 'node');
if (binary !== undefined && process.platform !== 'win32' && !existsSync(link)) {
  mkdirSync(folder, { recursive: true });
  symlinkSync(binary, link);
}

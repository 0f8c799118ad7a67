import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importedFiles } from './imported-files.ts';
import { strategyFile } from './loader.ts';

/** The folder of Godwit's own modules. */
const ownSource = fileURLToPath(new URL('../..', import.meta.url));

/** Whether this Node can keep one thread from the network, from programs and from files. Before 25 it could not. */
export function canRestrict(): boolean {
  return process.allowedNodeEnvironmentFlags.has('--allow-net');
}

/**
 * The arguments of Node for a thread of strategies of limited trust: it reads their own files, the files these import,
 * Godwit, and packages installed where either can find them; it writes nothing, and has no network, no programs, no
 * threads and no native addons. Throws `BadInput` when there is no strategy at one of `paths`.
 */
export function restrictionsOf(paths: readonly string[]): readonly string[] {
  const readable = new Set([
    join(ownSource, '*'),
    ...paths.flatMap(filesOf),
    ...[ownSource, realpathSync(ownSource)].flatMap(packagesAbove),
  ]);
  return ['--permission', ...[...readable].map((one) => `--allow-fs-read=${one}`)];
}

function filesOf(path: string): readonly string[] {
  const file = strategyFile(path);
  const whole = resolve(path);
  const isFolder = statSync(whole).isDirectory();
  const own = isFolder ? [join(whole, '*'), join(realpathSync(whole), '*')] : [file, realpathSync(file)];
  return [...own, ...importedFiles([file]), ...[file, realpathSync(file)].flatMap(packagesAbove)];
}

/** Where Node looks for packages, and for what kind of modules the file at `path` holds: folders with all below them. */
export function packagesAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.flatMap((folder) => [
    join(folder, 'package.json'),
    ...modulesIn(join(folder, 'node_modules')),
  ]);
}

function modulesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return [folder, realpathSync(folder)];
}

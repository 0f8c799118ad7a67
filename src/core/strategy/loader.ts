import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BadInput } from '../base/errors.ts';
import type { StrategyDefinition } from './define.ts';
import { isStrategyDefinition } from './define.ts';
import { describeThrownAt } from './thrown.ts';
import { importedFiles } from './imported-files.ts';
import { resolveOwnPackage } from './own-package.ts';

const filesMax = 1_000;
const indexNames = ['index.ts', 'index.js'];

/**
 * The file a strategy path means: a `.ts` file, or the `index.ts` of a folder; `index.js` of those that the package ships
 * compiled. Throws `BadInput` naming the strategy (`name`: that in its run), the path and what was found there.
 */
export function strategyFile(path: string, name?: string): string {
  const full = resolve(path);
  const index = indexNames.map((name) => join(full, name)).find(isReadableFile);
  if (index !== undefined) return index;
  const who = strategyAt(path, name);
  const found = lookAt(full, who);
  if (found?.isDirectory() === true) {
    throw new BadInput(`${who}: expected an index.ts in this folder, found none`);
  }
  if (found?.isFile() === true && full.endsWith('.ts')) return full;
  const what = found === undefined ? 'nothing' : 'something else';
  throw new BadInput(`${who}: expected a .ts file or a folder with an index.ts, found ${what}`);
}

/** Words by which messages name a strategy whose code is at `path`: the name that it has in its run, once it has one. */
export function strategyAt(path: string, name?: string): string {
  return name === undefined || name === path ? `strategy ${path}` : `strategy ${name} (${path})`;
}

/** Whether a strategy may stand at `path`: something is there. */
export function strategyExists(path: string): boolean {
  try {
    return existsSync(path);
  } catch {
    return indexNames.some((name) => isReadableFile(join(path, name)));
  }
}

/**
 * Asked before the folder itself: under Node's permission model a folder (`maker`) cannot be looked at, although all in it can
 * be read, once a path that continues its name (`maker.yaml`) is allowed too.
 */
function isReadableFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** File or folder at `full`, if there is one. Throws `BadInput` naming the strategy when it cannot even be looked at. */
function lookAt(full: string, who: string): Stats | undefined {
  try {
    return statSync(full, { throwIfNoEntry: false });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new BadInput(
      `${who}: expected a .ts file or a folder with an index.ts, found nothing that can be read (${code})`,
      { cause: error },
    );
  }
}

/**
 * Imports a strategy. Throws `BadInput` in one sentence when the path, the module or its default export is not
 * what it must be. The module's code runs in this thread: for a live strategy see `launchWorker`. With the `name` that it
 * has in its run, the definition and all messages have that name, whatever its code calls it.
 */
export async function loadStrategy(path: string, name?: string): Promise<StrategyDefinition> {
  const file = strategyFile(path, name);
  const who = strategyAt(path, name);
  resolveOwnPackage();
  let module: unknown;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new BadInput(`${who}: it could not be loaded: ${describeThrownAt(error)}`, {
      cause: error,
    });
  }
  const found: unknown =
    typeof module === 'object' && module !== null ? Reflect.get(module, 'default') : undefined;
  if (isStrategyDefinition(found)) return name === undefined ? found : Object.freeze({ ...found, name });
  const what = found === undefined ? 'no default export' : `a default export of type ${typeof found}`;
  throw new BadInput(`${who}: expected export default defineStrategy({...}), found ${what}`);
}

/** A file of a strategy. */
export interface StrategyPart {
  /** From the folder of the strategy on; empty of a strategy that is one file. */
  readonly name: string;
  readonly path: string;
}

/**
 * Files of a strategy: its file, or the `.ts` (compiled: `.js`) and `.json` files of its folder in name order, then the
 * files that these import from elsewhere.
 */
export function strategyParts(path: string, name?: string): readonly StrategyPart[] {
  const file = strategyFile(path, name);
  const folder = file === resolve(path) ? undefined : resolve(path);
  const own = folder === undefined ? [file] : sourcesIn(folder, extname(file));
  const home = realpathSync(folder ?? dirname(file));
  const part = (within: string, at: string): StrategyPart => ({
    name: within.replaceAll('\\', '/'),
    path: at,
  });
  return [
    ...own.map((one) => part(folder === undefined ? '' : relative(folder, one), one)),
    ...importedFiles(own).map((one) => part(relative(home, one), one)),
  ];
}

/** SHA-256 (hexadecimal) over what a strategy is made of, names of files included. `name`: that in its run, for messages. */
export function hashStrategy(path: string, name?: string): string {
  const hash = createHash('sha256');
  for (const { name: within, path: part } of strategyParts(path, name)) {
    const bytes = readFileSync(part);
    hash.update(`${within}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function sourcesIn(folder: string, code: string): readonly string[] {
  const names = namesIn(folder)
    .filter((name) => name.endsWith(code) || name.endsWith('.json'))
    .sort();
  if (names.length > filesMax) {
    throw new BadInput(`strategy ${folder}: expected at most ${filesMax} files, found ${names.length}`);
  }
  return names.map((name) => join(folder, name));
}

/** Where the permission model hides the folder (see `isReadableFile`), the index alone: no report shows a hash of there. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
    if (isDenied) return indexNames.filter((name) => isReadableFile(join(folder, name)));
    throw error;
  }
}

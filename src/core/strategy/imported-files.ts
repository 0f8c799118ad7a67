import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BadInput } from '../base/errors.ts';

const filesMax = 1_000;
const ourOwn = fileURLToPath(new URL('../..', import.meta.url));
const gap = String.raw`(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)*`;
const imported = new RegExp(
  String.raw`\b(?:from|import)${gap}(?:\(${gap})?(["'\`])((?:\.{1,2}\/|\/|file:)[^"'\`\n]*)\1`,
  'g',
);

/**
 * The files that some files import by relative or absolute path, and those that these import, without the files
 * themselves, in order of their real paths. Packages and Godwit's own files are left out; so is a path that the code puts
 * together as it runs. The text alone is looked at: an import of types, or in a comment, counts too. Throws `BadInput`
 * when there are more than a thousand.
 */
export function importedFiles(files: readonly string[]): readonly string[] {
  const roots = files.map((file) => realpathSync(file));
  const seen = new Set(roots);
  const found: string[] = [];
  const toRead = [...roots];
  for (let file = toRead.pop(); file !== undefined; file = toRead.pop()) {
    if (file.endsWith('.json')) continue;
    for (const next of importsOf(file)) {
      if (seen.has(next)) continue;
      seen.add(next);
      found.push(next);
      toRead.push(next);
    }
    if (found.length > filesMax)
      throw new BadInput(`strategy ${files[0]}: expected at most ${filesMax} imported files, found more`);
  }
  return found.sort();
}

function importsOf(file: string): readonly string[] {
  const base = pathToFileURL(file);
  return [...readFileSync(file, 'utf8').matchAll(imported)].flatMap(([, , specifier = '']) => {
    const path = fileOf(specifier, base);
    return path === undefined || !isTheirs(path) ? [] : [path];
  });
}

/** The real path of what an import means, when there is a file. */
function fileOf(specifier: string, base: URL): string | undefined {
  try {
    const path = fileURLToPath(new URL(specifier, base));
    return statSync(path).isFile() ? realpathSync(path) : undefined;
  } catch {
    // There is no such file: the import fails, or is none.
    return undefined;
  }
}

function isTheirs(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`) && !path.startsWith(ourOwn);
}

import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { folders } from './folders.ts';

/** One source file: its path from the project's root with forward slashes, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every file below `folder` of the project at `root`. */
export function sourcesOf(root: string, folder: string, ending = '.ts'): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .filter((entry) => !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }));
}

/** The folder of the import table that a file of `src/` belongs to: the deepest one listed, or '' where none is. */
export function folderOf(path: string): string {
  const parts = path.split('/').slice(1, -1);
  while (parts.length > 0 && !(parts.join('/') in folders)) parts.pop();
  return parts.join('/');
}

/** Text without comments and without the contents of strings, so that words in them are no code. */
export function bare(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

/** The module specifiers a file imports, static and dynamic; not those of a file that it writes. */
export function importsOf(text: string): string[] {
  const found: string[] = [];
  const noComments = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/[^\n]*/gm, '')
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, '``');
  for (const match of noComments.matchAll(/^\s*(?:import|export)\b[^;'"]*?from\s+['"]([^'"]+)['"]/gm))
    found.push(match[1] ?? '');
  for (const match of noComments.matchAll(/^\s*import\s+['"]([^'"]+)['"]/gm)) found.push(match[1] ?? '');
  for (const match of noComments.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) found.push(match[1] ?? '');
  return found.filter((specifier) => !specifier.includes('${'));
}

/** The project path an import inside the project leads to, or `undefined` for a package. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

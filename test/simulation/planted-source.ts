import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fail } from '../../src/core/base/assert.ts';
import type { simulate } from './simulation.ts';

/** A change of the source that a check must see. */
export interface SourceChange {
  /** Below `src`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

interface Simulation {
  readonly simulate: typeof simulate;
}

/** The files of one copy: those that are changed, and all that import them, directly or not. */
interface Copy {
  readonly changes: readonly SourceChange[];
  readonly files: ReadonlySet<string>;
}

const root = new URL('../../', import.meta.url).href;
const sources = `${root}src/`;
const mark = '?planted=';
/** The copies made so far; one is known by its number. */
const copies: Copy[] = [];
/** An import or export from one of our files; those of types alone are left out, as Node erases them. */
const statement = /^(?:import|export)\b(?! type\b)[^;']*?'(\.[^'\n]+\.ts)';$/gm;
let isHooked = false;
let graph: ReadonlyMap<string, readonly string[]> | undefined;

/** A change at one place of one file. */
export function one(file: string, from: string, to = ''): readonly SourceChange[] {
  return [{ file, from, to }];
}

/**
 * Loads a second copy of the simulation, whose sources are changed on their way from the disk: no file is written, and other copies in this
 * process are not concerned. Modules that import no changed one, directly or not, are shared with them. Throws when a place is not in
 * its file exactly once.
 */
export async function simulationWith(changes: readonly SourceChange[]): Promise<Simulation> {
  for (const change of changes) checkPlace(change);
  if (!isHooked) hook();
  isHooked = true;
  const main = new URL('simulation.ts', import.meta.url).href;
  graph ??= importersFrom(main);
  copies.push({ changes, files: importersOf(changes, graph) });
  return (await import(`${main}${mark}${copies.length - 1}`)) as Simulation;
}

/** Throws unless the place of a change is in its file exactly once: a defect that is not planted would look like a survivor. */
export function checkPlace(change: SourceChange): void {
  changed(change, readFileSync(new URL(change.file, sources), 'utf8'));
}

/** Whether each change still has its one place once those before it are made. */
export function fitTogether(changes: readonly SourceChange[]): boolean {
  const texts = new Map<string, string>();
  for (const change of changes) {
    const { file, from, to } = change;
    const text = texts.get(file) ?? readFileSync(new URL(file, sources), 'utf8');
    if (text.split(from).length !== 2) return false;
    texts.set(
      file,
      text.replace(from, () => to),
    );
  }
  return true;
}

function changed({ file, from, to }: SourceChange, text: string): string {
  const places = text.split(from).length - 1;
  if (places !== 1) fail('a planted defect needs exactly one place in the source', { file, from, places });
  return text.replace(from, () => to);
}

/** The changed files and all that import them; throws where the simulation does not load one of them. */
function importersOf(
  changes: readonly SourceChange[],
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const files = new Set<string>();
  const open = changes.map(({ file }) => `${sources}${file}`);
  for (const file of open)
    if (!importers.has(file)) fail('a planted defect needs a file that the simulation loads', { file });
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    open.push(...(importers.get(file) ?? []));
  }
  return files;
}

/** Which of our modules import a module, of all that `main` comes to. */
function importersFrom(main: string): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>([[main, []]]);
  const open = [main];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = readFileSync(new URL(file), 'utf8');
    for (const [, name] of text.matchAll(statement)) {
      const imported = new URL(name ?? '', file).href;
      const known = importers.get(imported);
      if (known === undefined) open.push(imported);
      importers.set(imported, [...(known ?? []), file]);
    }
  }
  return importers;
}

/** What a module of a copy imports belongs to the same copy, if it is among the copy's files. */
function hook(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const number = numberOf(context.parentURL);
      const isCopied = number !== undefined && copies[number]?.files.has(resolved.url) === true;
      return isCopied ? { ...resolved, url: `${resolved.url}${mark}${number}` } : resolved;
    },
    load: (url, context, next) => {
      const loaded = next(url, context);
      const changes = copies[numberOf(url) ?? -1]?.changes ?? [];
      const ours = changes.filter(({ file }) => url.startsWith(`${sources}${file}${mark}`));
      if (ours.length === 0) return loaded;
      const text = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      return { ...loaded, source: ours.reduce((source, change) => changed(change, source), text) };
    },
  });
}

/** The number of the copy that a module belongs to; `undefined` for modules as they are. */
function numberOf(url: string | undefined): number | undefined {
  const at = url?.indexOf(mark) ?? -1;
  return url === undefined || at < 0 ? undefined : Number(url.slice(at + mark.length));
}

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fail } from '../../src/core/base/assert.ts';
import type { simulate } from './simulation.ts';

/** A change of one place in a source file, as it would be made by hand. */
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

const root = new URL('../../', import.meta.url).href;
const sources = `${root}src/`;
const mark = '?planted=';
/** The changes of every copy made so far; a copy is known by its number. */
const copies: (readonly SourceChange[])[] = [];
let isHooked = false;

/**
 * Loads a second copy of the whole simulation, whose sources are changed on their way from the disk: no file is written,
 * and other copies in this process are not concerned. Throws when a place is not in its file exactly once.
 */
export async function simulationWith(changes: readonly SourceChange[]): Promise<Simulation> {
  for (const change of changes) checkPlace(change);
  if (!isHooked) hook();
  isHooked = true;
  copies.push(changes);
  const url = new URL(`simulation.ts${mark}${copies.length - 1}`, import.meta.url);
  return (await import(url.href)) as Simulation;
}

/** Throws unless the place of a change is in its file exactly once: a defect that is not planted would look like a survivor. */
export function checkPlace(change: SourceChange): void {
  changed(change, readFileSync(new URL(change.file, sources), 'utf8'));
}

function changed({ file, from, to }: SourceChange, text: string): string {
  const places = text.split(from).length - 1;
  if (places !== 1) fail('a planted defect needs exactly one place in the source', { file, from, places });
  return text.replace(from, () => to);
}

/** What a module of a copy imports belongs to the same copy, unless it is a package or built in. */
function hook(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const copy = copyOf(context.parentURL);
      const isOurs = resolved.url.startsWith(root) && !resolved.url.includes('/node_modules/');
      return copy === undefined || !isOurs ? resolved : { ...resolved, url: `${resolved.url}${mark}${copy}` };
    },
    load: (url, context, next) => {
      const loaded = next(url, context);
      const changes = copies[copyOf(url) ?? -1] ?? [];
      const ours = changes.filter(({ file }) => url.startsWith(`${sources}${file}${mark}`));
      if (ours.length === 0) return loaded;
      const text = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      return { ...loaded, source: ours.reduce((source, change) => changed(change, source), text) };
    },
  });
}

/** The number of the copy that a module belongs to; `undefined` for modules as they are. */
function copyOf(url: string | undefined): number | undefined {
  const at = url?.indexOf(mark) ?? -1;
  return url === undefined || at < 0 ? undefined : Number(url.slice(at + mark.length));
}

import type { Source } from './source.ts';
import { targetOf } from './source.ts';

/** At most this part of the files of `src` is imported from outside of its folder, faces included. */
export const outsideMax = 0.3;

/**
 * Files that files of other folders import, by their folder. A folder within may use what stands above it. Where the share of
 * them exceeds `outsideMax`, every folder with several is a breach.
 */
export function isEnteredByFaces(sources: readonly Source[], most = outsideMax): string[] {
  const entered = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const target of staticTargets(path, text)) {
      const folder = folderOf(target);
      if (isWithin(folderOf(path), folder)) continue;
      entered.set(folder, (entered.get(folder) ?? new Set()).add(target));
    }
  }
  const count = [...entered.values()].reduce((sum, files) => sum + files.size, 0);
  if (count <= sources.length * most) return [];
  return [...entered]
    .filter(([, files]) => files.size > 1)
    .map(([folder, files]) => `${folder}: ${files.size} files are imported from outside`);
}

/** A face offers only names that files of other folders import from it. `entries` are faces for programs outside of the sources. */
export function facesAreUsed(sources: readonly Source[], entries: readonly string[] = []): string[] {
  const used = new Set(
    sources.flatMap(({ path, text }) =>
      namesImported(path, text).map(({ name, target }) => `${target}#${name}`),
    ),
  );
  return sources
    .filter(({ path }) => isFace(path) && !entries.includes(path))
    .flatMap((face) =>
      [...handedOnBy(face).values()]
        .flatMap((names) => [...names])
        .filter((name) => !used.has(`${face.path}#${name}`))
        .map((name) => `${face.path} offers ${name}, which no file imports from it`),
    );
}

/** Faces of folders whose `index.ts` is what authors of strategies and of fill models import. */
const innerFaces = ['src/core/strategy/framework.ts', 'src/sim/fill-models/models.ts'];

/** Whether a file is the face of its folder. */
export function isFace(path: string): boolean {
  return path.endsWith('/index.ts') || innerFaces.includes(path);
}

/** The names that a face hands on, by the file that they stand in. */
export function handedOnBy({ path, text }: Source): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, Set<string>>();
  for (const [, clause = '', specifier = ''] of text.matchAll(handed)) {
    const target = targetOf(path, specifier) ?? '';
    const names = namesIn(clause).map(({ local }) => local);
    files.set(target, new Set([...(files.get(target) ?? []), ...names]));
  }
  return files;
}

/** The names that a file imports or hands on from other files of the project. */
export function namesImported(
  path: string,
  text: string,
): { readonly name: string; readonly target: string }[] {
  return [...text.matchAll(named)].flatMap(([, clause = '', specifier = '']) => {
    const target = targetOf(path, specifier) ?? '';
    return namesIn(clause).map(({ name }) => ({ name, target }));
  });
}

const named = /^(?:import|export)(?:\s+type)?\s+\{([^}]*)\}\s+from\s+'(\.[^']+)';/gm;
const handed = /^export(?:\s+type)?\s+\{([^}]*)\}\s+from\s+'(\.[^']+)';/gm;

/** The names of a clause: as they stand there, and as they are called here. */
function namesIn(clause: string): { readonly name: string; readonly local: string }[] {
  return clause
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', local = name] = each.split(/\s+as\s+/);
      return { name, local };
    });
}

/** What a file imports when it is loaded: a dynamic import asks for one file because it wants no more. */
function staticTargets(path: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export|\})[^'"`\n]*\bfrom '(\.[^']+)';/gm)].flatMap(
    ([, specifier = '']) => targetOf(path, specifier) ?? [],
  );
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

function isWithin(folder: string, other: string): boolean {
  return `${folder}/`.startsWith(`${other}/`);
}

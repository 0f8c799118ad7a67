import type { Rule } from './rules.ts';
import { handedOnBy, isFace, namesImported } from './faces.ts';
import type { Source } from './source.ts';
import { bare, importsOf, targetOf } from './source.ts';

const exportedType = /^export (?:declare )?(?:abstract )?(?:class|interface|type) ([\w$]+)/gm;

/** An exported type has a name of its own in the whole of `src`. */
export const namesTypesOnce: Rule = (sources) => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name = ''] of bare(text).matchAll(exportedType)) {
      places.set(name, (places.get(name) ?? new Set()).add(path));
    }
  }
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `the type ${name} is exported by ${[...paths].join(' and ')}`);
};

const smallLines = 40;

/**
 * A file under 40 lines with a single importer belongs into that importer, unless it is the face of a folder, the file of a
 * process or worker, an `options.ts`, or one of `exceptions`: path → reason. Who imports from a face counts for each file that
 * the face hands on, and the face itself does not.
 */
export function standsAlone(
  sources: readonly Source[],
  exceptions: Readonly<Record<string, string>> = {},
): string[] {
  const importers = importersOf(sources);
  const small = new Map(
    sources
      .filter(
        ({ path, text }) =>
          text.split('\n').length - 1 < smallLines && !path.endsWith('/options.ts') && !isFace(path),
      )
      .map(({ path }) => [path, importers.get(path) ?? new Set<string>()]),
  );
  const breaches = [...small]
    .filter(([path, by]) => by.size === 1 && exceptions[path] === undefined)
    .map(([path, by]) => `${path} has a single importer, ${[...by].join('')}: it belongs there`);
  const idle = Object.keys(exceptions)
    .filter((path) => small.get(path)?.size !== 1)
    .map((path) => `${path} needs no exception`);
  return [...breaches, ...idle];
}

/** Files that import each file, through the face of its folder or by themselves. */
function importersOf(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map<string, Set<string>>();
  const imports = sources.flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      const target = targetOf(path, specifier);
      return target === undefined ? [] : [{ path, target }];
    }),
  );
  for (const { path, target } of imports) direct.set(target, (direct.get(target) ?? new Set()).add(path));
  // A face that nobody imports is what a program outside of the sources sees: it counts as itself.
  const faces = new Map(
    sources
      .filter(({ path }) => isFace(path) && direct.has(path))
      .map((face) => [face.path, handedOnBy(face)]),
  );
  const found = new Map<string, Set<string>>();
  for (const [target, paths] of direct)
    found.set(target, new Set([...paths].filter((path) => !faces.get(path)?.has(target))));
  const note = (path: string, target: string, name: string): void => {
    for (const [file, names] of faces.get(target) ?? [])
      if (names.has(name)) {
        found.set(file, (found.get(file) ?? new Set()).add(path));
        note(path, file, name);
      }
  };
  for (const { path, text } of sources)
    if (!faces.has(path)) for (const { name, target } of namesImported(path, text)) note(path, target, name);
  return found;
}

/** A file does not repeat its folder's name; the main file of a folder may be called as the folder is. */
export const namesFilesOnce: Rule = (sources) =>
  sources.flatMap(({ path }) => {
    const [name = '', folder = ''] = path.split('/').toReversed();
    const stem = name.replace(/\.ts$/, '');
    const repeated = [folder, folder.replace(/(?<!s)s$/, '')].find(
      (word) => stem.startsWith(`${word}-`) || stem.endsWith(`-${word}`),
    );
    return repeated === undefined ? [] : [`${path} repeats the name of its folder, ${folder}`];
  });

import type { Rule } from './rules.ts';
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
 * A file under 40 lines with a single importer belongs into that importer, unless it is the file of a process or worker, an
 * `options.ts`, or one of `exceptions`: path → reason.
 */
export function standsAlone(
  sources: readonly Source[],
  exceptions: Readonly<Record<string, string>> = {},
): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const specifier of importsOf(text)) {
      const target = targetOf(path, specifier);
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  const small = new Map(
    sources
      .filter(({ path, text }) => text.split('\n').length - 1 < smallLines && !path.endsWith('/options.ts'))
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

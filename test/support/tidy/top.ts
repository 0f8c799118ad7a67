import type { Rule } from './rules.ts';
import { importsOf, targetOf } from './source.ts';

/** What each of the eight folders of `src/` may import besides its own files. The table that `ARCHITECTURE.md` shows. */
export const topFolders: Readonly<Record<string, readonly string[]>> = {
  core: [],
  venues: ['core'],
  data: ['core'],
  exchange: ['core', 'venues/hitbtc/wire'],
  sim: ['core', 'exchange/matching'],
  research: ['core', 'data', 'sim'],
  operate: ['core'],
  app: ['core', 'venues', 'data', 'exchange', 'sim', 'research', 'operate'],
};

/** Every file stands in one of the eight folders and imports its own folder and those of the table, nothing else. */
export const keepsToTheTopTable: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const top = topOf(path);
    const allowed = topFolders[top];
    if (allowed === undefined) return [`${path}: src/${top} is not in the table of folders`];
    return importsOf(text).flatMap((specifier) => {
      const target = targetOf(path, specifier);
      if (target === undefined || topOf(target) === top) return [];
      const isAllowed = allowed.some((folder) => target.startsWith(`src/${folder}/`));
      return isAllowed ? [] : [`${path} imports ${target}, but ${top} may not`];
    });
  });

function topOf(path: string): string {
  return path.split('/')[1] ?? '';
}

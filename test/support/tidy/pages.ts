import type { Page } from '../../../docs/site/pages.ts';
import { anchorOf, linksOf, proseOf, targetOf } from '../../../docs/site/pages.ts';

const cellWordsMax = 30;

/** Table cells of more than 30 words: a table is for looking up, and what needs sentences stands below it. */
export function longCells(pages: readonly Page[]): string[] {
  return pages.flatMap(({ path, text }) =>
    proseOf(text)
      .split('\n')
      .flatMap((line, index) => {
        if (!line.startsWith('|')) return [];
        const counts = line.split(/(?<!\\)\|/).map((cell) => cell.split(/\s+/).filter(Boolean).length);
        return counts
          .filter((count) => count > cellWordsMax)
          .map((count) => `${path}:${index + 1}: a cell of ${count} words, more than ${cellWordsMax}`);
      }),
  );
}

/** Links of pages to a page or a heading that is not there. `exists` tells of files that are no page. */
export function brokenLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const headings = new Map(
    pages.map(({ path, text }) => [
      path,
      new Set([...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))),
    ]),
  );
  return pages.flatMap(({ path, text }) =>
    linksOf(text).flatMap((link) => {
      const target = targetOf(path, link);
      if (target === undefined) return [];
      const known = headings.get(target.path);
      const isThere =
        target.anchor === undefined ? known !== undefined || exists(target.path) : known?.has(target.anchor);
      return isThere === true ? [] : [`${path}: the link ${link} leads nowhere`];
    }),
  );
}

const contents = 'docs/README.md';
const parts = ['Start', 'Write a strategy', 'Research', 'Operate', 'Reference'];

/** The contents page has its four parts and reference, and names each page of `docs` once. */
export function contentsOf(pages: readonly Page[]): string[] {
  const text = pages.find(({ path }) => path === contents)?.text ?? '';
  const found = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  const wrong = found.join() === parts.join() ? [] : [`${contents}: expected the parts ${parts.join(', ')}`];
  const counts = pages
    .filter(({ path }) => path.startsWith('docs/') && path !== contents)
    .map(({ path }) => ({ path, count: text.split(`](${path.slice(5)})`).length - 1 }));
  return [
    ...wrong,
    ...counts
      .filter(({ count }) => count !== 1)
      .map(({ path, count }) => `${contents} names ${path} ${count} times`),
  ];
}

import type { Source } from './source.ts';

/** A page of the documents: its path from the project's root, and its text. */
export type Page = Source;

const cellWordsMax = 30;

/** Text of a page without its fenced blocks, whose lines are neither cells nor links. Line numbers stay. */
const prose = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));

/** Table cells of more than 30 words: a table is for looking up, and what needs sentences stands below it. */
export function longCells(pages: readonly Page[]): string[] {
  return pages.flatMap(({ path, text }) =>
    prose(text)
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

/** The anchor that a heading gets where pages are shown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Links of pages to a page or a heading that is not there. `exists` tells of files that are no page. */
export function brokenLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const headings = new Map(
    pages.map(({ path, text }) => [
      path,
      new Set([...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))),
    ]),
  );
  return pages.flatMap(({ path, text }) =>
    [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : resolved(path, file);
      const known = headings.get(target);
      const isThere = anchor === undefined ? known !== undefined || exists(target) : known?.has(anchor);
      return isThere === true ? [] : [`${path}: the link ${link} leads nowhere`];
    }),
  );
}

function resolved(from: string, link: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const step of link.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
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

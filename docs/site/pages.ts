import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

/** A page of the documents: its path from the project's root, and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Every page that the site shows, and that the tests read. */
export function pagesOf(root: string): Page[] {
  return globSync(['*.md', 'docs/*.md', '{strategies,backtest,test,examples}/**/README.md'], {
    cwd: root,
    exclude: ['**/node_modules', '**/.python'],
  })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Text of a page without its fenced blocks, whose lines are neither cells, headings nor links. Line numbers stay. */
export function proseOf(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}

/** The anchor that a heading gets where pages are shown. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Path from the project's root of what a page links to; `undefined` for an address on another host. */
export function targetOf(
  from: string,
  link: string,
): { path: string; anchor: string | undefined } | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : join(dirname(from), file).replace(/\/$/, '');
  return { path, anchor };
}

/** Links of the prose of a page, as they are written. */
export function linksOf(text: string): string[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Where a page stands in the site: `docs/bars.md` is `docs/bars.html`, and a README is the index of its folder. */
export function outputOf(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}

/** A link of a page as the site has it: relative, so that the site works in any folder and from a disk. */
export function siteLink(from: string, link: string): string {
  const target = targetOf(from, link);
  if (target === undefined || link.startsWith('#')) return link;
  const way = relative(dirname(outputOf(from)), outputOf(target.path));
  return target.anchor === undefined ? way : `${way}#${target.anchor}`;
}

/** Files beside the pages that these link to, such as pictures. Throws for a link to a folder, of which the site has no page. */
export function filesOf(root: string, pages: readonly Page[]): string[] {
  const known = new Set(pages.map(({ path }) => path));
  const files = new Set<string>();
  for (const { path: from, text } of pages)
    for (const link of linksOf(text)) {
      const target = targetOf(from, link);
      if (target === undefined || known.has(target.path)) continue;
      if (!statSync(join(root, target.path)).isFile())
        throw new Error(`${from}: the link ${link} is to a folder: expected a file, such as its README.md`);
      files.add(target.path);
    }
  return [...files];
}

export interface Part {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly path: string; readonly topic: string }[];
}

/** Parts of the contents page, and the pages that the rows of their tables name. */
export function partsOf(path: string, text: string): Part[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      entries: [...part.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$/gm)].map(
        ([, title = '', link = '', topic = '']) => ({
          title,
          path: targetOf(path, link)?.path ?? '',
          topic: plain(topic),
        }),
      ),
    }));
}

/** Part of a page below one heading, as the search finds it. */
export interface Section {
  /** Of the page. */
  readonly page: string;
  /** Of the section; that of the page for what stands above its first heading. */
  readonly heading: string;
  readonly url: string;
  readonly text: string;
}

/** Sections of a page in their order, without the marks of Markdown. */
export function sectionsOf({ path, text }: Page): Section[] {
  const page = titleOf({ path, text });
  const sections: { heading: string; anchor: string; lines: string[] }[] = [
    { heading: page, anchor: '', lines: [] },
  ];
  const seen = new Map<string, number>();
  let isBlock = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isBlock = !isBlock;
    const [, heading] = (isBlock ? undefined : /^#{2,4} (.*)$/.exec(line)) ?? [];
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: plain(heading), anchor: numbered(anchorOf(heading), seen), lines: [] });
  }
  return sections.map(({ heading, anchor, lines }) => ({
    page,
    heading,
    url: anchor === '' ? outputOf(path) : `${outputOf(path)}#${anchor}`,
    text: plain(lines.join('\n')),
  }));
}

/** The first heading of a page. */
export function titleOf({ path, text }: Page): string {
  const [, heading] = /^# (.*)$/m.exec(text) ?? [];
  return heading === undefined ? path : plain(heading);
}

/** The second heading of one name gets a number, as where repositories are shown. */
export function numbered(anchor: string, seen: Map<string, number>): string {
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*\|?[-|: ]+\|\s*$/gm, ' ')
    .replaceAll(/```\w*|[`*|]|^#+ /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Links of the built site that lead nowhere: `files` are its paths, with the text of those that are pages. */
export function deadLinks(files: ReadonlyMap<string, string | undefined>): string[] {
  const anchors = new Map(
    [...files].flatMap(([path, html]) =>
      html === undefined ? [] : [[path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]],
    ),
  );
  return [...files].flatMap(([path, html = '']) =>
    [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].flatMap(([, link = '']) => {
      const target = targetOf(path, link);
      if (target === undefined) return [];
      const isThere =
        target.anchor === undefined ? files.has(target.path) : anchors.get(target.path)?.has(target.anchor);
      return isThere === true ? [] : [`${path}: the link ${link} leads nowhere`];
    }),
  );
}

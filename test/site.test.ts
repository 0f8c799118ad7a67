import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { highlight } from '../docs/site/highlight.ts';
import { deadLinks, filesOf, outputOf, pagesOf, partsOf, sectionsOf, siteLink } from '../docs/site/pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = pagesOf(root);

test('the site has every page of docs in its parts, and the files that pages link to', () => {
  const text = pages.find(({ path }) => path === 'docs/README.md')?.text ?? '';
  const named = partsOf('docs/README.md', text).flatMap(({ entries }) => entries.map(({ path }) => path));
  const expected = pages.map(({ path }) => path).filter((path) => !path.endsWith('/README.md'));
  expect(expected.filter((path) => !named.includes(path))).toEqual([]);
  expect(filesOf(root, pages)).toContain('docs/dashboard.webp');
  expect(() => filesOf(root, [{ path: 'docs/a.md', text: '[all](../strategies)' }])).toThrow(
    'docs/a.md: the link ../strategies is to a folder',
  );
});

test('links are relative, so that the site works in any folder', () => {
  expect(outputOf('README.md')).toBe('index.html');
  expect(siteLink('docs/bars.md', 'reports.md#doubts')).toBe('reports.html#doubts');
  expect(siteLink('docs/bars.md', '../README.md')).toBe('../index.html');
  expect(siteLink('README.md', 'strategies/grid/README.md')).toBe('strategies/grid/index.html');
  expect(siteLink('docs/bars.md', '#time')).toBe('#time');
  expect(siteLink('docs/bars.md', 'https://semver.org')).toBe('https://semver.org');
});

test('the search finds a page by its headings, without marks, tables and what blocks call a heading', () => {
  const text =
    '# *Bars*\n\nA `bar` of [one](a.md).\n\n| a | b |\n|---|---|\n| c | d |\n\n## Time\n\n```sh\n## none\n```\n\n## Time\n\nAgain.\n';
  expect(sectionsOf({ path: 'docs/bars.md', text })).toEqual([
    { page: 'Bars', heading: 'Bars', url: 'docs/bars.html', text: 'Bars A bar of one. a b c d' },
    { page: 'Bars', heading: 'Time', url: 'docs/bars.html#time', text: 'none' },
    { page: 'Bars', heading: 'Time', url: 'docs/bars.html#time-1', text: 'Again.' },
  ]);
});

test('a link of the built site to a page, a heading or a file that is not there is found', () => {
  const built = new Map([
    ['index.html', '<a href="docs/a.html#time">a</a><img src="docs/b.webp"><a href="docs/c.html">c</a>'],
    [
      'docs/a.html',
      '<h2 id="time">Time</h2><a href="../index.html#gone">back</a><a href="https://a.b">out</a>',
    ],
    ['docs/b.webp', undefined],
  ]);
  expect(deadLinks(built)).toEqual([
    'index.html: the link docs/c.html leads nowhere',
    'docs/a.html: the link ../index.html#gone leads nowhere',
  ]);
});

test('code is escaped, and its comments, words, texts and numbers are marked', () => {
  expect(highlight("const a = '<b>'; // 1 & 2", 'ts')).toBe(
    '<i class="k">const</i> a = <i class="s">\'&lt;b&gt;\'</i>; <i class="c">// 1 &amp; 2</i>',
  );
  expect(highlight('fees: { maker: 0.1 } # made up', 'yaml')).toBe(
    '<i class="k">fees</i>: { maker: <i class="n">0.1</i> } <i class="c"># made up</i>',
  );
  expect(highlight('{"a": "b"}', 'json')).toBe(
    '{<i class="k">&quot;a&quot;</i>: <i class="s">&quot;b&quot;</i>}',
  );
  expect(highlight('npx godwit data list   # all <of> it', '')).toBe(
    'npx godwit data list   <i class="c"># all &lt;of&gt; it</i>',
  );
});

test('the generator is one package, which is locked without addresses and installs no native part and no script', () => {
  interface Lock {
    readonly packages: Readonly<
      Record<
        string,
        {
          devDependencies?: object;
          resolved?: string;
          hasInstallScript?: boolean;
          os?: readonly string[];
        }
      >
    >;
  }
  const { packages } = JSON.parse(readFileSync(`${root}docs/site/package-lock.json`, 'utf8')) as Lock;
  expect(Object.keys(packages['']?.devDependencies ?? {})).toEqual(['@11ty/eleventy']);
  const odd = Object.entries(packages).filter(
    ([, { resolved, hasInstallScript, os }]) =>
      resolved !== undefined || hasInstallScript === true || os !== undefined,
  );
  expect(odd.map(([name]) => name)).toEqual([]);
  expect(readFileSync(`${root}docs/site/.npmrc`, 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['ignore-scripts=true', 'omit=optional']),
  );
});

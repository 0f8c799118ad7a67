import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { highlight } from './highlight.ts';
import {
  anchorOf,
  deadLinks,
  filesOf,
  numbered,
  outputOf,
  pagesOf,
  partsOf,
  sectionsOf,
  siteLink,
  titleOf,
} from './pages.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const output = join(root, 'site');
const contents = 'docs/README.md';

/** `npm run site`: the pages of the project as HTML in `site/`, with a search that needs no server. */
export default function configure(eleventy) {
  const pages = pagesOf(root);
  const parts = partsOf(contents, pages.find(({ path }) => path === contents).text);
  const order = parts.flatMap(({ entries }) => entries);
  for (const { path, text } of pages) {
    const at = order.findIndex((entry) => entry.path === path);
    eleventy.addTemplate(`pages/${path}`, text, {
      layout: 'page.11ty.js',
      permalink: outputOf(path),
      title: titleOf({ path, text }),
      path,
      parts,
      previous: order[at - 1],
      next: at < 0 ? undefined : order[at + 1],
    });
  }
  for (const file of filesOf(root, pages)) eleventy.addPassthroughCopy({ [join(root, file)]: file });
  eleventy.addPassthroughCopy({ [join(root, 'src/operate/page/icon.svg')]: 'docs/site/icon.svg' });
  for (const file of ['site.css', 'site.js'])
    eleventy.addPassthroughCopy({ [join(here, file)]: `docs/site/${file}` });
  eleventy.amendLibrary('md', (markdown) => write(markdown));
  eleventy.on('eleventy.after', () => {
    const index = pages.flatMap(sectionsOf);
    writeFileSync(join(output, 'docs/site/index.js'), `globalThis.siteIndex = ${JSON.stringify(index)};\n`);
    const files = globSync('**/*.*', { cwd: output }).map((path) => path.replaceAll('\\', '/'));
    const dead = deadLinks(
      new Map(
        files.map((path) => [
          path,
          path.endsWith('.html') ? readFileSync(join(output, path), 'utf8') : undefined,
        ]),
      ),
    );
    if (dead.length > 0) throw new Error(dead.join('\n'));
    process.stdout.write(
      `${pages.length} pages, ${index.length} sections for the search, no dead link: site/index.html\n`,
    );
  });
  return {
    dir: { input: here, output, includes: 'layouts' },
    templateFormats: ['md', '11ty.js'],
    markdownTemplateEngine: false,
  };
}

/** Links of the site, anchors of headings, tables that scroll by themselves, and code in colours. */
function write(markdown) {
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    const seen = new Map();
    tokens.forEach((token, at) => {
      if (token.type === 'heading_open' && token.tag !== 'h1')
        token.attrSet('id', numbered(anchorOf(tokens[at + 1].content), seen));
      for (const child of token.children ?? [])
        for (const name of ['href', 'src'])
          if (child.attrGet(name) !== null) child.attrSet(name, siteLink(env.path, child.attrGet(name)));
    });
  });
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (tokens, at) =>
    `<pre><code>${highlight(tokens[at].content, tokens[at].info.trim())}</code></pre>\n`;
  rules.heading_close = (tokens, at) => {
    const id = tokens[at - 2].attrGet('id');
    const anchor =
      id === null ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`;
    return `${anchor}</${tokens[at].tag}>\n`;
  };
}

import { escape } from '../highlight.ts';
import { outputOf, siteLink } from '../pages.ts';

/** The frame of every page: head, parts of the contents at the left, the page, its headings at the right. */
export default class Layout {
  render({ content, path, title, parts, previous, next }) {
    const to = (target) => escape(siteLink(path, `${'../'.repeat(path.split('/').length - 1)}${target}`));
    const file = (name) =>
      escape(siteLink(path, `${'../'.repeat(path.split('/').length - 1)}docs/site/${name}`));
    const root = '../'.repeat(outputOf(path).split('/').length - 1);
    const headings = [...content.matchAll(/<h2 id="([^"]+)"[^>]*>(.*?)<\/h2>/g)];
    const step = (entry, word) =>
      entry === undefined ? '' : `<a class="${word}" href="${to(entry.path)}">${escape(entry.title)}</a>`;
    return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === 'Godwit' ? 'Godwit' : `${title} · Godwit`)}</title>
<link rel="icon" href="${file('icon.svg')}">
<link rel="stylesheet" href="${file('site.css')}">
<script src="${file('site.js')}"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<button id="menu" aria-expanded="false" aria-controls="parts" aria-label="Contents">☰</button>
<a class="home" href="${to('README.md')}">Godwit</a>
<form id="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the pages" autocomplete="off" spellcheck="false">
<ol id="found" hidden></ol>
</form>
<button id="theme" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav id="parts" aria-label="Contents">
${parts
  .map(
    (part) => `<h2>${escape(part.title)}</h2>
<ul>
${part.entries
  .map((entry) => {
    const here = entry.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${to(entry.path)}"${here} title="${escape(entry.topic)}">${escape(entry.title)}</a></li>`;
  })
  .join('\n')}
</ul>`,
  )
  .join('\n')}
</nav>
<main id="content" tabindex="-1">
${content}
<div class="steps">${step(previous, 'previous')}${step(next, 'next')}</div>
</main>
<nav class="headings" aria-label="On this page">
${headings.length < 2 ? '' : `<h2>On this page</h2>\n<ul>\n${headings.map(([, id, text]) => `<li><a href="#${id}">${text.replace(/ <a class="anchor".*/, '')}</a></li>`).join('\n')}\n</ul>`}
</nav>
</div>
</body>
</html>
`;
  }
}

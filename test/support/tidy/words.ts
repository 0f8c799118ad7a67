import type { Source } from './source.ts';
import { bare } from './source.ts';

/** Words of an old dialect. The field has its own: login, product, wallet, pool; a thing is reported, printed, received. */
const dialect = ['told', 'heard', 'doors?', 'seats?', 'purses?', 'shel(?:f|ves)', 'wings?']
  .flatMap((word) => [`(?<![A-Za-z])${word}`, word.charAt(0).toUpperCase() + word.slice(1)])
  .join('|');
const dialectWord = new RegExp(`(?:${dialect})(?![a-z])`, 'g');

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const titles =
  /(?:\b(?:test|describe)(?:\.\w+)*|^\s*\]?\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"|`([^`]*)`)/gm;

/**
 * Names, comments and titles of tests speak plainly. Other texts are what the product prints or what a venue sends. `allowed`
 * says how many words of the dialect a folder may still have: it only falls.
 */
export function speaksPlainly(
  sources: readonly Source[],
  allowed: Readonly<Record<string, number>> = {},
): string[] {
  const found = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const top = path.split('/')[0] ?? '';
    const said = [bare(text).replaceAll(/`(?:[^`\\]|\\.)*`/g, ''), ...commentsOf(text), ...titlesOf(text)];
    const words = said.flatMap((part) => [...part.matchAll(dialectWord)].map(([word]) => word));
    if (words.length === 0) continue;
    found.set(top, [...(found.get(top) ?? []), ...words.map((word) => `${path} says "${word}"`)]);
  }
  return [...found].flatMap(([top, breaches]) => (breaches.length > (allowed[top] ?? 0) ? breaches : []));
}

function commentsOf(text: string): string[] {
  return [...text.matchAll(comments)].map(([comment]) => comment);
}

function titlesOf(text: string): string[] {
  return [...text.matchAll(titles)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

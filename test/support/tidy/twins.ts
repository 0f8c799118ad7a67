import type { Source } from './source.ts';

/** What is faster by less is noise: the plain form stays, and the twin goes. */
const leastGain = 1.03;

const sentence = /\bFast twin of [^:]{1,200}: row `([\w-]+)`, (\d+(?:\.\d+)?) times as (?:fast|small)\b/g;
const other = /\bfast twins?\b/i;
const gain = /\b(?:Worth|Without (?:it|these))\b[^.]{0,160}\brows?\b/;

/**
 * A file with a faster form of something says of what, and the bench row that it wins with the ratio:
 * "Fast twin of JSON: row `frames-4-ring`, 10 times as fast.", or "as small" in a row of memory. A gain in a bench row is told in no other words.
 */
export function fastTwinsWin(sources: readonly Source[], rows: readonly string[]): string[] {
  const known = new Set(rows);
  return sources.flatMap(({ path, text }) => {
    const breaches: string[] = [];
    const rest = commentsOf(text).replaceAll(sentence, (_whole, row: string, ratio: string) => {
      if (!known.has(row)) breaches.push(`${path}: there is no bench row ${row}`);
      if (Number(ratio) < leastGain) breaches.push(`${path}: ${ratio} times as fast is noise`);
      return '';
    });
    if (other.test(rest))
      breaches.push(`${path}: a fast twin names what it is a twin of, its bench row and the ratio`);
    if (gain.test(rest)) breaches.push(`${path}: a gain in a bench row is told as that of a fast twin`);
    return breaches;
  });
}

/** All comments of a file, without their marks, in one line. */
function commentsOf(text: string): string {
  const found = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? [];
  return found
    .map((comment) => comment.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)/gm, ' ').replaceAll('*/', ' '))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// A pattern may go over a text again from each of its characters: on 100 KiB of a text that somebody else chose, that is minutes.

const root = fileURLToPath(new URL('../../', import.meta.url));
const size = 100 * 1_024;
const limitMs = 10;

/** Regular expressions as they are written, each with a file that has it. */
function patterns(): Map<string, string> {
  const literal =
    /(?:^|[(,=:!&|?[{;]|return|=>)\s*(\/(?:\\.|\[(?:[^\]\\\n]|\\.)*\]|[^/\\[\n*])(?:\\.|\[(?:[^\]\\\n]|\\.)*\]|[^/\\[\n])*\/[dgimsuvy]*)/gm;
  const found = new Map<string, string>();
  for (const path of globSync('{src,bin,strategies}/**/*.{ts,js}', { cwd: root })) {
    const text = readFileSync(`${root}${path}`, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    for (const [, pattern = ''] of text.matchAll(literal)) found.set(pattern, path);
  }
  return found;
}

function patternOf(written: string): RegExp {
  const end = written.lastIndexOf('/');
  return new RegExp(written.slice(1, end), written.slice(end + 1));
}

const filled = (unit: string, end: string): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size - 1) + end;
const common = [
  ...['a', '0', ' '].flatMap((unit) => ['\0', '/', '(', '\n'].map((end) => filled(unit, end))),
  ...['-', '.', '\n', '"', '\\', '[', 'a ', 'a.', '1e', '/', '=', "'", '`', 'é', '${', ':1', '{"a":'].map(
    (unit) => filled(unit, '\0'),
  ),
];

/** Texts of what a pattern itself is written with, letter by letter and all together. */
function ownTexts(source: string): string[] {
  const letters = source.replaceAll(/\\[dwsDWSbBpP]|[\\^$*+?()[\]{}|]/g, '');
  const units = [...new Set(letters)].slice(0, 4);
  return [...units, units.join('')].filter((unit) => unit !== '').map((unit) => filled(unit, '\0'));
}

/** Processor time of one pass of the pattern over the text. */
function passMs(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const begun = process.threadCpuUsage();
  let matches = 0;
  while (pattern.exec(text) !== null && pattern.global && matches < 1_000) matches += 1;
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}

/** The longest of all passes; one that is too long is tried again, since the first may compile the pattern. */
function slowest(written: string): number {
  let most = 0;
  for (const text of [...common, ...ownTexts(patternOf(written).source)]) {
    const pattern = patternOf(written);
    let took = passMs(pattern, text);
    for (let tries = 0; took > limitMs && took < 500 && tries < 5; tries += 1)
      took = Math.min(took, passMs(pattern, text));
    most = Math.max(most, took);
    if (most > limitMs) return most;
  }
  return most;
}

test('no pattern of the sources takes longer than 10 ms on 100 KiB of hostile text', () => {
  const all = patterns();
  expect(all.size).toBeGreaterThan(400);
  const slow = [...all].flatMap(([written, path]) => {
    const took = slowest(written);
    return took > limitMs ? [`${path}: ${written} took ${Math.round(took)} ms`] : [];
  });
  expect(slow).toEqual([]);
});

test('a pattern that goes over its text from each character takes far longer than one that does not', () => {
  const text = `${'0'.repeat(10_000)}\0`;
  const wise = Math.min(...[1, 2, 3].map(() => passMs(/(?<!0)0+$/, text)));
  expect(Math.min(passMs(/0+$/, text), passMs(/0+$/, text))).toBeGreaterThan(5 * wise);
});

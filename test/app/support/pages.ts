import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The tutorial is run whole by a test of its own. */
export const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  .filter((page) => !page.endsWith('tutorial.md'))
  // What docs/commands.md shows has been run for other pages, but for a few lines.
  .toSorted(
    (a, b) => Number(a === 'docs/commands.md') - Number(b === 'docs/commands.md') || (a < b ? -1 : 1),
  );

export interface Shown {
  readonly page: string;
  /** As a reader would type it: the comment beside it left out. */
  readonly line: string;
}

/** Words with which a line of a block is a command and no output. */
const programs =
  /^(?:\w+=\S+ )*(?:npx|npm|node|godwit|sudo|docker|systemctl|useradd|install|cp|curl|export|nats-server) /;

/** A command of a page, and the lines that the page says it prints. */
export interface Printed extends Shown {
  readonly output: readonly string[];
}

/** Blocks of text in which a line after `$ ` is a command, and the lines below it are what it prints. */
export function outputsOf(page: string): readonly Printed[] {
  return [...read(page).matchAll(/^```text\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [line = '', ...output] = text.split('\n');
        return { page, line, output: output.filter((one) => one.trim() !== '' && one.trim() !== '…') };
      }),
  );
}

/** A line as it is compared: what differs from run to run is left out. */
const comparable = (line: string): string =>
  line
    .replaceAll(/--confirm \S+/g, '--confirm #')
    .replaceAll(/\b(buy|sell)\b/g, 'side')
    .replaceAll(/\S*\d\S*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Lines of a page that a command did not print; one that ends in `…` is the beginning of a line. */
export function missingLines(output: readonly string[], printed: string): readonly string[] {
  const lines = printed.split('\n').map(comparable);
  return output.filter((one) => {
    const [shown = ''] = one.split('…');
    return shown === one
      ? !lines.includes(comparable(shown))
      : !lines.some((line) => line.startsWith(comparable(shown)));
  });
}

/** Every command line of a block: one that ends in a backslash is joined with the next. */
export function linesOfBlocks(page: string): readonly Shown[] {
  return [...read(page).matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => programs.test(line) || line === 'nats-server')
      .map((line) => ({ page, line: line.replace(/\s+#.*$/, '').trim() })),
  );
}

/**
 * Every command of Godwit in the text of a page. In a cell of a table that begins with one, what follows in code is one, too:
 * "`godwit pause`, `resume`".
 */
export function linesOfText(page: string): readonly Shown[] {
  const text = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  const spans = [...text.matchAll(/`((?:npx )?godwit [^`]+)`/g)].map(([, line = '']) =>
    line.replaceAll(/\s+/g, ' '),
  );
  const rest = [...text.matchAll(/^\| `godwit [^`|]+`((?:, `[^`|]+`)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) => `godwit ${line}`),
  );
  return [...spans, ...rest].map((line) => ({ page, line }));
}

/** A line as `npx godwit ...`, however the page starts it; `undefined` when it starts something else. */
export function asGodwit(line: string): string | undefined {
  const said = line
    .replace(/^(?:sudo -u godwit )?(?:node \S*bin\/godwit\.js|(?:npx )?godwit) /, 'npx godwit ')
    .replace(/^npm start(?: --)?/, 'npx godwit demo');
  return said.startsWith('npx godwit ') ? said : undefined;
}

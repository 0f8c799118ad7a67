import { readFileSync, writeFileSync } from 'node:fs';
import { layouts } from '../../../src/data/open/layouts.ts';
import { describeFormats } from '../../../src/data/open/market-data.ts';
import { refusedLayouts } from '../../../src/data/open/refused-layouts.ts';

const page = new URL('../../../docs/import.md', import.meta.url);

const formatsHead = '| `--format` | file | content |';
const layoutsHead = '| layout | file | begins with | written by | `--format` | flags |';
const refusedHead = '| refused | begins with | what to do |';

/** docs/import.md with its tables of formats and layouts as `src/data/open` has them, and as it is. */
export function pageWithLayouts(): { readonly made: string; readonly written: string } {
  const written = readFileSync(page, 'utf8');
  // Formats of books stand in a table that is written by hand: sequence and proof are facts about their venues.
  const others = tableOf(written, formatsHead).rest;
  const formats = describeFormats().flatMap(({ name, looksLike, carries }) =>
    others.includes(`\n| \`${name}\` |`) ? [] : [`| \`${name}\` | ${looksLike} | ${carries} |`],
  );
  const read = layouts.map(
    ({ name, format, file, begins, writtenBy, flags }) =>
      `| ${name} | \`${file}\` | ${code(begins)} | ${writtenBy} | \`${format}\` | ${flags ?? ''} |`,
  );
  const refused = refusedLayouts.map(
    ({ name, begins, instead }) => `| ${name} | ${code(begins)} | ${instead} |`,
  );
  const tables = [
    [formatsHead, formats],
    [layoutsHead, read],
    [refusedHead, refused],
  ] as const;
  const made = tables.reduce((text, [head, rows]) => {
    const { before, rule, after } = tableOf(text, head);
    return [before, head, rule, ...rows.map((row) => row.replaceAll('  |', ' |'))].join('\n') + after;
  }, written);
  return { made, written };
}

/** Content in the letters of a file, with tabs as people see them. */
function code(begins: string): string {
  return `\`${begins.replaceAll('\t', '→').replaceAll('|', '\\|')}\``;
}

function tableOf(text: string, head: string) {
  const [before = '', behind = ''] = text.split(`\n${head}\n`);
  const after = behind.slice(behind.indexOf('\n\n'));
  return { before, rule: behind.split('\n', 1)[0] ?? '', after, rest: before + after };
}

if (process.argv.includes('--write')) writeFileSync(page, pageWithLayouts().made);

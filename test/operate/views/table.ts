import { readFileSync, writeFileSync } from 'node:fs';
import { views } from '../../../src/operate/views/all.ts';

const page = new URL('../../../docs/steering.md', import.meta.url);
const begin = '| List | Command | Path |\n|---|---|---|\n';

/** docs/steering.md with its table of lists as `src/operate/views` has them, and as it is. */
export function pageWithLists(): { readonly made: string; readonly written: string } {
  const written = readFileSync(page, 'utf8');
  const [before = '', after = ''] = written.split(begin);
  const rows = views.map(
    ({ name, command, text }) => `| ${text} | \`godwit ${command}\` | \`/api/${name}\` |`,
  );
  return { made: before + begin + rows.join('\n') + after.slice(after.indexOf('\n\n')), written };
}

if (process.argv.includes('--write')) writeFileSync(page, pageWithLists().made);

import { writeFileSync } from 'node:fs';
import { coverage } from './coverage.ts';
import { apiPage } from './page.ts';
import { missing } from './rows.ts';

// Prints docs/api.md, or with --write writes it together with test/api/missing.json.

const rows = await coverage();
const text = apiPage(rows);
if (process.argv.includes('--write')) {
  const lacking = (who: 'client' | 'exchange') =>
    rows.filter((row) => row[who] === false || row[who] === '').map(({ name }) => name);
  const lacks = { client: lacking('client'), exchange: lacking('exchange') };
  for (const who of ['client', 'exchange'] as const) {
    const fresh = lacks[who].filter((name) => !missing[who].includes(name));
    // What was there once must not go missing by a run of this program.
    if (fresh.length > 0) throw new Error(`the ${who} no longer has ${fresh.join(', ')}`);
  }
  writeFileSync(new URL('../../docs/api.md', import.meta.url), text);
  writeFileSync(new URL('missing.json', import.meta.url), missingText(lacks));
} else {
  process.stdout.write(text);
}

/** As the formatter has it: a list on one line where it fits. */
function missingText(lacks: Readonly<Record<string, readonly string[]>>): string {
  const members = Object.entries(lacks).map(([who, names]) => {
    const quoted = names.map((name) => JSON.stringify(name));
    const line = `  "${who}": [${quoted.join(', ')}]`;
    return line.length < 110 ? line : `  "${who}": [\n    ${quoted.join(',\n    ')}\n  ]`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

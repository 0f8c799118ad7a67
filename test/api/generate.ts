import { writeFileSync } from 'node:fs';
import { coverage } from './coverage.ts';
import { apiPage } from './page.ts';
import { missing } from './rows.ts';

// Prints docs/api.md, or with --write writes it together with test/api/missing.json.

const rows = await coverage();
const text = apiPage(rows);
if (process.argv.includes('--write')) {
  const lacking = (who: 'client' | 'exchange') => rows.filter((row) => !row[who]).map(({ name }) => name);
  const lacks = { client: lacking('client'), exchange: lacking('exchange') };
  for (const who of ['client', 'exchange'] as const) {
    const fresh = lacks[who].filter((name) => !missing[who].includes(name));
    // What was there once must not go missing by a run of this program.
    if (fresh.length > 0) throw new Error(`the ${who} no longer has ${fresh.join(', ')}`);
  }
  writeFileSync(new URL('../../docs/api.md', import.meta.url), text);
  writeFileSync(new URL('missing.json', import.meta.url), `${JSON.stringify(lacks, undefined, 2)}\n`);
} else {
  process.stdout.write(text);
}
process.exit(0);

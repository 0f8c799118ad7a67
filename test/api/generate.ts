import { writeFileSync } from 'node:fs';
import { coverage } from './coverage.ts';
import { apiPage } from './page.ts';

// Prints docs/api.md, or with --write writes it together with test/api/missing.json.

const rows = await coverage();
const text = apiPage(rows);
if (process.argv.includes('--write')) {
  const lacking = (who: 'client' | 'exchange') => rows.filter((row) => !row[who]).map(({ name }) => name);
  const missing = { client: lacking('client'), exchange: lacking('exchange') };
  writeFileSync(new URL('../../docs/api.md', import.meta.url), text);
  writeFileSync(new URL('missing.json', import.meta.url), `${JSON.stringify(missing, undefined, 2)}\n`);
} else {
  process.stdout.write(text);
}
process.exit(0);

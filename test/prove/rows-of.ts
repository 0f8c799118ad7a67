import { readdirSync } from 'node:fs';
import type { Row } from './row.ts';

const folder = new URL('rows/', import.meta.url);

/** Every row of `rows/`, file by file in the order of their names. */
export async function rowsOf(): Promise<readonly Row[]> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const rows: Row[] = [];
  for (const file of files) {
    const loaded = (await import(new URL(file, folder).href)) as { readonly rows?: readonly Row[] };
    if (loaded.rows === undefined) throw new Error(`test/prove/rows/${file} exports no rows`);
    rows.push(...loaded.rows);
  }
  const names = rows.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two rows of test/prove/rows have the name ${twice}`);
  return rows;
}

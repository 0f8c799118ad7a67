import { readdirSync, readFileSync } from 'node:fs';

/** A row of the documents: an endpoint, a socket method or a channel. */
export interface DocumentRow {
  readonly version: 'v3' | 'v2';
  readonly kind: 'rest' | 'socket' | 'channel';
  /** The socket location. */
  readonly place?: string;
  readonly row: string;
  readonly right: string;
  readonly section: string;
  readonly source: 'document' | 'facts';
}

/** Every row of both documents and of the market data files. */
export const documentRows = read('documents.json') as readonly DocumentRow[];

/** What is still missing, and where. It may only shrink. */
export const missing = read('missing.json') as {
  readonly client: readonly string[];
  readonly exchange: readonly string[];
};

interface SliceRow {
  readonly row: string;
  readonly version: string;
  readonly test: string;
}

/** The test of each row, by `nameOf`, as the slices reported. */
export function testsByRow(): ReadonlyMap<string, string> {
  const folder = new URL('./rows/', import.meta.url);
  const tests = new Map<string, string>();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const rows = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly SliceRow[];
    for (const { row, version, test } of rows) {
      const name = plain(row).includes('/api/') ? plain(row) : `${version} ${plain(row)}`;
      if (!tests.has(name)) tests.set(name, test);
    }
  }
  return tests;
}

/** A name that tells every row apart: `GET /api/3/spot/balance`, `/api/3/ws/trading spot_new_order`. */
export function nameOf({ version, kind, place, row }: DocumentRow): string {
  const root = version === 'v3' ? '/api/3' : '/api/2';
  // The market data spell one row out that the document writes with a margin mode.
  const spelled = row.replace(/^(PUT|DELETE) (.*)\/isolated\/(?=\{symbol\}$)/, '$1 $2/{margin_mode}/');
  return kind === 'rest' ? plain(spelled) : `${root}${place} ${plain(row)}`;
}

/** A path with its parameters as `{}`: documents and tables name them differently. */
export function plain(path: string): string {
  return path.replaceAll(/\{\w+\}|:\w+/g, '{}');
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}

import { hash as digest } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ChainPlace } from './chain.ts';
import { isSqliteError } from './file.ts';

/** What `chainHash` hashes, put together by SQLite: one flat text a record, no object, nothing decoded. */
const hashed = ['previous', 'sequence', 'kind', 'market_count', 'market_hash', 'text'].join(
  ' || char(10) || ',
);
const query = `SELECT sequence, kind, hash, ${hashed} FROM records WHERE sequence > ? ORDER BY sequence LIMIT 1000`;

/**
 * Proves the chain behind `start` and returns the place before the last `stateCarried` in it: what is read from
 * there on is all that a restart needs. It ends at the first record that proves wrong or cannot be read, which
 * whoever reads on from the returned place meets again and judges.
 */
export function lastCarried(database: DatabaseSync, start: ChainPlace): ChainPlace {
  const rowsAfter = database.prepare(query);
  rowsAfter.setReturnArrays(true);
  let found = start;
  let last = start;
  for (;;) {
    const rows = readable(() => rowsAfter.all(last.sequence) as unknown as readonly unknown[][]);
    if (rows.length === 0) return found;
    for (const [sequence, kind, hash, text] of rows) {
      if (typeof sequence !== 'number' || typeof hash !== 'string' || typeof text !== 'string') return found;
      if (!text.startsWith(`${last.hash}\n`) || digest('sha256', text, 'hex') !== hash) return found;
      if (kind === 'stateCarried') found = last;
      last = { sequence, hash };
    }
  }
}

function readable(read: () => readonly unknown[][]): readonly unknown[][] {
  try {
    return read();
  } catch (error) {
    if (isSqliteError(error)) return [];
    throw error;
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../../../shared/data/', import.meta.url);

/** Whether the recordings stand beside the repository. */
export const recordingsPresent = existsSync(fileURLToPath(root));
if (!recordingsPresent) {
  process.stderr.write(`recordings are absent (${fileURLToPath(root)}): tests on them are skipped\n`);
}

/** The path of a file among the shared recordings. */
export function sharedPath(name: string): string {
  return fileURLToPath(new URL(name, root));
}

/** A JSON file among the shared recordings. */
export function sharedJson(name: string): unknown {
  return JSON.parse(readFileSync(sharedPath(name), 'utf8'));
}

/** `snapshots`, `updates`, `last_seq`, ... by symbol, by file, by venue. */
export type EndStates = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

export const hitbtcFiles = [
  'bequant-v2-20210703.conn1.txt.gz',
  'bequant-v2-20210703.conn3.txt.gz',
  'fmfw-v3-20211009.partA.txt.gz',
  'hitbtc-v2-20210405.txt.gz',
  'hitbtc-v2-20210715.conn1.txt.gz',
  'hitbtc-v2-20210715.conn2.txt.gz',
  'hitbtc-v2-20210715.conn3.txt.gz',
  'hitbtc-v2-20210715.conn4.txt.gz',
] as const;

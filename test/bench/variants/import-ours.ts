import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importData } from '../../../src/app/data/import-command.ts';
import { steady } from '../support/steady.ts';

// The whole of `godwit data import`, book tickers and grade included: each part is a recording of its own.
// Usage: node import-ours.ts FILE[+FILE...]...

const parts = process.argv.slice(2).map((part) => part.split('+'));
const folder = mkdtempSync(join(tmpdir(), 'godwit-import-'));
const out = join(folder, 'one.pack');

/** What `--json` says of one import. */
interface Reported {
  readonly levelChanges: number;
  readonly bytes: number;
}

async function importOne(files: readonly string[]): Promise<Reported> {
  let noted = '';
  const output = {
    colour: false,
    data: (text: string): void => {
      noted = text;
    },
    progress: (): void => {},
  };
  await importData({ files, options: {}, out, force: true, json: true, output });
  return JSON.parse(noted) as Reported;
}

let bytesALevelChange = 0;
try {
  await steady(
    async () => {
      let changes = 0;
      let bytes = 0;
      for (const files of parts) {
        const noted = await importOne(files);
        changes += noted.levelChanges;
        bytes += noted.bytes;
      }
      bytesALevelChange = bytes / changes;
      return { changes, orders: 0, digest: String(bytes) };
    },
    () => ({ bytesALevelChange }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

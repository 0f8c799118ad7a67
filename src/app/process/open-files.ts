import { readFileSync } from 'node:fs';
import { GodwitError } from '../../core/base/errors.ts';

/** A journal, a recording, sockets and the code of a strategy need so many files at least. */
const openFilesMin = 64;

/** The process may open too few files to start. */
export class TooFewFiles extends GodwitError {
  override readonly code = 'GW_OPEN_FILES';
}

/** Throws `TooFewFiles` where the system says that this process may open fewer files than a start needs. */
export function checkOpenFiles(most: number | undefined = openFilesMax()): void {
  if (most === undefined || most >= openFilesMin) return;
  throw new TooFewFiles(
    `expected a limit of at least ${openFilesMin} open files, found ${most}: raise it (ulimit -n, or LimitNOFILE of systemd)`,
  );
}

/** How many files this process may open; `undefined` where the system does not say. */
function openFilesMax(): number | undefined {
  try {
    const most = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}

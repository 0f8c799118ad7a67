import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Grading costs half as much as a backtest: what was found of some data is kept, by the hashes of data and code. */
const home = 'runs/grades';

/** What a title says of data that was graded before; `undefined` when it was not, or what was kept cannot be read. */
export function knownGrade(data: string, code: string): string | undefined {
  const path = pathOf(data, code);
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Keeps what a title says of some data. A disk that refuses costs time at the next run, nothing else. */
export function keepGrade(data: string, code: string, title: string): void {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(pathOf(data, code), title);
  } catch {
    // Graded again next time.
  }
}

function pathOf(data: string, code: string): string {
  return join(home, `${data}-${code}.txt`);
}

import { readdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  pageFile,
  reportFile,
  sessionEndings,
  sessionsFolder,
  tradesFile,
} from '../../research/report/stored.ts';

/** Where reports, grades and the trial log are kept when nothing else is said. */
export const runsDirectory = 'runs';

/** The trial log below a directory of runs. */
export function trialLogIn(runs: string): string {
  return join(runs, 'trials.ndjson');
}

/** A run without a name: its directory has the first 16 digits of a hash for a name, and nothing but a report in it. */
const unnamed = /^[0-9a-f]{16}$/;
const ownFiles = new Set([reportFile, pageFile, tradesFile]);

/**
 * Keeps the newest `most` reports among the directories of `home` that a hash names. A directory with another name, or with other files in it, is neither counted nor touched. Throws what the file system throws.
 */
export function keepNewestRuns(home: string, most: number): void {
  const runs = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && unnamed.test(entry.name))
    .map((entry) => join(home, entry.name))
    .filter((path) => readdirSync(path).every((name) => ownFiles.has(name)));
  for (const path of beyondNewest(runs, most)) {
    for (const name of readdirSync(path)) rmSync(join(path, name));
    rmdirSync(path);
  }
}

/** Keeps the newest `most` files of `home` whose names end so. Throws what the file system throws. */
export function keepNewestFiles(home: string, ending: string, most: number): void {
  const files = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(home, entry.name));
  for (const path of beyondNewest(files, most)) rmSync(path);
}

/** How many reports of sessions a run directory keeps. */
const sessionsMax = 100;

/** Keeps the newest reports of sessions of a run directory. Throws what the file system throws. */
export function keepNewestSessions(directory: string): void {
  for (const ending of sessionEndings) keepNewestFiles(join(directory, sessionsFolder), ending, sessionsMax);
}

/** All but the newest, by when they were written; of one time, by name. */
function beyondNewest(paths: readonly string[], most: number): readonly string[] {
  if (paths.length <= most) return [];
  return paths
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .toSorted((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
    .slice(most)
    .map(({ path }) => path);
}

import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../core/config/error.ts';

/** How a command finds the daemon of a run directory: where it listens, and its token. Readable by the owner alone. */
export interface RunFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly run: string;
  readonly startedAt: string;
}

const fileName = 'operate.json';
/** Where `npm start` keeps its sessions, each in a directory of its own. */
const demoRuns = join('runs', 'demo');

export function writeRunFile(directory: string, file: RunFile): void {
  writeOwnFile(directory, fileName, file);
}

/**
 * A file of JSON in a run directory, readable by the owner alone. It is written under another name first: who looks for it meanwhile finds
 * the whole of it, or what was there before.
 */
export function writeOwnFile(directory: string, name: string, value: object): void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** The daemon has ended. */
export function removeRunFile(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}

/**
 * The daemon that runs in `directory` or below it; without one, the newest session of `npm start`. `undefined` when none runs. Throws
 * `ConfigError` when its file cannot be read.
 */
export function findRunFile(directory: string): RunFile | undefined {
  for (const one of runDirectories(directory)) {
    const found = runFileIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a run of a configuration may be: its run directory, the newest below it, the newest sessions of `npm start`. */
export function runDirectories(directory: string): readonly string[] {
  return [directory, ...newestBelow(directory), ...newestBelow(demoRuns)];
}

function newestBelow(directory: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  // Names of runs begin with the time of their start.
  return names
    .toSorted()
    .toReversed()
    .slice(0, 20)
    .map((name) => join(directory, name));
}

/**
 * The daemon that runs in this very run directory; a file that a killed one left names a process that is gone. Throws `ConfigError`
 * when it cannot be read.
 */
export function runFileIn(directory: string): RunFile | undefined {
  const path = join(directory, fileName);
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new ConfigError(`${path} holds a token: expected a file that only its owner can read`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return undefined;
  }
  const read = jsonOrNothing(text);
  if (!isRunFile(read))
    throw new ConfigError(`${path}: expected what a daemon writes there, found something else`);
  return isRunning(read.pid) ? read : undefined;
}

/** By hand: commands that read a daemon load no checker of schemas. */
function isRunFile(value: unknown): value is RunFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, token, pid, run, startedAt } = value as Readonly<Record<keyof RunFile, unknown>>;
  return Number.isSafeInteger(pid) && [url, token, run, startedAt].every((one) => typeof one === 'string');
}

/** A text as JSON; `undefined` where it is none. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { logPath } from '../process/log-file.ts';
import type { Output } from '../process/output.ts';
import { onStopSignal } from '../process/stop-signal.ts';
import { OperateFailed } from './client.ts';
import { plainText } from './columns.ts';
import { runDirectories, runFileIn } from './run-file.ts';

const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogsCommand {
  /** The run directory of the configuration. */
  readonly directory: string;
  readonly output: Output;
  readonly clock: Clock;
  /** Lines as they were written. */
  readonly json: boolean;
  /** How many of the last lines. */
  readonly count: number;
  /** What is less is left out. */
  readonly level: LogLevel;
  readonly follow: boolean;
}

const lookEvery = millis(250);
const chunkBytes = 65_536;
/** A longer line is shown in pieces. */
const lineLengthMax = 1_048_576;

/** `godwit logs`: the last lines of the log of a run, and with `follow` what comes. Throws `OperateFailed` when there is no log. */
export async function logsCommand(command: LogsCommand): Promise<number> {
  const directory = directoryOf(command.directory);
  const end = new AbortController();
  const stop = (): void => end.abort();
  // Before the first line: who has seen one may ask for the end.
  const release = command.follow ? onStopSignal(stop, stop) : (): void => {};
  const follower = new LogFollower(directory);
  try {
    const show = shower(command);
    const lines = lastLines(directory, command, follower.offset);
    for (const line of lines) show(line);
    if (lines.length === 0 && command.count > 0)
      command.output.progress(`no line of level ${command.level} or above in ${logPath(directory)} yet`);
    while (command.follow && !end.signal.aborted) {
      for (const line of follower.lines()) show(line);
      await pause(command.clock, lookEvery, end.signal);
    }
  } finally {
    release();
    follower.close();
  }
  return 0;
}

/** Where the daemon that runs keeps its log; without one, the last run of this configuration that left one. */
function directoryOf(directory: string): string {
  const all = runDirectories(directory);
  const isBelow = (one: string): boolean => !relative(directory, one).startsWith('..');
  const found =
    all.find((one) => runFileIn(one) !== undefined) ??
    all.find((one) => isBelow(one) && existsSync(logPath(one)));
  if (found !== undefined && existsSync(logPath(found))) return found;
  if (found === undefined)
    throw new OperateFailed(
      `no daemon of this configuration runs or has left a log (${directory}): start one with godwit trade or npm start`,
      exitCodes.notRunning,
    );
  throw new OperateFailed(
    `the daemon in ${found} runs and keeps no log: expected log.file=true and a log.level other than silent; its lines go to its standard error`,
    exitCodes.notFound,
  );
}

/** The last lines of a level, from as many files as that takes, the oldest line first; of the present file those before `end`. */
function lastLines(directory: string, { count, level }: LogsCommand, end: number): readonly string[] {
  let found: readonly string[] = [];
  for (let number = 0; found.length < count && existsSync(logPath(directory, number)); number++) {
    const bytes = readFileSync(logPath(directory, number));
    const lines = bytes
      .subarray(0, number === 0 ? end : bytes.length)
      .toString()
      .split('\n');
    const fitting = lines.filter((line) => line !== '' && isShown(line, level));
    found = [...fitting.slice(-(count - found.length)), ...found];
  }
  return found;
}

/** What is written from now on, also when the file is put aside and another begins. */
export class LogFollower {
  readonly #path: string;
  readonly #chunk = Buffer.alloc(chunkBytes);
  #descriptor = -1;
  /** Where the next look begins. */
  offset = 0;
  #rest = Buffer.alloc(0);

  constructor(directory: string) {
    this.#path = logPath(directory);
    this.#descriptor = openSync(this.#path, 'r');
    this.offset = fstatSync(this.#descriptor).size;
  }

  /** Whole lines that have come since. */
  *lines(): Generator<string> {
    yield* this.#read();
    if (!this.#isPutAside()) return;
    // What was written between the last look and the change stands in the file that was put aside.
    yield* this.#read();
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#path, 'r');
    this.offset = 0;
    yield* this.#read();
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  *#read(): Generator<string> {
    for (;;) {
      const length = readSync(this.#descriptor, this.#chunk, 0, chunkBytes, this.offset);
      if (length === 0) return;
      this.offset += length;
      const bytes = Buffer.concat([this.#rest, this.#chunk.subarray(0, length)]);
      const end = bytes.length > lineLengthMax ? bytes.length : bytes.lastIndexOf(10) + 1;
      this.#rest = Buffer.from(bytes.subarray(end));
      for (const line of bytes.subarray(0, end).toString().split('\n')) if (line !== '') yield line;
    }
  }

  #isPutAside(): boolean {
    try {
      const { ino, size } = statSync(this.#path);
      return ino !== fstatSync(this.#descriptor).ino || size < this.offset;
    } catch {
      // Between the two there is no file for a moment.
      return false;
    }
  }
}

/** Writes a line for a person, or as it is. */
function shower({ output, json, level }: LogsCommand): (line: string) => void {
  return (line) => {
    if (isShown(line, level)) output.data(json ? line : prettyLine(line, output.colour));
  };
}

interface LogLine {
  readonly level?: unknown;
  readonly time?: unknown;
  readonly msg?: unknown;
}

function isShown(line: string, least: LogLevel): boolean {
  const level = logLevels.findIndex((one) => one === fieldsOf(line).level);
  return level <= logLevels.indexOf(least);
}

/** One line of a log for a person: time, level, what it says, and its fields. */
export function prettyLine(line: string, colour: boolean): string {
  const { level, time, msg, ...rest } = fieldsOf(line);
  if (typeof time !== 'string' || typeof level !== 'string') return plainText(line);
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${wordOf(value)}`);
  const text = [time, level.toUpperCase().padEnd(5), wordsOf(msg), ...fields].map(plainText).join(' ');
  const painted = colour && (level === 'error' ? 31 : level === 'warn' ? 33 : 0);
  return painted ? `\u001B[${painted}m${text}\u001B[0m` : text;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function wordOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) || typeof value !== 'string' ? text : JSON.stringify(text);
}

/** The fields of a line; none where it is no line of ours, such as one that a full disk cut. */
function fieldsOf(line: string): LogLine {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

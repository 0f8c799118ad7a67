import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import type { ProcessName } from '../process/alive.ts';
import { writeOwnFile } from '../operate/run-file.ts';

// What a daemon and its sentinel tell each other, as files of the run directory: a process that is gone or stands still answers nothing.

/** Part of a run, by which its event loop may stand longer or shorter. */
export type BeatPhase = 'starts' | 'trades' | 'stops';

/** Heartbeat of the daemon: its event loop turned. */
export interface Beat {
  readonly count: number;
  readonly phase: BeatPhase;
  readonly pid: number;
  /** Wall time and monotonic time of the daemon, microseconds. */
  readonly at: number;
  readonly uptime: number;
  readonly run: string;
}

/** Right to act on the orders of a run directory. Each daemon that starts takes it, with a higher number; a sentinel acts under one alone. */
export interface Lease extends ProcessName {
  readonly epoch: number;
  readonly at: number;
  /** Reason of an end in good order; absent while it runs, and after an end that it could not tell of. */
  readonly ended?: string | undefined;
  /** Acts of sentinels under earlier leases that no journal has yet. */
  readonly unrecorded?: readonly SentinelAct[] | undefined;
  /** Acts under this lease that a journal has, by `recordName`. */
  readonly recorded?: readonly string[] | undefined;
}

/** An act of a sentinel: it looked for orders and cancelled some. */
export interface SentinelAct {
  readonly epoch: number;
  readonly cause: 'gone' | 'silent' | 'killed';
  readonly why: string;
  readonly at: number;
  /** Wall time at which the last order that can raise exposure was seen gone; absent before. */
  readonly clearedAt?: number | undefined;
  readonly canceled: number;
  /** Client ids of these, the first of them where they are many; none in files of older versions. */
  readonly orders?: readonly string[] | undefined;
  /** Orders of ours that stay, because they only reduce. */
  readonly kept: number;
  /** Client ids that may be live. */
  readonly unresolved: readonly string[];
  /** Nothing is left to do: the time in which an order may arrive late has passed. */
  readonly done: boolean;
}

/** Name of an act with as many orders as it had cancelled. */
export function recordName({ epoch, at, canceled }: SentinelAct): string {
  return `${epoch} ${at} ${canceled}`;
}

export type SentinelStage = 'starts' | 'watches' | 'waits' | 'acts' | 'done' | 'ended';

/** State of a sentinel, as its file says it. */
export interface SentinelState extends ProcessName {
  /** Started by the daemon, or by a service manager or a person. */
  readonly startedBy: 'daemon' | 'service';
  readonly epoch: number;
  readonly stage: SentinelStage;
  /** Begin of the stage. */
  readonly since: number;
  /** Wall time of its last look at the daemon. */
  readonly lastLook: number;
  readonly waitsFor: string;
  /** Fault between it and the venue; empty when there is none. */
  readonly trouble: string;
  /** The latest acts, oldest first. */
  readonly acts: readonly SentinelAct[];
}

const beatName = 'heartbeat';
const leaseName = 'lease.json';
const stateName = 'sentinel.json';
const killName = 'kill';
const othersName = 'others.json';
export const sentinelLog = 'sentinel.log';

/** Bytes of a beat: one write of so few into a file that has them already needs no room on the disk. */
const beatLength = 160;

/** The heartbeat as the daemon writes it: over itself, never synced, by the event loop that it speaks of. */
export class BeatFile {
  readonly #path: string;
  readonly #clock: Clock;
  #descriptor: number | undefined;
  #count = 0;

  constructor(directory: string, clock: Clock) {
    this.#path = join(directory, beatName);
    this.#clock = clock;
    mkdirSync(directory, { recursive: true });
  }

  /** Throws what the system says when it cannot be written. */
  write(phase: BeatPhase, run: string): void {
    const count = (this.#count += 1);
    const words = [count, phase, process.pid, this.#clock.now(), this.#clock.uptime(), run, count];
    try {
      this.#descriptor ??= openSync(this.#path, 'w', 0o600);
      writeSync(this.#descriptor, `${words.join(' ').padEnd(beatLength - 1)}\n`, 0, 'latin1');
    } catch (error) {
      // The file may have been taken away: it is opened anew with the next beat.
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** The latest beat; `undefined` where there is none, and when it was read while it was written. */
export function readBeat(directory: string): Beat | undefined {
  const words = textOf(directory, beatName)?.trim().split(' ') ?? [];
  const [count, phase, pid, at, uptime, run = '', again] = words;
  if (words.length !== 7 || count !== again || !isPhase(phase)) return undefined;
  return { count: Number(count), phase, pid: Number(pid), at: Number(at), uptime: Number(uptime), run };
}

function isPhase(text: string | undefined): text is BeatPhase {
  return text === 'starts' || text === 'trades' || text === 'stops';
}

export function readLease(directory: string): Lease | undefined {
  return jsonOf(directory, leaseName, ['epoch', 'pid', 'at']) as Lease | undefined;
}

export function writeLease(directory: string, lease: Lease): void {
  writeOwnFile(directory, leaseName, lease);
}

export function readSentinel(directory: string): SentinelState | undefined {
  return jsonOf(directory, stateName, ['pid', 'epoch', 'since', 'lastLook']) as SentinelState | undefined;
}

export function writeSentinel(directory: string, state: SentinelState): void {
  writeOwnFile(directory, stateName, state);
}

/**
 * Writes how ids of other Godwits on the account begin: a sentinel leaves their orders alone, though they bear the same prefix. Without it
 * every order under the prefix is ours.
 */
export function writeOthers(directory: string, heads: readonly string[]): void {
  writeOwnFile(directory, othersName, { heads });
}

export function readOthers(directory: string): readonly string[] {
  const { heads } = (jsonOf(directory, othersName, []) ?? {}) as { readonly heads?: unknown };
  return Array.isArray(heads) ? heads.filter((head) => typeof head === 'string' && head !== '') : [];
}

/** The file that kills: it is looked for, not read, so that `touch` is enough. */
export function killPath(directory: string): string {
  return join(directory, killName);
}

/** Wall time, in milliseconds, since which the kill file is there; `undefined` while it is not. */
export function killedSince(directory: string): number | undefined {
  return statSync(killPath(directory), { throwIfNoEntry: false })?.mtimeMs;
}

export function writeKill(directory: string, why: string): void {
  mkdirSync(directory, { recursive: true });
  const descriptor = openSync(killPath(directory), 'a', 0o600);
  writeSync(descriptor, `${why}\n`);
  closeSync(descriptor);
}

/** Returns whether there was one. */
export function removeKill(directory: string): boolean {
  const path = killPath(directory);
  if (!existsSync(path)) return false;
  rmSync(path, { force: true });
  return true;
}

/** A file of JSON whose `numbers` are numbers; `undefined` where there is none, or it is something else. */
function jsonOf(directory: string, name: string, numbers: readonly string[]): object | undefined {
  const text = textOf(directory, name);
  if (text === undefined) return undefined;
  try {
    const read = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    return numbers.every((member) => typeof read?.[member] === 'number') ? (read as object) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), 'utf8');
  } catch {
    return undefined;
  }
}

import { existsSync, statSync } from 'node:fs';
import { seconds, millis, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { pause } from '../../core/base/pause.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { runs } from '../process/alive.ts';
import { actText } from './guard.ts';
import type { SentinelAct, SentinelState } from './run-files.ts';
import { killPath, readLease, readSentinel, removeKill, writeKill } from './run-files.ts';

export interface KillSetting {
  readonly directory: string;
  readonly why: string;
  /** Takes the file away. */
  readonly undo: boolean;
  readonly json: boolean;
  readonly output: Output;
}

/** The orders are to be gone in this time, or what is left is named. */
const actMax = seconds(8);

/**
 * Writes the kill file, or takes it away, and says what became of it. Throws `BadInput` where the directory is none of a run. Without a
 * sentinel that has seen all orders gone the exit code is 1, while a daemon may be running.
 */
export async function killCommand({ directory, why, undo, json, output }: KillSetting): Promise<number> {
  const path = killPath(directory);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BadInput(`${directory}: expected a run directory, found none; name it with --run`);
  const say = (text: string, fields: object): void =>
    output.data(json ? JSON.stringify({ file: path, ...fields }) : text);
  if (undo) {
    const removed = removeKill(directory);
    say(removed ? `The kill file ${path} is gone.` : `There was no kill file ${path}.`, { removed });
    return removed ? exitCodes.done : exitCodes.notFound;
  }
  const clock = new SystemClock();
  const begun = clock.now();
  // An act of an earlier file, which was taken away, is no answer to this one.
  const since = existsSync(path) ? 0 : begun;
  writeKill(directory, why === '' ? `by godwit kill at ${timeText(begun)}` : why);
  const lease = readLease(directory);
  const isRunning = lease !== undefined && lease.ended === undefined && runs(lease);
  const sentinel = watching(directory);
  if (sentinel === undefined) {
    const daemon = isRunning ? `the daemon (process ${lease.pid}) halts by itself` : 'no daemon runs there';
    say(`The kill file ${path} is written. No sentinel watches; ${daemon}.`, { sentinel: null });
    return isRunning ? exitCodes.failed : exitCodes.done;
  }
  const act = await actSince(since, directory, clock);
  if (act === undefined) {
    say(`The kill file ${path} is written. The sentinel has not seen all orders gone yet.`, {
      sentinel: sentinel.pid,
    });
    return exitCodes.failed;
  }
  say(`The kill file ${path} is written. ${actText(act)}`, { sentinel: sentinel.pid, act });
  return act.unresolved.length === 0 ? exitCodes.done : exitCodes.failed;
}

function watching(directory: string): SentinelState | undefined {
  const state = readSentinel(directory);
  if (state === undefined || (state.startedBy === 'daemon' && !runs(state))) return undefined;
  const isAtWork = state.stage !== 'ended' && state.stage !== 'waits';
  return isAtWork ? state : undefined;
}

/** The act that follows the kill file, once it has seen all orders gone; `undefined` when that takes too long. */
async function actSince(
  since: number,
  directory: string,
  clock: SystemClock,
): Promise<SentinelAct | undefined> {
  const end = clock.uptime() + actMax;
  for (;;) {
    const act = watching(directory)?.acts.at(-1);
    if (act?.cause === 'killed' && act.at >= since && act.clearedAt !== undefined) return act;
    if (clock.uptime() >= end) return undefined;
    await pause(clock, millis(50));
  }
}

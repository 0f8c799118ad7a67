import { existsSync, readFileSync } from 'node:fs';

/** A process for good: its number alone may be given to another one once it is gone. */
export interface ProcessName {
  readonly pid: number;
  /** Start of it, in the system's ticks since its boot; empty where the system does not say. */
  readonly mark: string;
}

/** Fields of `/proc/PID/stat` behind the name of the program, which may hold spaces: the state, and the start. Source: proc(5). */
const stateField = 0;
const startField = 19;

/**
 * The mark of the process that has the number now; `undefined` when there is none, or one that has ended and whose parent has not
 * asked for its end yet.
 */
export function processMark(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[stateField] === 'Z' || fields[stateField] === 'X'
        ? undefined
        : (fields[startField] ?? '');
    }
    process.kill(pid, 0);
    return '';
  } catch (error) {
    // A process of another user runs, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? '' : undefined;
  }
}

/** Whether this very process runs. */
export function runs({ pid, mark }: ProcessName): boolean {
  const found = processMark(pid);
  return found !== undefined && (mark === '' || found === '' || found === mark);
}

/** The process that asks. */
export function thisProcess(): ProcessName {
  return { pid: process.pid, mark: processMark(process.pid) ?? '' };
}

import { isMainThread } from 'node:worker_threads';
import { threadsRunning } from '../../core/base/threads.ts';

const exit = process.exit.bind(process);
/** Puts another program in the place of this process; not there in a thread, nor where the system has no such thing. */
export const execve = isMainThread ? process.execve?.bind(process) : undefined;

/**
 * Ends the process, or the thread, with a code. The end of a process waits for its threads, and one that cannot be ended
 * would hold it for ever: a program that takes this one's place takes its threads away.
 */
export function exitProcess(code: number): never {
  if (threadsRunning() > 0 && execve !== undefined) {
    process.emit('exit', code);
    execve(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  }
  return exit(code);
}

/**
 * From then on `exitProcess` alone ends this process or thread. A strategy that asks for its end throws instead: it is stopped as
 * for any other fault, and its run is told and kept.
 */
export function blockExit(): void {
  for (const name of ['exit', 'abort', 'execve']) {
    Reflect.set(process, name, () => {
      throw new Error(`process.${name} was called, and a strategy cannot end the process`);
    });
  }
}

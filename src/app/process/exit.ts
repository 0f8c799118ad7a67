import { isMainThread } from 'node:worker_threads';
import { threadsRunning } from '../../core/base/threads.ts';
import { join } from 'node:path';
import { packageFolder } from './package.ts';

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
 * for any other fault, and its run is reported and kept.
 */
export function blockExit(): void {
  for (const name of ['exit', 'abort', 'execve']) {
    Reflect.set(process, name, () => {
      throw new Error(`process.${name} was called, and a strategy cannot end the process`);
    });
  }
}

const launcher = join(packageFolder(), 'bin', 'godwit.js');

/**
 * Puts `bin/godwit.js` in the place of this process, which starts the program without what may be secret in its environment:
 * what once stood there can be read as long as the process lives. Returns where a process cannot be replaced.
 */
export function startAnew(): void {
  execve?.(process.execPath, [process.execPath, launcher, ...process.argv.slice(2)], process.env);
}

import { join } from 'node:path';
import { execve } from './exit.ts';
import { packageFolder } from './package.ts';

const launcher = join(packageFolder(), 'bin', 'godwit.js');

/**
 * Puts `bin/godwit.js` in the place of this process, which starts the program without what may be secret in its environment:
 * what once stood there can be read as long as the process lives. Returns where a process cannot be replaced.
 */
export function startAnew(): void {
  execve?.(process.execPath, [process.execPath, launcher, ...process.argv.slice(2)], process.env);
}

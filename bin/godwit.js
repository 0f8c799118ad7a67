#!/usr/bin/env node
// Plain JavaScript that any Node can run: starts Godwit under the Node it pins, passes signals on and mirrors
// the exit code.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerFlagsOf } from './compiler-flags.js';
import { pinnedNode } from './pinned-node.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'src', 'cli', 'main.ts');
// Compiled code is kept where `npm ci` clears it away: the second start takes half as long.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'godwit');
// With the C library of most Linux every thread has heaps of its own, which keep what compilers and collectors let go of:
// one heap for all saves some 20 MiB a thread and costs no time.
const heaps = process.env.MALLOC_ARENA_MAX ?? '1';
const pinned = pinnedNode();
// Names of such flags change with versions of Node, and one that Node does not know keeps it from starting.
const flags = pinned === undefined ? [] : compilerFlagsOf(process.argv[2]);
const child = spawn(
  pinned ?? process.execPath,
  ['--disable-warning=ExperimentalWarning', ...flags, main, ...process.argv.slice(2)],
  {
    // Over the channel the child learns that this process is gone, however it went: it then stops in good order.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: heaps },
  },
);

// A terminal sends Ctrl-C to the whole process group, so the child already has it; forwarding it again would
// count as the second signal, the impatient one.
const forwarded = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of forwarded) process.on(signal, () => child.kill(signal));
if (process.stdin.isTTY) process.on('SIGINT', () => {});

child.on('error', (error) => {
  process.stderr.write(`godwit: could not start the pinned Node: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 1));
});

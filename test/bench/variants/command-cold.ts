import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nowMicros, print } from '../support/print.ts';
import { pythonPath } from '../support/python.ts';
import { rustPath } from '../support/rust.ts';

// A whole command, from its start to its end, in a folder of its own: processor time of all its processes and threads, and time by the
// clock on the wall. It runs once before, which is not counted: code that Node keeps compiled is there then, as it is for a user.
// Usage: node command-cold.ts godwit|python|rust ARGUMENTS...

const [program = '', ...args] = process.argv.slice(2);
const godwit = [process.execPath, fileURLToPath(new URL('../../../bin/godwit.js', import.meta.url))];
const start = program === 'python' ? [pythonPath] : program === 'rust' ? [rustPath] : godwit;

/** Seconds of the children of a shell, which `times` prints in its second line as `0m1.25s 0m0.12s`. */
function childSeconds(text: string): number {
  const found = [...(text.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  if (found.length !== 2) throw new Error(`expected the times of a shell, found ${JSON.stringify(text)}`);
  return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-cold-'));
try {
  const run = (): { readonly processor: number; readonly wall: number } => {
    const begun = nowMicros();
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', '"$@" >out 2>err || { cat out err >&2; exit 1; }; times', 'sh', ...start, ...args],
      { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    if (status !== 0) throw new Error(`${args.join(' ')}: ended with ${status}: ${stderr.slice(-600)}`);
    return { processor: childSeconds(stdout), wall: (nowMicros() - begun) / 1e6 };
  };
  run();
  const { processor, wall } = run();
  print({ value: processor, wall });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

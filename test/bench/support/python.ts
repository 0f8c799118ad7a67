import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(tmpdir(), 'godwit-bench-python');

/** Newest first: peers of today ask for 3.12. */
const pythons = ['python3.14', 'python3.13', 'python3.12', 'python3'];

/** The Python that `installPython` makes, with the peers that are written in it. */
export const pythonPath = join(folder, 'bin', 'python');

/** Whether `module` was installed for it. */
export function hasPython(module: string): boolean {
  const versions = join(folder, 'lib');
  if (!existsSync(pythonPath) || !existsSync(versions)) return false;
  return readdirSync(versions).some((name) => existsSync(join(versions, name, 'site-packages', module)));
}

/**
 * Makes an environment of its own in the temporary folder and installs `peers/requirements.txt` there, each line alone so
 * that one that cannot be had spoils no other. Answers what went wrong, one line each.
 */
export function installPython(requirements: readonly string[]): readonly string[] {
  const python = pythons.find((name) => spawnSync(name, ['--version']).status === 0);
  const made =
    python !== undefined &&
    spawnSync(python, ['-m', 'venv', '--clear', folder], { stdio: 'inherit' }).status === 0;
  if (!made) return ['python3 -m venv failed: peers written in Python are left out'];
  const problems: string[] = [];
  for (const requirement of requirements) {
    const { status } = spawnSync(pythonPath, ['-m', 'pip', 'install', '--quiet', requirement], {
      stdio: 'inherit',
    });
    if (status !== 0) problems.push(`${requirement} could not be installed: it is left out`);
  }
  return problems;
}

/** Runs a script of `peers/`; what it printed last, as JSON. Throws with the end of its complaints when it fails. */
export function runPython(script: string, args: readonly string[]): unknown {
  const file = fileURLToPath(new URL(`../peers/${script}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(pythonPath, [file, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr.slice(-600)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

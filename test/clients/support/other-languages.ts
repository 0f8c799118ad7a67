import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotHere } from './talk.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const installMsMax = 180_000;
const talkMsMax = 60_000;

/** Python of the version whose packages are locked, with these packages installed in a folder of their own. */
export async function python(): Promise<string> {
  const found = await run('python3.11', ['--version'], 10_000);
  if (found.code !== 0) throw new NotHere('skipped: there is no python3.11 on this machine');
  const folder = join(here, '.python');
  const locked = join(here, 'python', 'requirements.txt');
  await once(folder, locked, async () => {
    const made = await run('python3.11', ['-m', 'venv', folder], installMsMax);
    if (made.code !== 0) return made;
    // ccxt has hundreds of classes, of which two are used: they are compiled when they are loaded.
    const how = ['-q', '--no-deps', '--no-compile', '--require-hashes'];
    const install = ['-m', 'pip', 'install', ...how, '-r', locked];
    return run(join(folder, 'bin', 'python'), install, installMsMax);
  });
  return join(folder, 'bin', 'python');
}

/** The folder with XChange and what it needs. */
export async function javaLibraries(): Promise<string> {
  for (const [tool, flag] of [
    ['java', '-version'],
    ['mvn', '-v'],
  ] as const) {
    const found = await run(tool, [flag], 20_000);
    if (found.code !== 0) throw new NotHere(`skipped: there is no ${tool} on this machine`);
  }
  const folder = join(here, 'java', 'lib');
  const locked = join(here, 'java', 'pom.xml');
  await once(folder, locked, () => {
    const copy = `org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies`;
    return run('mvn', ['-q', '-B', '-f', locked, copy, `-DoutputDirectory=${folder}`], installMsMax);
  });
  return folder;
}

/** Runs a program to its end; throws what it said when it does not end with 0. */
export async function talk(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { code, said } = await run(program, args, talkMsMax, environment);
  if (code !== 0) throw new Error(`ended with ${code}: ${said.slice(-2_000)}`);
  return said;
}

/** Installs unless what is locked is there already. Without a registry there is nothing to talk to: a skip. */
async function once(folder: string, locked: string, install: () => Promise<Ended>): Promise<void> {
  const stamp = join(folder, '.locked');
  const wanted = createHash('sha256').update(readFileSync(locked)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  const { code, said } = await install();
  if (code !== 0) {
    throw new NotHere(`skipped: its packages could not be installed: ${said.trim().slice(-200)}`);
  }
  writeFileSync(stamp, wanted);
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

function run(
  program: string,
  args: readonly string[],
  msMax: number,
  environment: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { timeout: msMax, env: { ...process.env, ...environment } };
    execFile(program, args, options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({
        code,
        said: `${out}${err}${error !== null && code === 1 ? error.message.slice(0, 200) : ''}`,
      });
    });
  });
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerFlagsOf } from '../../../bin/compiler-flags.js';
import { hasPython } from './python.ts';
import { hasRust } from './rust.ts';
import type { Printed, Variant } from './row.ts';

const variants = new URL('../variants/', import.meta.url);
const peers = new URL('../peers/node_modules/', import.meta.url);
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/godwit', import.meta.url));
const patienceMs = 180_000;
const patienceOnceMs = 1_200_000;

/** Why `variant` cannot run here, or nothing. */
export function obstacleTo({
  needs,
  program,
  python,
  isBuilt = false,
  files = [],
}: Variant): string | undefined {
  if (needs !== undefined && !existsSync(fileURLToPath(new URL(needs, peers))))
    return `${needs} is not installed: npm run bench -- --install`;
  if (program !== undefined && !isOnPath(program)) return `there is no ${program} on this machine`;
  if (python !== undefined && !hasPython(python))
    return `${python} is not installed for Python: npm run bench -- --install`;
  if (isBuilt && !hasRust())
    return 'the Rust crates of NautilusTrader are not built, which takes cargo: npm run bench -- --install';
  const missing = files.find((path) => !existsSync(path));
  return missing === undefined ? undefined : `the recording ${basename(missing)} is not there`;
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Runs `variant` in a process of its own; what it printed. Throws when it fails or takes too long. */
export async function runVariant(variant: Variant): Promise<readonly Printed[]> {
  const file = fileURLToPath(new URL(variant.file, variants));
  const flags = compilerFlagsOf(variant.command);
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--conditions=godwit-source', ...flags, file, ...(variant.args ?? [])],
    {
      // As `bin/godwit.js` starts Godwit.
      env: { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: variant.once === true ? patienceOnceMs : patienceMs,
    },
  );
  let out = '';
  let errors = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString('utf8')));
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString('utf8')));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  if (code !== 0 || lines.length === 0) {
    throw new Error(
      `${variant.file} ${(variant.args ?? []).join(' ')}: ended with ${code}: ${errors.slice(-600)}`,
    );
  }
  return lines.map((line) => JSON.parse(line) as Printed);
}

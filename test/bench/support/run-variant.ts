import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Printed, Variant } from './row.ts';

const variants = new URL('../variants/', import.meta.url);
const peers = new URL('../peers/node_modules/', import.meta.url);
const patienceMs = 180_000;

/** Why `variant` cannot run here, or nothing. */
export function obstacleTo(variant: Variant): string | undefined {
  if (variant.needs === undefined || existsSync(fileURLToPath(new URL(variant.needs, peers))))
    return undefined;
  return `${variant.needs} is not installed: npm run bench -- --install`;
}

/** Runs `variant` in a process of its own; what it printed last. Throws when it fails or takes too long. */
export async function runVariant(variant: Variant): Promise<Printed> {
  const file = fileURLToPath(new URL(variant.file, variants));
  const child = spawn(process.execPath, ['--no-warnings', file, ...(variant.args ?? [])], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patienceMs,
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString('utf8')));
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString('utf8')));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const last = out.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) {
    throw new Error(
      `${variant.file} ${(variant.args ?? []).join(' ')}: ended with ${code}: ${errors.slice(-600)}`,
    );
  }
  return JSON.parse(last) as Printed;
}

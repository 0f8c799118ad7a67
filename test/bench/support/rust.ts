import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(tmpdir(), 'godwit-bench-rust');

/** The program that `installRust` builds of `peers/nautilus`. */
export const rustPath = join(folder, 'target', 'release', 'bars_nautilus');

/** Whether it was built. */
export function hasRust(): boolean {
  return existsSync(rustPath);
}

/** Builds the peer written in Rust in the temporary folder, which takes minutes. Answers what went wrong, or nothing. */
export function installRust(): string | undefined {
  cpSync(fileURLToPath(new URL('../peers/nautilus', import.meta.url)), folder, { recursive: true });
  const { error, status } = spawnSync('cargo', ['build', '--release'], { cwd: folder, stdio: 'inherit' });
  if (error !== undefined)
    return 'there is no cargo on this machine: the Rust crates of NautilusTrader are left out';
  return status === 0
    ? undefined
    : 'cargo could not build the Rust crates of NautilusTrader: they are left out';
}

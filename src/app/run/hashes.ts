import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { readdirSync, closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../core/config/layers.ts';
import { unreadableFile } from '../../data/recording/index.ts';
import type { Config } from '../config/schema.ts';

const edgeBytes = 65_536;

/**
 * First 16 digits of a SHA-256 that identifies data without reading it whole: size, first and last 64 KiB of every file,
 * folders in name order. The same data elsewhere or under another name has the same hash. Throws `NotFound` for a file that is not
 * there, and `BadInput` for one that cannot be read.
 */
export function dataHash(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    try {
      for (const file of filesOf(path)) addEdges(hash, file);
    } catch (error) {
      throw unreadableFile(path, error);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function addEdges(hash: Hash, path: string): void {
  const edge = new Uint8Array(edgeBytes);
  const { size } = statSync(path);
  const file = openSync(path, 'r');
  try {
    hash.update(`${size}\n`);
    hash.update(edge.subarray(0, readSync(file, edge, 0, edgeBytes, 0)));
    const from = Math.max(0, size - edgeBytes);
    hash.update(edge.subarray(0, readSync(file, edge, 0, edgeBytes, from)));
  } finally {
    closeSync(file);
  }
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

/** The parts of a configuration that a run depends on; not where things are kept, and nothing of the venue's keys. */
export function decidingConfig(config: Config): Tree {
  const {
    account: _account,
    venue: _venue,
    exchange: _exchange,
    record: _record,
    log: _log,
    operate: _operate,
    shadow: _shadow,
    // Programs are among the strategies of a gateway.
    programs: _programs,
    gateway: _gateway,
    ...deciding
  } = config;
  return { ...deciding, run: { seed: config.run.seed } };
}

export function hashOf(tree: Tree): string {
  const text = JSON.stringify(tree, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

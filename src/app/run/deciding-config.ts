import { createHash } from 'node:crypto';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';

/** What of a configuration decides the course of a run; not where things are kept, and nothing of the venue's keys. */
export function decidingConfig(config: Config): Tree {
  const {
    account: _account,
    venue: _venue,
    exchange: _exchange,
    record: _record,
    log: _log,
    ...deciding
  } = config;
  return { ...deciding, run: { seed: config.run.seed } };
}

export function hashOf(tree: Tree): string {
  const text = JSON.stringify(tree, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

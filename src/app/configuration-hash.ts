import { createHash } from 'node:crypto';
import type { Config } from '../config/schema.ts';

/** What of a configuration decides the course of a run, as a hash: everything but where it is kept. */
export function configurationHash(config: Config): string {
  const { run, record: _record, log: _log, venue: _venue, ...deciding } = config;
  return createHash('sha256')
    .update(JSON.stringify({ ...deciding, seed: run.seed }))
    .digest('hex')
    .slice(0, 16);
}

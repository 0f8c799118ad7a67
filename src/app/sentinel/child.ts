import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { moduleUrl } from '../../core/base/module-url.ts';
import type { Config } from '../config/schema.ts';
import { sentinelVariable } from './handed-setting.ts';
import { sentinelLog } from './run-files.ts';

const main = fileURLToPath(moduleUrl(new URL('../cli/main.ts', import.meta.url)));
/** It does little, and most of the time nothing: small heaps cost it nothing. */
const flags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=1',
  '--max-old-space-size=192',
];
/** The descriptor over which the environment is handed, as `bin/godwit.js` hands it. */
const handedDescriptor = 3;
/** A log that has grown beyond this is put aside once. */
const logMax = 1_048_576;

export interface SentinelChildSetting {
  readonly config: Config;
  readonly epoch: number;
  /** The whole environment, secrets among it: it is handed over a descriptor, never by `argv` nor by the environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * `godwit sentinel` as a process that outlives this one: in a session of its own, so that a signal to the group of the daemon does not reach
 * it, with a file of the run directory as its output and nothing else of the daemon's.
 */
export function startSentinel({ config, epoch, environment }: SentinelChildSetting): ChildProcess {
  const { account, venue, run, orders, budgets, client, sentinel, log } = config;
  const { idPrefix, cancelTogether } = orders;
  const handed = {
    account,
    venue,
    run,
    orders: { idPrefix, cancelTogether },
    budgets,
    client,
    sentinel,
    log,
  };
  const setting = JSON.stringify({ epoch, config: handed });
  const descriptor = openLog(run.directory);
  try {
    const child = spawn(process.execPath, [...flags, main, 'sentinel'], {
      detached: true,
      stdio: ['ignore', descriptor, descriptor, 'pipe'],
      env: { ...process.env, NO_COLOR: '1', GODWIT_HANDED_FD: String(handedDescriptor) },
    });
    const pipe = child.stdio[handedDescriptor];
    if (pipe instanceof Writable) {
      // A child that could not start does not read.
      pipe.on('error', () => {});
      const all = { ...environment, [sentinelVariable]: setting };
      pipe.end(JSON.stringify({ environment: all, hangUpIgnored: true }));
    }
    child.unref();
    return child;
  } finally {
    closeSync(descriptor);
  }
}

function openLog(directory: string): number {
  const path = join(directory, sentinelLog);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logMax) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

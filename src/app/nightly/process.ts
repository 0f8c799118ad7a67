import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Micros } from '../../core/base/clock.ts';
import { moduleUrl } from '../../core/base/module-url.ts';
import type { DriftResult } from '../../operate/index.ts';
import type { DriftComparison } from './drift.ts';

export interface DriftChildSetting {
  /** The run directory. */
  readonly directory: string;
  /** Where the run is recorded. */
  readonly recording: string;
  readonly memoryMaxMib: number;
  /** The file of its venue, which is no part of the recorded configuration; `undefined` for one that comes with Godwit. */
  readonly venueModule: string | undefined;
}

const main = fileURLToPath(moduleUrl(new URL('../cli/main.ts', import.meta.url)));
/** What a comparison lays aside is in a folder of the run directory that begins so. */
const scratch = 'drift-';
/** More is no answer of `drift --totals --json`. */
const outMax = 1_000_000;
const errorMax = 10_000;

const answer = z.object({
  score: z.number().nullable(),
  from: z.int(),
  to: z.int(),
  sessions: z.array(z.object({ unscored: z.array(z.string()) })),
});

/**
 * `godwit drift --last-day` on the run and its recording, in a process of the lowest priority. It ends with this process, and leaves
 * no file.
 */
export function startDrift(setting: DriftChildSetting): DriftComparison {
  const { directory, recording, memoryMaxMib, venueModule } = setting;
  // Of a process that was killed with its daemon.
  for (const name of readdirSync(directory)) if (name.startsWith(scratch)) void remove(join(directory, name));
  const folder = mkdtempSync(join(directory, scratch));
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${memoryMaxMib}`,
      main,
      'drift',
      directory,
      '--recording',
      recording,
      '--last-day',
      '--totals',
      '--json',
    ],
    // Over the channel it learns that this process is gone.
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, GODWIT__venue__module: venueModule, TMPDIR: folder, NO_COLOR: '1' },
    },
  );
  const stop = (): void => void child.kill('SIGKILL');
  if (child.pid !== undefined) lower(child.pid);
  return { ended: withoutScratch(resultOf(child, memoryMaxMib, stop), folder), stop };
}

function resultOf(child: ChildProcess, memoryMaxMib: number, stop: () => void): Promise<DriftResult> {
  const { promise, resolve, reject } = Promise.withResolvers<DriftResult>();
  let out = '';
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
    if (out.length > outMax) stop();
  });
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString('utf8')}`.slice(-errorMax)));
  child.once('error', (error) => reject(new Error(`its process could not be started: ${error.message}`)));
  child.once('close', (code, signal) => {
    const result = code === 0 ? readAnswer(out) : undefined;
    if (typeof result === 'string') reject(new Error(result));
    else if (result !== undefined) resolve(result);
    else
      reject(
        new Error(whyOf(said, memoryMaxMib) ?? `its process ended with ${signal ?? `exit code ${code}`}`),
      );
  });
  return promise;
}

/** The result, or why there is none in a sentence; `undefined` where nothing can be read. */
function readAnswer(out: string): DriftResult | string | undefined {
  try {
    const { score, from, to, sessions } = answer.parse(JSON.parse(out));
    if (score === null)
      return `a backtest cannot repeat the last day: ${sessions.flatMap(({ unscored }) => unscored).join('; ')}`;
    return { score, from: from as Micros, to: to as Micros };
  } catch {
    return undefined;
  }
}

/** The sentence with which the program ended, if it said one. */
function whyOf(said: string, memoryMaxMib: number): string | undefined {
  if (said.includes('heap out of memory'))
    return `it needs more memory than operate.drift.memoryMaxMib (${memoryMaxMib})`;
  return /^godwit: (.+)$/m.exec(said)?.[1]?.slice(0, 400);
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, which its end says.
  }
}

async function withoutScratch(result: Promise<DriftResult>, folder: string): Promise<DriftResult> {
  try {
    return await result;
  } finally {
    await remove(folder);
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

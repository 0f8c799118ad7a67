import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { moduleUrl } from '../../core/base/module-url.ts';
import type { RunPlace } from '../../core/journal/index.ts';
import type { Output } from '../process/output.ts';
import { unreportedIn } from './journal-report.ts';

/** Task of the thread that makes the report. */
export interface EarlierTask {
  readonly directory: string;
  readonly place: RunPlace;
}

/**
 * The last session of the journal that a run is about to go on with, where it left no report. A journal that cannot be
 * read is no matter of reports: the run says so when it opens it.
 */
export function earlierSession(directory: string): RunPlace | undefined {
  try {
    return unreportedIn(directory);
  } catch {
    return undefined;
  }
}

/**
 * Makes the report of an earlier session beside the others, in a thread, for its journal may hold millions of records
 * and trading waits for none of them. Says where it is, or why there is none; never rejects.
 */
export async function reportEarlier(task: EarlierTask, output: Output): Promise<void> {
  const worker = new Worker(moduleUrl(new URL('./earlier-report-worker.ts', import.meta.url)), {
    workerData: task,
  });
  worker.unref();
  try {
    const [page] = (await once(worker, 'message')) as [string];
    output.progress(`The session before was killed; its report, from the journal: ${page}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    output.progress(`The session before was killed, and its report was not made: ${why}`);
  }
}

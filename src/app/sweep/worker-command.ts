import { SystemClock } from '../../core/base/system-clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Output } from '../process/output.ts';
import { openQueue } from './queue-link.ts';
import { QueueWorker } from './queue-worker.ts';
import type { StopCause } from '../process/stop-signal.ts';
import { exitCodeOfStop, onStopSignal } from '../process/stop-signal.ts';

export interface WorkerCommand {
  readonly url: string;
  readonly home: string;
  readonly output: Output;
  readonly json: boolean;
}

/** How long a worker waits for a server that is not up yet. */
const patience = seconds(60);

/** `godwit worker`: runs trials from a queue, one at a time, until it is stopped. A run under way goes back then. */
export async function workerCommand({ url, home, output, json }: WorkerCommand): Promise<number> {
  const clock = new SystemClock();
  const quiet = clock.after(seconds(2), () =>
    output.progress(`${url} does not answer: waiting a minute for it to come up`),
  );
  const link = await openQueue({ url, clock, patience }).finally(quiet);
  // Before the line that says it is ready: who has read it may ask for the end.
  const stopped = new Promise<StopCause>((end) => onStopSignal(end, end));
  output.progress(`waiting for runs of ${url}`);
  const worker = new QueueWorker({
    link,
    home,
    clock,
    onRun: ({ key, failure }) =>
      json
        ? output.data(JSON.stringify({ key, failure }))
        : output.progress(`${key}: ${failure === undefined ? 'done' : `failed: ${failure}`}`),
    onTrouble: (text) => output.progress(text),
  });
  const working = worker.work();
  const cause = await Promise.race([stopped, working.then((): StopCause => 'ended')]);
  await worker.close();
  return exitCodeOfStop(cause);
}

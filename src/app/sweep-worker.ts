import { parentPort, workerData } from 'node:worker_threads';
import { fail } from '../base/assert.ts';
import type { TrialBase, TrialPack, TrialTask } from './trial-contract.ts';
import { runTrial } from './sweep-trial.ts';

/** What a worker is told. Bytes are shared, not copied. */
export type ToSweepWorker =
  | { readonly type: 'pack'; readonly pack: TrialPack | undefined }
  | { readonly type: 'run'; readonly task: TrialTask };

// The thread of `SweepPool`: one trial at a time, each answered with its outcome.

const port = parentPort ?? fail('a sweep worker runs in a thread', {});
const base = workerData as TrialBase;
let pack: TrialPack | undefined;

port.on('message', (message: ToSweepWorker) => {
  if (message.type === 'pack') pack = message.pack;
  else void runTrial(base, pack, message.task).then((outcome) => port.postMessage(outcome, []));
});

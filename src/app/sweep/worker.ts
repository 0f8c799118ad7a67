import { parentPort, workerData } from 'node:worker_threads';
import { fail } from '../../core/base/assert.ts';
import { keepDoorShut } from '../process/leave.ts';
import { registerVenues } from '../venue/load.ts';
import { onLateStray } from '../run/strays.ts';
import type { FromSweepWorker, ToSweepWorker, TrialBase, TrialPack } from './trial-contract.ts';
import { runTrial } from './trial.ts';

// The thread of `SweepPool`: one trial at a time, each answered with its outcome.

const port = parentPort ?? fail('a sweep worker runs in a thread', {});
const base = workerData as TrialBase;
keepDoorShut();
registerVenues();
onLateStray((late) => tell({ late }));
let pack: TrialPack | undefined;

port.on('message', (message: ToSweepWorker) => {
  if (message.type === 'pack') pack = message.pack;
  else void runTrial(base, pack, message.task).then(tell);
});

function tell(message: FromSweepWorker): void {
  port.postMessage(message, []);
}

import { parentPort, workerData } from 'node:worker_threads';
import { fail } from '../../core/base/assert.ts';
import { blockExit } from '../process/exit.ts';
import { registerVenues } from '../venue/load.ts';
import { onLateError } from '../run/uncaught-errors.ts';
import type { FromSweepWorker, ToSweepWorker, TrialPack } from './trial-contract.ts';
import { runTrial } from './trial.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';

// The thread of `SweepPool`: one trial at a time, each answered with its outcome.

const port = parentPort ?? fail('a sweep worker runs in a thread', {});
const base = workerData as ConfiguredScenario;
blockExit();
registerVenues();
onLateError((late) => post({ late }));
let pack: TrialPack | undefined;

port.on('message', (message: ToSweepWorker) => {
  if (message.type === 'pack') pack = message.pack;
  else void runTrial(base, pack, message.task).then(post);
});

function post(message: FromSweepWorker): void {
  port.postMessage(message, []);
}

import { parentPort, workerData } from 'node:worker_threads';
import { NotFound } from '../../core/base/errors.ts';
import { lastRunIn } from '../../core/journal/replay.ts';
import { registerModules, registerVenues } from '../venue/load.ts';
import { explainedOrder } from './explain.ts';
import type { FromOrderThread, OrderTask } from './order-explainer.ts';
import type { OrderTrace } from './order-trace.ts';
import { traceOrder } from './order-trace.ts';
import { recordedOrder } from './recorded-order.ts';

// The thread of `OrderExplainer`: tells what the journal says, then what the recording adds, and ends. What it throws is reported there.

const { directory, folders, id, venues } = workerData as OrderTask;

function post(message: FromOrderThread): void {
  parentPort?.postMessage(message, []);
}

function tell(trace: OrderTrace): void {
  const recorded = { steps: [], book: undefined, notes: [] };
  post({ found: 'part', explained: explainedOrder({ id, directory, trace, recorded }) });
}

/** An order of the last run needs no record of earlier ones. */
function traced(): OrderTrace {
  const place = lastRunIn(directory);
  if (place === undefined) return traceOrder(directory, id);
  try {
    const recent = traceOrder(directory, id, place);
    if (recent.declared !== undefined) return recent;
    tell(recent);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  return traceOrder(directory, id);
}

registerVenues();
try {
  await registerModules(venues);
  const trace = traced();
  tell(trace);
  const recorded = await recordedOrder(folders, id, trace);
  post({ found: 'whole', explained: explainedOrder({ id, directory, trace, recorded }) });
} catch (error) {
  if (!(error instanceof NotFound)) throw error;
  post({ found: 'absent', why: error.message });
}

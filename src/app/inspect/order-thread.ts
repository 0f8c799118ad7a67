import { parentPort, workerData } from 'node:worker_threads';
import { NotFound } from '../../core/base/errors.ts';
import { JournalSession } from '../run/journal-session.ts';
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
  const last = JournalSession.last(directory);
  const all = (): OrderTrace => traceOrder(JournalSession.all(directory), id);
  if (last === undefined) return all();
  try {
    const recent = traceOrder(last, id);
    if (recent.declared !== undefined) return recent;
    tell(recent);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  return all();
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

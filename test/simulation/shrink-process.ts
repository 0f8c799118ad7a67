import { plantedBugs } from './planted.ts';
import type { LaneMessage, LaneTask } from './shrink-lanes.ts';
import { simulate } from './simulation.ts';

/** Runs the candidates that its parent names, each until its end or until it is broken off. */
let stop = new AbortController();

async function run({ bug, ...parts }: LaneTask): Promise<void> {
  stop = new AbortController();
  const hooks = bug === undefined ? {} : (plantedBugs[bug] ?? {});
  const { breaches } = await simulate({ ...parts, hooks, signal: stop.signal });
  process.send?.(breaches);
}

process.on('message', (message: LaneMessage) => {
  if (message === 'stop') stop.abort();
  else void run(message);
});
// A process that is disconnected while a candidate runs ends at once.
process.on('disconnect', () => process.exit());

import type { SeedTask } from './seed-outcome.ts';
import { runSeed } from './seed-outcome.ts';

process.on('message', (task: SeedTask) => {
  void runSeed(task).then((outcome) => process.send?.(outcome));
});
// A process that is disconnected while a seed runs ends at once.
process.on('disconnect', () => process.exit());
